"""Whether the photos of a table may teach the networks."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(
            sa.Column("lends_photos", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("lends_photos", server_default=None)
