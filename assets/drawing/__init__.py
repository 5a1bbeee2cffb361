"""The code that draws the cards, as plain SVG text: `python -m assets.drawing` writes every file.

1. `svg`      SVG elements as text
2. `palette`  the colours
3. `glyphs`   digits and letters as strokes, so that no card depends on a font
4. `layout`   where the pips of each rank stand
5. `pips`     the signs of the suits
6. `figures`  the figures of the court cards
7. `back`     the back of both decks
8. `italian`  the Italian-suited deck
9. `french`   the French-suited deck
10. `icon`    the icon of the app
11. `files`   every file by its place in assets/
"""
