"""The firmware's side of the conversation, over a line that loses nothing, in virtual time."""

import runpy
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from firmware import main, messages
from firmware.board import Board
from firmware.channel import ACK, SILENCE_MS
from firmware.framing import Frame
from firmware.messages import (
    ASLEEP,
    BYE,
    DATA,
    DONE,
    FAILED,
    FOUND,
    NO_PIN,
    PIXELS,
    PROTOCOL,
    READ,
    SET_UP,
    SILENT,
    STATE,
    STOP,
    VERSION,
    WATCHED,
    WIRING,
    Ident,
    pack_pixels,
    pack_read,
    pack_set_up,
    pack_wiring,
    unpack_data,
    unpack_done,
    unpack_failed,
    unpack_found,
    unpack_ident,
)
from firmware.outbox import MOST_ANSWERS, MOST_STATES
from firmware.run import Loop
from tests.helpers.boards.pico_double import (
    EIO,
    ETIMEDOUT,
    ChipDouble,
    Host,
    PicoDouble,
    Stopped,
    typed,
    wiring,
)

MODE = 0x0F
UP = [(0x5E, b"\x00"), (0x5E, bytes([MODE]))]
DARK = bytes(12)
MINUTE_MS = 60_000


def pico() -> PicoDouble:
    """Give a Pico with the two chips of the usual wiring."""
    made = PicoDouble()
    made.chips = {(0, 0x5A): ChipDouble(), (1, 0x5B): ChipDouble()}
    return made


def met(made: PicoDouble | None = None, **changes: object) -> Host:
    """Give a host that has said what hangs where, and set up all chips."""
    host = Host(made or pico())
    wires = wiring(**changes)
    assert host.ask(WIRING, pack_wiring(wires))[0] == FOUND
    for number in range(len(wires.chips)):
        assert host.ask(SET_UP, pack_set_up(number, MODE, UP)) == (DONE, bytes([number + 2, 0]))
    host.states()
    host.received.clear()
    return host


def failure(answer: tuple[int, bytes]) -> str:
    kind, payload = answer
    assert kind == FAILED
    return unpack_failed(payload)[1]


def idents(host: Host) -> list[Ident]:
    return [unpack_ident(payload) for payload in host.idents]


def silence(host: Host, time_ms: int) -> None:
    """Let the firmware run for that long, with nothing from the host."""
    host.pico.run(host.loop, time_ms)


def breathes(host: Host) -> bool:
    before = len(host.pico.strip.frames)
    silence(host, 1000)
    return len(host.pico.strip.frames) - before > 10


def dark(host: Host) -> bool:
    before = len(host.pico.strip.frames)
    silence(host, 3000)
    return {levels for _, levels in host.pico.strip.frames[before:]} == {DARK}


def test_hello_is_answered_by_who_is_there() -> None:
    host = Host(pico(), nonce=4_000_000_000)
    host.run(50)
    ident = idents(host)[0]
    assert len(host.idents) == 1
    assert (ident.nonce, ident.protocol, ident.version) == (4_000_000_000, PROTOCOL, VERSION)
    assert ident.identity == b"picopico"
    assert ident.limits == (2, 8, 16, 1024)
    assert ident.system == "MicroPython 1.25.0, a double"
    assert not ident.watchdog


def test_hello_of_another_protocol_is_answered_and_begins_nothing() -> None:
    host = Host(pico())
    host.run(50)
    host.pico.time_ms += 2 * MINUTE_MS
    host.run(50)
    host.idents.clear()
    host.greet(77, protocol=PROTOCOL + 1)
    host.say(WIRING, pack_wiring(wiring()))
    host.run(1000)
    assert idents(host)[0].protocol == PROTOCOL
    assert host.received == []
    assert host.pico.strips == []


def test_hello_of_another_nonce_begins_a_session_with_all_chips_asleep() -> None:
    host = met()
    host.pico.chips[0, 0x5A].touch(1)
    host.run(100)
    host.states()
    host.greet(2000)
    host.run(200)
    assert host.received == []  # no wiring, no state
    assert host.ask(WIRING, pack_wiring(wiring()))[0] == FOUND
    state = host.states()[0]
    assert [(chip.health, chip.touched) for chip in state.chips] == [(ASLEEP, 0), (ASLEEP, 0)]
    host.run(200)
    assert host.states() == []
    assert len(host.pico.buses) == 2  # nothing was opened anew


