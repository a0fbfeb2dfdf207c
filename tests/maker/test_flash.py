"""`lifeboard flash` against a Pico at a fake port, in all the states that one can be in."""

import os
import re
from contextlib import closing
from itertools import count

import pytest

from firmware.messages import PROTOCOL, VERSION
from game.common import AppError
from game.maker import run_flash
from game.maker.flash import FlashTools
from hal.backends.coprocessor import flash
from hal.backends.coprocessor.flash import run_mpremote
from hal.backends.coprocessor.port import FoundPort, open_port
from hal.base.errors import LinkFault
from tests.helpers.boards.fake_pico import (
    DEVICE,
    OLDER,
    PROGRAM,
    SYSTEM,
    FakePico,
    firmware_files,
)

OURS = ".".join(map(str, VERSION))
FLASH = "`lifeboard flash`"
Options = tuple[str | None, bool, bool]
OPTIONS, CHECK, YES = (None, False, False), (None, True, False), (None, False, True)
"""Port, `--check` and `--yes`."""


@pytest.fixture
def pico(tmp_path):
    return FakePico(tmp_path / "pico")


@pytest.fixture
def older(pico):
    """Return a Pico that runs an older firmware."""
    pico.put(OLDER)
    pico.start()
    return pico


def refusal(pico: FakePico, options: Options = OPTIONS, tools: FlashTools | None = None) -> str:
    """Return the error of a flash that changes nothing."""
    before = pico.files()
    with pytest.raises((AppError, LinkFault)) as refused:
        run_flash(*options, tools or pico.tools())
    assert pico.files() == before
    return str(refused.value)


def assert_flashed(pico: FakePico) -> None:
    assert pico.files() == firmware_files()
    assert pico.runs == "firmware"
    assert pico.version == VERSION


def test_empty_pico_gets_the_firmware(pico, capsys):
    assert run_flash(*OPTIONS, pico.tools()) == 0
    assert_flashed(pico)
    shown = capsys.readouterr().out
    assert f"firmware {OURS} (protocol {PROTOCOL}) runs on {DEVICE} (MicroPython 1.25.0, " in shown


@pytest.mark.parametrize(
    ("there", "parts"),
    [
        ((), ("cable", "BOOTSEL", "RPI-RP2", "micropython.org/download/RPI_PICO", FLASH)),
        ((3, 4), ("/dev/ttyACM3 (E663), /dev/ttyACM4 (E664)", "`--serial /dev/ttyACM3`")),
    ],
)
def test_no_pico_and_several_are_explained(pico, there, parts):
    ports = tuple(FoundPort(f"/dev/ttyACM{n}", f"E66{n}") for n in there)
    why = refusal(pico, CHECK, FlashTools(find=lambda: ports))
    assert [part for part in parts if part not in why] == []


def test_real_port_in_use_points_to_the_service():
    master, slave = os.openpty()
    url = os.ttyname(slave)
    with closing(open_port(url)), pytest.raises(AppError, match=f"another program has {url}"):
        run_flash(url, check=True, yes=False)
    os.close(slave)
    os.close(master)


def test_pico_that_answers_nothing_is_told_apart(pico):
    pico.runs = "nothing"
    why = refusal(pico)
    for part in ("neither our firmware nor MicroPython's prompt", DEVICE, "flash_nuke.uf2"):
        assert part in why
    pico.put({"main.py": PROGRAM.encode()})
    pico.start()
    pico.deaf = True
    assert "flash_nuke.uf2" in refusal(pico, YES)
    assert pico.knocks
    knocks = pico.knocks
    assert run_flash(*CHECK, pico.tools()) == 1, "it asks, and does no more"
    assert pico.knocks == knocks


def test_another_program_stays_unless_people_say_yes(pico):
    pico.put({"main.py": PROGRAM.encode()})
    pico.start()
    assert "--yes" in refusal(pico)
    assert pico.runs == "program"
    pico.reset_takes_s = 15.0
    assert run_flash(*YES, pico.tools()) == 0
    assert_flashed(pico)


@pytest.mark.parametrize(
    ("system", "said"),
    [
        (("micropython", (1, 23, 0), *SYSTEM[2:]), "with micropython 1.23.0: .*MicroPython 1.24"),
        (("circuitpython", (9, 2, 1), "RP2040", "Pico", 0), "Pico with circuitpython 9.2.1"),
        (("micropython", (1, 25, 0), "esp32", "Generic ESP32", 6), "Generic ESP32.*--serial"),
        (("micropython", (2, 0, 0), *SYSTEM[2:4], 7), "takes modules of version 6"),
    ],
)
def test_system_that_cannot_run_it_is_refused_and_goes_on_with_what_it_had(older, system, said):
    older.system = system
    why = refusal(older)
    assert re.search(said, why)
    assert "BOOTSEL" in why
    assert older.runs == "firmware"


def test_check_tells_another_firmware(older, capsys):
    before, starts = older.files(), older.starts
    assert run_flash(*CHECK, older.tools()) == 1
    shown = capsys.readouterr().out
    assert "firmware 0.0.7" in shown
    assert OURS in shown
    assert (older.files(), older.starts) == (before, starts)
    run_flash(*OPTIONS, older.tools())
    starts = older.starts
    assert run_flash(*CHECK, older.tools()) == 0
    assert older.starts == starts


def test_firmware_that_does_not_come_up_is_told_in_its_own_words(pico):
    pico.mute_after_start = True
    with pytest.raises(AppError, match=r"does not answer: unplug it"):
        run_flash(*OPTIONS, pico.tools())
    pico.mute_after_start, pico.fails_with = False, "OSError: 5"
    pico.start(stopped=True)
    with pytest.raises(AppError, match=r"fails there: OSError: 5$"):
        run_flash(*OPTIONS, pico.tools())


def test_cut_at_any_change_leaves_a_whole_firmware_or_none_and_can_be_mended(tmp_path):
    for cut_at in count(1):
        pico = FakePico(tmp_path / str(cut_at))
        pico.put(OLDER)
        pico.start()
        pico.cut_at = cut_at
        try:
            run_flash(*OPTIONS, pico.tools())
        except LinkFault:
            assert pico.runs == "prompt" or pico.whole()
            pico.cut_at = None
            assert run_flash(*OPTIONS, pico.tools()) == 0
            assert_flashed(pico)
        else:
            break
    assert cut_at > 2 * len(firmware_files())


def test_mpremote_that_hangs_is_ended(tmp_path, monkeypatch):
    (tmp_path / "mpremote.py").write_text("import signal; signal.pause()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(flash, "MPREMOTE_S", 0.3)
    with pytest.raises(LinkFault, match="has not ended at /dev/x"):
        run_mpremote("/dev/x", [])


def test_port_that_mpremote_cannot_open_is_named():
    with pytest.raises(LinkFault, match="failed to access"):
        run_mpremote("/dev/not-there", [("exec", "1")])
