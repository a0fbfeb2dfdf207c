# The types with which `tree.py` is compiled.

cimport cython
from libc cimport math
from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t

from game.engine.circle cimport field as fields
from game.engine.circle cimport policy as policies

cdef int WON, LOST, EXPAND_VISITS, MOST_CHILDREN, DEEPEST, SINGLE_MOVE_NODES
cdef uint32_t FIRST_CAPACITY, MOST_NODES
cdef double UCT_EXPLORATION, PUCT_EXPLORATION, FPU_REDUCTION, UNVISITED


@cython.final
cdef class Tree:
    cdef fields.Field root, field
    cdef fields.Xorshift rng
    cdef policies.Policy policy
    cdef bint informed
    cdef public double exploration, fpu_reduction
    cdef public uint32_t expand_visits
    cdef readonly long nodes
    cdef readonly uint32_t capacity, used
    cdef uint32_t[::1] path, first, visits
    cdef uint8_t[::1] child_counts, cells
    cdef int8_t[::1] proofs
    cdef float[::1] scores, priors

    @cython.locals(done=long)
    cpdef go_on(self, long nodes)

    @cython.locals(first=uint32_t, child=uint32_t)
    cpdef children(self)

    @cython.locals(first=uint32_t, child=uint32_t, best=uint32_t, better=int)
    cpdef line(self, uint32_t node)

    @cython.locals(field=fields.Field, node=uint32_t, depth=int, proof=int, winner=int, player=int)
    cdef int _simulate(self) except -1

    @cython.locals(first=uint32_t, child=uint32_t)
    cdef int _proof_of(self, uint32_t node, int proof) noexcept

    @cython.locals(first=uint32_t, child=uint32_t, best=uint32_t, visits=uint32_t,
                   most=double, factor=double, value=double)
    cdef uint32_t _select_ucb(self, uint32_t node) noexcept

    @cython.locals(first=uint32_t, child=uint32_t, best=uint32_t, visits=uint32_t,
                   most=double, total=double, expected=double, factor=double, value=double)
    cdef uint32_t _select_puct(self, uint32_t node) noexcept

    @cython.locals(field=fields.Field, mover=int, open_cells=uint64_t, needed=int, cell=int,
                   gain=int, first=uint32_t, end=uint32_t, child=uint32_t, total=double,
                   weight=double)
    cdef int _expand(self, uint32_t node) except -1

    cdef int _grow(self, uint32_t capacity) except -1
