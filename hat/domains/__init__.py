"""Worlds with tools and seeded tasks, the oracle that solves them, and verdicts by program."""
