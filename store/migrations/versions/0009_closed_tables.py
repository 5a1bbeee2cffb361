"""Tables that the organiser has closed."""

import sqlalchemy as sa
from alembic import op

from store.models import UtcTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("closed_at", UtcTime(), nullable=True))
