"""Reads and writes what it is told, in MicroPython; `test_protocol_micropython` runs it there.

Each line of its input is a name and hexadecimal digits: `frame` and the bytes between two marks, or
a message and its payload. It answers each with what it writes after reading that.
"""

import sys

from firmware.framing import decode, encode
from tests.helpers.boards import protocol_vectors


def answer(name: str, data: bytes) -> str:
    """Read bytes and write again what was read; say so when they cannot be."""
    if name == "frame":
        frame = decode(data)
        return "none" if frame is None else encode(frame).hex()
    try:
        return protocol_vectors.again(name, data).hex()
    except ValueError:
        return "refused"


def main() -> None:
    """Check the vectors, then answer until the input ends."""
    print("vectors", protocol_vectors.check())
    for line in sys.stdin:
        name, _, digits = line.strip().partition(" ")
        print(answer(name, bytes.fromhex(digits)))


if __name__ == "__main__":
    main()
