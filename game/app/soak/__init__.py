"""Fake hands: whole games played by emulated people on an emulated board, on a virtual clock."""