def test_stop_leaves_to_the_prompt_in_any_state() -> None:
    for host in (Host(pico()), met()):
        host.pico.frame(STOP)
        with pytest.raises(Stopped):
            host.run(50)


def test_wiring_is_answered_by_the_chips_that_answer() -> None:
    made = pico()
    made.chips[0, 0x5D] = ChipDouble()
    made.chips[1, 0x20] = ChipDouble()  # no touch chip is there
    host = Host(made)
    kind, payload = host.ask(WIRING, pack_wiring(wiring()))
    assert kind == FOUND
    assert unpack_found(payload) == (1, [(0, 0x5A), (0, 0x5D), (1, 0x5B)])
    assert [(each.bus.data, each.bus.clock, each.bus.clock_khz) for each in made.buses] == [
        (4, 5, 400),
        (6, 7, 400),
    ]
    assert made.inputs == [8, 9, 10]
    assert (made.strip.pin, made.strip.levels) == (2, 12)


def test_wiring_finds_chips_on_a_bus_that_recovers_and_none_on_one_that_does_not() -> None:
    made = pico()
    made.held = {0, 1}
    made.recoverable = {0}
    host = Host(made)
    assert unpack_found(host.ask(WIRING, pack_wiring(wiring()))[1]) == (1, [(0, 0x5A)])
    assert made.recovered == [0, 1]


def test_the_same_wiring_again_leaves_chips_as_they_are() -> None:
    host = met()
    host.pico.chips[0, 0x5A].touch(1)
    host.run(100)
    host.states()
    assert host.ask(WIRING, pack_wiring(wiring()))[0] == FOUND
    state = host.states()[-1]
    assert (state.chips[0].health, state.chips[0].touched) == (WATCHED, 1)
    assert len(host.pico.strips) == 1


def test_wiring_without_line_keys_and_strip() -> None:
    host = met(interrupt=NO_PIN, keys=[], strip=NO_PIN, levels=0)
    assert host.pico.inputs == []
    assert host.pico.strips == []
    host.pico.chips[0, 0x5A].touch(1)
    host.run(100)
    assert host.states()[-1].chips[0].touched == 1
    host.say(PIXELS, pack_pixels([(0, b"x")], True, False))
    host.run(50)
    assert failure(host.received[-1]) == "the wiring has no strip"


def test_wiring_that_cannot_be_is_refused_in_words_and_the_present_one_stays() -> None:
    host = met()
    stored = host.pico.stored
    refused = host.ask(WIRING, pack_wiring(wiring(poll_ms=0)))
    assert "payload of another layout" in failure(refused)
    assert host.pico.stored == stored
    assert all(bus.open for bus in host.pico.buses)
    assert host.ask(READ, pack_read(0, 0x5E, 1))[1][-1] == MODE


def test_wiring_that_the_pico_cannot_open_is_refused_with_all_closed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = pico()

    def none_left(pin: int, levels: int) -> None:
        raise OSError(16)

    monkeypatch.setattr(made, "open_strip", none_left)
    host = Host(made)
    assert failure(host.ask(WIRING, pack_wiring(wiring()))) == "16"
    assert not any(bus.open for bus in made.buses)
    assert made.stored is None
    assert "no wiring" in failure(host.ask(READ, pack_read(0, 0, 1)))


def test_wiring_is_written_to_flash_only_when_it_is_another() -> None:
    host = met()
    host.ask(WIRING, pack_wiring(wiring()))
    host.greet(2000)
    host.ask(WIRING, pack_wiring(wiring()))
    assert host.pico.stores == 1
    host.ask(WIRING, pack_wiring(wiring(glow=41)))
    assert host.pico.stores == 2
    again = Host(host.pico)
    again.ask(WIRING, pack_wiring(wiring(glow=41)))
    assert host.pico.stores == 2


def test_a_full_flash_does_not_keep_a_board_from_working() -> None:
    made = pico()
    made.full = True
    host = met(made)
    assert host.ask(READ, pack_read(0, 0x5E, 1))[0] == DATA
    assert len(made.errors) == 1


