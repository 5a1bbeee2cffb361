"""Templates, labels, and the lock under which screens are rendered one after another."""

import re
import threading
import time
from pathlib import Path

import pytest

from screens import render
from screens.render import TEMPLATES, render_lock, turn_of


def drawn_beside(how: threading.Event) -> threading.Thread:
    """Return a screen in a thread of its own that says when it has its turn."""

    def draw() -> None:
        with render_lock():
            how.set()

    thread = threading.Thread(target=draw, daemon=True)
    thread.start()
    return thread


def test_a_screen_waits_until_the_other_is_drawn() -> None:
    begun = threading.Event()
    with render_lock():
        other = drawn_beside(begun)
        assert not begun.wait(0.2)
    other.join(5)
    assert begun.is_set()


def test_who_asks_for_many_screens_waits_for_his_own() -> None:
    flood = "10.0.0.1"
    other = next(f"10.0.0.{n}" for n in range(2, 250) if turn_of(f"10.0.0.{n}") != turn_of(flood))
    drawn: list[str] = []

    def draw(network: str) -> None:
        with render_lock(network):
            time.sleep(0.02)  # as long as a screen, so that the waiting threads can run
            drawn.append(network)

    with render_lock(flood):
        networks = [flood] * 8 + [other]
        threads = [threading.Thread(target=draw, args=(one,)) for one in networks]
        for thread in threads:
            thread.start()
            time.sleep(0.05)  # it waits by then
    for thread in threads:
        thread.join(5)
    assert drawn.count(flood) == 8
    assert other in drawn[:-1]


def test_a_screen_that_fails_gives_its_turn_up() -> None:
    with pytest.raises(ValueError, match="a fault"), render_lock():
        raise ValueError("a fault")
    begun = threading.Event()
    drawn_beside(begun).join(5)
    assert begun.is_set()


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("", ""),
        ("Anna", "Anna"),
        ("A_B", r"A\_B"),
        ("$x$", r"\$x\$"),
        (":red[x]", r"\:red\[x\]"),
        ("Prese di Noi: 3", "Prese di Noi: 3"),
        ("Anna & Bruno &lt;b", r"Anna & Bruno \&lt;b"),
        ("1. Anna 2. Bruno", r"1\. Anna 2. Bruno"),
        ("- Anna", r"\- Anna"),
        ("-3 - +", "-3 - +"),
        ("www.x.example", "www\u2060.x.example"),
        ("HTTPS://x a@b.example", "HTTPS:\u2060//x a@\u2060b.example"),
    ],
)
def test_markdown_is_escaped_where_it_would_mean_something(typed: str, written: str) -> None:
    assert render.plain(typed) == written


@pytest.mark.parametrize("path", sorted(TEMPLATES.iterdir()), ids=lambda path: path.name)
def test_no_sentence_stands_in_a_template(path: Path) -> None:
    text = re.sub(
        r"{#.*?#}|{%.*?%}|{{.*?}}|<style>.*?</style>", "", path.read_text("utf-8"), flags=re.DOTALL
    )
    spoken = re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', text)
    assert not re.findall(r"[^\W\d_]{2,}", re.sub(r"<[^>]*>", " ", text) + " ".join(spoken))


def test_what_a_template_is_given_is_escaped() -> None:
    assert str(render.piece("bold", "<b>&")) == "<b>&lt;b&gt;&amp;</b>"
