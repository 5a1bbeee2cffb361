"""How it looks: colours in `themes/`, `look.css` and `page.js` for every screen, a file a subject.

- `theme`  puts them into the page; card faces, notes and the picker's states as HTML
- `page`  what every screen tells the browser: its language; that the connection is lost
"""
