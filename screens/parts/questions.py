"""What somebody has to answer about a pile: doubtful cards, cards in two piles, any card tapped."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from markupsafe import Markup

from scoring.cards import CODES
from screens import photos, render, state
from screens.parts import phone
from screens.parts.phone import Button
from screens.words import card, t, the_card
from table.pile import NOT_A_CARD, CardRef, Pile
from table.piles import missing, owners
from table.questions import SHOWN_AT_ONCE, PlaceMissing, SettleRepeat, can_all_be
from table.view import TableView


def picture(draft: Pile, index: int) -> Markup:
    """Gives HTML: the card as the photo shows it, or that the photo was deleted."""
    seen = draft.detected[index]
    jpeg = photos.cropped_card(seen.photo, seen.corners)
    if jpeg is None:
        return render.piece("crop", "")
    return render.piece("crop", base64.b64encode(jpeg).decode())


def choices(view: TableView, index: int) -> tuple[str, ...]:
    """The codes offered for a card seen: the guess first, then what else it may be."""
    seen = view.piles[view.side].detected[index]
    first = (seen.code,) if seen.code else ()
    likely = (code for code in seen.alternatives if code in CODES)
    return tuple(dict.fromkeys((*first, *likely)))


def label(view: TableView, code: str) -> str:
    """Gives the words of an answer; the other pile is named if the card lies there."""
    others = [side for side in owners(view.piles)[code] if side != view.side]
    return t("in_other", card=card(code), name=view.names[others[0]]) if others else card(code)


def likely(view: TableView, index: int) -> list[Button]:
    """The answers that the sheet of a card seen begins with: no card at all, or what it may be."""
    seen = phone.detection_ref(view.piles[view.side].detected[index])
    named = [("choose_none", t("no_card"), NOT_A_CARD)]
    named += [(f"likely_{c}", label(view, c), c) for c in choices(view, index)]
    return [Button(id=name, label=text, action=_answer(seen, code)) for name, text, code in named]


def _answer(seen: Mapping[str, Any], code: str) -> dict[str, Any]:
    return {"do": "answer", "seen": seen, "code": code}


def any_card(seen: Mapping[str, Any]) -> list[Button]:
    """The forty cards, each as an answer to what one seen is."""
    return [
        Button(
            id=f"choose_{code}",
            label=t("choose_card", card=the_card(code)),
            face=code,
            action=_answer(seen, code),
        )
        for code in CODES
    ]


def question(view: TableView, index: int) -> None:
    """Draws one doubtful card: the crop beside the guess, and the answers."""
    draft = view.piles[view.side]
    seen = draft.detected[index]
    detection = phone.detection_ref(seen)
    named = [(code, label(view, code)) for code in choices(view, index)]
    offered = [
        Button(
            id=f"answer_{index}_{code}",
            label=t("yes", card=name) if code == seen.guess else name,
            action=_answer(detection, code),
        )
        for code, name in (*named, (NOT_A_CARD, t("no_card_short")))
    ]
    others = (*likely(view, index), *any_card(detection))
    head = t("choose_head")
    offered.append(Button(id=f"other_{index}", label=t("other"), head=head, more=others))
    with st.container(key=f"question_{index}"):
        pictures = picture(draft, index) + render.faces([seen.guess], width_px=78)
        st.html(render.piece("pair", pictures, t("is_this", card=the_card(seen.guess))))
        phone.buttons(view, offered, key=f"answers_{index}", cut=phone.cut_of(view, seen))


def questions(view: TableView) -> None:
    """Draws what has to be answered: the doubtful cards of this pile, and what comes next."""
    if view.questions.repeat is not None:
        same_pile(view, view.questions.repeat)
        return
    if isinstance(view.questions.next_step, PlaceMissing):
        place_missing(view, view.questions.next_step.codes)
    waiting(view)
    asked = view.questions.doubts_of(view.side)
    shown = view.questions.shown(view.side)
    if asked:
        st.subheader(t("questions", n=len(asked)), anchor=False)
        with st.container(key="asked"):
            for _, index in shown:
                question(view, index)
    if len(shown) > 1 and can_all_be(view.piles, shown):
        yes_to_all(view, shown)
    for code, owners_now in view.questions.conflicting:
        whose(view, code, head="doubled_head", sides=owners_now)


def same_pile(view: TableView, repeat: SettleRepeat) -> None:
    """Asks whose the cards are that were photographed for two sides, in one question."""
    mine, theirs = view.names[repeat.side], view.names[repeat.other]
    leave_out = {"do": "remove", "photo": repeat.photo, "side": repeat.side}
    take_away = {"do": "remove", "photo": repeat.other_photo, "side": repeat.other}
    offered = [
        Button(id="same_theirs", label=t("same_pile_theirs", name=theirs), action=leave_out),
        Button(
            id="same_mine", label=t("same_pile_mine", name=mine, other=theirs), action=take_away
        ),
    ]
    with st.container(key="question_same"):
        head = t("same_pile", name=theirs, count=repeat.count)
        pictures = render.piece("photo", phone.picture(view, repeat.photo), "")
        st.html(render.piece("pair", pictures, head))
        phone.buttons(view, offered, key="answers_same", is_column=True)


def waiting(view: TableView) -> None:
    """Offers to answer doubts of this pile at once, which a pile to come may settle."""
    if not view.questions.deferred_of(view.side):
        return
    hand = state.hand_name(match_no=view.row.match_no, hand_no=view.hand_no)
    label = t("answer_now")
    st.button(label, key="answer_now", type="tertiary", on_click=state.answer_now, args=(hand,))


def yes_to_all(view: TableView, shown: Sequence[CardRef]) -> None:
    """Draws the button that says yes to all guesses that are shown."""
    pile = view.piles[view.side].detected
    said = [
        {
            "side": at.side,
            "seen": phone.detection_ref(pile[at.number]),
            "code": pile[at.number].guess,
        }
        for at in shown
    ]
    action = {"do": "agree", "answers": said}
    label = t("yes_to_all", n=len(shown))
    yes = Button(id="yes_to_all", label=label, action=action, kind="warn")
    phone.buttons(view, [yes], key="yes_to_all", is_column=True)


def count(view: TableView) -> bool:
    """Asks how many cards a pile without photo has; says whether it asked.

    Doubts come first: their answers change how many cards are left.
    """
    side = view.questions.uncounted
    if side is None or view.questions.doubts:
        return False
    draft, name = view.piles[side], view.names[side]
    number = len(draft.codes)
    if draft.counted is None:
        head = t("count_head", n=number, name=name)
        likely_numbers = (number, number - 1, number - 2, number - 3, number + 1)
        offered = [_number(side, other) for other in likely_numbers if 0 <= other <= len(CODES)]
        offered[0] = replace(offered[0], label=t("count_yes", n=number))
        every = tuple(_number(side, n, name="number") for n in range(len(CODES) + 1))
        ask = t("count_number")
        offered.append(Button(id="count_other", label=t("other"), head=ask, more=every))
    else:
        key = "count_less" if draft.counted < number else "count_more"
        head = t(key, n=abs(number - draft.counted), name=name, count=draft.counted)
        offered = [replace(_number(side, None), label=t("count_again"))]
    with st.container(key="question_count"):
        st.html(render.piece("bold", head))
        phone.buttons(view, offered, key="answers_count")
    return True


def _number(side: int, number: int | None, *, name: str = "count") -> Button:
    """The button that says how many cards a side's pile has; None asks anew."""
    action = {"do": "count", "owner": side, "number": number}
    return Button(id=f"{name}_{number}", label=str(number), action=action)


