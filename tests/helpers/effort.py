"""How much the random tests try: little and always the same, or a lot where all is tested."""

import os

from hypothesis import settings


def effort(small: int, large: int) -> int:
    """Return `large` where LIFEBOARD_TESTS is "all", else `small`."""
    return large if os.environ.get("LIFEBOARD_TESTS") == "all" else small


def examples(small: int, large: int) -> settings:
    """Return how many examples Hypothesis tries; the small number are the same each time."""
    return settings(
        max_examples=effort(small, large), deadline=None, derandomize=effort(True, False) == 1
    )
