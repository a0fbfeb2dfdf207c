# The types with which `board.py` is compiled.

cimport cython
from libc cimport math
from libc.stdint cimport int8_t, uint16_t, uint64_t

from game.engine.fast cimport bits, chance

cdef double SHARPNESS
cdef int LONGEST


cdef class FastBoard:
    cdef public int players, mover, outcome, ended, plies
    cdef public bint within
    cdef readonly tuple kind
    cdef public double sharpness
    cdef public uint16_t[::1] moves
    cdef public int8_t[::1] results
    cdef public float[::1] guesses
    cdef public double[::1] weights, shares

    cpdef void copy_from(self, FastBoard other) except *
    cpdef int list_moves(self) except -1
    cdef int list_cells(self, int count, uint64_t cells, int offset) noexcept

    cpdef bint allows(self, int move) except *
    cpdef void play(self, int move) except *
    cpdef int proof(self) except -1
    cpdef void evaluate(self) except *

    @cython.locals(share=double)
    cdef void share_odds(self, double lead) noexcept

    @cython.locals(player=int)
    cpdef void share_out(self, int result) except *

    @cython.locals(count=int, mover=int, index=int)
    cpdef int expand(self, FastBoard after, bint informed) except -1

    @cython.locals(count=int, _=int)
    cpdef void play_out(self, chance.Xorshift rng, bint informed) except *
