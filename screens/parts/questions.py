"""What somebody has to answer about a pile: doubtful cards, cards in two piles, any card tapped."""

import base64
from collections.abc import Mapping, Sequence

import streamlit as st
from markupsafe import Markup

from scoring.cards import CODES
from screens import state
from screens.look import theme
from screens.parts import frame
from screens.words import card, say, the_card
from table import commands
from table.draft import Draft
from table.next_question import SHOWN, PlaceMissing, can_all_be
from table.piles import missing, owners
from table.seen import NOT_HERE, SeenAt
from table.sitting import Sitting


def answer(sitting: Sitting, *, index: int, code: str) -> None:
    """Settles the card seen at `index` as `code`."""
    with frame.spoken():
        commands.answer(state.store(), sitting, index=index, code=code)


def agree(sitting: Sitting, *, said: Mapping[SeenAt, str]) -> None:
    """Settles some doubtful cards as the camera's guesses that were shown."""
    with frame.spoken():
        commands.agree(state.store(), sitting, said=said)


def keep(sitting: Sitting, *, code: str, owner: int) -> None:
    """Settles in which pile a card lies."""
    with frame.spoken():
        commands.give_card(state.store(), sitting, code=code, owner=owner)


def lacking(sitting: Sitting, *, code: str) -> None:
    """Settles that the pack lacks a card."""
    with frame.spoken():
        commands.set_absent(state.store(), sitting, code=code)


def counted(sitting: Sitting, *, side: int, number: int | None) -> None:
    """Keeps how many cards somebody counted in a pile; with None it is asked again."""
    with frame.spoken():
        commands.count_pile(state.store(), sitting, side=side, number=number)


def rest(sitting: Sitting, side: int) -> None:
    """Puts all missing cards into the pile of `side`."""
    with frame.spoken():
        commands.give_rest(state.store(), sitting, side=side)


def picture(draft: Draft, index: int) -> Markup:
    """Gives HTML: the card as the photo shows it, or that the photo was deleted."""
    seen = draft.seen[index]
    jpeg = state.card_cut(seen.photo, seen.corners)
    if jpeg is None:
        return Markup('<span class="crop gone">{}</span>').format(say("crop_gone"))
    image = Markup('<img class="crop" alt="" src="data:image/jpeg;base64,{}">')
    return image.format(base64.b64encode(jpeg).decode())


def _pair(pictures: Markup, sentence: str) -> Markup:
    """Gives HTML of pictures with a question beside them."""
    return Markup('<div class="pair">{}<b>{}</b></div>').format(pictures, sentence)


def choices(sitting: Sitting, index: int) -> tuple[str, ...]:
    """The codes offered for a card seen: the guess first, then what else it may be."""
    seen = sitting.piles[sitting.side].seen[index]
    first = (seen.code,) if seen.code else ()
    likely = (code for code in seen.alternatives if code in CODES)
    return tuple(dict.fromkeys((*first, *likely)))


def label(sitting: Sitting, code: str) -> str:
    """Gives the words of an answer; the other pile is named if the card lies there."""
    others = [side for side in owners(sitting.piles)[code] if side != sitting.side]
    return say("in_other", card=card(code), name=sitting.names[others[0]]) if others else card(code)


def question(sitting: Sitting, index: int) -> None:
    """Draws one doubtful card: the crop beside the guess, and the answers."""
    draft = sitting.piles[sitting.side]
    guess = draft.seen[index].guess
    with st.container(key=f"question_{index}"):
        pictures = picture(draft, index) + theme.faces([guess], width_px=78)
        st.html(_pair(pictures, say("is_this", card=the_card(guess))))
        with st.container(horizontal=True, key=f"answers_{index}"):
            named = [(code, label(sitting, code)) for code in choices(sitting, index)]
            for code, name in (*named, (NOT_HERE, say("no_card_short"))):
                text = say("yes", card=name) if code == guess else name
                st.button(
                    theme.plain(text),
                    key=f"answer_{index}_{code}",
                    on_click=answer,
                    kwargs={"sitting": sitting, "index": index, "code": code},
                )
            if st.button(say("other"), key=f"other_{index}"):
                choose(sitting, index)


def questions(sitting: Sitting) -> None:
    """Draws what has to be answered: the doubtful cards of this pile, and what comes next."""
    if isinstance(sitting.agenda.next, PlaceMissing):
        place_missing(sitting, sitting.agenda.next.codes)
    asked = sitting.agenda.doubts_of(sitting.side)
    shown = sitting.agenda.shown(sitting.side)
    if asked:
        st.subheader(say("questions", n=len(asked)), anchor=False)
        with st.container(key="asked"):
            for _, index in shown:
                question(sitting, index)
    if len(shown) > 1 and can_all_be(sitting.piles, shown):
        numbers = "_".join(str(index) for _, index in shown)
        seen = sitting.piles[sitting.side].seen
        st.button(
            say("yes_to_all", n=len(shown)),
            key=f"yes_to_all_{numbers}",  # other cards, another button: a late tap does nothing
            on_click=agree,
            kwargs={"sitting": sitting, "said": {at: seen[at.number].guess for at in shown}},
            width="stretch",
        )
    asked_here = {index for _, index in asked}
    idle = [i for i in sitting.piles[sitting.side].questions if i not in asked_here]
    if idle:
        with st.expander(say("idle", n=len(idle)), key="idle"):
            for index in idle:
                question(sitting, index)
    for code, owners_now in sitting.agenda.disputed:
        whose(sitting, code, head="doubled_head", sides=owners_now)


