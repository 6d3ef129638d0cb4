"""The pipelines, each readable as a table of contents."""
