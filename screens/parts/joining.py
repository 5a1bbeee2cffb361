"""How others join a table: its address, also as a QR code."""

from functools import lru_cache
from urllib.parse import urlsplit

import segno
from markupsafe import Markup

from screens import navigation, render, state
from screens.network import found_address, given_address, is_this_computer
from screens.words import t

QR_INK = "#123c2e"
"""Colour of the QR code: the deep green of the style sheet."""


def address() -> str:
    """Return the address by which phones reach the app: the configured one, else the best found."""
    here = urlsplit(state.url())
    seen = f"{here.scheme}://{here.netloc}" if here.netloc else ""
    host = here.hostname or "localhost"
    found = given_address() or (found_address() if is_this_computer(host) else seen)
    return found or seen


def watch_url(code: str) -> str:
    """Return the address at which a phone watches a table."""
    return address() + navigation.board_path(code)


def qr_code(url: str, *, alt: str) -> Markup:
    """Return HTML of an address as a QR code."""
    return render.piece("photo", _qr_uri(url), alt)


def qr_code_of(code: str) -> Markup:
    """Return HTML of a table's viewers' address as a QR code."""
    url = watch_url(code)
    return qr_code(url, alt=t("qr_code", url=url))


@lru_cache(maxsize=256)
def _qr_uri(url: str) -> Markup:
    """Return an address as a QR code in a data URI; cached, as boards show it with every change."""
    return Markup(segno.make(url, error="m").svg_data_uri(scale=4, border=2, dark=QR_INK))
