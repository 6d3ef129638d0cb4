"""The component `gate`."""
