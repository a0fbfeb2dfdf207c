"""The service of strips for tests: it runs in a thread, on a real socket."""

import socket
import threading
from pathlib import Path

from hal.drivers.pixel_link import open_link
from hal.drivers.pixel_server import HELLO_S, PixelServer
from hal.drivers.ws281x import Ws281xPixels
from hal.sim.machine import EmulatedMachine
from hal.sim.pixels import PixelChain
from hal.sim.strip import EmulatedPixelStrip


def listen(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(str(path))
    listening.listen(4)
    return listening


class PixelService:
    """Runs a server; `error` is what went wrong in it."""

    def __init__(self, path: Path, open_pixels, hello_s=HELLO_S) -> None:
        self.path = path
        self.server = PixelServer(listen(path), open_pixels, hello_s)
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.server.serve()
        except BaseException as error:
            self.error = error
        finally:
            self.server.close()

    def stop(self) -> None:
        """End the service; raise what it failed with, if it did."""
        if self._thread.is_alive():
            self.server.stop()
            self._thread.join()
            self.path.unlink()
        if self.error is not None:
            raise self.error


class Strips:
    """The hardware that a service drives: emulated strips below the adapter of a real one."""

    def __init__(self) -> None:
        self.opened = []
        self.made: list[EmulatedPixelStrip] = []
        self.error: OSError | None = None
        self.failing = 0

    def open(self, strip):
        self.opened.append(strip)
        if self.error is not None:
            raise self.error
        emulated = EmulatedPixelStrip(strip.pixels, strip.pin)
        emulated.chain = PixelChain(strip.pixels, "GRB")
        emulated.failing = self.failing
        self.made.append(emulated)
        return Ws281xPixels(emulated, strip)

    @property
    def shown(self):
        return self.made[-1].latched


class LinkMachine(EmulatedMachine):
    """A machine whose strip hangs on another process, which here is a thread."""

    def __init__(self, profile, body, path: Path) -> None:
        super().__init__(profile, body)
        self.service = PixelService(path, super().pixels)

    def pixels(self, strip):
        return open_link(strip, self.service.path)
