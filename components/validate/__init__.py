"""The component `validate`."""
