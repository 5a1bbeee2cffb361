"""Evenings are rows of their own, with a log of their own; they were tables without a match."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

OF_EVENINGS = "table_id IN (SELECT id FROM tables WHERE is_evening)"


def upgrade() -> None:
    time = sa.DateTime(timezone=True)
    op.create_table(
        "evenings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("link_hash", sa.String),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("opened_at", time, nullable=False),
        sa.Column("drawing", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_evenings"),
        sa.UniqueConstraint("code", name="uq_evenings_code"),
    )
    op.create_index("ix_evenings_link_hash", "evenings", ["link_hash"], unique=True)
    op.create_table(
        "evening_log",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("evening_id", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("step", sa.String, nullable=False),
        sa.Column("facts", sa.JSON(none_as_null=True)),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("made_at", time, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_evening_log"),
        sa.ForeignKeyConstraint(["evening_id"], ["evenings.id"], name="fk_evening_log_evening_id"),
        sa.UniqueConstraint("evening_id", "revision", name="uq_evening_log_evening_id_revision"),
        sa.UniqueConstraint("evening_id", "key", name="uq_evening_log_evening_id_key"),
    )
    op.execute(
        "INSERT INTO evenings (code, link_hash, revision, opened_at, drawing) "
        "SELECT code, link_hash, revision, opened_at, drawing FROM tables WHERE is_evening "
        "ORDER BY id"
    )
    op.execute(
        "INSERT INTO evening_log (evening_id, revision, step, facts, key, made_at) "
        "SELECT evenings.id, log.revision, log.step, log.facts, log.key, log.made_at FROM log "
        "JOIN tables ON tables.id = log.table_id JOIN evenings ON evenings.code = tables.code "
        "ORDER BY log.id"
    )
    op.execute(f"DELETE FROM log WHERE {OF_EVENINGS}")
    op.execute(f"DELETE FROM deliveries WHERE {OF_EVENINGS}")
    op.execute("DELETE FROM tables WHERE is_evening")
    with op.batch_alter_table("log") as batch:
        batch.alter_column("match_id", existing_type=sa.Integer, nullable=False)
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("is_evening")
