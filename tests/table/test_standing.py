"""What a board is drawn anew for."""

from scoring.rules import Rules
from store import Drawing, Store
from table import commands
from table.roles import Pass, new_link
from table.sitting import Sitting, sit
from table.standing import board_told


def test_a_board_is_drawn_anew_for_what_it_does_not_show_by_itself() -> None:
    store, link = Store(), new_link()
    code = commands.open_table(store, ("Anna", "Bruno"), rules=Rules(), link=link).code
    held = Pass({code: link})

    def seated() -> Sitting:
        return sit(store, code, held=held)

    def told() -> list[int]:
        waiting = len(store.proposals(code))
        return board_told(seated(), proposals=waiting)

    first = told()
    commands.add_scope(store, seated(), side=0, delta=1)
    assert told() == first, "scope is shown as the door tells it"
    commands.set_card(store, seated(), code="7d", is_in=True)
    snapped = told()
    assert snapped != first, "a pile is out: nobody is awaited there"
    commands.set_card(store, seated(), code="6d", is_in=True)
    assert told() == snapped
    commands.renew_link(store, seated(), link=new_link())
    renewed = told()
    assert renewed != snapped, "whoever had the old link may only look"
    organiser = Pass({}, is_organiser=True)
    commands.close_table(store, sit(store, code, held=organiser))
    closed = told()
    assert closed != renewed
    commands.open_again(store, sit(store, code, held=organiser))
    assert told() == renewed
    commands.show_drawing(store, sit(store, code, held=organiser), drawing=Drawing.FRENCH)
    assert told() != renewed
