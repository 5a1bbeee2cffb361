"""The code that draws the cards, as plain SVG text: `python -m assets.drawing` writes every file.

From small to large: `svg` (elements), `palette` (colours), `glyphs` (digits and letters as
strokes, so that no font is needed), `layout` (where pips stand), one module a suit sign,
`face`, `dress`, `page`, `horse`, `king` (the Italian figures), `courts` (the French ones),
then the decks themselves: `italian`, `french`, and `icon`.
"""
