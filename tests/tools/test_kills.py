"""The tool that kills and cuts counts what it does, and fails if anything is lost."""

from tests.helpers.kills import cuts
from tests.tools import kills


def test_tool_kills_and_cuts_as_often_as_it_is_told(capsys, monkeypatch):
    assert kills.main(["--kills", "2", "--cuts", "6", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert " 2 kills\n" in said
    assert all(f"     1 power cuts: {kind}" in said for kind in cuts.KINDS)
    assert said.endswith("Nothing was lost.\n")
    monkeypatch.setattr(kills, "kills", lambda *_, **__: {"kills": 5, "wrong": "W", "counts": {}})
    assert kills.main(["--kills", "5", "--cuts", "0"]) == 1
    assert capsys.readouterr().out.endswith("play: W\n")
