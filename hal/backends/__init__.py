"""What a board is connected to: the contract of a backend, the built-in ones, and Device.

Owns finding a backend by name and running a board through it. Must not know games, and nothing but
the contract about backends that other packages bring.
"""
