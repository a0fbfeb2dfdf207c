"""`lifeboard flash` against a Pico at a fake port, in all the states that one can be in."""

import os
from contextlib import closing
from itertools import chain
from unittest.mock import Mock

import pytest

from firmware.messages import PROTOCOL, VERSION
from game.common import AppError
from game.maker import run_flash
from game.maker.flash import FlashTools
from hal.backends.coprocessor import flash, pico_port
from hal.backends.coprocessor.flash import firmware_files, run_mpremote
from hal.backends.coprocessor.port import FoundPort, open_port
from hal.base.errors import LinkFault
from tests.helpers.boards.fake_pico import DEVICE, PROGRAM, SYSTEM, FakePico, older_firmware

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
    pico.put(older_firmware())
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
    assert pico.files() == firmware_files(pico.mpy)
    assert pico.runs == "firmware"
    assert pico.version == VERSION


@pytest.mark.parametrize(
    ("version", "machine", "said"),
    [
        ((1, 24, 0), "Raspberry Pi Pico with RP2040", "MicroPython 1.24.0"),
        ((2, 0, 0), "Raspberry Pi Pico2 with RP2350", "has not been tried"),
        (*SYSTEM[1:], "MicroPython 1.25.0, Raspberry Pi Pico with RP2040)"),
    ],
)
def test_empty_pico_gets_the_firmware(pico, version, machine, said, capsys):
    pico.system = ("micropython", version, machine)
    assert run_flash(*OPTIONS, pico.tools()) == 0
    assert_flashed(pico)
    assert len(pico.copied) == len(firmware_files())
    assert pico.copied[-1] == "main.new"
    shown = capsys.readouterr().out
    for name in firmware_files():
        assert f"of {len(firmware_files())}  {name}\n" in shown
    assert f"firmware {OURS} (protocol {PROTOCOL}) runs on {DEVICE} (" in shown
    assert said in shown


@pytest.mark.parametrize(
    ("there", "parts"),
    [
        ((), ("cable", "BOOTSEL", "RPI-RP2", "micropython.org/download/RPI_PICO", FLASH)),
        ((3, 4), ("/dev/ttyACM3 (E663), /dev/ttyACM4 (E664)", "`--serial /dev/ttyACM3`")),
    ],
)
def test_no_pico_and_several_are_explained(pico, there, parts):
    ports = tuple(FoundPort(f"/dev/ttyACM{n}", f"E66{n}") for n in there)
    why = refusal(pico, CHECK, FlashTools(find=lambda: ports, products=frozenset))
    assert [part for part in parts if part not in why] == []


def test_real_port_in_use_points_to_the_service():
    master, slave = os.openpty()
    url = os.ttyname(slave)
    with closing(open_port(url)), pytest.raises(AppError, match=f"another program has {url}"):
        run_flash(url, check=True, yes=False)
    os.close(slave)
    os.close(master)


@pytest.mark.parametrize("options", [OPTIONS, CHECK])
def test_pico_that_restarts_is_awaited_but_not_for_ever(pico, options, capsys):
    run_flash(*OPTIONS, pico.tools())
    capsys.readouterr()
    # As at the prompt, where it answers no greeting until it is restarted.
    pico.runs = "prompt"
    pico.restart_in(0.1, 3.0)
    assert run_flash(*options, pico.tools()) == 0
    assert f"firmware {OURS} (protocol {PROTOCOL}) runs on {DEVICE}" in capsys.readouterr().out
    assert_flashed(pico)
    began = pico.now
    pico.restart_in(0.0, 1000.0)
    assert "it is not there" in refusal(pico, options)
    assert pico_port.START_S <= pico.now - began < 2 * pico_port.START_S


