"""A sample hand: the photo of a pile, then the points that its cards bring. Nothing is stored."""

# ruff: noqa: D103  the functions of a page are its own

import json
from functools import cache
from itertools import groupby
from typing import Any

import streamlit as st
from markupsafe import Markup

from scoring.cards import Card
from scoring.hand import HandScore, Side, score_hand
from scoring.presets import PRESETS
from screens import components, navigation, render, state
from screens.parts import frame
from screens.words import point_label, t
from vision.photo import open_photo

PHOTO = "anna-1.jpg"
"""The photo on the screen, of the first side of the first hand of samples/expected.json."""

FACES = 6
"""Most cards of a point that are shown with it."""


@cache
def sample() -> tuple[tuple[str, ...], dict[str, Any], tuple[int, int], HandScore]:
    """Return the names of the hand, the answers to its photo with its size, and its points."""
    expected = json.loads((state.SAMPLES / "expected.json").read_text(encoding="utf-8"))
    hand = expected["hands"][0]
    sides = tuple(
        Side(side["name"], tuple(map(Card.from_code, side["pile"])), side["scope"])
        for side in hand["sides"]
    )
    answers, size_wh = expected["photos"][PHOTO], open_photo(state.SAMPLES / PHOTO).size_wh
    return (
        tuple(side.name for side in sides),
        answers,
        size_wh,
        score_hand(sides, PRESETS[hand["rules"]]),
    )


def shown() -> Markup:
    """Return HTML of the photo with its outlines, and of the points."""
    names, answers, size_wh, score = sample()
    outlines = [
        (code, " ".join(f"{x},{y}" for x, y in corners))
        for code, corners in zip(answers["cards"], answers["corners"], strict=True)
    ]
    points = []
    for name, group in groupby(score.lines, key=lambda line: line.point):
        lines = list(group)
        won = [
            (one.winner, names[one.winner], one.amount) for one in lines if one.winner is not None
        ]
        cards = [card.code for card in lines[0].cards[0]]
        points.append((point_label(name), won, cards if len(cards) <= FACES else []))
    alt = t("photo_alt", number=1, name=names[0], n=len(outlines))
    return render.macros("home.html").sample_hand(
        f"/door/samples/{PHOTO}", size_wh, alt, outlines, points
    )


def main() -> None:
    frame.bar(t("page_sample"))
    components.show("sample", key="sample", data={"html": shown()})
    with st.bottom:
        if st.button(t("sample_start"), key="sample_start", type="primary", width="stretch"):
            navigation.go_home()


main()
