"""HAT platform: harness-aware training of compact agents for live commerce."""

__version__ = "0.1.0"
