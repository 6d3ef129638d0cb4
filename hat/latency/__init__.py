"""Latency of whole turns at an endpoint: model calls, tools and hooks, as a viewer waits for them."""

from hat.latency.measure import LatencyConfig, LatencyError, LatencyReport, Quantile, measure, summarise

__all__ = ["LatencyConfig", "LatencyError", "LatencyReport", "Quantile", "measure", "summarise"]
