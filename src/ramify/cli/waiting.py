"""A word on stderr about what takes long, while it does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ramify._progress import LONG
from ramify.cli.console import errors


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say what is done, with a sign that it goes on, once it takes longer than a second.

    Only on a terminal; nothing is left of it afterwards.
    """
    if not errors.is_terminal:
        yield
        return
    status = errors.status(f"{what} ...")
    timer = threading.Timer(LONG, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # else it could begin after the end
        status.stop()
