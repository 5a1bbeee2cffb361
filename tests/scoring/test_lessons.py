"""What is taught of rules is what they say: every step and every tap under every preset."""

from itertools import combinations, product

import pytest
from hand_scoring import card, cards, codes

from scoring.captures import is_scopa, legal_captures, may_lay
from scoring.explain import described
from scoring.hand import Side, score_hand
from scoring.lessons import NAMES, Task, Verdict, guesses, judge, steps, tasks
from scoring.locale import SENTENCES
from scoring.presets import PRESETS, read_rules
from scoring.rules import Rules

ODD = read_rules({
    "name": "odd", "aces": "sweep-scopa", "ace_takes_itself": True, "fewest_cards": True,
    "most_taken": 2, "forced": "never", "primiera": 0, "carte": 2, "ties": "divided",
    "perdere": True,
})  # fmt: skip
EVERY = [*PRESETS.values(), ODD]
every_preset = pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.name)


@every_preset
def test_every_step_is_played_by_the_rules(rules: Rules) -> None:
    taught = steps(rules)
    assert [step.name for step in taught] == ["one", "several", "scopa", "last", "count"]
    for step in taught[:-1]:
        assert step.scenes
        for scene in step.scenes:
            legal = legal_captures(scene.table, scene.played, rules=rules)
            if not scene.taken:
                assert may_lay(scene.table, scene.played, rules=rules)
                continue
            assert scene.taken in legal
            assert scene.is_scopa == is_scopa(
                scene.table, scene.played, taken=scene.taken, rules=rules, last_card=scene.is_last
            )
    one, several, scopa, last, count = taught
    assert {len(scene.taken) for scene in one.scenes} == {1}
    assert all(len(scene.taken) > 1 for scene in several.scenes)
    assert scopa.scenes[0].is_scopa
    assert all(scene.is_last for scene in last.scenes)
    assert len(last.scenes) == 2
    assert count.score == score_hand(count.sides, rules)
    assert sum(len(side.pile) for side in count.sides) == 40
    assert len(set(count.score.points)) == 2, "one of them is ahead"


@every_preset
def test_every_house_rule_is_said_in_a_step(rules: Rules) -> None:
    for language in SENTENCES.languages[:2]:  # others say the same keys
        said = [sentence for step in steps(rules, lang=language) for sentence in step.says]
        assert len(said) == len(set(said))
        groups = described(rules, lang=language).values()
        taught = {one for group in groups for name, one in group.items() if name != "seatings"}
        assert taught <= set(said)


@every_preset
def test_every_tap_on_every_table_is_judged_as_the_rules_say(rules: Rules) -> None:
    tried = tasks(rules)
    assert 5 <= len(tried) <= 10
    assert len({(codes(task.table), task.played) for task in tried}) == len(tried)
    verdicts = set()
    for task in tried:
        legal = set(legal_captures(task.table, task.played, rules=rules))
        sizes = range(1, len(task.table) + 1)
        every = [taken for size in sizes for taken in combinations(task.table, size)]
        judged = {taken: judge(task, reversed(taken), rules) for taken in every}
        for taken, judgement in judged.items():
            assert (judgement.verdict is not Verdict.NOT_ALLOWED) == (taken in legal)
            assert judgement.why
            assert judge(task, taken, rules, lang="it").verdict is judgement.verdict
        laid = judge(task, (), rules)
        allowed = may_lay(task.table, task.played, rules=rules)
        assert (laid.verdict is not Verdict.NOT_ALLOWED) == allowed
        right = [one for one in (*judged.values(), laid) if one.verdict is Verdict.RIGHT]
        assert right, "something is right on every table"
        if any(is_scopa(task.table, task.played, taken=t, rules=rules, last_card=False)
               for t in legal) and not rules.perdere:  # fmt: skip
            assert len(right) == 1
        verdicts |= {one.verdict for one in (*judged.values(), laid)}
    assert verdicts >= {Verdict.RIGHT, Verdict.NOT_ALLOWED}


JUDGED = [
    ("7c 5s 2b", "7d", {}, "7c", "right", "a card takes one of its value"),
    ("7c 5s 2b", "7d", {}, "5s 2b", "not-allowed", "it goes first"),
    ("7c 5s 2b", "7d", {}, "5s", "not-allowed", "that makes 5, not 7"),
    ("7c 5s 2b", "7d", {}, "", "not-allowed", "must capture"),
    ("7c 5s 2b", "7d", {"forced": "never"}, "", "not-best", "could take"),
    ("9d", "7d", {}, "", "right", "nothing on the table fits"),
    ("5d 2d", "7b", {}, "2d 5d", "right", "scopa"),
    ("7d 7s 2c", "7b", {}, "7d", "right", "makes a point by itself"),
    ("7d 7s 2c", "7b", {}, "7s", "not-best", "makes a point by itself"),
    ("4d 4s 2c", "4b", {}, "4s", "not-best", "more coins"),
    ("4c 4s 2c", "4b", {}, "4s", "right", "the player picks"),
    ("3s 4c 2b 5c 9d", "7b", {}, "4c 3s", "right", "the player picks"),
    ("3s 4c 2b 5c 1c", "7b", {}, "5c 2b", "not-best", "more cards"),
    ("3s 4c 2b 1c", "7b", {}, "1c 2b 4c", "right", "most cards"),
    ("8d 5s 3b", "7b", {"captures": "fifteen"}, "5s", "not-allowed", "that makes 12, not 15"),
    ("5s 3b", "7b", {"captures": "value-or-fifteen"}, "3b", "not-allowed", "neither 7 nor 15"),
    ("5s 3b", "1b", {"aces": "sweep"}, "5s", "not-allowed", "an ace takes the whole table"),
    ("5s 1d", "1b", {"aces": "sweep", "ace_takes_ace": True}, "5s", "not-allowed", "only the ace"),
    ("", "1b", {"aces": "sweep", "ace_takes_itself": True}, "", "right", "must capture"),
    ("7d 7s 2c", "7b", {"perdere": True}, "7d", "not-best", "points are bad"),
    ("7d 7s 2c", "7b", {"perdere": True}, "7s", "right", "a card takes one"),
    ("7c 2c", "7b", {"perdere": True, "forced": "never"}, "7c", "not-best", "points are bad"),
    ("7c 2c", "7b", {"perdere": True, "forced": "never"}, "", "right", "may be laid"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "played", "settings", "taken", "verdict", "why"), JUDGED)
def test_a_tap_is_judged_with_its_reason(
    table: str, played: str, settings: dict[str, object], taken: str, verdict: str, why: str
) -> None:
    task = Task(tuple(sorted(cards(table), key=lambda one: one.index)), card(played))
    found = judge(task, cards(taken), Rules().changed(**settings))
    assert (found.verdict.value, why in found.why) == (verdict, True), found.why


@every_preset
def test_guesses_are_what_the_count_says(rules: Rules) -> None:
    asked = guesses(rules)
    assert asked
    for guess, lang in product(asked, SENTENCES.languages):
        sides = [Side(name, pile) for name, pile in zip(NAMES, guess.piles, strict=True)]
        lines = [one for one in score_hand(sides, rules).lines if one.point == guess.point]
        assert guess.winner == (lines[0].winner if len(lines) == 1 else None)
        assert guesses(rules, lang=lang)[asked.index(guess)].why
