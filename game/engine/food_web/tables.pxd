# The types with which `tables.py` is compiled.

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t


@cython.final
cdef class WebTables:
    cdef readonly object web
    cdef readonly int cells, species
    cdef readonly bint counts
    cdef readonly uint64_t all_cells
    cdef readonly uint64_t[::1] near, mask_of, border_of, slot_keys
    cdef readonly uint8_t[::1] size_of, species_of, prey_species, swarm_of, edge
    cdef readonly uint16_t[::1] slot_ids, grows_into
