"""How a rule set is played: five steps, tables to try, counts to guess, and a sheet to print."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence
from itertools import compress, product
from typing import Any

import streamlit as st

from scoring.cards import CODES, Card
from scoring.explain import point_name
from scoring.hand import HandScore, Side
from scoring.lessons import NAMES, Guess, Scene, Step, Task, guesses, judge, steps, tasks
from scoring.presets import DEFAULT
from scoring.rules import Rules
from screens import components, render, state
from screens.parts import frame, rules
from screens.words import capital, card, in_signs, t, the_card

PAPERS = ("A4", "A5")
"""The sizes of paper that the sheet fits on."""


def chosen() -> Rules:
    """Gives the rules to learn: those of the table, of the address, or the ones chosen here."""
    if state.address().table:
        view = frame.require_view()
        frame.band(view, back="play")
        return view.match.rules
    frame.bar(t("learn"))
    coded, asked, sets = rules.of_address(), state.kept_choice(state.RULES), rules.rule_sets()
    called = {name: rules.called(name) for name in sets}
    usual = coded.name if coded else asked if asked in sets else DEFAULT
    picked = st.selectbox(
        t("rules"),
        list(sets),
        index=list(sets).index(usual),
        key="learn_rules",
        format_func=called.__getitem__,
    )
    return sets[picked or usual]


def sentence(text: str) -> str:
    """Gives a sentence of the rules with a capital, a full stop and the screen's cards in it."""
    return in_signs(f"{capital(text)}.")


def codes(cards: Sequence[Card]) -> list[str]:
    return [one.code for one in cards]


def scene(shown: Scene) -> dict[str, Any]:
    return {
        "table": codes(shown.table),
        "played": shown.played.code,
        "taken": codes(shown.taken),
        "scopa": shown.is_scopa,
        "last": shown.is_last,
        "pile": shown.to_pile,
    }


def piles(named: Sequence[tuple[str, Sequence[Card]]]) -> list[dict[str, Any]]:
    return [{"name": name, "codes": codes(cards)} for name, cards in named]


def count(score: HandScore, sides: Sequence[Side]) -> dict[str, Any]:
    lines = [
        {
            "point": capital(point_name(line.point, lang=state.language())),
            "who": "–" if line.winner is None else f"{sides[line.winner].name} {line.amount:+}",
            "why": sentence(line.why.split(": ", 1)[-1]),
        }
        for line in score.lines
    ]
    return {"piles": piles([(side.name, side.pile) for side in sides]), "lines": lines}


def step(taught: Step) -> dict[str, Any]:
    return {
        "head": t(f"learn_{taught.name}"),
        "says": list(map(sentence, taught.says)),
        "scenes": list(map(scene, taught.scenes)),
        "count": None if taught.score is None else count(taught.score, taught.sides),
    }


def task(tried: Task, played: Rules, whys: dict[str, int]) -> dict[str, Any]:
    """Gives a table to try, with the verdict on every set of its cards; bit 0 is the first card."""
    verdicts = []
    for picked in product((0, 1), repeat=len(tried.table)):
        said = judge(tried, compress(tried.table, picked[::-1]), played, lang=state.language())
        verdicts.append((said.verdict.value, whys.setdefault(sentence(said.why), len(whys))))
    return {
        "head": t("learn_plays", card=the_card(tried.played.code)),
        "table": codes(tried.table),
        "played": tried.played.code,
        "verdicts": verdicts,
    }


def guess(asked: Guess) -> dict[str, Any]:
    return {
        "head": t("learn_who_has", point=point_name(asked.point, lang=state.language())),
        "piles": piles(list(zip(NAMES, asked.piles, strict=True))),
        "answers": [*NAMES, t("learn_level")],
        "right": len(NAMES) if asked.winner is None else asked.winner,
        "why": sentence(asked.why.split(": ", 1)[-1]),
    }


WORDS = ("steps", "tasks", "guesses", "back", "again", "next", "take", "lay", "other_table")
"""What the buttons of the lesson say, under `learn_<word>`; so the verdicts."""


def lesson(played: Rules) -> None:
    whys: dict[str, int] = {}
    language = state.language()
    tried = [task(one, played, whys) for one in tasks(played)]
    words = {word: t(f"learn_{word}") for word in (*WORDS, "other_piles")}
    words |= {word: t(f"learn_{word}") for word in ("right", "not-best", "not-allowed")}
    data = {
        "names": {code: card(code) for code in CODES},
        "words": words,
        "steps": [step(one) for one in steps(played, lang=language)],
        "tasks": tried,
        "whys": list(whys),
        "guesses": [guess(one) for one in guesses(played, lang=language)],
    }
    components.show("learn", key="learn", data=data)


def sheet(played: Rules) -> None:
    st.html(rules.sheet(played, title=rules.called(played.name)))
    with st.container(horizontal=True, key="print_sheet"):
        for paper in PAPERS:
            data = {"label": t("learn_print", paper=paper), "paper": paper}
            components.show("printer", key=f"print_{paper}", data=data)


def main() -> None:
    played = chosen()
    frame.flashes()
    st.header(render.plain(t("learn_head", rules=rules.called(played.name))))
    lesson(played)
    with st.expander(t("referee_rules"), key="learn_words"):
        st.html(rules.in_words(played))
        st.html(rules.disputed(played))
    sheet(played)


main()
