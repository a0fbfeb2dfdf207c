"""Kills and simulated power cuts: `python -m tests.tools.kills`, or `make kills ARGS=...`.

Nothing that a light had confirmed may be lost. The tests run a share of the same.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tqdm import tqdm  # type: ignore[import-untyped]

from tests.helpers.kills.cuts import KINDS, check, some_cut, some_transactions, write
from tests.helpers.kills.program import kills

IN_A_ROW = 50
"""How many kills share a folder, and how many cuts share a game."""
CHUNK_S = 1800.0
MEMORY = Path("/dev/shm")


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill and cut; print how often what was met, and what was lost. Return 1 if anything was."""
    parser = argparse.ArgumentParser(
        "kills",
        description=(
            "Kill lifeboard at random moments of play, and start it again: what was shown as saved"
            " must be there. Then cut the power while"
            " a line or a checkpoint is written, simulated with torn writes: every line before must"
            " be there, and play must go on."
        ),
    )
    for name, usual in (("--kills", 100), ("--cuts", 1000), ("--seed", 1)):
        parser.add_argument(name, type=int, default=usual)
    options = parser.parse_args(arguments)
    counts = Counter[str]()
    wrong = [*kill(options.kills, options.seed, counts), *cut(options.cuts, options.seed, counts)]
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    print(*wrong or ["Nothing was lost."], sep="\n")
    return int(bool(wrong))


def kill(number: int, seed: int, counts: Counter[str]) -> Iterator[str]:
    """Kill play that often; count what was met, and yield what was lost."""
    done, chunk = 0, 0
    with tqdm(total=number, unit="kill", disable=None) as bar:
        while done < number:
            # One chunk in five kills first starts.
            what = "start" if chunk % 5 == 4 else "play"
            order = {"seed": 10_000 * seed + chunk, "most_s": CHUNK_S}
            with TemporaryDirectory(prefix="lifeboard-kills-") as folder:
                seen = kills(what, Path(folder), min(IN_A_ROW, number - done), **order)
            counts.update(seen["counts"], kills=seen["kills"])
            if seen["wrong"]:
                yield f"{what}: {seen['wrong']}"
            chunk, done = chunk + 1, done + max(seen["kills"], 1)
            bar.update(seen["kills"])


def cut(number: int, seed: int, counts: Counter[str]) -> Iterator[str]:
    """Cut the power that often; count each kind, and yield what was lost."""
    rng, memory = Random(seed), MEMORY if MEMORY.is_dir() else None
    with tqdm(total=number, unit="cut", disable=None) as bar:
        for first in range(0, number, IN_A_ROW):
            # In memory: what a disk would have kept is simulated.
            with TemporaryDirectory(prefix="lifeboard-cuts-", dir=memory) as folder:
                written = write(Path(folder), some_transactions(rng))
                for each in range(first, min(first + IN_A_ROW, number)):
                    kind = KINDS[each % len(KINDS)]
                    counts[f"power cuts: {kind}"] += 1
                    try:
                        check(some_cut(written, kind, rng), written, Path(folder) / str(each))
                    except AssertionError as error:
                        yield f"cut {each} of seed {seed}: {error}"
                    bar.update()


if __name__ == "__main__":
    sys.exit(main())
