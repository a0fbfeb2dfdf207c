"""How many cases random tests try: few and fixed in `make test`, more in `make test-all`."""

import os

from hypothesis import settings

ALL = os.environ.get("LIFEBOARD_TESTS") == "all"


def effort(small: int, large: int) -> int:
    """Return how much to try: `small` in `make test`, `large` in `make test-all`."""
    return large if ALL else small


def examples(small: int, large: int) -> settings:
    """Return how many examples Hypothesis tries: in `make test-all` others each time."""
    return settings(max_examples=effort(small, large), derandomize=not ALL)
