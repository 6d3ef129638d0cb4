"""The component `opd`."""
