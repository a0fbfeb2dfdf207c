"""A game on real MicroPython in which every move meets a fault: nothing is lost."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from game.rules.circle_of_life import GAME
from hal.base.events import Trouble
from hal.profile import built_in
from hal.sensing.sensor_array import LONGEST_RETRY_S
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.boards.game_hands import GameHands
from tests.helpers.pico import Cause
from tests.helpers.pico.parts import PicoBus
from tests.helpers.rp2040.flashed import ready_pico
from tests.helpers.rp2040.real import assert_bits_in_time

FOUND_S = 1.0
HEALED_S = LONGEST_RETRY_S + 3.0
OUT_S = 1.0
SILENT_S = 6.0
STAYS_S = 0.8
BITTEN_S = 9.0
CLOCKS = 5
HALF_A_FRAME = bytes.fromhex("0aff13dda6")


class FaultyRoom(EmulatedGame):
    """A game whose board, cable and host can fail."""

    def __init__(self, data: Path) -> None:
        board = built_in("hexagon-61-pico")
        super().__init__(board, data, options={"target": "999"}, make=ready_pico())
        self.pico = self.pi.pico
        self.rng = Random(1)

    def found(self, trouble: Trouble) -> None:
        """Wait until a fault is known and reported."""
        end = self.now + FOUND_S + LONGEST_RETRY_S
        while not self.device.faults and self.now < end:
            self.run(0.05)
        assert {fault.trouble for fault in self.device.faults} == {trouble}
        assert self.has_faults

    def heal(self, name: str) -> None:
        """Wait until all is well and stays so: each chip is found and mended by itself."""
        began = sound = self.now
        while self.now < sound + STAYS_S:
            assert self.now < began + HEALED_S, (name, self.device.faults)
            self.run(0.05)
            if self.device.faults or self.has_faults:
                sound = self.now

    def bitten(self) -> None:
        """Wait, without any message from the host, until the watchdog has reset the Pico."""
        boots, end = len(self.pico.boots), self.now + BITTEN_S
        while len(self.pico.boots) == boots and self.now < end:
            self.silent(0.05)
        assert self.pico.boots[boots:] == [Cause.WATCHDOG]

    def silent(self, seconds: float) -> None:
        """Let time pass while the host does nothing."""
        self.now += seconds
        self.pico.settle()

    def bus(self, number: int = 0) -> PicoBus:
        return self.pico.platform.bus(number)


def chip_without_power(room: FaultyRoom) -> None:
    place = room.profile.chips[0]
    chip = room.bus().detach(place.address)
    room.found(Trouble.CHIP)
    room.pi.body.chips[place.name].power_cycle()
    room.bus().attach(place.address, chip)


def data_held_for_some_clocks(room: FaultyRoom) -> None:
    room.bus().cut_off(CLOCKS)
    room.run(FOUND_S)
    assert not room.bus().stuck


def wires_held(room: FaultyRoom) -> None:
    room.bus(0).stuck = True
    room.bus(1).clock_held = True
    room.found(Trouble.CHIP)
    room.run(FOUND_S)
    assert len(room.device.faults) == len(room.profile.chips)
    room.bus(0).stuck = False
    room.bus(1).clock_held = False


def noise_and_a_deaf_host(room: FaultyRoom) -> None:
    """Touches come while the host reads nothing; they may or may not count once it does."""
    for _ in range(8):
        room.pico.noise(*(room.rng.randbytes(room.rng.randint(1, 200)) for _ in range(2)))
        room.run(0.05)
    room.pico.noise(b"\x03\x03\x04\x01\r\n" * 10)
    room.pico.usb.deaf = True
    room.run(OUT_S)
    room.pico.usb.deaf = False


def silent_host_amid_a_frame(room: FaultyRoom) -> None:
    shown = len(room.pico.shown)
    room.silent(SILENT_S)
    levels = {max(levels) for _, levels in room.pico.shown[shown:]}
    assert len(levels) > 5, "the lights breathe"
    room.pico.noise(HALF_A_FRAME)
    room.bitten()


def cable_out(room: FaultyRoom) -> None:
    room.pico.unplug(power=False)
    room.found(Trouble.LINK)
    room.run(OUT_S)
    room.pico.plug()


def power_cut(room: FaultyRoom) -> None:
    room.pico.unplug()
    for chip in room.pi.body.chips.values():
        chip.power_cycle()
    room.found(Trouble.LINK)
    room.pico.plug()


def hung_firmware(room: FaultyRoom) -> None:
    room.pico.hang()
    room.found(Trouble.LINK)
    room.bitten()


FAULTS: tuple[Callable[[FaultyRoom], None], ...] = (
    chip_without_power,
    data_held_for_some_clocks,
    wires_held,
    noise_and_a_deaf_host,
    silent_host_amid_a_frame,
    cable_out,
    power_cut,
    hung_firmware,
)


def test_game_whose_every_move_meets_a_fault_loses_nothing(tmp_path):
    with closing(FaultyRoom(tmp_path)) as room:
        hands = GameHands(room, built_in("hexagon-61-pico"), GAME)
        entered: list[str] = []
        assert_bits_in_time(room.pico.times)
        for fault in FAULTS:
            hands.move(room.rng)
            entered.append(room.table.state.history[-1].text)
            fault(room)
            room.heal(fault.__name__)
            assert [ply.text for ply in room.table.state.history] == entered
        assert room.pi.latched() == room.pi.lit()
        text = room.text
    with closing(EmulatedGame(built_in(), tmp_path, options={"target": "999"})) as again:
        assert again.text == text
