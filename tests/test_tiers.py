"""The tiers of the tests: what `make test` leaves out starts here, and nothing slips through."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs
from tests.conftest import FIRST, LONGEST
from tests.tiers import NAMED, TIERS, tiers_of, unused_patterns

MAKEFILE = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")


def test_tests_have_the_tiers_that_are_named_once():
    assert tiers_of("tests/machine/test_machine_runs.py::test_any[a]") == ["machine"]
    assert tiers_of("tests/table/test_play.py::test_any") == []
    assert set(NAMED) == set(TIERS)
    assert f"TIERS := {' or '.join(TIERS)}\n" in MAKEFILE
    assert all(Path(__file__).parents[1].joinpath(each).exists() for each in (FIRST, *LONGEST))
    unused = unused_patterns(["tests/machine/test_x.py::test_any"])
    assert "tests/machine/*" not in unused
    assert "tests/pages/*" in unused


def test_test_without_a_tier_starts_no_program_that_others_may_lack():
    subprocess.run([sys.executable, "-c", ""], check=True)
    with pytest.raises(pytest.fail.Exception, match=r"starts ls: name it in tests/tiers\.py"):
        subprocess.run(["ls"], check=True)


def test_what_is_missing_is_told_with_one_command(monkeypatch, capsys):
    monkeypatch.setattr(needs, "obstacles", list)
    for missing, shown in ([], []), (["nodejs"], ["not installed: nodejs", "sudo apt-get install"]):
        monkeypatch.setattr(needs, "missing_packages", lambda missing=missing: missing)
        assert needs.main([]) == len(missing)
        said = capsys.readouterr().err
        assert all(each in said for each in shown)
        assert bool(said) == bool(missing)
