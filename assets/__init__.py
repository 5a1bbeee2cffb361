"""The project's own drawings: two decks of 40 cards, their backs and the app's icon.

`assets.deck` hands the committed SVG files out, `assets.raster` turns them into pixels,
and `assets.drawing` is the code that drew them (`python -m assets.drawing`).
"""
