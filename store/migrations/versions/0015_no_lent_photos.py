"""Tables no longer lend their photos for training."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("lends_photos")
