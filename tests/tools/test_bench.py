"""`make bench` measures everything that it reports."""

import re

from tests.tools.bench.__main__ import measured


def test_bench_measures_all_figures():
    shown = "\n".join(measured(0.02, pico=True))
    # What rests or is stored in memory may take no time.
    positive = (
        *("rules", "engine", "compiled\\)\n", "8 touches.*\n +first light", "virtual time\\)"),
        *("I2C buses \\(modelled\\)", "says accepted, on this disk", "on a Pico, by its clock"),
        *("a move's step", "start to ready", "memory", "MB\n"),
    )
    for what in positive:
        (figure,) = re.findall(rf"{what} +([\d.]+)", shown)
        assert float(figure) > 0, what
    assert "MB after 2 games" in shown
