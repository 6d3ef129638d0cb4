"""The component `synthesize`."""