def test_set_up_tells_how_it_went_and_then_what_the_chip_is() -> None:
    host = Host(pico())
    host.ask(WIRING, pack_wiring(wiring()))
    host.states()
    host.say(SET_UP, pack_set_up(1, MODE, UP))
    host.run(100)
    assert [kind for kind, _ in host.received] == [FOUND, DONE, STATE]
    assert unpack_done(host.received[1][1]) == (2, 0)
    assert [chip.health for chip in host.states()[0].chips] == [ASLEEP, WATCHED]


def test_each_touch_is_one_state_with_its_time() -> None:
    host = met()
    chip = host.pico.chips[0, 0x5A]

    def touch(bits: int) -> Callable[[], None]:
        def do() -> None:
            chip.touch(bits)
            host.pico.low.add(8)

        return do

    def let_go() -> None:
        host.pico.low.discard(8)

    start_ms = host.pico.time_ms
    for number, bits in enumerate((1, 3, 2)):
        host.pico.at(start_ms + 10 + 10 * number, touch(bits))
        host.pico.at(start_ms + 12 + 10 * number, let_go)
    host.run(100)
    states = host.states()
    assert [state.chips[0].touched for state in states] == [1, 3, 2]
    late_ms = [state.time_ms - start_ms - 10 * (n + 1) for n, state in enumerate(states)]
    assert all(0 <= each <= 2 for each in late_ms)


def test_health_and_odd_electrodes_are_told() -> None:
    host = met()
    host.pico.chips[0, 0x5A].measure({2: 1023})
    host.run(200)
    assert host.states()[-1].chips[0].odd == 0b100
    host.pico.chips[0, 0x5A].error = EIO
    host.run(200)
    state = host.states()[-1]
    assert (state.chips[0].health, state.chips[0].odd) == (SILENT, 0)
    assert state.chips[1].health == WATCHED


def test_read_gives_registers_or_the_number_of_the_error() -> None:
    host = met()
    host.pico.chips[1, 0x5B].registers[0x1E:0x20] = b"\x12\x34"
    kind, payload = host.ask(READ, pack_read(1, 0x1E, 2))
    assert (kind, unpack_data(payload)[1:]) == (DATA, (0, b"\x12\x34"))
    host.pico.held = {1}
    assert unpack_data(host.ask(READ, pack_read(1, 0x1E, 2))[1])[1:] == (ETIMEDOUT, b"")


def test_states_wait_for_room_and_the_newest_stay() -> None:
    host = met(poll_ms=1)
    host.deaf = True
    chip = host.pico.chips[0, 0x5A]
    changes = 24 + MOST_STATES + 10
    for number in range(changes):
        chip.touch(number + 1)
        host.run(4)
    assert host.received == []
    host.deaf = False
    host.run(2000)
    states = host.states()
    touched = [state.chips[0].touched for state in states]
    assert touched == [*range(1, 25), *range(35, changes + 1)]
    assert states[-1].merged == 10


def test_no_message_is_taken_that_could_not_be_answered() -> None:
    host = met()
    host.deaf = True
    chip = host.pico.chips[0, 0x5A]
    chip.reads.clear()
    asked = 0
    for _ in range(200):
        if not host.channel.full:
            host.say(READ, pack_read(0, 0x41, 2))
            asked += 1
        # The host hears acknowledgements only: its messages are taken, their answers get lost.
        host.pico.type(typed(*host.channel.frames(host.pico.time_ms)))
        host.loop.turn()
        for frame in host.pico.heard():
            host.channel.take(Frame(ACK, frame.session, 0, frame.ack, b""), host.pico.time_ms)
    assert chip.reads.count((0x41, 2)) == 24 + MOST_ANSWERS
    host.deaf = False
    host.run(3000)
    answers = [unpack_data(payload) for kind, payload in host.received if kind == DATA]
    assert [number for number, _, _ in answers] == [(3 + n) % 255 + 1 for n in range(asked)]


