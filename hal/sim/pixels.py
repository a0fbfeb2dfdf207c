"""A row of pixels: how levels pass along it, and what it shows.

Owns the passing on from pixel to pixel and the order of the colours. Must not know how the levels
arrive (`hal.sim.spi`).
"""


class PixelChain:
    """Pixels in a row; `order` is that in which they take their colours.

    `levels` is their content, a byte per colour of a pixel, as it came down the wire.
    """

    def __init__(self, pixels: int, order: str = "GRB") -> None:
        self.order = order
        self.levels = bytes(pixels * len(order))

    def receive(self, levels: bytes) -> None:
        """Take a frame: each pixel keeps the first levels that it receives and passes later ones
        on.

        Pixels that it does not reach keep theirs, what is left over leaves the last one, and a
        pixel that gets only a part does not show it.
        """
        size = len(self.order)
        heard = levels[: len(levels) // size * size][: len(self.levels)]
        self.levels = heard + self.levels[len(heard) :]

    @property
    def latched(self) -> tuple[tuple[int, int, int], ...]:
        """The colours that the pixels show, with the light of a white LED in each."""
        size = len(self.order)
        red, green, blue = (self.levels[self.order.index(each) :: size] for each in "RGB")
        if "W" not in self.order:
            return tuple(zip(red, green, blue, strict=True))
        white = self.levels[self.order.index("W") :: size]
        return tuple(
            (min(255, r + w), min(255, g + w), min(255, b + w))
            for r, g, b, w in zip(red, green, blue, white, strict=True)
        )
