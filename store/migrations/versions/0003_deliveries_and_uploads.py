"""Deliveries that count once, and the queue of photos that wait to be read."""

import sqlalchemy as sa
from alembic import op

from store.models import UtcTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deliveries",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_deliveries_table_id")),
        sa.PrimaryKeyConstraint("table_id", "key", name=op.f("pk_deliveries")),
    )
    op.create_table(
        "uploads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("hand_no", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("is_mending", sa.Boolean(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("refusal", sa.JSON(), nullable=True),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_uploads_table_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_uploads_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
        sa.UniqueConstraint("table_id", "key", name=op.f("uq_uploads_table_id_key")),
    )
    op.create_index(op.f("ix_uploads_state"), "uploads", ["state"])
    op.create_index(op.f("ix_uploads_match_id_hand_no"), "uploads", ["match_id", "hand_no"])