def test_pico_that_comes_back_under_another_name_is_found(older, capsys):
    older.moves_to = "/dev/ttyACM8"
    assert run_flash(DEVICE, False, False, older.tools()) == 0
    assert_flashed(older)
    assert "runs on /dev/ttyACM8 (" in capsys.readouterr().out


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
    for answer in ("n", "", EOFError()):
        ask = Mock(side_effect=[answer])
        assert refusal(pico, OPTIONS, pico.tools(ask)) == "nothing was changed"
        ask.assert_called_once()
        assert pico.runs == "program"
    assert run_flash(*OPTIONS, pico.tools(lambda _: " Yes ")) == 0
    assert_flashed(pico)
    pico.put({"main.py": PROGRAM.encode()})
    pico.start()
    pico.reset_takes_s = 15.0
    assert "--yes" in refusal(pico)
    # Its restart after the refusal is awaited.
    assert run_flash(*YES, pico.tools()) == 0
    assert_flashed(pico)


@pytest.mark.parametrize(
    ("name", "version", "machine", "parts"),
    [
        ("micropython", (1, 23, 0), "Raspberry Pi Pico", ("python 1.23.0", "1.24", "BOOTSEL")),
        ("circuitpython", (9, 2, 1), "Pico", ("circuitpython 9.2.1", "BOOTSEL")),
        ("micropython", (1, 25, 0), "Generic ESP32", ("Generic ESP32", "--serial")),
    ],
)
def test_system_that_cannot_run_it_is_refused_and_goes_on_with_what_it_had(
    older, name, version, machine, parts
):
    older.system, older.rp2 = (name, version, machine), "Pico" in machine
    why = refusal(older)
    assert [part for part in parts if part not in why] == []
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
    with pytest.raises(AppError, match=r"does not answer .* plug it in again"):
        run_flash(*OPTIONS, pico.tools())
    pico.mute_after_start, pico.fails_with = False, "OSError: 5"
    pico.start(stopped=True)
    with pytest.raises(AppError, match=r"fails there: OSError: 5$"):
        run_flash(*OPTIONS, pico.tools())


def test_file_that_was_spoilt_on_its_way_changes_nothing(older):
    before = older.files()
    older.spoil = lambda name, content: content + b"#" if name.endswith("framing.py") else content
    with pytest.raises(LinkFault, match=r"framing\.py has not arrived as it was sent"):
        run_flash(*OPTIONS, older.tools())
    after = older.files()
    assert {name: each for name, each in after.items() if name in before} == before
    assert older.runs == "firmware"
    assert older.version == (0, 0, 7)


def test_cut_at_any_change_leaves_a_whole_firmware_or_none_and_can_be_mended(tmp_path):
    kinds: set[tuple[int, int, int] | None] = set()
    # There are two changes to each file that is copied, one file like the other.
    copied = 2 * len(firmware_files())
    for cut_at in chain(range(1, copied - 6, 5), range(copied - 6, 1000)):
        pico = FakePico(tmp_path / str(cut_at))
        pico.put(older_firmware())
        pico.start()
        pico.cut_at = cut_at
        try:
            run_flash(*OPTIONS, pico.tools())
        except LinkFault:
            kinds.add(pico.version)
            assert pico.runs == "prompt" or pico.whole()
            pico.cut_at = None
            assert run_flash(*OPTIONS, pico.tools()) == 0
            assert_flashed(pico)
        else:
            break
    assert cut_at > copied
    assert kinds == {None, VERSION, (0, 0, 7)}


@pytest.fixture
def fake_mpremote(tmp_path, monkeypatch):
    """Return what puts a program in mpremote's place, for processes that we start."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return lambda text: (tmp_path / "mpremote.py").write_text(text)


def test_mpremote_ends_with_who_listens_and_when_it_hangs(fake_mpremote, monkeypatch):
    fake_mpremote("import os, signal; print(os.getpid(), flush=True); signal.pause()")
    listen = Mock(side_effect=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        run_mpremote("/dev/x", [], listen)
    with pytest.raises(ProcessLookupError):
        os.kill(int(listen.call_args[0][0]), 0)
    monkeypatch.setattr(flash, "SILENCE_S", 0.3)
    with pytest.raises(LinkFault, match="no word for"):
        run_mpremote("/dev/x", [], lambda line: None)


def test_port_that_mpremote_cannot_open_is_named():
    with pytest.raises(LinkFault, match="failed to access"):
        run_mpremote("/dev/not-there", [("exec", "1")], lambda line: None)
