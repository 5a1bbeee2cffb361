"""Bytes -> pixels: what a file is, whether it is whole, its header, its pixels, the way up.

1. `formats`  what a file is, told by its bytes, and whether it breaks off
2. `raw`      TIFF files that hold what a camera's sensor saw
3. `jpeg`     JPEG files: their frame, their end, their pixels, and what damage is
4. `pillow`   the headers of all formats, and the pixels of all but JPEG
5. `upright`  which way up a picture is, for all formats
"""
