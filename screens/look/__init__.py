"""How it looks: `look.css`, `page.js` for every screen, `outline.css`, `outline.js` over a photo.

- `theme`  puts them into the page; card faces, notes and the picker's states as HTML
- `page`  what every screen tells the browser: its language; that the connection is lost
"""
