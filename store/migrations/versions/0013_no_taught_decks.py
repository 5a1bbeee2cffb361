"""Taught decks are gone, as they made reading no better: their pictures are deleted.

Photos of piles, and what was read on them, are kept.
"""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    for table in ("deck_views", "table_decks", "deck_photo_files", "deck_photos", "decks"):
        op.drop_table(table)
