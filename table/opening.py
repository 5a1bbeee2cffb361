"""Opening tables, and the house rules of a club."""

from collections.abc import Sequence
from dataclasses import dataclass

from assets.deck import CardStyle
from scoring.errors import ScoringError
from scoring.rules import Rules
from store import Store, Table, club, tables
from table.access import Credentials, TableClosedError, hash_link
from table.names import checked_names, clean_name


@dataclass(eq=False)
class KeptRulesError(ScoringError):
    """A phone that is not the organiser's tried to change rules that the club has saved."""

    message = (
        "expected the organiser of the club to change the rules {name!r}, got somebody else: "
        "keep yours under another name"
    )
    name: str


def open_table(
    store: Store,
    names: Sequence[str],
    *,
    rules: Rules,
    link: str,
    first_dealer: int = 0,
    drawing: CardStyle = CardStyle.ITALIAN,
    best_of: int = 1,
    device: str = "",
) -> Table:
    """Open a table with its first match; holders of the link are its scorers.

    If a table was opened with this link before, return that table.

    Raises:
        NoNameError, LongNameError, SameNameError: The names cannot be used.
        RulesError: The rules are not for so many sides.
    """
    with store.writing() as session:
        return tables.open_table(
            session,
            checked_names(names),
            rules.played_by(len(names)),
            link_hash=hash_link(link),
            first_dealer=first_dealer,
            drawing=drawing,
            best_of=best_of,
            device=device,
        )


def take_over(store: Store, code: str, *, link: str) -> None:
    """Give a scorers' link to a table without one. Calling it again with this link does nothing.

    Tables of imported matches have no link, and neither have tables of releases before 0.3, where
    every phone that knew the code could score.

    Raises:
        LinkTakenError: Another phone took the table over first.
        TableClosedError: The table is closed.
    """
    with store.write(code) as table:
        if table.is_closed:
            raise TableClosedError(table.code)
        tables.put_link(table, hash_link(link), expected=None)


def keep_rules(
    store: Store, rules: Rules, *, credentials: Credentials, has_organiser: bool
) -> None:
    """Save house rules of a club under their name.

    Args:
        store: The store.
        rules: The rules.
        credentials: Those of the phone.
        has_organiser: Whether the club has an organiser, who alone changes saved rules.

    Raises:
        KeptRulesError: Rules of that name are saved, and the phone is not the organiser's.
    """
    rules = rules.changed(name=clean_name(rules.name))
    with store.writing() as session:
        is_organiser = credentials.is_organiser or not has_organiser
        if not is_organiser and rules.name in club.saved_rules(session):
            raise KeptRulesError(rules.name)
        club.save_rules(session, rules)


def forget_rules(store: Store, name: str, *, credentials: Credentials, has_organiser: bool) -> None:
    """Delete house rules of a club; raises as `keep_rules`."""
    if has_organiser and not credentials.is_organiser:
        raise KeptRulesError(name)
    with store.writing() as session:
        club.delete_rules(session, name)
