"""Azteka: texts that are no move, and its variants, which are games of their own."""

from typing import NoReturn

import pytest

from game.rules.azteka import GAME
from game.rules.base import registry
from game.rules.base.errors import BadOption, IllegalMove
from game.rules.base.registry import all_games, find_game


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "azteka.no_such_move"),
        ("c", "azteka.no_such_move"),
        ("pass", "azteka.no_such_move"),
        ("t1", "rules.no_such_cell"),
        ("C3", "rules.no_such_cell"),
        ("T0", "azteka.no_such_ring"),
        ("T5", "azteka.no_such_ring"),
    ],
)
def test_what_is_no_move_is_refused_with_a_reason(text: str, key: str) -> None:
    for refuse in (GAME.parse_move, GAME.play):
        with pytest.raises(IllegalMove) as caught:
            refuse(GAME.initial(), text)
        assert caught.value.message.key == key


def test_variants_are_games_of_their_own() -> None:
    games = all_games()
    assert [game.name for game in (GAME, *GAME.variants.values())] == [
        "azteka",
        "azteka-aggressive",
        "azteka-three",
    ]
    for variant, game in GAME.variants.items():
        assert games[game.name] is game
        assert find_game("azteka", {"variant": variant}) is game
        assert game.agreed_draws
        assert game.initial() == GAME.initial({"variant": variant})
        assert game.initial({"variant": variant}) == game.initial()
        assert len(game.players) == len(game.score(game.initial()))
        with pytest.raises(BadOption):
            game.initial({"variant": "basic"})


@pytest.mark.parametrize("variant", ["basic", "aggressive", "three"])
def test_every_game_of_azteka_goes_by_the_variant_of_a_position(variant: str) -> None:
    own = GAME.initial({"variant": variant})
    for game in (GAME, *GAME.variants.values()):
        assert set(game.legal_moves(own)) == set(GAME.legal_moves(own))
        assert game.to_move(game.play(own, "a1")) == 2
        assert len(game.score(own)) == (3 if variant == "three" else 2)


def test_game_is_found_by_its_folder_without_importing_the_others(monkeypatch: pytest.MonkeyPatch):
    def fail() -> NoReturn:
        raise AssertionError("all games are imported")

    monkeypatch.setattr(registry, "_found", fail)
    assert [find_game(name).name for name in ("azteka", "cirkle-mind")] == ["azteka", "cirkle-mind"]
