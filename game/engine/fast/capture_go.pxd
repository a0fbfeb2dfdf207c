# The types with which `capture_go.py` is compiled.

cimport cython
from libc.stdint cimport int8_t, uint8_t, uint64_t

from game.engine.fast cimport bits, chance
from game.engine.fast cimport board as boards

cdef int ROW, WIDE, CLOSE, TABLE
cdef uint64_t ONE, WORD, HASH_FACTOR
cdef double TAKEN, TURN, ATARI, LAST

cdef uint64_t around(uint64_t mask) noexcept

@cython.locals(one=uint64_t, two=uint64_t, step=int)
cdef uint64_t several(uint64_t mask) noexcept

@cython.locals(before=uint64_t)
cdef uint64_t group_of(uint64_t group, uint64_t stones) noexcept


cdef class CaptureGoBoard(boards.FastBoard):
    cdef public int target
    cdef public uint64_t cells, open, safe, taking, winning, hunting, last, deadly
    cdef public uint64_t[::1] stones, keys
    cdef public uint8_t[::1] taken
    cdef public int8_t[::1] known
    cdef public CaptureGoBoard deeper

    @cython.locals(source=CaptureGoBoard, index=int)
    cpdef void copy_from(self, boards.FastBoard other) except *

    cpdef int list_moves(self) except -1

    @cython.locals(mover=int, placed=uint64_t, others=uint64_t, empty=uint64_t, left=uint64_t,
                   group=uint64_t)
    cpdef void play(self, int move) except *

    @cython.locals(own=uint64_t, others=uint64_t, empty=uint64_t, left=uint64_t, group=uint64_t,
                   liberties=uint64_t, need=int, spare=int, few=int)
    cpdef void survey(self) noexcept

    @cython.locals(known=int)
    cpdef int proof(self) except -1

    @cython.locals(need=int, spare=int, moves=uint64_t, first=uint64_t, move=uint64_t, key=uint64_t,
                   index=int, best=int, after=CaptureGoBoard)
    cpdef int proved(self) except -2

    @cython.locals(lead=double)
    cpdef void evaluate(self) except *

    cpdef void play_out(self, chance.Xorshift rng, bint informed) except *

    @cython.locals(urgent=uint64_t, shared=uint64_t, found=uint64_t)
    cdef uint64_t promising(self) noexcept
