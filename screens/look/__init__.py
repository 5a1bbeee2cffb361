"""How it looks: `look.css` for every screen, `outline.css` and `outline.js` over a photo.

- `theme`  puts them into the page; card faces, notes and the picker's states as HTML
"""
