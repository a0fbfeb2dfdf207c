"""PROTOCOL.md is true of the code."""

import re
from pathlib import Path

import pytest

from firmware import channel, messages
from firmware import framing as wire
from tests.helpers.boards.protocol_vectors import FRAMES, PAYLOADS, plain

TEXT = (Path(wire.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
WORDS = " ".join(TEXT.split())


def examples() -> dict[str, bytes]:
    """Read all examples from the text."""
    blocks = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
    joined = "\n".join(re.sub(r"\n +", " ", block) for block in blocks)
    return {name: plain(digits) for name, digits in re.findall(r"(.+?): (.+)", joined)}


def test_text_shows_every_message_and_frame_as_it_is():
    wanted = {name: plain(digits) for name, _, digits in PAYLOADS + FRAMES}
    assert examples() == wanted


def test_text_gives_every_kind_its_number():
    table = dict(re.findall(r"^\| (\d+) \| ([A-Z_]+) \|", TEXT, re.MULTILINE))
    names = [*{name.split(",")[0] for name, _, _ in PAYLOADS}, "STOP", "BYE"]
    kinds = {str(getattr(messages, name)): name for name in names}
    assert table == {**kinds, str(channel.ACK): "ACK", str(channel.PING): "PING"}


@pytest.mark.parametrize(
    "words",
    [
        f"Protocol {messages.PROTOCOL}.",
        f"size of the payload, 0 to {wire.MOST_PAYLOAD}",
        f"no line need be longer than {wire.MOST_LINE}",
        f"A frame is at most {wire.MOST_PAYLOAD + 14} bytes long",
        f"at most {channel.MOST_WAITING}, of which at most {channel.WINDOW} are on their way",
        f"not acknowledged {channel.RESEND_MS} ms after",
        f"heard nothing for {channel.BEAT_MS} ms",
        f"frame of its session for {channel.SILENCE_MS} ms",
        f"number of buses | up to {messages.MOST_BUSES} |",
        f"number of chips | up to {messages.MOST_CHIPS} |",
        f"number of keys | up to {messages.MOST_KEYS} |",
        f"a whole number of pixels | up to {messages.MOST_LEVELS};",
        f"how many, 1 to {messages.MOST_READ},",
        "0 asleep, 1 watched, 2 silent, 3 held, 4 reset",
    ],
)
def test_text_names_the_bounds_of_the_code(words):
    assert words in WORDS