def whose(view: TableView, code: str, *, head: str, sides: Sequence[int]) -> None:
    """Draws a card of which nobody knows yet whose it is, and a button for each of some sides."""
    offered = [
        Button(
            id=f"keep_{code}_{side}",
            label=view.names[side],
            action={"do": "give", "code": code, "owner": side},
        )
        for side in sides
    ]
    if code in view.questions.missing:
        action = {"do": "absent", "code": code}
        offered.append(Button(id=f"absent_{code}", label=t("absent"), action=action))
    with st.container(key=f"question_{code}"):
        pictures = render.faces([code], width_px=60)
        st.html(render.piece("pair", pictures, t(head, card=the_card(code))))
        phone.buttons(view, offered, key=f"answers_{code}")


def give_rest(side: int, label: str, *, name: str) -> Button:
    """The button that gives all missing cards to a side."""
    return Button(id=name, label=label, action={"do": "rest", "owner": side})


def place_missing(view: TableView, codes: Sequence[str]) -> None:
    """Draws the missing cards that could change a point: whose are they?

    All missing cards can be one side's; else each is given to its own.
    """
    every = missing(view.piles)
    st.subheader(t("missing_cards", n=len(every)), anchor=False)
    if len(every) > 1:
        offered = [
            give_rest(side, t("all_of", name=name), name=f"all_{side}")
            for side, name in enumerate(view.names)
        ]
        with st.container(key="question_missing"):
            st.html(render.faces(every, width_px=44))
            phone.buttons(view, offered, key="answers_missing")
    with st.container(key="asked"):
        for code in codes[:SHOWN_AT_ONCE]:
            whose(view, code, head="missing_whose", sides=range(len(view.names)))
