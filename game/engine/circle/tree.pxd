# The types that `tree.py` is compiled with; what everything is stands there.

cimport cython
from libc cimport math
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from game.engine.circle cimport field as fields
from game.engine.circle cimport judge as judges

cdef int WON, LOST, PATIENCE, MOST_CHILDREN, DEEPEST, ENOUGH
cdef uint32_t FIRST_ROOM, MOST_ROOM
cdef double EXPLORATION, CURIOSITY, DOUBT, UNTRIED


@cython.final
cdef class Tree:
    cdef fields.Field root, field
    cdef fields.Chance chance
    cdef judges.Judge judge
    cdef bint knows
    cdef public double curiosity, doubt
    cdef public uint32_t patience
    cdef readonly long nodes
    cdef readonly uint32_t room, used
    cdef uint32_t[::1] path, first, visits
    cdef uint8_t[::1] kids, cells
    cdef int8_t[::1] proofs
    cdef float[::1] scores, priors

    @cython.locals(done=long)
    cpdef go_on(self, long nodes)

    @cython.locals(first=uint32_t, kid=uint32_t)
    cpdef children(self)

    @cython.locals(first=uint32_t, kid=uint32_t, best=uint32_t)
    cpdef line(self, uint32_t node)

    @cython.locals(field=fields.Field, node=uint32_t, depth=int, proof=int, winner=int, player=int)
    cdef int _simulate(self) except -1

    @cython.locals(first=uint32_t, kid=uint32_t)
    cdef int _deduce(self, uint32_t node, int proof) noexcept

    @cython.locals(first=uint32_t, kid=uint32_t, best=uint32_t, visits=uint32_t,
                   most=double, factor=double, value=double)
    cdef uint32_t _bound(self, uint32_t node) noexcept

    @cython.locals(first=uint32_t, kid=uint32_t, best=uint32_t, visits=uint32_t,
                   most=double, total=double, expected=double, factor=double, value=double)
    cdef uint32_t _preferred(self, uint32_t node) noexcept

    @cython.locals(field=fields.Field, mover=int, open_cells=uint64_t, needed=int, cell=int,
                   gain=int, first=uint32_t, end=uint32_t, kid=uint32_t, total=double,
                   weight=double)
    cdef int _expand(self, uint32_t node) except -1

    cdef int _widen(self, uint32_t room) except -1
