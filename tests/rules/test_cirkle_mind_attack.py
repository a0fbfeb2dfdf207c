"""Who wins an attack: every numbered example of the rules, and every ruling about them."""

import pytest

from tests.helpers.games.cirkle_positions import BOTH, LOST, WON, board_with, fight

SIDES = pytest.mark.parametrize("side", ["G", "M"])
EASY = pytest.mark.parametrize("level", ["easy", "super-easy"])
SHIELDS = pytest.mark.parametrize("level", ["medium", "super"])


@SIDES
@EASY
@pytest.mark.parametrize(
    ("attacker", "defender", "verdict"),
    [
        pytest.param("yC", "bC", WON, id="example 1: the same shape"),
        pytest.param("yC", "yO", WON, id="example 2: the same colour"),
        pytest.param("yC", "bT", BOTH, id="example 3: nothing in common"),
        pytest.param("yC", "kT", LOST, id="example 4: black of another shape"),
        pytest.param("kC", "bT", WON, id="example 5: by black"),
        pytest.param("kC", "kT", WON, id="example 6: black by black"),
        pytest.param("yC", "yX", WON, id="example 7: target of the same colour"),
        pytest.param("yX", "bX", WON, id="example 8: target by target"),
        pytest.param("kO", "bX", WON, id="example 9: target by black"),
        pytest.param("gX", "bX", WON, id="example 10: target by the green target"),
        pytest.param("yC", "mX", WON, id="example 11: the mauve target"),
    ],
)
def test_easy_attack_is_decided_as_the_rules_say(
    level: str, side: str, attacker: str, defender: str, verdict: str
) -> None:
    assert fight(level, attacker, defender, side=side) == verdict


@SIDES
@SHIELDS
@pytest.mark.parametrize(
    ("attacker", "on", "defender", "against", "verdict"),
    [
        pytest.param("yC", "", "bC", "gC", LOST, id="example 1: a shape protects"),
        pytest.param("kC", "", "kT", "gT", LOST, id="example 2: black is protected from black"),
        pytest.param("yC", "", "yT", "bT", LOST, id="example 3: a shape protects from a colour"),
        pytest.param("yC", "", "bT", "gT", BOTH, id="example 4: nothing in common"),
        pytest.param("yS", "bS", "yC", "gC", WON, id="example 5: equal shields"),
        pytest.param("kC", "", "bT", "gT", WON, id="example 6: black beats one shield"),
        pytest.param("kC", "yC", "kS", "gS", WON, id="example 7: black, both protected"),
        pytest.param("bC", "mC", "kC", "gC", LOST, id="example 8: black has the greater shield"),
        pytest.param("mC", "mC", "gO", "gO", WON, id="super protection against the same"),
        pytest.param("kC", "", "bT", "bT", BOTH, id="black fails at super protection"),
        pytest.param("yC", "", "kC", "gC", LOST, id="black of the same shape with its shield"),
        pytest.param("kC", "", "yX", "yO", WON, id="no shield saves a target from black"),
        pytest.param("yX", "yS", "yC", "yC", LOST, id="a target has never two"),
    ],
)
def test_shielded_attack_is_decided_as_the_rules_say(
    level: str, side: str, attacker: str, on: str, defender: str, against: str, verdict: str
) -> None:
    assert fight(level, attacker, defender, on, against, side) == verdict


@SHIELDS
def test_shields_count_for_the_square_moved_to_not_for_the_one_left(level: str) -> None:
    game = board_with({"B8": "yC", "B9": "gT", "C9": "bT"})
    mover = 1 if level == "medium" else 2
    pieces = {"B8": "GyC", "C9": "MbC"}
    position = game.from_json({"pieces": pieces, "to_move": mover}, {"level": level})
    done = game.play(position, "B8-B9*C9")
    assert game.pieces(done) == {"B9": "MbC"}
