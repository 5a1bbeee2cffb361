"""What is wrong with a photo is kept as a kind and a region; it was an English sentence."""

import re
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KINDS = {
    r"No card was found: .*": "nothing-found",
    r"No card can be seen, it is too dark: .*": "dark",
    r"A card (?P<place>.+) is cut off by the edge: .*": "cut-off",
    r"It is too dark (?P<place>.+): .*": "dark",
    r"It is washed out (?P<place>.+): .*": "washed-out",
    r"The cards (?P<place>.+) are too small to read: .*": "small",
    r"It is blurred (?P<place>.+): .*": "blurred",
    r"Cards (?P<place>.+) lie too far under each other: .*": "covered",
}
"""The sentences that release 0.1.0 kept, and their kinds; the place stands in words."""


def upgrade() -> None:
    drafts = sa.table(
        "drafts",
        sa.column("match_id", sa.Integer),
        sa.column("hand_no", sa.Integer),
        sa.column("side", sa.Integer),
        sa.column("draft", sa.JSON),
    )
    connection = op.get_bind()
    for row in connection.execute(sa.select(drafts)).all():
        if "notes" not in row.draft:
            continue
        connection.execute(
            sa.update(drafts)
            .where(
                drafts.c.match_id == row.match_id,
                drafts.c.hand_no == row.hand_no,
                drafts.c.side == row.side,
            )
            .values(draft=without_sentences(row.draft))
        )


def without_sentences(draft: dict[str, Any]) -> dict[str, Any]:
    """A draft with its notes as faults.

    Notes did not say which photo they were about: they are taken to be about the last one. A
    sentence that is not known is dropped.
    """
    photos = draft.get("photos") or []
    faults = [fault_of(note) for note in draft["notes"]] if photos else []
    kept = [{"photo": photos[-1], **fault} for fault in faults if fault is not None]
    return {key: value for key, value in draft.items() if key != "notes"} | {"faults": kept}


def fault_of(sentence: str) -> dict[str, str | None] | None:
    """The kind and the region that a sentence speaks of; None where it is not known."""
    for pattern, kind in KINDS.items():
        if found := re.fullmatch(pattern, sentence):
            place = found.groupdict().get("place")
            return {"kind": kind, "region": None if place is None else region_of(place)}
    return None


def region_of(place: str) -> str:
    """The region of "at the top left", "at the left" or "in the middle"."""
    return "middle" if place == "in the middle" else place.removeprefix("at the ").replace(" ", "-")
