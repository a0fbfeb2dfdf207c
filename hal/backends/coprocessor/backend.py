"""A board that is wired to a Pico, at the other end of a serial line."""

import threading
import time
from contextlib import suppress
from dataclasses import replace
from random import Random

from firmware.messages import BYE
from hal.backends.backend import Capabilities, Clock, UnlearnedBoard
from hal.backends.coprocessor.client import Client, OpenPort
from hal.backends.coprocessor.platform import PicoPlatform, search_chips
from hal.backends.coprocessor.port import AUTO, open_port
from hal.backends.i2c import I2cBackend
from hal.base.errors import BackendError, LinkFault, WrongFirmware
from hal.base.events import Fault, Sensed, Trouble
from hal.drivers.i2c_search import BusSearch
from hal.profile import BoardMemory, Profile

OPEN_S = 6.0  # how long a Pico may take to answer at first: it starts when its cable is plugged in
SOON_S = 0.001
_BYE_S = 0.5


class CoprocessorBackend(I2cBackend):
    """Drive a board through a Pico. `open_port` is for tests; `seed` has no meaning here.

    Raises LinkFault for no Pico, and WrongFirmware for another protocol. A Pico that disconnects
    later is a fault: no cell or key can be sensed until it is back.
    """

    capabilities = Capabilities(real=True, pico=True)

    def __init__(
        self,
        profile: Profile,
        *,
        clock: Clock = time.monotonic,
        seed: int = 0,
        memory: BoardMemory | None = None,
        open_port: OpenPort = open_port,
    ) -> None:
        url = AUTO if profile.pico is None else profile.pico.port
        # Any input from the Pico ends a wait.
        woken = threading.Event()
        self._client = Client(url, clock, open_port, Random(), woken.set)
        self._pico = PicoPlatform(profile, self._client)
        self._session = 0
        self._client.open(OPEN_S)
        try:
            self._pico.wire()
            self._session = self._client.sessions
            super().__init__(profile, self._pico, clock=clock, memory=memory, woken=woken)
        except BaseException:
            self._client.close()
            raise

    @classmethod
    def unlearned(cls, template: Profile, seed: int | None = None) -> UnlearnedBoard:
        """Open a board that is wired to a Pico in an unknown way; `template` names its buses."""
        url = AUTO if template.pico is None else template.pico.port
        bare = replace(template, chips=(), keys={})

        def search() -> BusSearch:
            return search_chips(open_port(url), bare, time.monotonic, OPEN_S)

        return UnlearnedBoard(search, cls)

    def sense(self, now: float) -> Sensed:
        """Read the Pico's reports, then chips and keys."""
        self._client.attend()
        if self._is_new:
            try:
                self._pico.wire()
                self._session = self._client.sessions
                # The chips keep their baselines.
                self.sensors.restart(now, learn=False)
                self._lights.revive(now)
            except LinkFault:
                pass
            except BackendError as error:
                self._client.refuse(LinkFault(str(error)))
        self._pico.advance(now)
        return super().sense(now)

    def due(self, now: float) -> float:
        # Input that came during the read is handled at the next call, not in a loop here.
        line = max(now + SOON_S, min(self._client.due(), self._pico.playback.due()))
        if self._is_new:
            line = now + SOON_S
        return min(super().due(now), line)

    def close(self) -> None:
        super().close()
        with suppress(LinkFault):
            self._client.post(BYE, b"")
            self._client.flush(_BYE_S)
        self._client.close()

    def faults(self) -> tuple[Fault, ...]:
        """Return the present faults; only one, for all cells and keys, while the line is down."""
        why = self._client.fault
        if self._is_new:
            why = LinkFault("the Pico is connected, and is being configured")
        if why is None:
            return super().faults()
        cells, keys = frozenset(self.profile.cells), frozenset(self.profile.keys)
        trouble = Trouble.FIRMWARE if isinstance(why, WrongFirmware) else Trouble.LINK
        return (Fault(trouble, trouble.value, cells, keys, str(why)),)

    @property
    def _is_new(self) -> bool:
        """Return whether the Pico has connected, and has not been configured since."""
        return self._client.fault is None and self._client.sessions != self._session
