"""The component `sft`."""
