"""The themes: every pair of colours that is used stands out, and the choice of a device holds."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit
from app_driving import ROOT, app, component_data, luminance, open_table

from screens import look, state
from screens.state import THEME, THEMES

STATIC = ROOT / "screens" / "static"
AA, AAA = 4.5, 7.0
"""Least contrast of words with their ground, as WCAG counts it."""
ASKED = {"light": AA, "dark": AA, "sunlight": AAA}

GROUNDS = ("paper", "card", "good-paper", "warn-paper", "stop-paper", "faint")
INKS = (
    *("ink", "quiet", "green", "green-deep", "accent", "warn"),
    *("denari", "coppe", "spade", "bastoni"),
    *(f"side-{seat}" for seat in range(1, 7)),
)
PAIRS = (
    *((ink, ground) for ink in INKS for ground in GROUNDS),
    *(("ink", "pressed"), ("green-deep", "pressed"), ("on-band", "band")),
    *(("on-primary", "primary"), ("on-box", "box"), ("gold", "box"), ("on-won", "won")),
    ("ink", "gold-paper"),
    *((f"box-side-{seat}", "box") for seat in range(1, 7)),
    *(("on-mark", ground) for ground in ("green", "warn", "accent", "quiet")),
)
"""Words and their grounds: the names that the style sheets use together."""

ALIKE = {"#fff", "#ffb300", "rgba(0,0,0,.65)"}
"""Colours that every theme shares: the ground of QR codes, what is drawn over a photo."""

every_theme = pytest.mark.parametrize("name", THEMES)


def colours(name: str) -> dict[str, str]:
    """Return the colours of a theme by name."""
    text = (STATIC / "themes" / f"{name}.css").read_text(encoding="utf-8")
    return dict(re.findall(r"--([\w-]+): ([^;]+);", text))


def names_in(text: str) -> set[str]:
    """Return the names that a style sheet gives values."""
    return set(re.findall(r"--([\w-]+):", text))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@every_theme
def test_words_stand_out_from_their_ground(name: str) -> None:
    """AA by light and in the dark, AAA in the sun."""
    told = colours(name)
    faint = {pair: round(contrast(*(told[one] for one in pair)), 2) for pair in PAIRS}
    assert not {pair: found for pair, found in faint.items() if found < ASKED[name]}


@every_theme
def test_the_boards_scores_stand_out_as_aaa_asks(name: str) -> None:
    told = colours(name)
    for ink, ground in (("on-box", "box"), ("on-won", "won")):
        assert contrast(told[ink], told[ground]) >= AAA


@every_theme
def test_the_bar_of_the_board_is_seen_to_fill(name: str) -> None:
    told = colours(name)
    assert contrast(told["gold"], told["track"]) >= 3
    assert contrast(told["on-won"], told["track"]) >= 1.4


def test_one_style_sheet_knows_what_streamlit_does_not_document() -> None:
    sheets = {sheet.name: sheet.read_text(encoding="utf-8") for sheet in STATIC.glob("*.css")}
    private = {
        name: len(re.findall(r"\[data-test|\.react-aria", text)) for name, text in sheets.items()
    }
    assert [name for name, count in private.items() if count] == ["widgets.css"]
    assert sheets["widgets.css"].count("[data-test") <= 30
    assert sum(text.count("!important") for text in sheets.values()) <= 30


def test_heights_leave_room_for_the_bars_of_a_browser() -> None:
    """100vh reaches below the address bar of a phone; older browsers know nothing else."""
    for sheet in sorted(STATIC.glob("*.css")):
        text = sheet.read_text(encoding="utf-8")
        for old, new in re.findall(r"([^;{]*100vh[^;]*);[^;\n]*\n([^;]*);", text):
            assert old.strip().replace("100vh", "100dvh") == new.strip(), sheet.name


def test_every_theme_names_the_same_colours() -> None:
    first, *others = (set(colours(name)) for name in THEMES)
    assert all(other == first for other in others)


def test_style_sheets_name_colours_and_never_say_them() -> None:
    """A colour that a style sheet says itself is the same in every theme: it is not to be read."""
    alike = {"photos.css", "print.css", "evening.css"}  # drawn over a photo, printed on paper
    for sheet in sorted(STATIC.glob("*.css")):
        if sheet.name not in alike:
            said = re.findall(
                r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*[;}])|rgba?\([^)]*\)",
                sheet.read_text(encoding="utf-8"),
            )
            assert set(said) <= ALIKE, f"{sheet.name} says {said}"


def test_style_sheets_use_only_colours_that_there_are() -> None:
    known = set(colours("light")) | names_in((STATIC / "tokens.css").read_text(encoding="utf-8"))
    for sheet in sorted(STATIC.glob("*.css")):
        text = sheet.read_text(encoding="utf-8")
        of_html = {
            "count",
            "letters",
            "digits",
            "more",
            "face",
            "at",
            "lines",
            "ranks",
            "places",
            "columns",
            "foot",
            "at-foot",
            "at-top",
            "at-right",
            "widest",
            "shape",
            "share",
        }  # set where the HTML is made
        own = names_in(text) | of_html
        used = set(re.findall(r"var\(--([\w-]+)", text)) - {"veil", "mark", "mark-ground"}
        assert used <= known | own, f"{sheet.name}: {used - known - own}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cookies", "chosen"),
    [({}, None), ({THEME: "sunlight"}, "sunlight"), ({THEME: "pink"}, None)],
    ids=["nobody chose", "chosen", "no theme of ours"],
)
def test_a_device_keeps_its_theme(
    cookies: dict[str, str], chosen: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = SimpleNamespace(locale="en", url="", cookies=cookies)
    monkeypatch.setattr(streamlit, "context", context)
    at = app("play", table=open_table().code)
    assert component_data(at, "page_script")["theme"] == chosen


def test_device_theme_is_the_default() -> None:
    light, dark = look.theme_rules().split("@media (prefers-color-scheme: dark)")
    assert colours("light")["paper"] in light
    assert ":root:not([data-theme])" in dark
    assert colours("dark")["paper"] in dark


def test_streamlits_own_colours_are_those_of_the_themes() -> None:
    config = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    for name in ("light", "dark"):
        section: Any = config.split(f"[theme.{name}]")[1].split("\n[")[0]
        told = colours(name)
        for setting, colour in (
            ("primaryColor", "primary"), ("backgroundColor", "paper"), ("textColor", "ink"),
            ("secondaryBackgroundColor", "faint"), ("linkColor", "green"), ("borderColor", "line"),
        ):  # fmt: skip
            assert f'{setting} = "{told[colour]}"' in section, setting


@pytest.mark.slow
def test_themes_are_offered_on_home_and_play() -> None:
    table = open_table()
    assert state.THEMES == ("light", "dark", "sunlight")
    for screen in ("home", "play"):
        at = app(screen, **({} if screen == "home" else {"table": table.code}))
        assert [one.key for one in at.get("bidi_component") if one.key == "themes"], screen
