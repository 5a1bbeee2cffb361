"""Two drawn decks of forty cards with their backs, and the app's icon. SVG files are the source."""
