# The types with which `chance.py` is compiled.

cimport cython
from libc.stdint cimport uint64_t

from game.engine.fast cimport bits

cdef uint64_t WORD, SEED_FACTOR, XORSHIFT_FACTOR


@cython.final
cdef class Xorshift:
    cdef readonly uint64_t state

    @cython.locals(state=uint64_t)
    cpdef uint64_t draw(self) noexcept

    cpdef int below(self, uint64_t limit) noexcept

    @cython.locals(drawn=uint64_t, cell=int, steps=int, _=int)
    cpdef int cell(self, uint64_t mask) noexcept
