"""What a person sees: the only package with Streamlit.

`app.py` runs the page that the address names. A page loads a table by `table`, shows it with
`parts`, and passes each tap back to `table`. Nothing here decides about cards, rules or points.
Sentences are `t("key")`: write the key into every catalogue in `locale/`, then `make locale`.
"""
