"""The schema of release 0.2.0: its tables are those of 0.1.0.

0.1.0 kept sentences in the `notes` of a draft. They are ignored, as they are only about photos of
the hand that was being played.
"""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    pass
