"""The open questions of a hand, one at a time, and the answers to a tapped card."""

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
from screens.words import card, isolated, t, the_card
from table.hand.pile import NOT_A_CARD, CardRef, Pile, PileCard
from table.hand.questions import (
    AnswerDoubts,
    CountPile,
    NextStep,
    PlaceMissing,
    SettleOwner,
    SettleRepeat,
    rest_number,
)
from table.view import TableView


def picture(draft: Pile, index: int) -> Markup:
    """Return HTML of the card on its photo, or that the photo was deleted."""
    seen = draft.detected[index]
    jpeg = photos.cropped_card(seen.photo, seen.corners)
    if jpeg is None:
        return render.piece("crop", "")
    return render.piece("crop", base64.b64encode(jpeg).decode())


def choices(view: TableView, index: int) -> tuple[str, ...]:
    """Return the codes offered for a detected card: the best guess first, then the alternatives."""
    seen = view.piles[view.side].detected[index]
    first = (seen.code,) if seen.code else ()
    likely = (code for code in seen.alternatives if code in CODES)
    return tuple(dict.fromkeys((*first, *likely)))


def label(view: TableView, code: str) -> str:
    """Return the label of an answer; it names the other pile if the card is there."""
    others = [side for side in view.summary.owners[code] if side != view.side]
    return t("in_other", card=card(code), name=view.names[others[0]]) if others else card(code)


def likely(view: TableView, index: int) -> list[Button]:
    """Return the first answers on the sheet of a detected card: no card, or what it may be."""
    seen = phone.detection_ref(view.piles[view.side].detected[index])
    named = [("choose_none", t("no_card"), NOT_A_CARD)]
    named += [(f"likely_{c}", label(view, c), c) for c in choices(view, index)]
    return [Button(id=name, label=text, action=_answer(seen, code)) for name, text, code in named]


def _answer(seen: Mapping[str, Any], code: str) -> dict[str, Any]:
    return {"do": "answer", "seen": seen, "code": code}


def any_card(view: TableView, seen: PileCard | None = None) -> list[Button]:
    """Return the forty cards as answers to what a detected card is, each with its side's sign."""
    found = {} if seen is None else phone.detection_ref(seen)
    offered = []
    for code in CODES:
        label = t("choose_card", card=the_card(code))
        side = next(iter(view.summary.owners[code]), None)
        if side is not None:
            where = t("state_other", name=view.names[side])
            label = t("picker_card", card=label, state=where)
        offered.append(
            Button(
                id=f"choose_{code}",
                label=label,
                face=code,
                side=side,
                pressed=None if seen is None else code == seen.code,
                action=_answer(found, code),
            )
        )
    return offered


def sides_of(view: TableView, step: NextStep) -> tuple[int, ...]:
    """Return the sides whose piles a question is about."""
    match step:
        case AnswerDoubts(doubts=doubts):
            return tuple(doubt.side for doubt in doubts)
        case SettleRepeat(side=side, other=other):
            return (side, other)
    return tuple(range(len(view.names)))


def ask(view: TableView) -> None:
    """Draw the question that the hand needs next, with its answers below.

    The question is in the same place for every pile.
    """
    with st.container(key="question"):
        match view.questions.next_step:
            case SettleRepeat() as repeat:
                same_pile(view, repeat)
            case AnswerDoubts():
                question(view, view.questions.doubts_of(view.side)[0])
            case SettleOwner(code=code, sides=sides):
                whose(view, code, head="doubled_head", sides=sides)
            case PlaceMissing(codes=(code, *_)):
                hints(view)
                whose(view, code, head="missing_whose", sides=range(len(view.names)))
                if len(view.summary.missing) > 1:
                    give_missing(view)
            case CountPile(side=side):
                count(view, side)


def head_of(view: TableView, sentence: str) -> str:
    """Return a question with its number: "1 of 2 · Is this the 7 of coins?"."""
    left = view.questions.count
    hand = (view.code, view.row.match_no, view.hand_no)
    before, most = state.session().questions_open
    most = max(left, most if before == hand and left else 0)
    state.session().questions_open = (hand, most)
    place = t("question_of", number=most - left + 1, most=most)
    return f"{place} · {sentence}" if most > 1 else sentence


def question(view: TableView, doubt: CardRef) -> None:
    """Draw one doubtful card: its crop next to the best guess, and the answers."""
    index, draft = doubt.number, view.piles[doubt.side]
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
    others = (*likely(view, index), *any_card(view, seen))
    offered.append(
        Button(id=f"other_{index}", label=t("other"), head=t("choose_head"), more=others)
    )
    pictures = picture(draft, index) + render.faces([seen.guess], width_px=78)
    sentence = head_of(view, t("is_this", card=the_card(seen.guess)))
    st.html(render.piece("pair", pictures, sentence, doubt.side))
    phone.buttons(view, offered, key="answers", cut=phone.cut_of(view, seen))


