"""Who plays, by command line and settings, and people's help by their names."""

import random
import sys
from pathlib import Path

import pytest

from game.common import AppError, words
from game.engine import LEVEL_NAMES
from game.opponent import EvenMatch, KnownHelp, Rating, read_computers, read_help, read_opponents
from game.rules.base.grades import help_in
from game.rules.circle_of_life import GAME
from game.table import Table
from game.table.inputs import SetHelp, SetNames
from game.web.views import game_view


@pytest.mark.parametrize(
    ("text", "computers"),
    [
        ("3", ("", "3")),
        ("random", ("", "random")),
        ("Mouse", ("", "1")),
        ("dragon,chick", ("6", "random")),
        ("3,person", ("3", "")),
        ("person , 6", ("", "6")),
        ("1,2", ("1", "2")),
        ("person", ("", "")),
    ],
)
def test_one_level_is_the_last_players_and_more_are_each_ones(text, computers):
    assert read_computers(GAME, text, "--opponent") == computers


@pytest.mark.parametrize("text", ["", "7", "-", "1,2,3", "person,", "3,nobody"])
def test_what_is_none_is_refused_with_what_is_allowed(text):
    with pytest.raises(AppError) as refused:
        read_computers(GAME, text, "--opponent")
    said = str(refused.value)
    assert f"--opponent is {text!r}" in said
    # The message's example must itself be allowed, and contain nothing that a shell or the
    # option parser treats as something else.
    example = said.rpartition("such as ")[2]
    assert example[0] not in "-'"
    assert read_computers(GAME, example, "--opponent")


def test_engines_are_levels_by_the_name_of_their_program():
    name, own = f"ugi:{Path(sys.executable).name}", sys.executable
    one, two = (f"ugi:'{own}' -m engine --level {level}" for level in (1, 2))
    first, second = ((own, "-m", "engine", "--level", level) for level in "12")
    for text, computers, engines in (
        ("3", ("", "3"), {}),
        (one, ("", name), {name: first}),
        (f"{one}, {two}", (name, f"{name} 2"), {name: first, f"{name} 2": second}),
        (f"{one},{one}", (name, name), {name: first}),
    ):
        assert read_opponents(GAME, text, "--opponent") == (computers, engines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ugi:no-such-engine --fast", "no program 'no-such-engine'"),
        ("ugi:'unclosed", "No closing quotation"),
        (f"ugi:{sys.executable},1,2", "of 2 players"),
    ],
)
def test_engine_that_cannot_be_is_refused_before_play(text, said):
    with pytest.raises(AppError, match=said):
        read_opponents(GAME, text, "--opponent")


def test_page_lists_an_engine_by_its_own_name():
    *_, last = game_view.levels((*LEVEL_NAMES, "ugi:stones"), words("en"))
    assert last == {"level": "ugi:stones", "text": "ugi:stones", "about": ""}


def table_of(*names: str) -> Table:
    table = Table(GAME, {}, random.Random(0), levels=("1",))
    table.handle(SetNames(names), 0.0)
    return table


def test_people_who_are_named_have_the_help_that_they_had(tmp_path):
    table = table_of("Ada", "Ben")
    known = KnownHelp(tmp_path)
    assert known.follow(table.state) is None
    table.handle(SetHelp(("3:2", "")), 1.0)
    known.follow(table.state)
    again = KnownHelp(tmp_path)
    assert again.follow(table_of("Cleo", "").state) is None
    assert again.follow(table_of("Cleo", "ADA").state) == SetHelp(("", "3:2"))
    agreed = table_of("ADA", "")
    agreed.handle(SetHelp(("1", "0")), 1.0)
    assert again.follow(agreed.state) is None, "help that was agreed on goes before"


@pytest.mark.parametrize("text", ["no JSON", '{"version": 1, "help": {"ada": "9"}}'])
def test_file_that_cannot_be_read_gives_no_help(tmp_path, text):
    (tmp_path / "help.json").write_text(text)
    assert KnownHelp(tmp_path).follow(table_of("Ada", "").state) is None


@pytest.mark.parametrize("text", ["6", "3:7", "1,2,3", "much"])
def test_other_help_is_refused_with_what_is_allowed(tmp_path, text):
    with pytest.raises(AppError, match=rf"--help-level is '{text}'; allowed: 0 - 5, or 3:N"):
        read_help(GAME, text, "--help-level", tmp_path, ())


def test_even_help_goes_to_the_weaker_of_two(tmp_path, monkeypatch):
    monkeypatch.setattr(EvenMatch, "_ratings", lambda _: {"ada": Rating(1300.0)})
    even = read_help(GAME, "even", "--help-level", tmp_path, ("Ada", "Ben"))
    ada, ben = help_in(",".join(even), 2)
    assert (ada.level, ben.level > 0) == (0, True)
    assert read_help(GAME, "even", "--help-level", tmp_path, ("Cleo", "Ben")) == ("0", "0")
