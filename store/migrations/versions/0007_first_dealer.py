"""Who deals first, where somebody said so."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("first_dealer", sa.Integer(), nullable=True))
