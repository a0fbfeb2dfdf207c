"""`make bench` measures everything that it reports."""

import re

from tests.tools.bench.__main__ import measured


def test_bench_measures_all_figures():
    shown = "\n".join(measured(0.01, pico=True))
    positive = (
        *("rules", "engine", "compiled\\)\n", "4 touches.*\n +first light", "virtual time\\)"),
        *("says accepted, on this disk", "on a Pico, by its clock", "a move's step"),
        *("start to ready", "memory", "MB\n"),
    )
    for what in positive:
        (figure,) = re.findall(rf"{what} +([\d.]+)", shown)
        assert float(figure) > 0, what
    # So few touches may find these to be 0.
    for what in ("I2C buses", "our own code", "durable record", "pixel strip", "idle processor"):
        assert what in shown
    assert "MB after 1 games" in shown
