"""Random numbers, the same in plain Python and compiled with the types of `chance.pxd`."""

from game.engine.fast import bits

WORD = bits.WORD
SEED_FACTOR = 0x9E3779B97F4A7C15
XORSHIFT_FACTOR = 0x2545F4914F6CDD1D


class Xorshift:
    """The random generator xorshift64*.

    Source: S. Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled",
    2016.
    """

    def __init__(self, seed: int) -> None:
        # The state must not be zero; the multiplication separates neighbouring seeds.
        self.state = ((seed + 1) * SEED_FACTOR & WORD) or 1

    def draw(self) -> int:
        """Draw 64 bits."""
        state = self.state
        state = state ^ state >> 12
        state = state ^ (state << 25 & WORD)
        state = state ^ state >> 27
        self.state = state
        return state * XORSHIFT_FACTOR & WORD

    def below(self, limit: int) -> int:
        """Draw a number from 0 to `limit` - 1; the limit has at most 32 bits."""
        return (self.draw() >> 32) * limit >> 32

    def cell(self, mask: int) -> int:
        """Draw a cell of a mask that is not empty, uniformly."""
        drawn = self.draw()
        # Draw six bits until they hit a cell; after ten misses, draw which cell of the mask it is.
        for _ in range(10):
            cell = drawn & 63
            if mask >> cell & 1:
                return cell
            drawn = drawn >> 6
        steps = self.below(bits.count(mask))
        for _ in range(steps):
            mask = mask & mask - 1
        return bits.lowest(mask)
