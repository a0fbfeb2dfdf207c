"""All that is computed of a board, checked and listed.

Owns the collection. What each figure is made of is known to `sensing`, `power` and `levels`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from hardware.kit.electric.figure import Figure
from hardware.kit.electric.levels import Lengths, level_figures
from hardware.kit.electric.power import Feeding, feeding, power_figures
from hardware.kit.electric.sensing import (
    PadFigures,
    Run,
    figures_of_pad,
    measure_figures,
    sensing,
)
from hardware.kit.layout import Layout
from hardware.kit.tables import Table


@dataclass(frozen=True, slots=True)
class Figures:
    """Hold all figures of a board whose pads are joined to their chips in one way.

    `built` names that way. `pads` has each pad by its sensor's name; `common` are the figures that
    they share, `power` and `signals` those of the strip and of all lines.
    """

    board: str
    built: str
    pads: Mapping[str, PadFigures]
    feeding: Feeding
    common: tuple[Figure, ...]
    power: tuple[Figure, ...]
    signals: tuple[Figure, ...]

    @property
    def weakest(self) -> PadFigures:
        """Give the pad on which a finger changes least."""
        return min(self.pads.values(), key=lambda pad: pad.change)

    @property
    def strongest(self) -> PadFigures:
        """Give the pad on which a finger changes most."""
        return max(self.pads.values(), key=lambda pad: pad.change)


def figures(
    layout: Layout,
    runs: Mapping[str, Run],
    lengths: Lengths | None = None,
    built: str = "foil",
) -> Figures:
    """Compute all figures of a board; raise KitError for the first that is out of range.

    `runs` says for each sensor how it is joined to its chip, and `built` in which way that is.
    Without `lengths` buses and the data wire are taken to go the shortest way.
    """
    pads = sensing(layout, runs)
    found = feeding(layout)
    power = power_figures(layout, found, lengths)
    signals = level_figures(layout, lengths)
    for figure in chain(power, signals):
        figure.checked()
    return Figures(layout.profile.name, built, pads, found, measure_figures(layout), power, signals)


def figures_table(*all_figures: Figures) -> Table:
    """List figures of a board, built in one way or in several: value, what is allowed, sources.

    Of the pads only those are listed with which a finger changes least and most.
    """
    first = all_figures[0]
    rows = [_row(figure) for figure in first.common]
    for each in all_figures:
        pads = {pad.sensor: pad for pad in (each.weakest, each.strongest)}
        rows += [
            _row(figure, f"{each.built}, ")
            for pad in pads.values()
            for figure in figures_of_pad(pad)
        ]
    rows += [_row(figure) for figure in (*first.power, *first.signals)]
    return Table(
        f"Figures of {first.board}",
        ("figure", "value", "allowed", "how", "whose rule"),
        tuple(rows),
    )


def _row(figure: Figure, before: str = "") -> tuple[str, ...]:
    return (f"{before}{figure.name}", figure.text, figure.allowed, figure.source, figure.rule)
