"""A table to try the app with: its hand is played, its photos wait, and it counts in no season."""

import json
from pathlib import Path

from scoring.presets import PRESETS
from store import SAMPLE, Store, Table, piles, tables, uploads
from table.access import hash_link


def open_sample(store: Store, folder: Path, *, link: str) -> Table:
    """Opens a table to try the app: the first hand of a folder's expected.json, its photos waiting.

    Its rules bear the name `SAMPLE`, by which it is told from tables where people play.
    """
    hand = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["hands"][0]
    names = [side["name"] for side in hand["sides"]]
    rules = PRESETS[hand["rules"]].changed(name=SAMPLE)
    with store.writing() as session:
        table = tables.open_table(session, names, rules, link_hash=hash_link(link))
        for number, side in enumerate(hand["sides"]):
            piles.add_scope(table, number, delta=side["scope"])
            for name in side["photos"]:
                uploads.add(
                    table,
                    (folder / name).read_bytes(),
                    key=f"sample-{name}",
                    name=name,
                    match_no=table.match_no,
                    hand_no=1,
                    side=number,
                )
    return table
