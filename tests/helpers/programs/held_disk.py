"""A disk of the journal that waits or refuses for as long as a test needs."""

import threading
from collections.abc import Callable

import pytest

from game.common import Cause, StoreError
from game.store import Store


class Disk:
    """A disk that refuses to write, or waits, while the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refuses: Cause | Exception | None = None
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.entered = threading.Semaphore(0)
        for name in ("begin", "append"):
            monkeypatch.setattr(Store, name, self._guarded(getattr(Store, name)))

    def _guarded(self, real: Callable[..., object]) -> Callable[..., object]:
        def write(store: Store, *arguments: object) -> object:
            self.entered.release()
            assert self.goes_on.wait(60)
            if isinstance(self.refuses, Cause):
                raise StoreError("it will not", self.refuses)
            if self.refuses is not None:
                raise self.refuses
            return real(store, *arguments)

        return write
