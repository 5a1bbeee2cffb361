"""A table keeps the hash of its scorers' link; those opened before have none yet."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("link_hash", sa.String(), nullable=True))
    op.create_index(op.f("ix_tables_link_hash"), "tables", ["link_hash"], unique=True)
