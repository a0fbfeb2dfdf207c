"""The protocol in real MicroPython: the same bytes, and the same refused, as in CPython."""

import os
import subprocess
from pathlib import Path
from random import Random

from firmware.framing import MARK, MOST_PAYLOAD, Frame, encode
from tests.helpers.boards import protocol_in_micropython
from tests.helpers.boards.protocol_in_micropython import answer
from tests.helpers.boards.protocol_vectors import FRAMES, PAYLOADS, plain
from tests.helpers.pico.micropython import find

ROOT = Path(__file__).parents[2]


def asked_of_micropython(questions: list[tuple[str, bytes]]) -> tuple[str, list[str]]:
    """Give what MicroPython says to the vectors, and its answers."""
    done = subprocess.run(
        [*find(), protocol_in_micropython.__file__],
        input="".join(f"{name} {data.hex()}\n" for name, data in questions),
        env={**os.environ, "MICROPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    vectors, *answers = done.stdout.splitlines()
    return vectors, answers


def questions() -> list[tuple[str, bytes]]:
    """Make frames and payloads: sound ones, spoilt ones, and noise."""
    chance = Random(6)
    asked = [("frame", encode(frame).strip(MARK)) for _, frame, _ in FRAMES]
    for size in (0, 1, 243, 244, 245, 254, MOST_PAYLOAD):
        for payload in (chance.randbytes(size), b"\n" * size, (bytes(range(256)) * 2)[:size]):
            asked.append(("frame", encode(Frame(*chance.randbytes(4), payload)).strip(MARK)))
    lines = [line for _, line in asked]
    for _ in range(150):
        spoilt = bytearray(chance.choice(lines))
        spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
        asked.append(("frame", bytes(spoilt)))
        asked.append(("frame", chance.randbytes(chance.randrange(30))))
    sound = [(name.split(",")[0], plain(wanted)) for name, _, wanted in PAYLOADS]
    asked += sound
    for name, payload in sound:
        for _ in range(25):
            changed = bytearray(payload)
            # Text stays ASCII: MicroPython takes some bytes for UTF-8 that CPython does not.
            changed[chance.randrange(len(changed))] = chance.randrange(128)
            asked.append((name, bytes(changed[: chance.randint(0, 2 * len(changed))])))
    return asked


def test_micropython_reads_and_writes_the_same_bytes():
    asked = questions()
    vectors, answers = asked_of_micropython(asked)
    assert vectors == "vectors []"
    assert answers == [answer(name, data) for name, data in asked]
