"""The Pico's side of the protocol: messages become actions, changes become messages.

Pure over `firmware.hardware`; time comes in as `now`, in whole milliseconds.

States of the host, as the board sees it, and all transitions between them:

    here    a session is open                           -> alone, when it has gone silent
    alone   chips are not watched, the lights breathe   -> gone, after `GONE_MS`;
                                                           here, with a HELLO
    gone    the lights are out                          -> here, with a HELLO

A BYE switches the lights off at once, until the next session.
"""

from firmware import messages as m
from firmware.channel import Channel
from firmware.framing import Frame
from firmware.hardware import Hardware, I2CBus, Input
from firmware.lights import ALONE, GONE, HERE, Lights
from firmware.scanner import ETIMEDOUT, Chip, Scanner, error_number

ADDRESSES = range(0x5A, 0x5E)  # the possible addresses of a chip on a bus
_PROBED = 0x5E  # a register whose reading has no effect


class Parts:
    """Opens all parts of a wiring; raises ValueError or OSError, with all closed, if one fails."""

    def __init__(self, hardware: Hardware, wiring: m.Wiring) -> None:
        self.keys: list[Input] = []  # the last one first
        self.lights: Lights | None = None
        self._buses: list[tuple[int, I2CBus]] = []
        self._line: Input | None = None
        try:
            for bus in wiring.buses:
                opened = hardware.open_bus(bus.number, bus.data, bus.clock, bus.clock_khz)
                self._buses.append((bus.number, opened))
            if wiring.interrupt != m.NO_PIN:
                self._line = hardware.open_input(wiring.interrupt)
            hardware.wake_by(self._line)
            for pin in wiring.keys:
                self.keys.insert(0, hardware.open_input(pin))
            if wiring.levels:
                strip = hardware.open_strip(wiring.strip, wiring.levels)
                self.lights = Lights(strip, wiring.levels, wiring.glow)
        except Exception:
            self.close()
            raise
        buses = dict(self._buses)
        chips = [Chip(buses[bus], address) for bus, address in wiring.chips]
        self.scanner = Scanner(chips, self._line, wiring.poll_ms, wiring.low, wiring.high)

    def pressed(self) -> int:
        """Return the pressed keys, one bit each."""
        bits = 0
        for key in self.keys:
            bits = bits << 1 | key.low()
        return bits

    def find(self) -> list[tuple[int, int]]:
        """Return the (bus, address) of each chip that answers."""
        found = []
        one = bytearray(1)
        for number, bus in self._buses:
            bus.recover()
            for address in ADDRESSES:
                try:
                    bus.read(address, _PROBED, one)
                    found.append((number, address))
                except OSError as error:
                    if error_number(error) == ETIMEDOUT:
                        break
        return found

    def close(self) -> None:
        """Release all pins."""
        for _, bus in self._buses:
            bus.close()
        for key in self.keys:
            key.close()
        if self._line is not None:
            self._line.close()
        if self.lights is not None:
            self.lights.close()


GONE_MS = 60_000  # how long the lights breathe without a host
BLINK_MS = 50
BLINK_EVERY_MS = 2000  # how often the Pico's own light blinks without a host; with one it is on
WATCHING_WAIT_MS = 4  # the longest wait for the host in a turn while a chip is watched
IDLE_WAIT_MS = 20  # the longest wait otherwise


