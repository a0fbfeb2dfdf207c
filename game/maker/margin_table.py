"""The result of a calibration in words: a table of all cells, and what helps the weak ones."""

from collections.abc import Callable, Mapping, Sequence

from game.common import text_table
from hal.measuring import LEAST_CHANGE, LEAST_SNR, Margin, Verdict

_COLUMNS: Mapping[str, Callable[[Margin], str]] = {
    "cell": lambda it: it.spot,
    "pad": lambda it: str(it.electrode),
    "baseline": lambda it: str(it.baseline),
    "noise": lambda it: f"{it.noise.reach:.1f}",
    "change": lambda it: "-" if it.change is None else f"{it.change:.1f}",
    "SNR": lambda it: "-" if it.snr is None else f"{it.snr:.1f}",
    "thresholds": lambda it: (
        f"{it.tuning.touch_threshold}/{it.tuning.release_threshold}"
        if it.tuning.touch_threshold
        else "-"
    ),
    "charge": lambda it: "" if it.charge is None else str(it.charge),
    "verdict": lambda it: it.verdict.value,
}
_LEFT = {"cell", "pad", "charge", "verdict"}
_QUICK = {"cell", "pad", "baseline", "noise"}
_MOST_NAMED = 8


def table(results: Sequence[Margin], *, quick: bool) -> list[str]:
    """Write one line a cell under a line of titles; without touches fewer columns."""
    columns = {title: write for title, write in _COLUMNS.items() if not quick or title in _QUICK}
    rows = [tuple(columns), *(tuple(write(it) for write in columns.values()) for it in results)]
    return text_table(rows, columns.keys() - _LEFT).splitlines()


def legend(*, quick: bool) -> str:
    """Explain the columns."""
    noise = "Counts of the chip's reading. noise: peak to peak, or six sigma if that is more."
    if quick:
        return noise
    return (
        f"{noise}\nSNR: change by a touch over noise; {LEAST_SNR:g} is good."
        " thresholds: touched above, let go below."
    )


def advice(results: Sequence[Margin]) -> list[str]:
    """Explain for each weak cell what is wrong and what helps, and list cells not touched."""
    fine = (Verdict.GOOD, Verdict.EMPTY)
    lines = [_advice(each) for each in results if each.verdict not in fine]
    skipped = [each.spot for each in results if each.verdict is Verdict.EMPTY]
    if skipped:
        lines.append(
            f"{named(skipped)}: not touched, so the thresholds of the profile stay in force."
        )
    return lines


def verdict_line(results: Sequence[Margin]) -> str:
    """Count the good cells, and name the others."""
    good = sum(each.verdict is Verdict.GOOD for each in results)
    parts = [f"{good} of {len(results)} are good"]
    for verdict, name in _NAMES.items():
        if spots := [each.spot for each in results if each.verdict is verdict]:
            parts.append(f"{name}: {named(spots)}")
    return "; ".join(parts) + "."


def named(spots: Sequence[str]) -> str:
    """Join names; of many only the first ones."""
    more = len(spots) - _MOST_NAMED
    return ", ".join(spots[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


_NAMES = {
    Verdict.WEAK: "weak",
    Verdict.CROSSED: "felt through others",
    Verdict.RANGE: "not measurable",
    Verdict.EMPTY: "not touched",
}


def _advice(each: Margin) -> str:
    where = f"{each.spot} ({each.electrode})"
    if each.verdict is Verdict.RANGE:
        charge, fault = "smallest", "a broken wire or joint"
        if each.noise.mean < 400:
            charge, fault = "largest", "a short to ground or to a neighbour"
        return f"{where}: reads {each.baseline} with the {charge} charge: look for {fault}."
    if each.verdict is Verdict.CROSSED:
        return (
            f"{where}: changes by {each.echo:.0f} while another is touched, and is felt from"
            f" {each.tuning.touch_threshold} on: keep its wire away from the others, or put"
            " ground between them."
        )
    if each.change is not None and each.change < LEAST_CHANGE:
        return (
            f"{where}: a touch changes it by {each.change:.0f}, and {LEAST_CHANGE} is the least:"
            " thinner cover, larger pad, shorter wire, no ground right under it."
        )
    return (
        f"{where}: noise of {each.noise.reach:.0f} against a change of {each.change:.0f}:"
        " better supply and ground, wires away from the strip's, or a longer second_filter in the"
        " profile."
    )
