"""The component `rl`."""
