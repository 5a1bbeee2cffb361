"""Whether a match is over, also level; the best of several belongs to the match, not to its table.

No release had matches that end level or tables with the best of several.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    with op.batch_alter_table("matches") as batch:
        batch.add_column(
            sa.Column("is_over", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch.add_column(sa.Column("best_of", sa.Integer(), nullable=False, server_default="1"))
    won = sa.text("UPDATE matches SET is_over = :over WHERE winner IS NOT NULL")
    op.get_bind().execute(won, {"over": True})
    op.execute(
        "UPDATE matches SET best_of = "
        "(SELECT best_of FROM tables WHERE tables.id = matches.table_id)"
    )
    with op.batch_alter_table("matches") as batch:
        for column in ("is_over", "best_of"):  # a default was needed for the rows that were there
            batch.alter_column(column, server_default=None)
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("best_of")