@pytest.mark.parametrize(
    ("kind", "payload", "why"),
    [
        (SET_UP, pack_set_up(2, MODE, UP), "chip 2: there are 2, counted from 0"),
        (READ, b"", "payload of another layout"),
        (READ, bytes([5, 0, 1]), "chip 5: there are 2, counted from 0"),
        (PIXELS, pack_pixels([(12, b"x")], True, False), "levels 12 to 12: there are 12"),
        (99, b"", "message of kind 99: allowed are 16 to 20"),
    ],
)
def test_messages_that_cannot_be_followed_fail_in_words(
    kind: int, payload: bytes, why: str
) -> None:
    host = met()
    number = host.say(kind, payload)
    host.run(100)
    assert len(host.received) == 1
    assert host.received[0][0] == FAILED
    told, words = unpack_failed(host.received[0][1])
    assert told == number
    assert why in words
    assert host.pico.errors == []


def test_unexpected_error_in_a_message_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = met()
    error = RuntimeError("what is this")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("firmware.board.unpack_read", fail)
    assert failure(host.ask(READ, pack_read(0, 0, 1))) == "RuntimeError: what is this"
    assert host.pico.errors == [error]
    monkeypatch.undo()
    assert host.ask(READ, pack_read(0, 0x5E, 1))[0] == DATA


def test_an_error_in_the_loop_is_counted_and_ends_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = met()
    monkeypatch.setattr("firmware.run.encode", lambda _: 1 // 0)
    host.pico.low.add(9)
    host.run(10)
    monkeypatch.undo()
    assert host.loop.errors == 1
    assert isinstance(host.pico.errors[0], ZeroDivisionError)
    host.run(1000)
    assert host.received == []
    host.greet(2000)
    assert host.ask(WIRING, pack_wiring(wiring()))[0] == FOUND


def test_bye_is_acknowledged_and_puts_all_out() -> None:
    host = met()
    host.say(PIXELS, pack_pixels([(0, b"abc")], True, True))
    host.run(50)
    host.say(BYE)
    host.run(50)
    assert host.channel.waiting == 0
    assert host.pico.strip.frames[-1][1] == DARK
    reads = len(host.pico.chips[0, 0x5A].reads)
    host.run(1000)
    assert dark(host)
    assert len(host.pico.chips[0, 0x5A].reads) == reads
    assert not breathes(host)
    host.greet(2000)
    assert host.ask(WIRING, pack_wiring(wiring()))[0] == FOUND
    host.say(PIXELS, pack_pixels([(0, b"abc")], True, True))
    host.run(50)
    assert host.pico.strip.frames[-1][1][:3] == b"abc"


def test_a_silent_host_lets_the_lights_breathe_and_chips_rest() -> None:
    host = met()
    host.say(PIXELS, pack_pixels([(0, b"abc")], True, True))
    host.run(50)
    silence(host, SILENCE_MS - 1000)
    assert host.pico.strip.frames[-1][1][:3] == b"abc"
    silence(host, 1100)
    reads = len(host.pico.chips[0, 0x5A].reads)
    before = len(host.pico.strip.frames)
    silence(host, 4000)
    breath = [levels for _, levels in host.pico.strip.frames[before:]]
    assert 95 <= len(breath) <= 101
    assert {len(set(levels)) for levels in breath} == {1}
    assert max(levels[0] for levels in breath) == 40
    assert len(host.pico.chips[0, 0x5A].reads) == reads


def test_after_a_minute_of_silence_the_session_is_over_and_all_is_dark() -> None:
    host = met()
    silence(host, SILENCE_MS + MINUTE_MS - 1000)
    assert breathes(host)
    silence(host, 100)
    assert dark(host)
    host.say(READ, pack_read(0, 0, 2))
    host.run(1000)
    assert host.received == []
    host.greet(2000)
    assert host.ask(WIRING, pack_wiring(wiring()))[0] == FOUND


def test_before_any_wiring_there_is_only_the_light_on_the_pico() -> None:
    made = pico()
    loop = Loop(made)
    made.run(loop, 9_900)
    assert made.strips == []
    switched = [on for _, on in made.leds]
    assert switched == [True, False] * 5
    lit = [off - on for (on, _), (off, _) in zip(made.leds[::2], made.leds[1::2], strict=True)]
    assert all(40 <= each <= 80 for each in lit)


def test_a_remembered_wiring_breathes_from_power_up_for_a_minute() -> None:
    made = pico()
    made.stored = met().pico.stored
    loop = Loop(made)
    made.run(loop, 59_000)
    assert {max(levels) for _, levels in made.strip.frames} == set(range(41))
    made.run(loop, 2000)
    before = len(made.strip.frames)
    made.run(loop, 5000)
    assert {levels for _, levels in made.strip.frames[before:]} == {DARK}
    assert made.chips[0, 0x5A].reads == []
    assert made.written == b""


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        bytes([PROTOCOL]) + b"nonsense",
        bytes([PROTOCOL]) + pack_wiring(wiring(poll_ms=0)),
        bytes([PROTOCOL + 1]) + pack_wiring(wiring()),
    ],
)
def test_what_was_remembered_and_makes_no_sense_is_forgotten(stored: bytes) -> None:
    made = pico()
    made.stored = stored
    board = Board(made, 0)
    board.step(0)
    assert made.strips == []
    assert made.buses == []


