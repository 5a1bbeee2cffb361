"""Everything since release 0.2.0.

Commands that count once, the queue of photos, results beside the matches, pictures outside the rows
that lists read, saved rules, decks, closed tables, tables that share their photos.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from scoring.match import Match
from scoring.presets import read_rules
from scoring.record import HandRecord
from store.models import LogEntry, Step, UtcTime
from store.timeline import replay

revision = "0011"
down_revision = "0002"


def upgrade() -> None:
    _move_bytes("photos", "jpeg", key="photo_id", to="photo_files")
    _extend_tables_and_matches()
    _note_results()
    op.create_index(op.f("ix_proposals_match_id"), "proposals", ["match_id"])
    _create_rules_and_commands()
    _create_uploads()
    _create_decks()


def _column(name: str, kind: Any, *more: Any, **how: Any) -> "sa.Column[Any]":
    return sa.Column(name, kind, *more, nullable=how.pop("nullable", False), **how)


def _id_of(table: str, name: str, **how: Any) -> "sa.Column[Any]":
    """A column with the id of a row of another table."""
    return _column(name, sa.Integer(), sa.ForeignKey(f"{table}.id"), **how)


def _create_bytes(table: str, column: str, *, key: str, of: str) -> None:
    """Create a table that holds the bytes of another table's rows."""
    owner = sa.ForeignKey(f"{of}.id", ondelete="CASCADE")
    op.create_table(
        table,
        _column(key, sa.Integer(), owner, primary_key=True, autoincrement=False),
        _column(column, sa.LargeBinary()),
    )


def _move_bytes(table: str, column: str, *, key: str, to: str) -> None:
    _create_bytes(to, column, key=key, of=table)
    op.execute(f"INSERT INTO {to} ({key}, {column}) SELECT id, {column} FROM {table}")
    with op.batch_alter_table(table) as batch:
        batch.drop_column(column)


def _extend_tables_and_matches() -> None:
    with op.batch_alter_table("matches") as batch:
        batch.add_column(_column("hands", sa.Integer(), server_default="0"))
        batch.add_column(_column("winner", sa.Integer(), nullable=True))
        batch.add_column(_column("is_left", sa.Boolean(), server_default=sa.false()))
        batch.add_column(_column("first_dealer", sa.Integer(), nullable=True))
    with op.batch_alter_table("match_sides") as batch:
        batch.add_column(_column("total", sa.Integer(), server_default="0"))
    with op.batch_alter_table("tables") as batch:
        batch.add_column(_column("link_hash", sa.String(), nullable=True))
        batch.add_column(_column("drawing", sa.String(), server_default="italian"))
        batch.add_column(_column("closed_at", UtcTime(), nullable=True))
        batch.add_column(_column("lends_photos", sa.Boolean(), server_default=sa.false()))
    for table, columns in {
        "matches": ("hands", "is_left"),
        "match_sides": ("total",),
        "tables": ("drawing", "lends_photos"),
    }.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:  # a default was needed for the rows that were there
                batch.alter_column(column, server_default=None)
    op.create_index(op.f("ix_tables_link_hash"), "tables", ["link_hash"], unique=True)


