"""Colours, rhythms and layers become frames, which are sent to a strip that may fail.

Owns composing, correcting and limiting frames. Must not know profiles or how pixels are driven.
"""