def test_every_kind_of_message_with_any_payload_is_survived() -> None:
    host = met()
    for kind in range(messages.HELLO, 128):
        for payload in (b"", b"\xff" * 20, struct.pack("<HB", 0, 3)):
            host.say(kind, payload)
            host.run(10)
    host.run(500)
    assert host.loop.errors == 0
    assert host.pico.errors == []
    assert host.channel.waiting == 0


# main.py


@pytest.fixture
def pico_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder that is the Pico's flash, with a firmware that does as `Firmware` says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "print_exception", lambda error, file: print(error, file=file), False)
    return tmp_path


class Firmware:
    """What main.py imports: `error` is raised by the firmware's run. Counts runs and resets.

    `interrupts` are the bytes that were to interrupt, -1 for none, as they were set.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, error: Exception | None) -> None:
        self.error = error
        self.runs = self.resets = 0
        self.interrupts: list[int] = []
        micropython = ModuleType("micropython")
        micropython.kbd_intr = self.interrupts.append  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "micropython", micropython)
        pico_module, run_module = ModuleType("firmware.pico"), ModuleType("firmware.run")
        pico_module.reset = self.reset  # type: ignore[attr-defined]
        run_module.run = self.run  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "firmware.pico", pico_module)
        monkeypatch.setitem(sys.modules, "firmware.run", run_module)

    def run(self) -> None:
        self.runs += 1
        if self.error is not None:
            raise self.error

    def reset(self) -> None:
        self.resets += 1


def start() -> None:
    runpy.run_path(main.__file__, run_name="__main__")


def test_main_is_deaf_to_an_interrupt_until_there_is_a_prompt(
    pico_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A HELLO that comes while the firmware is imported may hold a 3, which is Ctrl-C.
    firmware = Firmware(monkeypatch, None)
    heard = []
    monkeypatch.setattr(
        sys.modules["firmware.run"], "run", lambda: heard.append(firmware.interrupts[-1])
    )
    start()
    assert heard == [-1]
    assert firmware.interrupts == [-1, 3]


def test_main_starts_no_firmware_once_after_a_stop(
    pico_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    firmware = Firmware(monkeypatch, None)
    (pico_folder / main.STOP_NOTE).touch()
    start()
    assert firmware.runs == 0
    start()
    assert firmware.runs == 1


def test_main_gives_a_firmware_up_that_failed_three_times_in_a_row(
    pico_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    firmware = Firmware(monkeypatch, OSError("no such pin"))
    for times in (1, 2, 3):
        start()
        assert (firmware.runs, firmware.resets) == (times, times)
    start()
    assert (firmware.runs, firmware.resets) == (3, 3)
    assert "failed 3 times in a row" in capsys.readouterr().out
    assert "no such pin" in (pico_folder / main.LAST_FAILURE).read_text()
    # It is tried again at the next start.
    start()
    assert firmware.runs == 4


def test_main_leaves_to_the_prompt_when_a_file_is_missing(
    pico_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    firmware = Firmware(monkeypatch, None)
    monkeypatch.setitem(sys.modules, "firmware.run", None)
    start()
    assert (firmware.runs, firmware.resets) == (0, 0)
    assert "not whole" in capsys.readouterr().out


def test_main_and_pico_name_the_same_files() -> None:
    text = (Path(main.__file__).parent / "pico.py").read_text(encoding="utf-8")
    assert f'STOP_NOTE = "{main.STOP_NOTE}"' in text
    assert f'FAILURE = "{main.FAILURE}"' in text
