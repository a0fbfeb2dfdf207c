"""Who is a computer, as the command line and the settings say it."""

import pytest

from game.common.errors import AppError
from game.engine.levels import LEVEL_NAMES
from game.rules.circle_of_life import GAME
from game.table.computer import level_word
from game.web.game_runtime import read_computers


@pytest.mark.parametrize(
    ("text", "computers"),
    [
        ("3", ("", "3")),
        ("random", ("", "random")),
        ("3,person", ("3", "")),
        ("person , 6", ("", "6")),
        ("1,2", ("1", "2")),
        ("person", ("", "")),
    ],
)
def test_one_level_is_the_last_players_and_more_are_each_ones(
    text: str, computers: tuple[str, ...]
):
    assert read_computers(GAME, text, "--opponent") == computers


@pytest.mark.parametrize("text", ["", "7", "-", "1,2,3", "person,", "3,nobody"])
def test_what_is_none_is_refused_with_what_is_allowed(text: str):
    with pytest.raises(AppError) as refused:
        read_computers(GAME, text, "--opponent")
    said = str(refused.value)
    assert f"--opponent is {text!r}" in said
    # What the message gives as an example is itself allowed, and nothing that a shell or the
    # reader of options takes for something else.
    example = said.rpartition("such as ")[2]
    assert example[0] not in "-'"
    assert read_computers(GAME, example, "--opponent")


def test_table_has_a_word_for_each_level():
    assert all(str(level_word(level)).startswith("level.") for level in LEVEL_NAMES)
