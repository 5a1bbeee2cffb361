"""How to make a phone trust this computer: the certificate, and pictures of the settings."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from screens import certificate, render
from screens.parts import frame
from screens.words import t

STEPS = {"iphone": 4, "android": 3}
"""Number of pictures by kind of phone."""


def main() -> None:
    frame.bar(t("page_trust"))
    if not certificate.is_offered():
        render.note(t("trust_none"), kind="ask")
        return
    st.write(t("trust_why"))
    st.html(render.macros("home.html").trust(certificate.ADDRESS, STEPS))


main()
