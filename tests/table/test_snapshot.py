"""What a board is rendered again for."""

from acting import act
from playing import Store

from scoring.rules import Rules
from table.access import Credentials, hash_link, new_link
from table.opening import open_table
from table.view import board_fingerprint, load_view


def test_a_board_is_rendered_again_for_what_it_does_not_show_by_itself() -> None:
    store, link = Store(), new_link()
    code = open_table(store, ("Anna", "Bruno"), rules=Rules(), link=link).code
    scorer = Credentials({code: link})

    def fingerprint() -> list[int]:
        view = load_view(store, code, credentials=scorer)
        return board_fingerprint(view, conflicts=len(store.proposals(code)))

    first = fingerprint()
    act(store, code, "scopa", credentials=scorer, delta=1)
    assert fingerprint() == first, "scope is shown as events bring it"
    act(store, code, "card", code="7d", **{"in": True})
    shown = fingerprint()
    assert shown != first, "one pile less is missing"
    act(store, code, "card", code="6d", **{"in": True})
    assert fingerprint() == shown
    act(store, code, "renew_link", link=new_link(), before=hash_link(link))
    renewed = fingerprint()
    assert renewed != shown, "holders of the old link only look"
    act(store, code, "close")
    assert fingerprint() != renewed
    act(store, code, "reopen")
    assert fingerprint() == renewed
    act(store, code, "drawing", drawing="french")
    assert fingerprint() != renewed
