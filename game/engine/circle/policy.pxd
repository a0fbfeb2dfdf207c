# The types with which `policy.py` is compiled.

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from game.engine.circle cimport field as fields
from game.engine.fast cimport bits

cdef int CELLS, SPECIES, FULL, MANY_OPEN, FEW_OPEN, FEATURES
cdef int MADE, GAIN, RISK, SAVED, SPOILT, THEIRS, HUNTS, CLOSED, CROWDED, INWARD, FEARS, TRADE
cdef int MADE_OF_THEIRS, RISKED
cdef uint64_t[::1] NEAR, MASK_OF, BORDER_OF
cdef uint8_t[::1] SIZE_OF, SPECIES_OF, EDGE
cdef uint16_t[::1] GROWS_INTO


@cython.final
cdef class Policy:
    cdef float[::1] weights
    cdef uint16_t[::1] cases
    cdef uint64_t[::1] reach, hunted, feared
    cdef uint8_t[::1] bites, growth
    cdef uint64_t danger, mine
    cdef int stage

    @cython.locals(mover=int, enemy=int, species=int, into=int, prey=int, cell=int, critter=int,
                   open_cells=int, theirs=uint64_t, left=uint64_t, prey_cells=uint64_t)
    cdef void set_position(self, fields.Field field) noexcept

    @cython.locals(mover=int, critter=int, size=int, species=int, predator=int, gain=int, risk=int,
                   saved=int, closed=int, hunts=int, fears=int, spoilt=int,
                   mask=uint64_t, border=uint64_t, cases=uint16_t[::1])
    cdef int encode(self, fields.Field field, int cell) noexcept

    @cython.locals(total=double, feature=int)
    cdef double score(self) noexcept
