"""How a match stands is kept beside it, bytes of pictures lie outside the rows that lists read."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import cast

import sqlalchemy as sa
from alembic import op

from scoring.match import Match
from scoring.presets import read_rules
from scoring.record import HandRecord
from store.log import replay
from store.models import LogEntry

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

MATCHES = sa.table(
    "matches",
    sa.column("id", sa.Integer),
    sa.column("rules", sa.JSON),
    sa.column("hands", sa.Integer),
    sa.column("winner", sa.Integer),
    sa.column("is_left", sa.Boolean),
)
SIDES = sa.table(
    "match_sides",
    sa.column("match_id", sa.Integer),
    sa.column("side", sa.Integer),
    sa.column("name", sa.String),
    sa.column("total", sa.Integer),
)
LOG = sa.table(
    "log",
    sa.column("match_id", sa.Integer),
    sa.column("revision", sa.Integer),
    sa.column("step", sa.String),
    sa.column("hand_no", sa.Integer),
    sa.column("facts", sa.JSON),
)


def upgrade() -> None:
    _move_bytes("photos", "jpeg", key="photo_id", to="photo_files")
    _move_bytes("uploads", "data", key="upload_id", to="upload_files")
    with op.batch_alter_table("matches") as batch:
        batch.add_column(sa.Column("hands", sa.Integer(), nullable=False, server_default="0"))
        batch.add_column(sa.Column("winner", sa.Integer(), nullable=True))
        batch.add_column(
            sa.Column("is_left", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("match_sides") as batch:
        batch.add_column(sa.Column("total", sa.Integer(), nullable=False, server_default="0"))
    left = sa.select(LOG.c.match_id).where(LOG.c.step == "leave")
    op.execute(sa.update(MATCHES).where(MATCHES.c.id.in_(left)).values(is_left=True))
    _note_standings()
    with op.batch_alter_table("matches") as batch:
        batch.alter_column("hands", server_default=None)
        batch.alter_column("is_left", server_default=None)
    with op.batch_alter_table("match_sides") as batch:
        batch.alter_column("total", server_default=None)
    op.create_index(op.f("ix_proposals_match_id"), "proposals", ["match_id"])
    op.drop_index(op.f("ix_uploads_state"), "uploads")
    op.create_index(op.f("ix_uploads_state_id"), "uploads", ["state", "id"])


def _move_bytes(table: str, column: str, *, key: str, to: str) -> None:
    """Moves the bytes of a table's rows to a table of their own."""
    op.create_table(
        to,
        sa.Column(key, sa.Integer(), autoincrement=False, nullable=False),
        sa.Column(column, sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            [key], [f"{table}.id"], name=op.f(f"fk_{to}_{key}"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(key, name=op.f(f"pk_{to}")),
    )
    op.execute(
        f"INSERT INTO {to} ({key}, {column}) "
        f"SELECT id, {column} FROM {table} WHERE {column} IS NOT NULL"
    )
    with op.batch_alter_table(table) as batch:
        batch.drop_column(column)


def _note_standings() -> None:
    """Replays every match once."""
    connection = op.get_bind()
    rules = {
        row.id: row.rules for row in connection.execute(sa.select(MATCHES.c.id, MATCHES.c.rules))
    }
    names: dict[int, list[str]] = {}
    for row in connection.execute(sa.select(SIDES).order_by(SIDES.c.match_id, SIDES.c.side)):
        names.setdefault(row.match_id, []).append(row.name)
    lines = connection.execute(sa.select(LOG).order_by(LOG.c.match_id, LOG.c.revision)).all()
    for match_id, entries in groupby(lines, key=attrgetter("match_id")):
        hands = replay(cast("Iterator[LogEntry]", entries)).hands
        if not hands:
            continue
        match = Match(
            rules=read_rules(rules[match_id]),
            names=tuple(names[match_id]),
            hands=tuple(HandRecord.from_dict(entry.facts) for entry in hands),
        )
        connection.execute(
            sa.update(MATCHES)
            .where(MATCHES.c.id == match_id)
            .values(hands=len(hands), winner=match.winner)
        )
        for side, total in enumerate(match.totals):
            connection.execute(
                sa.update(SIDES)
                .where(SIDES.c.match_id == match_id, SIDES.c.side == side)
                .values(total=total)
            )
