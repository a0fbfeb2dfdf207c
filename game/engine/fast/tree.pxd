# The types with which `tree.py` is compiled.

cimport cython
from libc cimport math
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t

from game.engine.fast cimport bits, chance
from game.engine.fast cimport board as boards

cdef int EXPAND_VISITS, MOST_CHILDREN, DEEPEST, SINGLE_MOVE_NODES
cdef uint32_t FIRST_CAPACITY, MOST_NODES
cdef double UCT_EXPLORATION, PUCT_EXPLORATION, FPU_REDUCTION, UNVISITED


@cython.final
cdef class Tree:
    cdef readonly boards.FastBoard root
    cdef boards.FastBoard board, after
    cdef chance.Xorshift rng
    cdef bint informed
    cdef public bint hidden
    cdef public double exploration, fpu_reduction, even_share
    cdef public uint32_t expand_visits
    cdef readonly long nodes
    cdef readonly uint32_t capacity, used
    cdef uint32_t[::1] path, first, visits
    cdef uint16_t[::1] child_counts, moves
    cdef uint8_t[::1] deciders, movers
    cdef int8_t[::1] proofs
    cdef float[::1] scores, priors

    @cython.locals(done=long)
    cpdef go_on(self, long nodes)

    @cython.locals(board=boards.FastBoard, node=uint32_t, child=uint32_t, visits=uint32_t, index=int,
                   mover=int, proof=int, value=double, guess=double, score=double, known=bint)
    cpdef children(self, tuple made=*)

    @cython.locals(first=uint32_t, child=uint32_t, best=uint32_t, better=int)
    cpdef line(self, uint32_t node)

    @cython.locals(proof=int)
    cdef int _rank(self, uint32_t node, uint32_t child) noexcept

    @cython.locals(first=uint32_t, child=uint32_t)
    cdef uint32_t _child(self, uint32_t node, int move) noexcept

    @cython.locals(first=uint32_t, child=uint32_t)
    cdef bint _all_proved(self, uint32_t node) noexcept

    @cython.locals(begun=bint)
    cdef bint _is_done(self, uint32_t child) noexcept

    @cython.locals(first=uint32_t, child=uint32_t, best=uint32_t, count=int, fewest=double)
    cdef uint32_t _neglected(self, uint32_t node) noexcept

    @cython.locals(board=boards.FastBoard, node=uint32_t, child=uint32_t, depth=int, proof=int,
                   decider=int, few=bint)
    cdef int _simulate(self) except -1

    @cython.locals(first=uint32_t, child=uint32_t, other=int)
    cdef int _proof_of(self, uint32_t node, int proof) noexcept

    @cython.locals(first=uint32_t, child=uint32_t, best=uint32_t, visits=uint32_t,
                   most=double, factor=double, value=double, score=double)
    cdef uint32_t _select_ucb(self, uint32_t node) noexcept

    @cython.locals(first=uint32_t, child=uint32_t, best=uint32_t, visits=uint32_t,
                   most=double, total=double, expected=double, factor=double, value=double,
                   score=double)
    cdef uint32_t _select_puct(self, uint32_t node, int decider) noexcept

    @cython.locals(board=boards.FastBoard, count=int, index=int, first=uint32_t, child=uint32_t,
                   total=double)
    cdef int _expand(self, uint32_t node) except -1

    cdef int _grow(self, uint32_t capacity) except -1
