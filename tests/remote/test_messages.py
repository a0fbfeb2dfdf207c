"""Messages between boards: authenticated by the room's code, bounded, and read as written."""

import json
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from game.remote.chain import MOST_BYTES, Keys, write
from game.remote.shared_game import Ask, SideReport, Unreadable, pack, unpack
from game.table.entries import EntryKind
from tests.helpers.effort import examples
from tests.helpers.remote.model import KEYS

ENTRY = write(KEYS, (), 1, EntryKind.MOVE, "e5")
TOLD = SideReport(
    1, "s1", "s2", "1.0", "heap", "Zoë", 1, ENTRY.hash, {Ask.DRAW: 1}, (ENTRY,), True, (2, "hello")
)


def forged(**changes: object) -> bytes:
    """Return a message with the room's code but changed content."""
    body = json.dumps(json.loads(pack(KEYS, TOLD)[64:]) | changes).encode()
    return KEYS.sign(body).encode() + body


def test_a_message_is_read_as_it_was_written():
    assert unpack(KEYS, pack(KEYS, TOLD)) == TOLD
    # Earlier versions also say whether they could read the last message.
    assert unpack(KEYS, forged(unread=False)) == TOLD


@pytest.mark.parametrize(
    "changes",
    [
        {"side": 3},
        {"length": -1},
        {"session": "x" * 17},
        {"name": "x" * 41},
        {"asks": {"sing": 1}},
        {"asks": {"draw": -1}},
        {"entries": [[0, "", 3, "move", "e5", ""]]},
        {"entries": [[0, "", 1, "move", "e" * 5000, ""]]},
        {"entries": [[0, "xyz", 1, "move", "e5", ""]]},
        {"entries": [[]] * 65},
        {"stopped": 0},
        {"said": [1, "x" * 21]},
        {"said": [1, "a\nb"]},
    ],
    ids=repr,
)
def test_a_message_out_of_bounds_is_refused(changes):
    with pytest.raises(Unreadable, match=r"."):
        unpack(KEYS, forged(**changes))


def test_a_message_never_grows_beyond_what_is_read():
    chain = [ENTRY]
    for _ in range(63):
        chain.append(write(KEYS, chain, 1, EntryKind.MOVE, "x" * 4000))
    payload = pack(KEYS, replace(TOLD, entries=tuple(chain)))
    assert len(payload) <= MOST_BYTES
    assert unpack(KEYS, payload).entries == tuple(chain[:16])


@examples(50, 2000)
@example(b"[" * 50000, True)
@example(b"1" * 5000, True)
@example(b'{"side":1,"version":1}', True)
@given(st.binary(max_size=300), st.booleans())
def test_bytes_of_any_kind_are_refused_without_another_error(body, signed):
    code = KEYS.sign(body).encode() if signed else b"0" * 64
    with pytest.raises(ValueError, match=r"."):
        unpack(KEYS, code + body)


def test_a_code_gives_the_same_keys_on_both_boards_and_another_code_others():
    one, two, other = Keys.of("abcdef"), Keys.of("abcdef"), Keys.of("abcdeg")
    assert one == two
    assert not {one.name, one.key} & {other.name, other.key}
    assert "abcdef" not in one.name