class PicoBoard:
    """The Pico's end of a session. A stored wiring is opened at once, so its lights can breathe."""

    def __init__(self, hardware: Hardware, now: int) -> None:
        self.look = ALONE
        self._hardware = hardware
        self._channel: Channel | None = None
        self._merged = 0  # how many states were replaced by newer ones before they were sent
        # Frames that belong to no session.
        self._frames: list[Frame] = []
        self._nonce = 0
        self._wired = False
        self._left = False
        self._silent_ms = now
        self._parts: Parts | None = None
        self._payload = b""
        self._keys = 0
        self._tell = False  # whether the present state must be sent
        self._led: bool | None = None
        stored = hardware.recall()
        if stored and stored[0] == m.PROTOCOL:
            try:
                self._open(stored[1:])
            except Exception:
                # The host will send the wiring again, and get the reason for the failure.
                self._parts = None

    def take(self, frame: Frame, now: int) -> None:
        """Handle a received frame."""
        if frame.session == 0:
            if frame.kind == m.HELLO:
                self._greet(frame.payload, now)
            elif frame.kind == m.STOP:
                self._hardware.stop()
        elif self._channel is not None and self._channel.take(frame, now):
            answer = self._answer(frame, now)
            if answer is not None:
                self._channel.send(*answer)

    def step(self, now: int) -> None:
        """Do what is due: check chips and keys, drive lights, detect a silent host."""
        channel, parts = self._channel, self._parts
        if channel is not None and channel.silent(now):
            self.end(now)
        self.look = HERE
        if self._channel is None:
            self.look = GONE if now - self._silent_ms >= GONE_MS else ALONE
        if self._left:
            self.look = GONE
        if parts is not None:
            if parts.lights is not None:
                parts.lights.step(now, self.look)
            if channel is not None and self.look == HERE and self._wired:
                self._watch(channel, parts, now)
        led = self.look == HERE or now % BLINK_EVERY_MS < BLINK_MS
        if led != self._led:
            self._led = led
            self._hardware.led(led)

    def frames(self, now: int) -> list[Frame]:
        """Return the frames to write now."""
        frames = self._frames
        if frames:
            self._frames = []
        channel = self._channel
        # Mostly no frame is due: then this allocates nothing that would have to be collected.
        if channel is not None and now >= channel.due():
            frames = frames + channel.frames(now)
        return frames

    def patience(self) -> int:
        """Return how long a turn may wait for the host, in ms."""
        parts = self._parts
        if parts is None:
            return IDLE_WAIT_MS
        if self.look == HERE and parts.scanner.watching:
            return parts.scanner.patience(WATCHING_WAIT_MS)
        if parts.lights is not None and parts.lights.waiting:
            return WATCHING_WAIT_MS
        return IDLE_WAIT_MS

    def _watch(self, channel: Channel, parts: Parts, now: int) -> None:
        """Check chips and keys; report changes, or keep the last while the channel is full."""
        scanner = parts.scanner
        scanner.step(now)
        # A touch is reported first, and the keys are read in the next turn.
        keys = self._keys if scanner.changed else parts.pressed()
        if scanner.changed or keys != self._keys:
            if self._tell and channel.full:
                self._merged = (self._merged + 1) & 255
            self._keys = keys
            scanner.changed = False
            self._tell = True
        if self._tell and not channel.full:
            self._tell = False
            state = m.State(now & 0xFFFFFFFF, self._merged, keys, scanner.chips)
            channel.send(m.STATE, m.pack_state(state))

    def _greet(self, payload: bytes, now: int) -> None:
        """Identify the board, and begin a session unless it has begun."""
        try:
            hello = m.unpack_hello(payload)
        except ValueError:
            return
        pico = self._hardware
        known = (pico.identity, pico.restarted, pico.system)
        ident = m.Ident(hello.nonce, m.PROTOCOL, m.VERSION, *known)
        self._frames.append(Frame(m.IDENT, 0, 0, 0, m.pack_ident(ident)))
        if self._channel is not None and hello.nonce == self._nonce:
            # A repeated HELLO: the answer got lost, or was late.
            self._channel.hear(now)
        elif hello.protocol == m.PROTOCOL:
            self.end(now)
            self._nonce = hello.nonce
            self._channel = Channel(m.session_of(hello.nonce), now)
            self._left = False

    def end(self, now: int) -> None:
        """End the session, if there is one."""
        self._channel = None
        self._merged = 0
        self._wired = False
        self._silent_ms = now
        if self._parts is not None:
            self._parts.scanner.sleep()

    def _answer(self, frame: Frame, now: int) -> tuple[int, bytes] | None:
        number = frame.number
        try:
            return self._act(frame.kind, number, frame.payload, now)
        except (ValueError, OSError) as error:
            why = str(error)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
        return m.FAILED, m.pack_failed(number, why)

    def _act(self, kind: int, number: int, payload: bytes, now: int) -> tuple[int, bytes] | None:
        if kind == m.PIXELS:
            runs, show, clear = m.unpack_pixels(payload)
            lights = self._present().lights
            if lights is None:
                raise ValueError("the wiring has no strip")
            lights.change(runs, clear)
            if show:
                lights.show()
                # Send it now, not after the messages that follow.
                lights.step(now, HERE)
            return None
        if kind == m.WIRING:
            self._wire(payload)
            return m.FOUND, m.pack_found(number, self._present().find())
        if kind == m.SET_UP:
            chip, mode, blocks = m.unpack_set_up(payload)
            error = self._present().scanner.set_up(self._hardware, chip, mode, blocks)
            return m.DONE, m.pack_result(number, error, b"")
        if kind == m.READ:
            chip, register, count = m.unpack_read(payload)
            error, data = self._present().scanner.read(chip, register, count)
            return m.DATA, m.pack_result(number, error, data)
        if kind == m.BYE:
            self._left = True
            if self._parts is not None:
                self._parts.scanner.sleep()
            return None
        raise ValueError(f"message of kind {kind}: allowed are {m.WIRING} to {m.BYE}")

    def _present(self) -> Parts:
        """Return the open parts of this session's wiring; raise ValueError before a WIRING."""
        if self._parts is None or not self._wired:
            raise ValueError("no wiring has come in this session")
        return self._parts

    def _wire(self, payload: bytes) -> None:
        """Open a wiring, unless it is open, and store it."""
        if self._parts is None or payload != self._payload:
            self._open(payload)
            stored = bytes([m.PROTOCOL]) + payload
            if stored != self._hardware.recall():
                self._hardware.remember(stored)
        self._wired = self._tell = True

    def _open(self, payload: bytes) -> None:
        wiring = m.unpack_wiring(payload)
        self._wired = False
        if self._parts is not None:
            self._parts.close()
            self._parts = None
        self._keys = 0
        self._parts = Parts(self._hardware, wiring)
        self._payload = payload
