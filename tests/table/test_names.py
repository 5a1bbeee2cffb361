"""Names: which invisible signs stay, and when two names are the same."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.hand import name_key
from table.names import SameNameError, checked_names, clean_name

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"

KEPT = {
    "family": FAMILY,
    "rainbow flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "skin colour": "\U0001f469\U0001f3fd\u200d\U0001f680",
    "mending heart": "\u2764\ufe0f\u200d\U0001fa79",
    "Scotland": SCOTLAND,
    "beside a name": f"Anna {FAMILY}",
    "Persian": "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "Hindi": "\u0930\u093e\u091c\u0940\u0935 \u0915\u094d\u200d\u0937",
    "Bengali": "\u09b0\u200d\u09cd\u09af\u09be\u09ac",
    "Malayalam, at the end": "\u0d30\u0d3e\u0d1c\u0d28\u0d4d\u200d",
}

CLEANED = {
    "Latin": ("An\u200dna", "Anna"),
    "Latin, non-joiner": ("An\u200cna", "Anna"),
    "start": ("\u200dAnna", "Anna"),
    "end": ("Anna\u200d", "Anna"),
    "two joiners": ("\U0001f468\u200d\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
    "emoji and letter": ("\U0001f468\u200dA", "\U0001f468A"),
    "non-joiner between emojis": ("\U0001f468\u200c\U0001f469", "\U0001f468\U0001f469"),
    "Persian, end of a word": ("\u0639\u0644\u06cc\u200c Anna", "\u0639\u0644\u06cc Anna"),
    "before a blank that is a sign": ("\U0001f468\u200d\u2800\U0001f469", "\U0001f468\U0001f469"),
    "tags without a flag": (f"A{SCOTLAND[1:]}", "A"),
    "tags without an end": (SCOTLAND[:-1], "\U0001f3f4"),
    "many tags": (f"{SCOTLAND[0]}{SCOTLAND[1:-1] * 3}\U000e007f", "\U0001f3f4"),
    "marks on both sides": (
        "\u0639" + "\u064e" * 3 + "\u200c" + "\u064e" * 3 + "\u0639",
        "\u0639" + "\u064e" * 3 + "\u0639",
    ),
}


@pytest.mark.parametrize("name", KEPT.values(), ids=KEPT)
def test_joiners_that_change_the_writing_are_kept(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(("typed", "kept"), CLEANED.values(), ids=CLEANED)
def test_other_joiners_and_tags_are_removed(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


SIGNS = "Aa \u0639\u064e\u0301\u0915\u094d\u2800\ufe0f\u200c\u200d"
"""Letters, marks that Unicode puts into another order, and signs that show nothing."""


@settings(max_examples=500)
@example("\u064e\U000e0062\u094d")
@given(st.text(st.sampled_from(SIGNS + SCOTLAND + FAMILY)))
def test_a_clean_name_is_clean(text: str) -> None:
    assert clean_name(clean_name(text)) == clean_name(text)


@pytest.mark.parametrize("name", KEPT.values(), ids=KEPT)
def test_names_that_differ_in_joiners_only_are_the_same(name: str) -> None:
    bare = "".join(sign for sign in name if sign not in "\u200c\u200d" and ord(sign) < 0xE0000)
    assert name_key(name) == name_key(bare)
    with pytest.raises(SameNameError):
        checked_names((name, bare))
