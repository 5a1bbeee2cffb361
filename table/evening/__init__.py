"""An evening: many tables under one code.

`draw` pairs the players, `standings` ranks them, `replay` is the evening from its log, `actions`
changes it, and `view` opens and loads it.
"""