def _note_results() -> None:
    """Replay every match once, and keep its result in its row."""
    connection = op.get_bind()
    connection.execute(
        sa.text(
            "UPDATE matches SET is_left = :left "
            "WHERE id IN (SELECT match_id FROM log WHERE step = 'leave')"
        ),
        {"left": True},
    )
    for match_id, rules in connection.execute(
        sa.select(sa.column("id"), sa.column("rules", sa.JSON)).select_from(sa.table("matches"))
    ).all():
        names = connection.execute(
            sa.text("SELECT name FROM match_sides WHERE match_id = :id ORDER BY side"),
            {"id": match_id},
        ).scalars()
        entries = connection.execute(
            sa.select(sa.column("step"), sa.column("hand_no"), sa.column("facts", sa.JSON))
            .select_from(sa.table("log"))
            .where(sa.column("match_id") == match_id)
            .order_by(sa.column("revision"))
        ).all()
        line = replay(
            LogEntry(step=Step(step), hand_no=hand_no, facts_json=facts, key="")
            for step, hand_no, facts in entries
        )
        match = Match(
            rules=read_rules(rules),
            names=tuple(names),
            hands=tuple(HandRecord.from_dict(entry.facts_json) for entry in line.hands),
        )
        connection.execute(
            sa.text("UPDATE matches SET hands = :hands, winner = :winner WHERE id = :id"),
            {"hands": len(line.hands), "winner": match.winner, "id": match_id},
        )
        for side, total in enumerate(match.totals):
            connection.execute(
                sa.text(
                    "UPDATE match_sides SET total = :total WHERE match_id = :id AND side = :side"
                ),
                {"total": total, "id": match_id, "side": side},
            )


def _create_rules_and_commands() -> None:
    op.create_table(
        "house_rules",
        _column("name", sa.String(), primary_key=True),
        _column("rules", sa.JSON()),
        _column("made_at", UtcTime()),
    )
    op.create_table(
        "deliveries",
        _id_of("tables", "table_id", primary_key=True),
        _column("key", sa.String(), primary_key=True),
        _column("device", sa.String()),
        _column("made_at", UtcTime()),
    )


def _create_uploads() -> None:
    op.create_table(
        "uploads",
        _column("id", sa.Integer(), primary_key=True),
        _id_of("tables", "table_id"),
        _id_of("matches", "match_id"),
        _column("hand_no", sa.Integer()),
        _column("side", sa.Integer()),
        _column("is_mending", sa.Boolean()),
        _column("key", sa.String()),
        _column("name", sa.String()),
        _column("size", sa.Integer()),
        _column("state", sa.String()),
        _column("refusal", sa.JSON(), nullable=True),
        _column("device", sa.String()),
        _column("made_at", UtcTime()),
        sa.UniqueConstraint("table_id", "key"),
        sa.Index(None, "state", "id"),
        sa.Index(None, "match_id", "hand_no"),
    )
    _create_bytes("upload_files", "data", key="upload_id", of="uploads")


def _create_decks() -> None:
    op.create_table(
        "decks",
        _column("id", sa.Integer(), primary_key=True),
        _id_of("tables", "table_id"),
        _column("key", sa.String()),
        _column("name", sa.String()),
        _column("revision", sa.Integer()),
        _column("is_forgotten", sa.Boolean()),
        _column("device", sa.String()),
        _column("made_at", UtcTime()),
        sa.UniqueConstraint("table_id", "key"),
    )
    op.create_table(
        "table_decks",
        _id_of("tables", "table_id", primary_key=True),
        _id_of("decks", "deck_id"),
        _column("learns", sa.Boolean()),
    )
    op.create_table(
        "deck_photos",
        _column("id", sa.Integer(), primary_key=True),
        _id_of("decks", "deck_id"),
        _column("key", sa.String()),
        _column("name", sa.String()),
        _column("state", sa.String()),
        _column("refusal", sa.JSON(), nullable=True),
        _column("made_at", UtcTime()),
        sa.UniqueConstraint("deck_id", "key"),
    )
    _create_bytes("deck_photo_files", "data", key="photo_id", of="deck_photos")
    op.create_table(
        "deck_views",
        _column("id", sa.Integer(), primary_key=True),
        _id_of("decks", "deck_id"),
        _column("key", sa.String()),
        _id_of("deck_photos", "photo_id", nullable=True),
        _column("place", sa.Integer()),
        _column("code", sa.String()),
        _column("is_sure", sa.Boolean()),
        _column("is_covered", sa.Boolean()),
        _column("is_out", sa.Boolean()),
        _column("jpeg", sa.LargeBinary()),
        sa.UniqueConstraint("deck_id", "key"),
        sa.Index(None, "photo_id"),
    )
