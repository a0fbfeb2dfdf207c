"""What a board has learned survives a restart, and none of it is lost."""

import pytest

from hal.base.errors import MemoryFault
from hal.profile import BoardMemory, Electrode, Tuning

A3, B0 = Electrode("A", 3), Electrode("B", 0)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "boards" / "board.json"


def test_memory_comes_back_as_it_was(path):
    memory = BoardMemory(path)
    memory.tune({A3: Tuning(14, 7, 20, 0.5), B0: Tuning(charge_ua=30)})
    memory.remember({A3: 612, B0: 580})
    memory.mask({"e5", "a1"})
    memory.save()
    again = BoardMemory(path)
    assert again.baselines == {A3: 612, B0: 580}
    assert again.tunings == {A3: Tuning(14, 7, 20, 0.5), B0: Tuning(charge_ua=30)}
    assert again.masked == {"a1", "e5"}
    # It is written only when it has changed.
    path.unlink()
    again.remember({A3: 612})
    again.save()
    assert not path.exists()
    again.remember({A3: 616})
    again.save()
    assert path.exists()


def test_baseline_is_forgotten_with_the_charge_that_it_was_measured_with():
    memory = BoardMemory()
    memory.remember({A3: 612, B0: 580})
    memory.tune({A3: Tuning(charge_ua=20), B0: Tuning(touch_threshold=14)})
    assert memory.baselines == {B0: 580}


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"version": 1, "electrodes": {"A.3": 612}}',
        '{"version": 1, "electrodes": {"A": {}}}',
        '{"version": 1, "electrodes": {"A.3": {"charge_us": 3}}}',
        "[" * 100_000,
    ],
)
def test_memory_that_makes_no_sense_is_kept_aside(path, text, caplog):
    path.parent.mkdir()
    path.write_text(text)
    memory = BoardMemory(path)
    assert (memory.baselines, memory.tunings, memory.masked) == ({}, {}, frozenset())
    (aside,) = path.parent.iterdir()
    assert aside.read_text() == text
    assert aside.name in caplog.text


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [('{"version": 1, "electrodes": {}}', "read_whole"), ("no json", "os.replace")],
)
def test_memory_that_may_not_be_used_is_refused_and_left_alone(path, monkeypatch, text, forbidden):
    path.parent.mkdir()
    path.write_text(text)

    def forbid(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(f"hal.profile.memory.{forbidden}", forbid)
        with pytest.raises(MemoryFault, match=r"board\.json cannot be used: Permission denied"):
            BoardMemory(path)
    assert path.read_text() == text
    assert [each.name for each in path.parent.iterdir()] == ["board.json"]
