"""What can go wrong with a kit.

Owns the one error of this package.
"""


class KitError(ValueError):
    """A board that cannot be made like this: the message names the thing, the value, the limits.

    `key` is the one of [geometry] to be changed, where it is one: "air_mm", or "lights.turn1".
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key
