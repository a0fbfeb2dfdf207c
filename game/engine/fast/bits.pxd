# Compiled modules use this instead of `bits.py`.

from libc.stdint cimport uint64_t

cdef extern from *:
    int __builtin_ctzll(uint64_t mask) noexcept


cdef inline int lowest(uint64_t mask) noexcept:
    return __builtin_ctzll(mask)


cdef inline int count(uint64_t mask) noexcept:
    # H. Warren, Hacker's Delight, 5-1.
    mask = mask - (mask >> 1 & <uint64_t> 0x5555555555555555)
    mask = (mask & <uint64_t> 0x3333333333333333) + (mask >> 2 & <uint64_t> 0x3333333333333333)
    mask = mask + (mask >> 4) & <uint64_t> 0x0F0F0F0F0F0F0F0F
    return (mask * <uint64_t> 0x0101010101010101) >> 56
