"""The result of a calibration in words: a table of all cells, and what helps the weak ones.

Owns the texts only; the numbers come from `hal.measuring.margins`.
"""

from collections.abc import Callable, Sequence

from hal.measuring.margins import LEAST_CHANGE, LEAST_SNR, Margin, Verdict

_COLUMNS: tuple[tuple[str, Callable[[Margin], str]], ...] = (
    ("cell", lambda each: each.spot),
    ("pad", lambda each: pad_of(each)),
    ("baseline", lambda each: str(each.baseline)),
    ("noise", lambda each: f"{each.noise.reach:.1f}"),
    ("change", lambda each: _or_dash(each.change)),
    ("SNR", lambda each: _or_dash(each.snr)),
    ("thresholds", lambda each: _thresholds(each)),
    ("charge", lambda each: "" if each.charge is None else str(each.charge)),
    ("verdict", lambda each: each.verdict.value),
)
_LEFT = {"cell", "pad", "charge", "verdict"}
_QUICK = {"cell", "pad", "baseline", "noise"}
_MOST_NAMED = 8


def table(results: Sequence[Margin], *, quick: bool) -> list[str]:
    """Write one line a cell under a line of titles; without touches fewer columns."""
    columns = [column for column in _COLUMNS if not quick or column[0] in _QUICK]
    texts = [[title, *(write(each) for each in results)] for title, write in columns]
    widths = [max(map(len, column)) for column in texts]
    lines = []
    for row in zip(*texts, strict=True):
        parts = [
            text.ljust(width) if title in _LEFT else text.rjust(width)
            for text, width, (title, _) in zip(row, widths, columns, strict=True)
        ]
        lines.append("  ".join(parts).rstrip())
    return lines


def legend(*, quick: bool) -> str:
    """Say what the columns mean."""
    noise = "Counts of the chip's reading. noise: peak to peak, or six sigma if that is more."
    if quick:
        return noise
    return (
        f"{noise}\nSNR: change by a touch over noise; {LEAST_SNR:g} is good."
        " thresholds: touched above, let go below."
    )


def advice(results: Sequence[Margin]) -> list[str]:
    """Say for each cell that is not good what is wrong and what helps, alike ones together."""
    lines = [_wrong(each) for each in results if each.verdict in _WRONG]
    skipped = [each.spot for each in results if each.verdict is Verdict.EMPTY]
    if skipped:
        lines.append(
            f"{named(skipped)}: not touched, so the thresholds of the profile stay in force."
        )
    return lines


def verdict_line(results: Sequence[Margin]) -> str:
    """Sum up: how many are good, and which are not."""
    good = sum(each.verdict is Verdict.GOOD for each in results)
    parts = [f"{good} of {len(results)} are good"]
    for verdict in _CALLED:
        spots = [each.spot for each in results if each.verdict is verdict]
        if spots:
            parts.append(f"{_CALLED[verdict]}: {named(spots)}")
    return "; ".join(parts) + "."


def named(spots: Sequence[str]) -> str:
    """List names, the first of many only."""
    more = len(spots) - _MOST_NAMED
    return ", ".join(spots[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def pad_of(margin: Margin) -> str:
    """Name an electrode in short: its chip and its number."""
    return f"{margin.electrode.chip}.{margin.electrode.electrode}"


_WRONG = (Verdict.WEAK, Verdict.CROSSED, Verdict.RANGE)
_CALLED = {
    Verdict.WEAK: "weak",
    Verdict.CROSSED: "felt through others",
    Verdict.RANGE: "not measurable",
    Verdict.EMPTY: "not touched",
}


def _wrong(each: Margin) -> str:
    where = f"{each.spot} ({pad_of(each)})"
    if each.verdict is Verdict.RANGE:
        if each.noise.mean < 400:
            return (
                f"{where}: reads {each.baseline} with the largest charge: look for a short to"
                " ground or to a neighbour."
            )
        return (
            f"{where}: reads {each.baseline} with the smallest charge: look for a broken wire or"
            " joint."
        )
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


def _or_dash(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _thresholds(each: Margin) -> str:
    touch, release = each.tuning.touch_threshold, each.tuning.release_threshold
    return "-" if touch is None else f"{touch}/{release}"
