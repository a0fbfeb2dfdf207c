# The types with which `field.py` is compiled.

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from game.engine.fast cimport bits, chance
from game.engine.food_web cimport tables as webs

cdef uint64_t WORD, ONE, HASH_FACTOR, LAST_SLOT
cdef int HASH_SHIFT, STONES, EATEN, CROWD, SPECIES_CELLS, WORDS, CELLS, LONGEST


@cython.final
cdef class Field:
    cdef uint64_t[::1] words
    cdef bint counts
    cdef uint64_t all_cells
    cdef uint64_t[::1] near, mask_of, border_of, slot_keys
    cdef uint8_t[::1] size_of, species_of, prey_species, swarm_of
    cdef uint16_t[::1] slot_ids, critters
    cdef public uint64_t target
    cdef public int mover

    @cython.locals(index=int)
    cpdef void copy_from(self, Field other) noexcept

    cpdef void put(self, int player, uint64_t mask) noexcept
    cpdef void set_eaten(self, int player, uint64_t stones) noexcept
    cpdef uint64_t stones(self, int player) noexcept
    cpdef uint64_t eaten(self, int player) noexcept

    @cython.locals(crowd=int)
    cpdef uint64_t open_cells(self, int player) noexcept

    cpdef uint64_t species_cells(self, int player, int species) noexcept

    @cython.locals(player=int)
    cpdef int winner(self) noexcept

    @cython.locals(one=uint64_t, two=uint64_t)
    cdef int winner_stuck(self) noexcept

    @cython.locals(mask=uint64_t, touched=uint64_t, part=uint64_t)
    cpdef int critter_at(self, int player, int cell) noexcept

    @cython.locals(slot=uint64_t)
    cdef int critter_of(self, uint64_t mask) noexcept

    cpdef uint64_t prey_at(self, int player, int cell) noexcept

    @cython.locals(player=int, enemy=int, joined=int, critter=int, gone=int,
                   mask=uint64_t, touched=uint64_t, prey=uint64_t, eaten=uint64_t)
    cpdef uint64_t place(self, int cell) noexcept

    @cython.locals(mover=int, mask=uint64_t)
    cpdef int playout(self, chance.Xorshift rng) noexcept

    @cython.locals(mover=int, mask=uint64_t, cell=int, _=int)
    cpdef int greedy_playout(self, chance.Xorshift rng) noexcept

    @cython.locals(crowd=int, likely=uint64_t, left=uint64_t, later=uint64_t, best=int, most=int,
                   half=int, cell=int, gain=int, prey=uint64_t)
    cpdef int greediest(self, int player, uint64_t mask, int start) noexcept

    @cython.locals(species_cells=uint64_t, found=uint64_t)
    cpdef uint64_t prey_of(self, int enemy, int critter) noexcept

    @cython.locals(swarm=int, other=int, mask=uint64_t, prey=uint64_t)
    cdef uint64_t eaten_by(self, int player, int critter, uint64_t found) noexcept

    @cython.locals(around=uint64_t, count=int)
    cdef int alike(self, int player, int critter, int prey) noexcept

    @cython.locals(mask=uint64_t, border=uint64_t, left=uint64_t, size=int, crowd=int,
                   ones=uint64_t, twos=uint64_t, fours=uint64_t, plane=uint64_t, carry=uint64_t)
    cdef void _add(self, int player, int critter) noexcept

    @cython.locals(mask=uint64_t, border=uint64_t, size=int, crowd=int,
                   ones=uint64_t, twos=uint64_t, fours=uint64_t, plane=uint64_t, borrow=uint64_t)
    cdef void _remove(self, int player, int critter) noexcept
