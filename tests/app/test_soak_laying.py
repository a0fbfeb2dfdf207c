"""Fake hands that lay out pieces unseen, on a page or under a cover, and look at faces."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from game.app.soak import laying
from game.app.soak.sitting import Parts, Plan, Sitting
from game.app.soak.traits import HANDS
from game.rules.cirkle_mind import GAME
from game.table.state import Phase, State

MODES = ("touch", "presence")
ENOUGH_S = 900.0


@contextmanager
def sitting(sensing: str, folder: Path, seed: int = 2) -> Iterator[Sitting]:
    plan = Plan("rectangle-88", "careful", sensing, "sim", GAME.name)
    with closing(Sitting(plan, GAME, seed, folder, Parts(traits=HANDS["careful"]))) as one:
        yield one


def go_on(one: Sitting, *until: Phase) -> State:
    """Let time pass until the table waits for one of these."""
    while one.session.table.state.phase not in until:
        one._go_on()
        assert one.now < ENOUGH_S, "that leads nowhere"
    return one.session.table.state


@pytest.mark.parametrize("sensing", MODES)
@pytest.mark.parametrize(("by_page", "sealed_by"), [(1.0, "seals"), (0.0, "under the cover")])
def test_players_lay_out_their_pieces_and_then_the_board(
    monkeypatch, tmp_path, sensing, by_page, sealed_by
):
    monkeypatch.setattr(laying, "BY_PAGE", by_page)
    monkeypatch.setattr(laying, "ERRS", 0.0)
    with sitting(sensing, tmp_path) as one:
        go_on(one, Phase.ARRANGE)
        go_on(one, Phase.CONFIRM, Phase.EDIT, Phase.TAP)
        assert any(sealed_by in told.what for told in one.trace)
        state = go_on(one, Phase.TAP)
        assert len(state.history) == len(GAME.players)
        assert one.desk.differences(GAME.pieces(state.position)).keys() <= one.person.asked


@pytest.mark.parametrize("sensing", MODES)
def test_players_who_err_under_the_cover_end_with_what_they_wanted(monkeypatch, tmp_path, sensing):
    monkeypatch.setattr(laying, "BY_PAGE", 0.0)
    monkeypatch.setattr(laying, "ERRS", 0.3)
    monkeypatch.setattr(laying.Laying, "_unplugs", lambda laying: False)
    with sitting(sensing, tmp_path) as one:
        go_on(one, Phase.ARRANGE)
        player = one.session.table.state.turn(GAME) or 1
        while not one.session.table.state.sealed:
            one._go_on()
            assert one.now < ENOUGH_S, "that leads nowhere"
        wanted = one.person.laying._plans[player]
        text = one.session.table.state.sealed[player]
        assert GAME.laid(one.session.table.state.position, player, text) == wanted


def test_players_begin_again_under_the_cover_after_a_power_cut(monkeypatch, tmp_path):
    monkeypatch.setattr(laying, "BY_PAGE", 0.0)
    cuts = iter([True])
    monkeypatch.setattr(laying.Laying, "_unplugs", lambda laying: next(cuts, False))
    with sitting("touch", tmp_path) as one:
        go_on(one, Phase.ARRANGE)
        while not one.person.unplugged:
            one._go_on()
        one._pull_plug()
        assert go_on(one, Phase.TAP).history


def test_faces_are_covered_by_whoever_has_looked_at_them(tmp_path):
    with sitting("touch", tmp_path) as one:
        go_on(one, Phase.SHOW)
        faces = one.session.table.state.history[-1].faces
        assert len(faces) == 2
        state = go_on(one, Phase.TAP, Phase.EDIT, Phase.OVER)
        assert not state.showing
        told = " ".join(told.what for told in one.trace)
        assert "covers both" in told or "presses confirm" in told
