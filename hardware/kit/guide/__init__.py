"""The assembly guide."""
