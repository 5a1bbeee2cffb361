"""What a person sees: the only package with Streamlit.

`app.py` runs the page that the address names. A page asks `table` how things are, shows them with
`parts`, and hands each tap back to `table`. Nothing here decides about cards, rules or points.
Sentences are `t("key")`: write the key into both catalogues in `locale/`, then `make locale`.
"""
