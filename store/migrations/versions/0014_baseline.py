"""The schema of ff00e88, the oldest that is opened. New databases are created from the models."""

revision = "0014"
down_revision = None


def upgrade() -> None:
    pass
