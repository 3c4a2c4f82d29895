"""Benchmarks of ramify beside other tree learners: ``python -m benchmarks``."""
