"""The project's own drawings: two decks of forty cards, their backs and the app's icon.

1. `drawing`  the code that draws them as SVG: `python -m assets.drawing` writes every file
2. `deck`     the committed files, handed out as SVG text, as data URIs, by name
3. `raster`   the drawings as pixels, for training and for the samples
"""
