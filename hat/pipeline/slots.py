"""How many tasks run at once on this machine, and which comes next."""

import contextlib
import heapq
import itertools
import threading
from collections.abc import Iterator


class Slots:
    """Places for tasks to run in; whoever has the longest chain behind it comes first."""

    def __init__(self, count: int) -> None:
        self._free, self._waiting = count, list[tuple[int, int]]()
        self._changed, self._number = threading.Condition(), itertools.count()

    @contextlib.contextmanager
    def taken(self, chain: int) -> Iterator[None]:
        """A place, once there is one."""
        with self._changed:
            mine = (-chain, next(self._number))
            heapq.heappush(self._waiting, mine)
            self._changed.wait_for(lambda: self._free > 0 and self._waiting[0] == mine)
            heapq.heappop(self._waiting)
            self._free -= 1
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()
