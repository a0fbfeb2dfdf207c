"""A board wired at random is learned to its end and calibrated, through real MicroPython."""

from contextlib import closing
from pathlib import Path
from random import Random

from game.maker import board_report
from game.maker.calibrate import Calibration
from game.maker.measured_board import electrodes_by_spot
from hal import built_in
from hal.sim.scramble import scrambled
from tests.helpers.boards.pico_tools import learned, measured, obey
from tests.helpers.rp2040.flashed import ready_pico


def test_board_wired_at_random_is_learnt_and_calibrated(tmp_path: Path):
    template = built_in("disc-32-pico")
    truth = scrambled(template, Random(5))
    profile = learned(template, truth, tmp_path, ready_pico())
    places = {chip.name: chip.place for chip in profile.chips}
    true_places = {chip.name: chip.place for chip in truth.chips}
    for spot, pad in electrodes_by_spot(truth).items():
        found = electrodes_by_spot(profile)[spot]
        assert (places[found.chip], found.electrode) == (true_places[pad.chip], pad.electrode)
    assert profile.pixels == truth.pixels
    assert board_report.check(str(tmp_path / "board.toml")).startswith("ok: ")
    rig = measured(obey, profile, truth, tmp_path, ready_pico())
    with closing(rig.board):
        assert Calibration(rig.measured, quick=False).run() == 0
    count = len(electrodes_by_spot(truth))
    assert rig.display.messages[-1].startswith(f"{count} of {count} are good. Kept in ")
