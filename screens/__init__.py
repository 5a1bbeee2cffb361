"""What a person sees: the only floor with Streamlit.

`app.py` runs the page that the address names. A page asks `table` how things stand, draws them with
`parts`, and hands each tap back to `table`. Nothing here decides about cards, rules or points.

- `addresses`  by which address phones join
- `crops`  size and pieces of a kept photo
- `locale`  every sentence in English and Italian, as gettext catalogues
- `drawn`  what a screen is drawn from
- `state`  what a run keeps: the URL, the session's keys, the process's store and reader
- `turns`  screens are drawn one after another
- `words`  the sentence of a key in the language of the screen
- `look`  style sheets and scripts, card faces and notes
- `navigation`  the screens by name, and the way from one to the next
- `parts`  what several pages are built of
- `pages`  one script a screen
- `launch`  starts the app, and shows phones the way to it
- `reader`  `settebello-reader`: reads photos on any machine
- `doctor`  what is wrong with this installation, and what to do
- `command`  `settebello` with its subcommands; without one it starts the app
"""
