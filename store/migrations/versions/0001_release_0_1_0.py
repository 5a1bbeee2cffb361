"""The schema of release 0.1.0. No database is created with it any more."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    pass
