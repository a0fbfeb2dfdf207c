# The types with which `board.py` is compiled.

cimport cython
from libc cimport math
from libc.stdint cimport uint64_t

from game.engine.circle cimport field as fields
from game.engine.circle cimport policy as policies
from game.engine.fast cimport bits, chance
from game.engine.fast cimport board as boards


cdef double MEAL


cdef class CircleBoard(boards.Board):
    cdef public fields.Field field
    cdef policies.Policy policy

    @cython.locals(source=CircleBoard)
    cpdef void copy_from(self, boards.Board other) except *

    @cython.locals(left=uint64_t, count=int)
    cpdef int list_moves(self) except -1

    cpdef void play(self, int move) except *

    cpdef int result(self) except -1

    @cython.locals(field=fields.Field, mover=int, count=int, needed=int, index=int, gain=int)
    cpdef int expand(self, boards.Board after, bint informed) except -1

    @cython.locals(winner=int)
    cpdef void play_out(self, chance.Xorshift rng, bint informed) except *
