"""Plugs pulled in the middle of updates: `python -m tests.tools.plugs`, or `make plugs ARGS=...`.

A machine with lifeboard plays, is updated by its page, and loses its power at a random moment, with
all that its disk has not written yet. Switched on again it must play on, with the old version or
the new one, whole. As root on Linux; `tests/machine` cuts at chosen moments.
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from threading import Event

from tqdm import tqdm  # type: ignore[import-untyped]

from game.service.paths import NAME
from game.service.signed_package import SIGNERS
from tests.helpers import shared
from tests.helpers.machines.cut_disk import CutDisk
from tests.helpers.machines.deb_package import installed, later, signed
from tests.helpers.machines.image import image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import Served

NEWER = tuple(f"99.{number}" for number in range(1, 9))


def main() -> None:
    parser = argparse.ArgumentParser("plugs", description=__doc__)
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ.setdefault(shared.FOLDER, mkdtemp(prefix="lifeboard-plugs-"))
    chance, counts, done = Random(options.seed), Counter[str](), 0
    with tqdm(total=options.cuts, unit="cut", disable=None) as bar:
        while done < options.cuts:
            with CutDisk(shared.shared_folder() / f"disk-{options.seed}-{done}") as disk:
                for found in life(disk, chance):
                    counts[found] += 1
                    done += 1
                    bar.update()
                    tqdm.write(found)
                    if done == options.cuts:
                        break
    print(f"{done} cuts, and it always played on:")
    for found, times in sorted(counts.items()):
        print(f"{times:4}  {found}")


@contextmanager
def playing(disk: CutDisk) -> Iterator[Served]:
    """Return a machine on a disk, on which a game has begun."""
    machine = Machine([installed(), image()], disk.path / "machine", careful=True)
    try:
        machine.boot()
        served = Served(machine)
        served.until_move(1)
        served.play("e5")
        served.until_move(2)
        yield served
    finally:
        machine.kill()


def begin_update(served: Served, deb: Path) -> None:
    """Send a package by the page, and ask for its installation."""
    copy, signer = signed(deb)
    served.machine.write(str(SIGNERS), signer)
    shown = served.upload(copy)
    assert "version" in shown, shown
    assert served.update("/install") == {}


def pull(served: Served, disk: CutDisk, *allowed: str) -> str:
    """Cut the power, switch on again, and check that it plays on with one of these versions.

    Return state and version at the cut, and the version after it; raises AssertionError.
    """
    state = package_state(served.machine).split()[0]
    disk.cut()
    served.machine.kill()
    disk.restore()
    served.machine.boot()
    served.until_move(2)
    after, version = package_state(served.machine).split()
    assert (after, served.machine.call(NAME, "--version").strip()) == ("installed", version)
    assert version in allowed, f"{version} after a cut of {state}; allowed: {allowed}"
    with served.page() as talk:
        assert talk.state["cells"]["e5"]["piece"]
    return f"{state}: {'the new' if version == allowed[-1] else 'the old'} version"


def package_state(machine: Machine) -> str:
    return machine.call("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", NAME)


def life(disk: CutDisk, chance: Random) -> Iterator[str]:
    """Cut updates of one machine until it has the newest version; yield what each one cut."""
    with playing(disk) as served:
        newer = list(map(later, NEWER))
        started = time.monotonic()
        begin_update(served, newer.pop(0))
        served.until_updated()
        took_s = time.monotonic() - started
        while newer:
            begin_update(served, newer[0])
            Event().wait(chance.uniform(0, took_s))
            old, new = NEWER[-len(newer) - 1], NEWER[-len(newer)]
            yield pull(served, disk, old, new)
            if package_state(served.machine).endswith(new):
                newer.pop(0)


if __name__ == "__main__":
    main()
