"""Kills and simulated power cuts: `python -m tests.tools.kills`, or `make kills ARGS=...`.

Nothing that a light had confirmed may be lost. The tests run a share of the same.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tqdm import tqdm  # type: ignore[import-untyped]

from game.cli.arguments import whole
from tests.helpers.kills.cuts import KINDS, check, some_cut, some_transactions, write
from tests.helpers.kills.program import kills
from tests.tools import program

IN_A_ROW = 50
"""How many kills share a folder, and how many cuts share a game."""
CHUNK_S = 1800.0
MEMORY = Path("/dev/shm")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "kills",
        description=(
            "Kill lifeboard at random moments of play, and start it again: what was shown as saved"
            " must be there. Then cut the power while"
            " a line or a checkpoint is written, simulated with torn writes: every line before must"
            " be there, and play must go on."
        ),
    )
    number = program.number
    parser.add_argument("--kills", type=number(0, 10**6), default=100, metavar="N")
    parser.add_argument("--cuts", type=number(0, 10**7), default=1000, metavar="N")
    parser.add_argument("--seed", type=whole, default=1, metavar="N")
    return program.run(parser, _run, arguments)


def _run(options: argparse.Namespace) -> int:
    wrong = [*kill(options.kills, options.seed), *cut(options.cuts, options.seed)]
    print(*wrong or ["Nothing was lost."], sep="\n")
    return int(bool(wrong))


def kill(number: int, seed: int) -> list[str]:
    """Kill play that often; print what was met, and return what was lost."""
    counts: Counter[str] = Counter()
    wrong, done, chunk = [], 0, 0
    with tqdm(total=number, unit="kill", disable=None) as bar:
        while done < number:
            # One chunk in five kills first starts.
            what = "start" if chunk % 5 == 4 else "play"
            order = {"seed": 10_000 * seed + chunk, "most_s": CHUNK_S}
            with TemporaryDirectory(prefix="lifeboard-kills-") as folder:
                seen = kills(what, Path(folder), min(IN_A_ROW, number - done), **order)
            counts.update(seen["counts"])
            wrong += [f"{what}: {seen['wrong']}"] if seen["wrong"] else []
            chunk, done = chunk + 1, done + max(seen["kills"], 1)
            bar.update(seen["kills"])
    if number:
        print(
            f"{done} kills, {counts['entries']} entries in {counts['games']} games;",
            len(wrong),
            "wrong",
        )
        for name, count in sorted(counts.items()):
            if name.startswith("kills "):
                print(f"  {count:6} {name}")
    return wrong


def cut(number: int, seed: int) -> list[str]:
    """Cut the power that often; print how often of each kind, and return what was lost."""
    rng, counts, wrong = Random(seed), Counter[str](), []
    memory = MEMORY if MEMORY.is_dir() else None
    with tqdm(total=number, unit="cut", disable=None) as bar:
        for first in range(0, number, IN_A_ROW):
            # In memory: what a disk would have kept is simulated.
            with TemporaryDirectory(prefix="lifeboard-cuts-", dir=memory) as folder:
                written = write(Path(folder), some_transactions(rng))
                for each in range(first, min(first + IN_A_ROW, number)):
                    kind = KINDS[each % len(KINDS)]
                    counts[kind] += 1
                    try:
                        check(some_cut(written, kind, rng), written, Path(folder) / str(each))
                    except AssertionError as error:
                        wrong.append(f"cut {each} of seed {seed}: {error}")
                    bar.update()
    if number:
        print(f"{number} power cuts; {len(wrong)} wrong")
        for kind in KINDS:
            print(f"  {counts[kind]:6} {kind}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
