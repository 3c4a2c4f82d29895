"""Files that are whole or not there."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and then move it there, so that nobody ever sees half of it.

    A link stays one, what it leads to is written; a device or a pipe, such as ``/dev/stdout``, is written to.
    """
    if is_special(path):
        path.write_bytes(content)
        return
    place = path.resolve()
    try:
        descriptor, temporary = tempfile.mkstemp(dir=place.parent, prefix=place.name, suffix=".part")
    except OSError as error:  # nobody knows the temporary name
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(permissions(place))
        Path(temporary).replace(place)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def is_special(path: Path) -> bool:
    """Whether something is there that is no file: moving a file to its place would destroy it."""
    return path.exists() and not path.is_file()


def permissions(place: Path) -> int:
    """Return what a file may be used for: what the old one may, or any new one; a temporary one may less."""
    if place.exists():
        return stat.S_IMODE(place.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
