"""The tool that kills and cuts counts what it does, and fails if anything is lost."""

from tests.helpers.kills import cuts
from tests.tools import kills


def test_tool_kills_and_cuts_as_often_as_it_is_told(capsys):
    assert kills.main(["--kills", "2", "--cuts", "6", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("2 kills, ")
    assert "6 power cuts; 0 wrong" in said
    assert all(f"     1 {kind}" in said for kind in cuts.KINDS)
    assert said.endswith("Nothing was lost.\n")


def test_tool_tells_what_is_lost(capsys, monkeypatch):
    seen = {"kills": 5, "wrong": "session 2: Lost: it is gone", "counts": {}}
    monkeypatch.setattr(kills, "kills", lambda *_, **__: seen)

    def lost(*_: object) -> None:
        raise AssertionError("torn")

    monkeypatch.setattr(kills, "check", lost)
    assert kills.main(["--kills", "5", "--cuts", "1"]) == 1
    said = capsys.readouterr().out
    assert "session 2: Lost: it is gone" in said
    assert "cut 0 of seed 1: torn" in said
    assert "Nothing was lost" not in said
