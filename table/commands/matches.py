"""What taps do to tables, matches and the scorers' link."""

from collections.abc import Sequence

from scoring.rules import Rules
from store import Drawing, Store, Table
from table.names import checked_names
from table.roles import TableClosedError, by_scorers, hash_of
from table.sitting import Sitting


def open_table(
    store: Store,
    names: Sequence[str],
    *,
    rules: Rules,
    link: str,
    first_dealer: int = 0,
    drawing: Drawing = Drawing.ITALIAN,
    device: str = "",
) -> Table:
    """Opens a table with its first match; whoever holds the link scores there.

    Asked twice with the same link, it is opened once.

    Raises:
        NoNameError, LongNameError, SameNameError: The names do not do.
    """
    return store.open_table(
        checked_names(names),
        rules,
        link_hash=hash_of(link),
        first_dealer=first_dealer,
        drawing=drawing,
        device=device,
    )


def take_over(store: Store, code: str, *, link: str) -> None:
    """Gives a table that has no scorers' link one; asked twice with the same link, once.

    Only tables of releases before 0.3 have none: whoever knew their code scored there.

    Raises:
        LinkTakenError: Somebody else took the table over first.
        TableClosedError: The organiser has closed it.
    """
    if store.find_table(code).is_closed:
        raise TableClosedError(code)
    store.put_link(code, hash_of(link), expected=None)


@by_scorers
def renew_link(store: Store, sitting: Sitting, *, link: str) -> None:
    """Puts another link in the place of the scorers' link: whoever holds the old one only looks.

    Raises:
        LinkTakenError: Somebody else renewed it at the same moment.
    """
    store.put_link(sitting.table, hash_of(link), expected=sitting.table.link_hash)


@by_scorers
def show_drawing(store: Store, sitting: Sitting, *, drawing: Drawing) -> None:
    """Shows other cards on the screens of the table; what was played stays as it is."""
    store.put_drawing(sitting.table, drawing)


@by_scorers
def lend_photos(store: Store, sitting: Sitting, *, lends: bool) -> None:
    """Says whether photos of the table, and what was answered about them, may teach the networks.

    See `table.corrections`.
    """
    store.put_lending(sitting.table, lends=lends)


@by_scorers
def rematch(store: Store, sitting: Sitting) -> None:
    """Opens the next match of the same sides; tapped twice, it is opened once."""
    store.rematch(
        sitting.table,
        after=sitting.row.match_no,
        expected=sitting.row.revision,
        device=sitting.device,
    )


@by_scorers
def leave_match(store: Store, sitting: Sitting) -> None:
    """Goes back to the match before, as the one on the screen was opened by mistake."""
    store.leave_match(
        sitting.table,
        match_no=sitting.row.match_no,
        expected=sitting.row.revision,
        device=sitting.device,
    )
