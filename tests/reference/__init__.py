"""Slow versions by definition, in plain NumPy, that the tests compare the library with.

Nothing here imports ``ramify``: the two sides must be able to disagree.
"""
