# The types with which `azteka.py` is compiled.

cimport cython
from libc cimport math
from libc.stdint cimport uint64_t

from game.engine.fast cimport bits, chance
from game.engine.fast cimport board as boards

cdef int CELLS, RINGS, SEGMENTS, TURN, WIDE_TURN, DECLINE, NO_LAST, LIFE, DEATH
cdef uint64_t ONE, FULL, INNERMOST, INSIDE, OUTSIDE, SEGMENT
cdef double SHARPNESS, BOUND_SHARPNESS, TEMPO, EVEN, PIECE, KEENNESS, HASTE

cdef uint64_t around(uint64_t cells) noexcept
cdef uint64_t in_segments(uint64_t cells) noexcept
cdef uint64_t in_rings(uint64_t cells) noexcept
cdef bint spreads(uint64_t cells) noexcept
cdef bint reigns(uint64_t cells) noexcept

@cython.locals(segments=uint64_t, rings=uint64_t, found=uint64_t)
cdef uint64_t spreading(uint64_t cells) noexcept

@cython.locals(found=uint64_t, left=uint64_t, segment=int, ring=int)
cdef uint64_t reigning(uint64_t cells) noexcept


cdef class AztekaBoard(boards.FastBoard):
    cdef public int supply, side, life, before, noted, last, played
    cdef public bint bound, wide, birth
    cdef public uint64_t[::1] stones

    @cython.locals(source=AztekaBoard, side=int)
    cpdef void copy_from(self, boards.FastBoard other) except *

    cdef uint64_t free(self) noexcept

    @cython.locals(own=uint64_t, free=uint64_t)
    cpdef uint64_t open_cells(self, int side) noexcept

    @cython.locals(cells=uint64_t)
    cpdef int list_moves(self) except -1

    @cython.locals(ring=int, mask=uint64_t, own=int)
    cdef inline int _list_turns(self, int count) noexcept

    @cython.locals(side=int, segment=uint64_t, step=int, other=int, cells=uint64_t, used_up=bint)
    cpdef void play(self, int move) except *

    cdef bint reaches(self, int side, uint64_t cells) noexcept

    cdef void _pass_to(self, int side) noexcept

    @cython.locals(doomed=uint64_t, low=uint64_t, left=int)
    cdef void _disintegrate(self) noexcept

    @cython.locals(mask=uint64_t, cells=uint64_t, part=uint64_t, side=int)
    cdef void _turn(self, int ring, int shift) noexcept

    @cython.locals(winner=int, pieces=int)
    cdef void _win(self, int side) noexcept

    @cython.locals(own=uint64_t, free=uint64_t, found=uint64_t)
    cdef uint64_t winning_cells(self, int side) noexcept

    @cython.locals(own=uint64_t, part=uint64_t, cells=uint64_t, ring=int)
    cdef int winning_turn(self, int side) noexcept

    @cython.locals(life_needs=int, death_needs=int, life_pieces=int, death_pieces=int, pieces=int,
                   player=int, lead=double, odds=double, value=double)
    cpdef void evaluate(self) except *

    @cython.locals(side=int, later=int, total=double)
    cdef void _evaluate_three(self) noexcept

    cdef double worth(self, int pieces) noexcept

    @cython.locals(own=uint64_t, least=int, segments=int, rings=int, free=uint64_t, behind=uint64_t,
                   near=uint64_t, far=uint64_t, farther=uint64_t, mask=uint64_t, segment=int,
                   ring=int, cost=int)
    cdef int need(self, int side) noexcept

    @cython.locals(_=int, side=int, even=double)
    cpdef void play_out(self, chance.Xorshift rng, bint informed) except *

    @cython.locals(cells=uint64_t, found=uint64_t, turn=int, places=int, drawn=int)
    cdef int _likely(self, chance.Xorshift rng, bint informed) noexcept
