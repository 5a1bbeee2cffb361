"""The reader is one for all as long as somebody asks, and its memory is given back afterwards."""

import gc
import json
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

from web.lending import Lender

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "anna-1.jpg"

READS_THEN_RESTS = """
import json, sys, threading, time
import psutil
from web.lending import Lender
from vision.photo import open_photo
from vision.reader import Reader

def megabytes():
    return psutil.Process().memory_full_info().uss / 1e6

def read(lender):
    reader = lender()
    reader.read(open_photo(sys.argv[1]))
    full.append(megabytes())
    del reader
    lender()  # however long that took, the rest begins now

full, rested = [], []
lender = Lender(Reader, rest_s=1.0)
for _ in range(4):
    reading = threading.Thread(target=read, args=(lender,))
    reading.start()
    reading.join()
    while any(thread.name == "lender" for thread in threading.enumerate()):
        time.sleep(0.05)
    rested.append(megabytes())
print(json.dumps([full, rested]))
"""


class Something:
    """What is lent."""


def rests(kept: "weakref.ref[Something]") -> bool:
    end = time.monotonic() + 20
    while kept() is not None and time.monotonic() < end:
        time.sleep(0.01)
        gc.collect()
    return kept() is None


def test_all_who_ask_get_the_same() -> None:
    made: list[Something] = []

    def make() -> Something:
        time.sleep(0.05)
        made.append(Something())
        return made[-1]

    lender = Lender(make)
    threads = [threading.Thread(target=lender) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [lender()] == made


def test_what_nobody_asks_for_is_let_go_and_made_again() -> None:
    lender = Lender(Something, rest_s=0.1)
    first = weakref.ref(lender())
    assert rests(first)
    second = weakref.ref(lender())
    assert rests(second)


def test_it_is_kept_as_long_as_somebody_asks() -> None:
    lender = Lender(Something, rest_s=2.0)
    first = weakref.ref(lender())
    for _ in range(6):
        time.sleep(0.5)
        assert lender() is first()


def test_whoever_works_with_it_keeps_it() -> None:
    lender = Lender(Something, rest_s=0.05)
    mine = lender()
    kept = weakref.ref(mine)
    time.sleep(0.5)
    assert kept() is mine
    assert lender() is not mine


def test_one_that_cannot_be_made_is_tried_again() -> None:
    tries = iter([OSError("no such file")])

    def make() -> Something:
        for error in tries:
            raise error
        return Something()

    lender = Lender(make)
    with pytest.raises(OSError, match="no such file"):
        lender()
    assert isinstance(lender(), Something)


@pytest.mark.models
@pytest.mark.skipif(sys.platform != "linux", reason="another C library keeps no free memory")
@pytest.mark.slow
def test_a_reader_that_rests_gives_its_memory_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", READS_THEN_RESTS, str(SAMPLE)],
        cwd=SAMPLE.parents[1],
        capture_output=True,
        text=True,
        check=True,
        timeout=180,
    )
    full, rested = json.loads(done.stdout)
    for most, left in zip(full, rested, strict=True):
        assert most - left > 60, f"expected the networks' memory back, got {full} and {rested} MB"
    assert rested[-1] < rested[0] + 60, f"expected no growth from rest to rest, got {rested} MB"
