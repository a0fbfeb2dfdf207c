# The types with which `cirkle_mind.py` is compiled.

cimport cython
from libc.stdint cimport uint8_t, uint16_t

from game.engine.fast cimport board as boards

cdef int CELLS, COLUMNS, ROWS, OUTSIDE, WIDTH, WALL, FACE, FULL, SHOWN, HIDDEN, BACK, NO_ATTACK
cdef int BOTH, ATTACKER, DEFENDER, TARGET_TAKEN, TARGET_LOST
cdef int OUTCOMES, OUTCOME, AS_BLACK, LAYERS
cdef uint8_t[::1] SIDES, NEXT, BARE, SHIELDS, IS_BLACK, IS_TARGET, OWN_TARGET
cdef double[::1] WORTH, ADVANCE
cdef double EXPOSED, KEENNESS, SPARE, SURE, EVEN_ODDS, SUPPORTED, TURN, NEXT_TURN, FALLS, FLEES
cdef double HUNT


cdef class MindBoard(boards.FastBoard):
    cdef public bint exchanged, shielded
    cdef public int goal, target
    cdef public uint16_t[::1] pieces
    cdef public uint8_t[::1] near

    @cython.locals(source=MindBoard, at=int)
    cpdef void copy_from(self, boards.FastBoard other) except *

    @cython.locals(count=int, side=int, own=int, enemy=int, start=int, step=int, goal=int, move=int,
                   attack=int, hidden=int)
    cpdef int list_moves(self) except -1

    @cython.locals(index=int)
    cpdef int expand(self, boards.FastBoard after, bint informed) except -1

    @cython.locals(piece=int)
    cpdef bint allows(self, int move) except *

    @cython.locals(side=int, attack=int, start=int, goal=int)
    cpdef void play(self, int move) except *

    @cython.locals(side=int, attacker=int, defender=int, result=int)
    cdef int _outcome(self) noexcept

    @cython.locals(attacker=int, defender=int)
    cdef void _settle(self, int outcome) noexcept

    @cython.locals(result=int, shield=int, other=int)
    cdef int decided(self, int attacker, int defender) noexcept

    @cython.locals(found=int, own=int, attack=int, goal=int, step=int, piece=int)
    cdef int threat(self, int side, int target, int defender) noexcept

    @cython.locals(first=int, own=double, others=double, lead=double, leader=int)
    cpdef void evaluate(self) except *

    @cython.locals(total=double, worth=double, at=int, piece=int)
    cdef double strength(self, int side) noexcept

    @cython.locals(weight=double, enemy=int, most=double, victims=int, home=bint, odds=double,
                   at=int, piece=int, face=int, known=bint, attackers=int, share=double)
    cdef double gain(self, int side, double others, bint now) noexcept

    @cython.locals(attacker=int, found=int)
    cdef int declared(self) noexcept

    @cython.locals(enemy=int, at=int, count=int, total=int, piece=int)
    cdef double nearness(self, int side) noexcept
