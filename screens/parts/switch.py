"""A switch: how all screens offer a choice of a few options (`static/switch.css`)."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

T = TypeVar("T")


def switch(
    label: str,
    options: Sequence[T],
    *,
    default: T,
    key: str,
    format_func: Callable[[T], str] = str,
) -> T:
    """Draw a switch and return the chosen option.

    Args:
        label: What is chosen.
        options: What there is to choose.
        default: The option that is chosen at first.
        key: Its name on the screen.
        format_func: Returns the words of an option.
    """
    chosen = st.segmented_control(
        label,
        options,
        default=default,
        required=True,
        key=key,
        format_func=format_func,
        width="stretch",
    )
    return default if chosen is None else chosen
