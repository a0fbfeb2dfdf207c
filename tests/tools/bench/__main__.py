"""Measure this machine: `python -m tests.tools.bench`, or `make bench ARGS=...`."""

import argparse
import json
import sys
from collections.abc import Sequence

from tests.tools import program


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "bench",
        description="Measure rules speed, touch-to-light latency, idle use, memory and start.",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="take rough figures, in a few seconds")
    return program.run(parser, _bench, arguments)


def _bench(options: argparse.Namespace) -> int:
    from tests.tools.bench import bench

    effort = bench.QUICK if options.quick else bench.Effort()
    figures = bench.measure(effort)
    print(json.dumps(figures) if options.json else bench.report(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
