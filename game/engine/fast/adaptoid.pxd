# The types with which `adaptoid.py` is compiled.

cimport cython
from libc.stdint cimport uint8_t, uint64_t

from game.engine.fast cimport bits
from game.engine.fast cimport board as boards

cdef int PLACES, BODIES, LEGS, PINCERS, SOCKETS, ENOUGH, WHITE, STILL, LEG, PINCER
cdef int FIRST_BODY, SECOND_BODY, CHOOSE, MOVE, GROW
cdef uint64_t ALL, ONE
cdef uint64_t[::1] NEAR
cdef double CAPTURED, BODY, LIMB, PREY, FEARED

cdef uint64_t around(uint64_t mask) noexcept


cdef class AdaptoidBoard(boards.FastBoard):
    cdef public int phase, white
    cdef public uint64_t[::1] bodies
    cdef public uint8_t[::1] limbs, captured

    @cython.locals(source=AdaptoidBoard, index=int, place=int)
    cpdef void copy_from(self, boards.FastBoard other) except *

    @cython.locals(count=int, left=uint64_t, start=int)
    cpdef int list_moves(self) except -1

    @cython.locals(legs=int, home=uint64_t, enemy=uint64_t, empty=uint64_t, seen=uint64_t,
                   near=uint64_t, _=int)
    cdef uint64_t goals(self, int start) noexcept

    @cython.locals(own=uint64_t, taken=uint64_t, found=uint64_t, left=uint64_t, used=int,
                   place=int, legs=int, pincers=int)
    cdef uint64_t room(self, int part) noexcept

    cpdef void play(self, int move) except *

    @cython.locals(own=int, mine=int, its=int, there=uint64_t)
    cdef void _move(self, int start, int goal) noexcept

    @cython.locals(own=int)
    cdef void _decide(self) noexcept

    @cython.locals(enemy=int, starved=uint64_t)
    cdef void _starve(self) noexcept

    @cython.locals(found=uint64_t, taken=uint64_t, place=int, limbs=int)
    cdef uint64_t lacking(self, uint64_t mask, int spare) noexcept

    @cython.locals(own=uint64_t, enemies=uint64_t, reach=uint64_t, found=uint64_t, left=uint64_t,
                   ends=uint64_t, start=int, goal=int, place=int)
    cdef uint64_t prey(self, int colour) noexcept

    @cython.locals(own=int, lead=double)
    cpdef void evaluate(self) except *

    @cython.locals(total=double, left=uint64_t, limbs=int)
    cdef double strength(self, int colour) noexcept
