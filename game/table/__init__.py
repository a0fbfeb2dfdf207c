"""The umpire at the physical table: a state machine without I/O, above the rules."""
