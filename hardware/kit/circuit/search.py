"""Find the cheapest way through a field of nodes, by A*.

Owns the search alone. Must not know boards, nets, or what makes a step dear.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from math import inf, sqrt
from typing import Final

DIAGONAL: Final = sqrt(2)

AROUND: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""The eight steps from a node, as columns and rows; bit n of a node's `moves` allows step n."""


@dataclass(frozen=True, slots=True)
class Field:
    """Two layers of nodes, numbered row by row, the second after the first.

    `prices` is what it costs to step into a node straight on, and `vias` to change layers there,
    infinite where one cannot. `squares` is what a diagonal adds, by the lower left node of the
    square that it crosses. `ahead` is what the rest of the way costs at least.
    """

    columns: int
    moves: Sequence[int]
    prices: Sequence[float]
    vias: Sequence[float]
    squares: Sequence[float]
    starts: Sequence[int]
    goals: Sequence[bool]
    ahead: Sequence[float]


def find(field: Field) -> list[int] | None:
    """Give the nodes of the cheapest way from any start to any goal, or None if there is none."""
    straight, diagonal = _steps(field.columns)
    moves, prices, vias, squares = field.moves, field.prices, field.vias, field.squares
    goals, ahead = field.goals, field.ahead
    size = len(vias)
    best = [inf] * len(prices)
    came = [-1] * len(prices)
    done = bytearray(len(prices))
    heap: list[tuple[float, int]] = []
    for node in field.starts:
        best[node] = 0.0
        heappush(heap, (ahead[node], node))
    while heap:
        _, node = heappop(heap)
        if done[node]:
            continue
        if goals[node]:
            return _back(came, node)
        done[node] = 1
        here, allowed = best[node], moves[node]
        for offset in straight[allowed]:
            there = node + offset
            cost = here + prices[there]
            if cost < best[there]:
                best[there] = cost
                came[there] = node
                heappush(heap, (cost + ahead[there], there))
        for offset, square in diagonal[allowed]:
            there = node + offset
            cost = here + DIAGONAL * prices[there] + squares[node + square]
            if cost < best[there]:
                best[there] = cost
                came[there] = node
                heappush(heap, (cost + ahead[there], there))
        place, there = (node, node + size) if node < size else (node - size, node - size)
        cost = here + vias[place]
        if cost < best[there]:
            best[there] = cost
            came[there] = node
            heappush(heap, (cost + ahead[there], there))
    return None


def _back(came: list[int], node: int) -> list[int]:
    way = [node]
    while came[node] >= 0:
        node = came[node]
        way.append(node)
    way.reverse()
    return way


@cache
def _steps(columns: int) -> tuple[list[list[int]], list[list[tuple[int, int]]]]:
    """List the steps for each set of moves: offsets, and those of squares for the diagonal ones."""
    straight: list[list[int]] = []
    diagonal: list[list[tuple[int, int]]] = []
    for allowed in range(256):
        moves = [move for bit, move in enumerate(AROUND) if allowed >> bit & 1]
        straight.append([up * columns + across for across, up in moves if not (across and up)])
        diagonal.append(
            [
                (up * columns + across, min(up, 0) * columns + min(across, 0))
                for across, up in moves
                if across and up
            ]
        )
    return straight, diagonal
