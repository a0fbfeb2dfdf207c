"""The tiers of the tests: what `make test` leaves out starts here, and nothing slips through."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs
from tests.conftest import FIRST, LONGEST
from tests.tiers import NAMED, TIERS, markers_of, tiers_of, unused_patterns

MAKEFILE = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")


def test_tests_have_the_tiers_that_are_named_once():
    assert tiers_of("tests/machine/test_machine_runs.py::test_any[a]") == ["machine"]
    assert tiers_of("tests/table/test_play.py::test_any") == []
    assert set(NAMED) == set(TIERS)
    assert f"TIERS := {' or '.join(TIERS)}\n" in MAKEFILE


def test_files_that_begin_first_are_there():
    assert [
        each for each in (FIRST, *LONGEST) if not Path(__file__).parents[1].joinpath(each).exists()
    ] == []


def test_patterns_that_name_no_test_are_found():
    assert "tests/machine/*" in unused_patterns(["tests/table/test_play.py::test_any"])
    assert "tests/machine/*" not in unused_patterns(["tests/machine/test_x.py::test_any"])


@pytest.mark.parametrize(
    ("name", "some", "every"),
    [
        ("tests/hal/test_contract.py", {"process"}, set()),
        ("tests/store/test_kill.py", {"process"}, {"process"}),
        ("tests/rules/test_agreement.py", {"effort"}, {"effort"}),
        ("tests/table/test_play.py", set(), set()),
    ],
)
def test_markers_of_a_file_are_known_before_it_is_read(name: str, some: set, every: set):
    assert markers_of(name, Path(__file__).parents[1] / name) == (some, every)


def test_test_without_a_tier_starts_no_program_that_others_may_lack():
    subprocess.run([sys.executable, "-c", ""], check=True)
    with pytest.raises(pytest.fail.Exception, match=r"starts ls: name it in tests/tiers\.py"):
        subprocess.run(["ls"], check=True)


def test_what_is_missing_is_told_with_one_command(monkeypatch, capsys):
    monkeypatch.setattr(needs, "obstacles", list)
    monkeypatch.setattr(needs.shutil, "which", lambda name, **_: None if name == "node" else name)
    monkeypatch.setattr(needs, "find_library", lambda _: None)
    assert needs.main([]) == 1
    shown = capsys.readouterr().err
    assert "not installed: " in shown
    assert "nodejs" in shown
    assert "libatomic1" in shown
    assert "sudo apt-get install" in shown
    assert "chromium" not in shown


def test_nothing_is_said_where_nothing_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(needs, "obstacles", list)
    monkeypatch.setattr(needs, "missing_packages", list)
    assert needs.main([]) == 0
    assert capsys.readouterr() == ("", "")
