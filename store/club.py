"""What the tables of a club share: saved rules, and the names of players."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from scoring.presets import dropped_settings, read_stored_rules
from scoring.rules import Rules
from store.models import SAMPLE, MatchSide, SavedRules, Table, TableMatch
from store.tables import of_codes


def saved_rules(session: Session) -> dict[str, Rules]:
    """The club's own rules by name, oldest first."""
    query = select(SavedRules).order_by(SavedRules.made_at)
    return {saved.name: read_stored_rules(saved.rules_json) for saved in session.scalars(query)}


def outdated_rules(session: Session) -> tuple[str, ...]:
    """The names of saved rules that hold a setting which is no longer played, oldest first."""
    query = select(SavedRules).order_by(SavedRules.made_at)
    return tuple(one.name for one in session.scalars(query) if dropped_settings(one.rules_json))


def save_rules(session: Session, rules: Rules) -> None:
    """Save rules by their name, in place of those of that name."""
    delete_rules(session, rules.name)
    session.add(SavedRules(name=rules.name, rules_json=rules.to_dict()))


def delete_rules(session: Session, name: str) -> None:
    """Offer rules no longer; matches opened with them keep them."""
    session.execute(delete(SavedRules).where(SavedRules.name == name))


def names(session: Session, codes: Sequence[str] | None = None, *, most: int) -> tuple[str, ...]:
    """The names of sides at some tables or at all, those that played last first.

    Tables to try the app with are left out.
    """
    query = (
        select(MatchSide.name)
        .join(TableMatch, TableMatch.id == MatchSide.match_id)
        .join(Table, Table.id == TableMatch.table_id)
        .where(of_codes(codes), TableMatch.rules_json["name"].as_string() != SAMPLE)
        .group_by(MatchSide.name)
        .order_by(func.max(TableMatch.id).desc(), MatchSide.name)
        .limit(most)
    )
    return tuple(session.scalars(query))
