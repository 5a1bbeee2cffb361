"""Saved rules and names of players, which all tables share."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from scoring.presets import dropped_settings, read_stored_rules
from scoring.rules import Rules
from store.models import SAMPLE, MatchSide, SavedRules, Table, TableMatch
from store.tables import of_codes


def saved_rules(session: Session) -> dict[str, Rules]:
    """Return the saved rules by name, oldest first."""
    query = select(SavedRules).order_by(SavedRules.made_at)
    return {saved.name: read_stored_rules(saved.rules_json) for saved in session.scalars(query)}


def outdated_rules(session: Session) -> tuple[str, ...]:
    """Return the names of saved rules that have a dropped setting, oldest first."""
    query = select(SavedRules).order_by(SavedRules.made_at)
    return tuple(one.name for one in session.scalars(query) if dropped_settings(one.rules_json))


def save_rules(session: Session, rules: Rules) -> None:
    """Save rules under their name, and replace rules of the same name."""
    delete_rules(session, rules.name)
    session.add(SavedRules(name=rules.name, rules_json=rules.to_dict()))


def delete_rules(session: Session, name: str) -> None:
    """Delete saved rules. Matches that play them do not change."""
    session.execute(delete(SavedRules).where(SavedRules.name == name))


def names(session: Session, codes: Sequence[str] | None = None, *, most: int) -> tuple[str, ...]:
    """Return names of sides, most recent first, of all tables or those with these codes.

    Sample tables do not count.
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
