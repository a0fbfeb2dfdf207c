"""What can go wrong with a kit.

Owns the one error of this package.
"""


class KitError(ValueError):
    """A board that cannot be made like this: the message names the thing, the value, the limits."""
