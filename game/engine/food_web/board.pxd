# The types with which `board.py` is compiled.

cimport cython
from libc cimport math
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from game.engine.fast cimport bits, chance
from game.engine.fast cimport board as boards
from game.engine.food_web cimport field as fields
from game.engine.food_web cimport tables as webs

cdef double MEAL
cdef int CELLS, SPECIES, FULL, MANY_OPEN, FEW_OPEN, FEATURES
cdef int MADE, GAIN, RISK, SAVED, SPOILT, THEIRS, HUNTS, CLOSED, CROWDED, INWARD, FEARS, TRADE
cdef int MADE_OF_THEIRS, RISKED
cdef float[::1] CASE_WEIGHTS


cdef class FoodWebBoard(boards.FastBoard):
    cdef public fields.Field field
    cdef webs.WebTables tables

    @cython.locals(source=FoodWebBoard)
    cpdef void copy_from(self, boards.FastBoard other) except *

    cpdef int list_moves(self) except -1
    cpdef void play(self, int move) except *
    cpdef int result(self) except -1

    @cython.locals(field=fields.Field, mover=int, count=int, needed=int, index=int, gain=int,
                   critter=int)
    cpdef int expand(self, boards.FastBoard after, bint informed) except -1

    cdef double promise(self, int cell, int critter, int gain) noexcept

    @cython.locals(winner=int)
    cpdef void play_out(self, chance.Xorshift rng, bint informed) except *


cdef class CircleBoard(FoodWebBoard):
    cdef uint16_t[::1] cases
    cdef uint64_t[::1] reach, hunted, feared
    cdef uint8_t[::1] bites, growth
    cdef uint64_t danger, mine
    cdef int stage

    cpdef int expand(self, boards.FastBoard after, bint informed) except -1

    @cython.locals(field=fields.Field, mover=int, enemy=int, species=int, into=int, prey=int,
                   cell=int, critter=int, open_cells=int, theirs=uint64_t, left=uint64_t,
                   prey_cells=uint64_t)
    cdef void set_position(self) noexcept

    @cython.locals(field=fields.Field, size=int, species=int, predator=int, risk=int,
                   saved=int, closed=int, hunts=int, fears=int, spoilt=int, feature=int,
                   mask=uint64_t, border=uint64_t, stones=uint64_t, cases=uint16_t[::1],
                   total=double)
    cdef double promise(self, int cell, int critter, int gain) noexcept
