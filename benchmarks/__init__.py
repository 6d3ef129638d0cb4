"""Speed against what one would use instead. A module that does not begin with `_` is a benchmark: `rows()` measures."""
