"""Evenings: a row of `tables` may be one, its log is of no match; the members of teams."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(
            sa.Column("is_evening", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch.add_column(sa.Column("evening_code", sa.String(), nullable=True))
        batch.add_column(sa.Column("player_hashes", sa.JSON(), nullable=False, server_default="[]"))
        batch.add_column(sa.Column("best_of", sa.Integer(), nullable=False, server_default="1"))
    with op.batch_alter_table("match_sides") as batch:
        batch.add_column(sa.Column("members", sa.JSON(), nullable=False, server_default="[]"))
    for table, columns in {
        "tables": ("is_evening", "player_hashes", "best_of"),
        "match_sides": ("members",),
    }.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:  # a default was needed for the rows that were there
                batch.alter_column(column, server_default=None)
    op.create_index(op.f("ix_tables_evening_code"), "tables", ["evening_code"])
    with op.batch_alter_table("log") as batch:
        batch.alter_column("match_id", existing_type=sa.Integer(), nullable=True)
