# The types with which `board.py` is compiled.

cimport cython
from libc cimport math
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from game.engine.circle cimport field as fields
from game.engine.fast cimport bits, chance
from game.engine.fast cimport board as boards

cdef double MEAL
cdef int CELLS, SPECIES, FULL, MANY_OPEN, FEW_OPEN, FEATURES
cdef int MADE, GAIN, RISK, SAVED, SPOILT, THEIRS, HUNTS, CLOSED, CROWDED, INWARD, FEARS, TRADE
cdef int MADE_OF_THEIRS, RISKED
cdef uint64_t[::1] NEAR, MASK_OF, BORDER_OF
cdef uint8_t[::1] SIZE_OF, SPECIES_OF, EDGE
cdef uint16_t[::1] GROWS_INTO
cdef float[::1] CASE_WEIGHTS


cdef class CircleBoard(boards.Board):
    cdef public fields.Field field
    cdef uint16_t[::1] cases
    cdef uint64_t[::1] reach, hunted, feared
    cdef uint8_t[::1] bites, growth
    cdef uint64_t danger, mine
    cdef int stage

    @cython.locals(source=CircleBoard)
    cpdef void copy_from(self, boards.Board other) except *

    cpdef int list_moves(self) except -1
    cpdef void play(self, int move) except *
    cpdef int result(self) except -1

    @cython.locals(field=fields.Field, mover=int, count=int, needed=int, index=int, gain=int)
    cpdef int expand(self, boards.Board after, bint informed) except -1

    @cython.locals(winner=int)
    cpdef void play_out(self, chance.Xorshift rng, bint informed) except *

    @cython.locals(field=fields.Field, mover=int, enemy=int, species=int, into=int, prey=int,
                   cell=int, critter=int, open_cells=int, theirs=uint64_t, left=uint64_t,
                   prey_cells=uint64_t)
    cdef void set_position(self) noexcept

    @cython.locals(field=fields.Field, mover=int, critter=int, size=int, species=int,
                   predator=int, gain=int, risk=int, saved=int, closed=int, hunts=int,
                   fears=int, spoilt=int, mask=uint64_t, border=uint64_t, cases=uint16_t[::1])
    cdef int encode(self, int cell) noexcept

    @cython.locals(total=double, feature=int)
    cdef double score(self) noexcept
