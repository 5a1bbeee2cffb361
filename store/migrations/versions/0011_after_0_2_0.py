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
from store.log import replay
from store.models import LogEntry, Step, UtcTime

revision = "0011"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _move_bytes("photos", "jpeg", key="photo_id", to="photo_files")
    _extend_tables_and_matches()
    _note_results()
    op.create_index(op.f("ix_proposals_match_id"), "proposals", ["match_id"])
    _create_rules_and_commands()
    _create_uploads()
    _create_decks()


def _column(name: str, kind: Any, **how: Any) -> "sa.Column[Any]":
    return sa.Column(name, kind, nullable=how.pop("nullable", False), **how)


def _foreign(table: str, column: str, to: str, **how: Any) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=op.f(f"fk_{table}_{column}"), **how)


def _primary(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=op.f(f"pk_{table}"))


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=op.f(f"uq_{table}_{'_'.join(columns)}"))


def _create_bytes(table: str, column: str, *, key: str, of: str) -> None:
    """Create a table that holds the bytes of another table's rows."""
    op.create_table(
        table,
        _column(key, sa.Integer(), autoincrement=False),
        _column(column, sa.LargeBinary()),
        _foreign(table, key, f"{of}.id", ondelete="CASCADE"),
        _primary(table, key),
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
        _column("name", sa.String()),
        _column("rules", sa.JSON()),
        _column("made_at", UtcTime()),
        _primary("house_rules", "name"),
    )
    op.create_table(
        "deliveries",
        _column("table_id", sa.Integer()),
        _column("key", sa.String()),
        _column("device", sa.String()),
        _column("made_at", UtcTime()),
        _foreign("deliveries", "table_id", "tables.id"),
        _primary("deliveries", "table_id", "key"),
    )


def _create_uploads() -> None:
    op.create_table(
        "uploads",
        _column("id", sa.Integer()),
        _column("table_id", sa.Integer()),
        _column("match_id", sa.Integer()),
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
        _foreign("uploads", "table_id", "tables.id"),
        _foreign("uploads", "match_id", "matches.id"),
        _primary("uploads", "id"),
        _unique("uploads", "table_id", "key"),
    )
    op.create_index(op.f("ix_uploads_state_id"), "uploads", ["state", "id"])
    op.create_index(op.f("ix_uploads_match_id_hand_no"), "uploads", ["match_id", "hand_no"])
    _create_bytes("upload_files", "data", key="upload_id", of="uploads")


def _create_decks() -> None:
    op.create_table(
        "decks",
        _column("id", sa.Integer()),
        _column("table_id", sa.Integer()),
        _column("key", sa.String()),
        _column("name", sa.String()),
        _column("revision", sa.Integer()),
        _column("is_forgotten", sa.Boolean()),
        _column("device", sa.String()),
        _column("made_at", UtcTime()),
        _foreign("decks", "table_id", "tables.id"),
        _primary("decks", "id"),
        _unique("decks", "table_id", "key"),
    )
    op.create_table(
        "table_decks",
        _column("table_id", sa.Integer()),
        _column("deck_id", sa.Integer()),
        _column("learns", sa.Boolean()),
        _foreign("table_decks", "deck_id", "decks.id"),
        _foreign("table_decks", "table_id", "tables.id"),
        _primary("table_decks", "table_id"),
    )
    op.create_table(
        "deck_photos",
        _column("id", sa.Integer()),
        _column("deck_id", sa.Integer()),
        _column("key", sa.String()),
        _column("name", sa.String()),
        _column("state", sa.String()),
        _column("refusal", sa.JSON(), nullable=True),
        _column("made_at", UtcTime()),
        _foreign("deck_photos", "deck_id", "decks.id"),
        _primary("deck_photos", "id"),
        _unique("deck_photos", "deck_id", "key"),
    )
    _create_bytes("deck_photo_files", "data", key="photo_id", of="deck_photos")
    op.create_table(
        "deck_views",
        _column("id", sa.Integer()),
        _column("deck_id", sa.Integer()),
        _column("key", sa.String()),
        _column("photo_id", sa.Integer(), nullable=True),
        _column("place", sa.Integer()),
        _column("code", sa.String()),
        _column("is_sure", sa.Boolean()),
        _column("is_covered", sa.Boolean()),
        _column("is_out", sa.Boolean()),
        _column("jpeg", sa.LargeBinary()),
        _foreign("deck_views", "deck_id", "decks.id"),
        _foreign("deck_views", "photo_id", "deck_photos.id"),
        _primary("deck_views", "id"),
        _unique("deck_views", "deck_id", "key"),
    )
    op.create_index(op.f("ix_deck_views_photo_id"), "deck_views", ["photo_id"])
