# The types with which `board.py` is compiled.
#
# Inline methods are called directly. Others are looked up in the class, which would take a quarter
# of a search's time.

cimport cython
from libc cimport math
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from game.engine.fast cimport bits, chance
from game.engine.fast cimport board as boards
from game.engine.food_web cimport tables as webs

cdef uint64_t WORD, ONE, HASH_FACTOR, LAST_SLOT
cdef int HASH_SHIFT, STONES, EATEN, CROWD, SPECIES_CELLS, WORDS, CELLS
cdef double MEAL
cdef int SPECIES, FULL, MANY_OPEN, FEW_OPEN
cdef int MADE, GAIN, RISK, SAVED, SPOILT, THEIRS, HUNTS, CLOSED, CROWDED, INWARD, FEARS, TRADE
cdef int MADE_OF_THEIRS, RISKED
cdef float[::1] CASE_WEIGHTS


cdef class FoodWebBoard(boards.FastBoard):
    cdef webs.WebTables tables
    cdef public uint64_t[::1] words
    cdef bint counts
    cdef uint64_t all_cells
    cdef uint64_t[::1] near, mask_of, border_of, slot_keys
    cdef uint8_t[::1] size_of, species_of, prey_species, swarm_of
    cdef uint16_t[::1] slot_ids, critters
    cdef readonly uint64_t target, open
    cdef bint learned
    cdef uint64_t[::1] reach, hunted, feared
    cdef uint8_t[::1] bites, growth
    cdef uint64_t danger
    cdef int stage

    @cython.locals(source=FoodWebBoard, index=int)
    cpdef void copy_from(self, boards.FastBoard other) except *

    cpdef int list_moves(self) except -1

    cpdef void play(self, int move) except *

    @cython.locals(player=int, enemy=int, joined=int, critter=int, gone=int,
                   mask=uint64_t, touched=uint64_t, prey=uint64_t)
    cdef inline void place(self, int cell) noexcept

    @cython.locals(one=uint64_t, two=uint64_t)
    cdef inline void _decide(self, int last) noexcept

    @cython.locals(mover=int, count=int, needed=int, index=int, gain=int, critter=int)
    cpdef int expand(self, boards.FastBoard after, bint informed) except -1

    @cython.locals(mover=int, enemy=int, species=int, into=int, prey=int, cell=int, critter=int,
                   open_cells=int, theirs=uint64_t, left=uint64_t, prey_cells=uint64_t)
    cdef inline void survey(self) noexcept

    @cython.locals(size=int, species=int, predator=int, risk=int, saved=int, closed=int, hunts=int,
                   fears=int, gained=int, crowd=int, mask=uint64_t, border=uint64_t,
                   stones=uint64_t)
    cdef inline double promise(self, int cell, int critter, int gain) noexcept

    @cython.locals(cell=int)
    cpdef void play_out(self, chance.Xorshift rng, bint informed) except *

    @cython.locals(crowd=int)
    cdef inline uint64_t open_cells(self, int player) noexcept

    cdef inline uint64_t species_cells(self, int player, int species) noexcept

    @cython.locals(mask=uint64_t, touched=uint64_t, part=uint64_t)
    cdef inline int critter_at(self, int player, int cell) noexcept

    @cython.locals(slot=uint64_t)
    cdef inline int critter_of(self, uint64_t mask) noexcept

    @cython.locals(player=int, crowd=int, likely=uint64_t, left=uint64_t, later=uint64_t, best=int,
                   most=int, half=int, cell=int, prey=uint64_t)
    cdef inline int greediest(self, int start) noexcept

    @cython.locals(species_cells=uint64_t, found=uint64_t)
    cdef inline uint64_t prey_of(self, int enemy, int critter) noexcept

    @cython.locals(swarm=int, other=int, mask=uint64_t, prey=uint64_t)
    cdef inline uint64_t eaten_by(self, int player, int critter, uint64_t found) noexcept

    @cython.locals(around=uint64_t, count=int)
    cdef inline int alike(self, int player, int critter, int prey) noexcept

    @cython.locals(mask=uint64_t, border=uint64_t, left=uint64_t, size=int, crowd=int,
                   ones=uint64_t, twos=uint64_t, fours=uint64_t, plane=uint64_t, carry=uint64_t)
    cdef inline void _add(self, int player, int critter) noexcept

    @cython.locals(mask=uint64_t, border=uint64_t, size=int, crowd=int,
                   ones=uint64_t, twos=uint64_t, fours=uint64_t, plane=uint64_t, borrow=uint64_t)
    cdef inline void _remove(self, int player, int critter) noexcept
