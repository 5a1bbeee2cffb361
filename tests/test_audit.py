"""The audit fails for a known hole alone, and says so where nothing can be known."""

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from docs import audit

HOLE = {"id": "PYSEC-1", "fix_versions": ["2.1", "3.0"]}


def found(name: str, *holes: Any) -> dict[str, Any]:
    return {"name": name, "version": "2.0", "vulns": list(holes)}


@pytest.mark.parametrize(
    ("dependencies", "status", "said"),
    [
        ([], 0, "skipped"),
        ([{"name": "a", "skip_reason": "x"}, found("other", HOLE)], 0, "skipped"),
        ([found("a"), {"name": "b", "skip_reason": "x"}], 0, "1 of 2 distributions looked up, 0"),
        ([found("a", HOLE), found("b")], 1, "a 2.0: PYSEC-1, mended in 2.1, 3.0\n2 of 2"),
        ([found("a"), found("other", HOLE)], 0, "1 of 1 distributions looked up, 0"),
    ],
)
def test_a_report_is_judged(dependencies: list[Any], status: int, said: str) -> None:
    came, text = audit.verdict({"dependencies": dependencies}, {"a", "b"})
    assert came == status
    assert said in text


def test_where_no_report_is_made_the_reason_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = SimpleNamespace(stdout="", stderr="Traceback\nConnectionError: no way there\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: answer)
    assert audit.main() == 0
    assert capsys.readouterr().out == "audit skipped: ConnectionError: no way there\n"