def same_pile(view: TableView, repeat: SettleRepeat) -> None:
    """Ask in one question whose cards were photographed for two sides."""
    mine, theirs = view.names[repeat.side], view.names[repeat.other]
    leave_out, take_away = (
        {"do": "remove", "photo": photos[0], "more": photos[1:], "side": side}
        for side, photos in (
            (repeat.side, repeat.photos),
            (repeat.other, repeat.other_photos),
        )
    )
    offered = [
        Button(id="same_theirs", label=t("same_pile_theirs", name=theirs), action=leave_out),
        Button(
            id="same_mine", label=t("same_pile_mine", name=mine, other=theirs), action=take_away
        ),
    ]
    pictures = render.piece("photo", phone.picture(view, repeat.photos[0]), "")
    sentence = head_of(view, t("same_pile", name=isolated(theirs), count=repeat.count))
    st.html(render.piece("pair", pictures, sentence, repeat.other))
    phone.buttons(view, offered, key="answers", is_column=True)


def count(view: TableView, side: int) -> None:
    """Ask how many cards a pile without a photo has."""
    draft, name = view.piles[side], view.names[side]
    number = len(draft.codes)
    if draft.counted is None:
        sentence = t("count_head", n=number, name=isolated(name))
        likely_numbers = (number, number - 1, number - 2, number - 3, number + 1)
        offered = [_number(side, other) for other in likely_numbers if 0 <= other <= len(CODES)]
        offered[0] = replace(offered[0], label=t("count_yes", n=number))
        every = tuple(_number(side, n, name="number") for n in range(len(CODES) + 1))
        number_head = t("count_number")
        offered.append(Button(id="count_other", label=t("other"), head=number_head, more=every))
    else:
        key = "count_less" if draft.counted < number else "count_more"
        sentence = t(key, n=abs(number - draft.counted), name=isolated(name), count=draft.counted)
        offered = [replace(_number(side, None), label=t("count_again"))]
    st.html(render.piece("pair", "", head_of(view, sentence), side))
    phone.buttons(view, offered, key="answers")


def count_again(view: TableView) -> None:
    """Offer to count each pile again that has cards which no photo shows and no player tapped."""
    for side, pile in enumerate(view.piles):
        if pile.rest and side != view.summary.uncounted:
            label = t("count_not", n=len(pile.codes), name=view.names[side])
            again = _number(side, None)
            if not pile.takes_rest:
                again = replace(again, action={"do": "give_back", "owner": side})
            again = replace(again, label=label, kind="quiet")
            phone.buttons(view, [again], key=f"count_again_{side}", is_column=True)


def _number(side: int, number: int | None, *, name: str = "count") -> Button:
    """Return the button with the number of a side's cards; None asks again."""
    action = {"do": "count", "owner": side, "number": number}
    return Button(id=f"{name}_{number}", label=str(number), action=action)


def whose(view: TableView, code: str, *, head: str, sides: Sequence[int]) -> None:
    """Draw a card whose owner is unknown, and a button for each side that may have it."""
    offered = [
        Button(
            id=f"keep_{code}_{side}",
            label=view.names[side],
            side=side,
            action={"do": "give", "code": code, "owner": side},
        )
        for side in sides
    ]
    if code in view.questions.missing:
        action = {"do": "absent", "code": code}
        offered.append(Button(id=f"absent_{code}", label=t("absent"), action=action))
    pictures = render.faces([code], width_px=60)
    st.html(render.piece("pair", pictures, head_of(view, t(head, card=the_card(code))), None))
    phone.buttons(view, offered, key="answers")


def give_rest(
    side: int, label: str, *, name: str, number: int | None = None, kind: str = ""
) -> Button:
    """Return the button that gives all missing cards to a side, with the number it then has."""
    action = {"do": "rest", "owner": side, "number": number}
    return Button(id=name, label=label, action=action, kind=kind)


def rest(view: TableView, *, kind: str = "") -> bool:
    """Offer all remaining cards to one side, with their number; return whether it did.

    Not if one of them may be on a photo that is being read, or be a doubtful card. If their number
    is not certain, it is asked about later.
    """
    left, issues = view.summary.missing, view.questions
    if not left or len(issues.missing_piles) != 1 or issues.reading or issues.doubts:
        return False
    [side] = issues.missing_piles
    if len(left) == 40 or view.piles[side].photos:
        return False
    name, number = view.names[side], rest_number(view.summary, view.rules, view.scope)
    label = t("rest", n=number, name=name) if number else t("rest_open", name=name)
    button = give_rest(side, label, name="rest", number=number, kind=kind)
    phone.buttons(view, [button], key="rest", is_column=True)
    return True


def hints(view: TableView) -> None:
    """Say what the camera saw in the pile on the screen that may be a missing card."""
    for key, guess in (("face_down", "back"), ("unread", "x")):
        if number := _count(view.piles[view.side], guess):
            render.quiet(t(key, n=number))


def give_missing(view: TableView) -> None:
    """Say how many cards are missing, and offer all of them to each side."""
    render.quiet(t("missing_cards", n=len(view.summary.missing)))
    offered = [
        give_rest(side, t("all_of", name=name), name=f"all_{side}", kind="quiet")
        for side, name in enumerate(view.names)
    ]
    phone.buttons(view, offered, key="answers_all")


def _count(pile: Pile, guess: str) -> int:
    return pile.unread if guess == "x" else pile.count(guess)
