"""Files that are whole or not there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and then move it there, so that nobody ever sees half of it."""
    folder = path.resolve().parent
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(permissions())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def permissions() -> int:
    """Return what a new file may be used for, which a temporary one may not."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
