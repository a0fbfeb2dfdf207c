"""People's help by their names, and `--help-level`."""

import random
from pathlib import Path

import pytest

from game.common import AppError
from game.opponent import EvenMatch, KnownHelp, Rating, read_help
from game.rules.base.grades import help_in
from game.rules.circle_of_life import GAME
from game.table import Table
from game.table.inputs import SetHelp, SetNames


def table_of(*names: str) -> Table:
    table = Table(GAME, {}, random.Random(0), levels=("1",))
    table.handle(SetNames(names), 0.0)
    return table


def test_people_who_are_named_have_the_help_that_they_had(tmp_path: Path):
    table = table_of("Ada", "Ben")
    known = KnownHelp(tmp_path)
    assert known.follow(table.state) is None
    table.handle(SetHelp(("3:2", "")), 1.0)
    known.follow(table.state)
    again = KnownHelp(tmp_path)
    assert again.follow(table_of("Cleo", "").state) is None
    assert again.follow(table_of("Cleo", "ADA").state) == SetHelp(("", "3:2"))


@pytest.mark.parametrize("text", ["no JSON", '{"version": 1, "help": {"ada": "9"}}'])
def test_file_that_cannot_be_read_gives_no_help(tmp_path: Path, text: str):
    (tmp_path / "help.json").write_text(text)
    assert KnownHelp(tmp_path).follow(table_of("Ada", "").state) is None


@pytest.mark.parametrize("text", ["6", "3:7", "1,2,3", "much"])
def test_other_help_is_refused_with_what_is_allowed(tmp_path: Path, text: str):
    with pytest.raises(AppError, match=rf"--help-level is '{text}'; allowed: 0 - 5, or 3:N"):
        read_help(GAME, text, "--help-level", tmp_path, ())


def test_even_help_goes_to_the_weaker_of_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(EvenMatch, "_ratings", lambda _: {"ada": Rating(1300.0)})
    even = read_help(GAME, "even", "--help-level", tmp_path, ("Ada", "Ben"))
    ada, ben = help_in(even, 2)
    assert (ada.level, ben.level > 0) == (0, True)
    assert read_help(GAME, "even", "--help-level", tmp_path, ("Cleo", "Ben")) == "0,0"
