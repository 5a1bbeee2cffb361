"""Which drawing of the cards the screens of a table show."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(
            sa.Column("drawing", sa.String(), nullable=False, server_default="italian")
        )
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("drawing", server_default=None)