def count(sitting: Sitting) -> bool:
    """Draws how many cards a pile that no photo shows should have; says whether that is asked.

    Doubts come first: their answers change how many cards are left.
    """
    side = sitting.agenda.uncounted
    if side is None or sitting.agenda.doubts:
        return False
    draft, name = sitting.piles[side], sitting.names[side]
    number = len(draft.codes)
    with st.container(key="question_count"):
        if draft.counted is None:
            offers: list[tuple[str, int | None]] = [(say("count_yes", n=number), number)]
            others = (number - 1, number - 2, number - 3, number + 1)
            offers += [(str(other), other) for other in others if other >= 0]
            head = say("count_head", n=number, name=name)
        else:
            offers = [(say("count_again"), None)]
            key = "count_less" if draft.counted < number else "count_more"
            off = abs(number - draft.counted)
            head = say(key, n=off, name=name, count=draft.counted)
        st.html(Markup("<b>{}</b>").format(head))
        with st.container(horizontal=True, key="answers_count"):
            for label, told in offers:
                st.button(
                    label,
                    key=f"count_{told}",
                    on_click=counted,
                    kwargs={"sitting": sitting, "side": side, "number": told},
                )
            if draft.counted is None:
                _other_count(sitting, side)
    return True


def _other_count(sitting: Sitting, side: int) -> None:
    """Offers any other number of cards."""
    with st.popover(say("other"), key="count_other"):
        number = st.number_input(
            say("count_number"), 0, len(CODES), len(sitting.piles[side].codes),
            key="count_number",
        )  # fmt: skip
        st.button(
            say("count_ok"),
            key="count_ok",
            on_click=counted,
            kwargs={"sitting": sitting, "side": side, "number": number},
        )


def whose(sitting: Sitting, code: str, *, head: str, sides: Sequence[int]) -> None:
    """Draws a card of which nobody knows yet whose it is, and a button for each of some sides."""
    with st.container(key=f"question_{code}"):
        st.html(_pair(theme.faces([code], width_px=60), say(head, card=the_card(code))))
        with st.container(horizontal=True, key=f"answers_{code}"):
            for side in sides:
                st.button(
                    theme.plain(sitting.names[side]),
                    key=f"keep_{code}_{side}",
                    on_click=keep,
                    kwargs={"sitting": sitting, "code": code, "owner": side},
                )
            if code in sitting.agenda.missing:
                st.button(
                    say("absent"),
                    key=f"absent_{code}",
                    on_click=lacking,
                    kwargs={"sitting": sitting, "code": code},
                )


def place_missing(sitting: Sitting, codes: Sequence[str]) -> None:
    """Draws the missing cards that could change a point: whose are they?

    All missing cards can be one side's; else each is given to its own.
    """
    sides = range(len(sitting.names))
    every = missing(sitting.piles)
    st.subheader(say("missing_cards", n=len(every)), anchor=False)
    if len(every) > 1:
        with st.container(key="question_missing"):
            st.html(theme.faces(every, width_px=44))
            with st.container(horizontal=True, key="answers_missing"):
                for side in sides:
                    label = theme.plain(say("all_of", name=sitting.names[side]))
                    st.button(label, key=f"all_{side}", on_click=rest, args=(sitting, side))
    with st.container(key="asked"):
        for code in codes[:SHOWN]:
            whose(sitting, code, head="missing_whose", sides=sides)


def choose(sitting: Sitting, index: int) -> None:
    """Opens a dialog in which somebody says which of the forty cards one on the photo is."""
    st.dialog(say("choose_head"))(_choice)(sitting, index)


def _choice(sitting: Sitting, index: int) -> None:
    st.html(picture(sitting.piles[sitting.side], index))
    offers = [("choose_none", say("no_card"), NOT_HERE)]
    likely = [(f"likely_{code}", label(sitting, code), code) for code in choices(sitting, index)]
    forty = [(f"choose_{c}", say("choose_card", card=the_card(c)), c) for c in CODES]
    for name, row in (("answers_choose", offers + likely), ("picker_choose", forty)):
        with st.container(horizontal=True, key=name):
            for key, text, code in row:
                told = {"sitting": sitting, "index": index, "code": code}
                if st.button(theme.plain(text), key=key, on_click=answer, kwargs=told):
                    st.rerun()
