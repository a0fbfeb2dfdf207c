"""Measurements of this machine: speed, latency, idle use and memory."""
