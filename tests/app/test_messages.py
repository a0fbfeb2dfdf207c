"""The catalogue of the journal: it and the program know the same events, and systemd reads it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from game.app import log_messages
from game.app.log_messages import EVENTS, Event
from hal.faults import Trouble

CATALOGUE = Path(__file__).parents[2] / "systemd" / "lifeboard.catalog"


def entries() -> dict[str, tuple[dict[str, str], str]]:
    """Read the catalogue: the header fields and the text of each identity."""
    found = {}
    text = re.sub(r"^#.*\n", "", CATALOGUE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for block in re.split(r"^-- ", text, flags=re.MULTILINE)[1:]:
        first, _, rest = block.partition("\n")
        header, _, body = rest.partition("\n\n")
        fields = dict(line.split(": ", 1) for line in header.splitlines())
        assert first not in found
        found[first] = (fields, body.strip())
    return found


def test_catalogue_has_each_event_and_no_other():
    named = {value for value in vars(log_messages).values() if isinstance(value, Event)}
    assert named == set(EVENTS)
    assert len(EVENTS) == len(entries())
    assert set(entries()) == {event.message_id for event in EVENTS}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.message_id[:8])
def test_event_has_a_sound_identity_and_a_text_that_fills_in_its_fields(event: Event):
    # The marks of a random UUID: its version, 4, and its variant.
    assert re.fullmatch(r"[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}", event.message_id)
    header, body = entries()[event.message_id]
    assert header["Defined-By"] == "lifeboard"
    assert header["Subject"]
    assert body
    assert set(re.findall(r"@([A-Z_]+)@", header["Subject"] + body)) == event.fields


def test_catalogue_explains_every_trouble():
    _, body = entries()[log_messages.PART_FAILED.message_id]
    assert set(re.findall(r"^  ([a-z]+) ", body, re.MULTILINE)) == {each.value for each in Trouble}


def test_systemd_reads_the_catalogue_without_a_word(tmp_path: Path):
    folder = tmp_path / "usr/lib/systemd/catalog"
    folder.mkdir(parents=True)
    (tmp_path / "var/lib/systemd/catalog").mkdir(parents=True)
    shutil.copy(CATALOGUE, folder)
    said = ""
    for act in ("--update-catalog", "--dump-catalog"):
        done = subprocess.run(
            ["journalctl", "--no-pager", "--root", str(tmp_path), act],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), act
        said = done.stdout
    for identity, (header, body) in entries().items():
        assert f"-- {identity}\n" in said
        assert f"Subject: {header['Subject']}\n" in said
        assert body in said
