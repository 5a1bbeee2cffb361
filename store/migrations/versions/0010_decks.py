"""Decks that tables have taught."""

import sqlalchemy as sa
from alembic import op

from store.models import UtcTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _decks()
    _photos()
    _views()


def _decks() -> None:
    op.create_table(
        "decks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("is_forgotten", sa.Boolean(), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_decks_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decks")),
        sa.UniqueConstraint("table_id", "key", name=op.f("uq_decks_table_id_key")),
    )
    op.create_table(
        "table_decks",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("deck_id", sa.Integer(), nullable=False),
        sa.Column("learns", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["deck_id"], ["decks.id"], name=op.f("fk_table_decks_deck_id")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_table_decks_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_table_decks")),
    )


def _photos() -> None:
    op.create_table(
        "deck_photos",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("deck_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("refusal", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["deck_id"], ["decks.id"], name=op.f("fk_deck_photos_deck_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deck_photos")),
        sa.UniqueConstraint("deck_id", "key", name=op.f("uq_deck_photos_deck_id_key")),
    )
    op.create_table(
        "deck_photo_files",
        sa.Column("photo_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["photo_id"],
            ["deck_photos.id"],
            name=op.f("fk_deck_photo_files_photo_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("photo_id", name=op.f("pk_deck_photo_files")),
    )


def _views() -> None:
    op.create_table(
        "deck_views",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("deck_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("photo_id", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("is_sure", sa.Boolean(), nullable=False),
        sa.Column("is_covered", sa.Boolean(), nullable=False),
        sa.Column("is_out", sa.Boolean(), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["deck_id"], ["decks.id"], name=op.f("fk_deck_views_deck_id")),
        sa.ForeignKeyConstraint(
            ["photo_id"], ["deck_photos.id"], name=op.f("fk_deck_views_photo_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deck_views")),
        sa.UniqueConstraint("deck_id", "key", name=op.f("uq_deck_views_deck_id_key")),
    )
    op.create_index(op.f("ix_deck_views_photo_id"), "deck_views", ["photo_id"])
