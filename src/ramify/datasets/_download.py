"""One file from the network."""

from __future__ import annotations

from http.client import HTTPException, IncompleteRead
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

#: Seconds without an answer after which an address counts as not reachable.
TIMEOUT = 20.0

#: Bytes that no file of a data set has.
_LARGEST = 100_000_000


class DownloadError(OSError):
    """A file could not be downloaded; the text names the address and the reason."""


def download_file(address: str) -> bytes:
    """Return the whole content at an address.

    Raises
    ------
    DownloadError
        If there is no answer in time, a refusal, or an answer that was cut off.
    """
    try:
        with urlopen(Request(address, headers={"User-Agent": "ramify"}), timeout=TIMEOUT) as answer:
            content: bytes = answer.read(_LARGEST + 1)
            promised = answer.headers.get("Content-Length")
    except IncompleteRead as error:
        raise _cut_off(address, len(error.partial), str(error.expected)) from None
    except HTTPError as error:
        raise DownloadError(f"{address} can't be downloaded: {error.code} {error.reason}") from None
    except URLError as error:
        raise DownloadError(f"{address} can't be downloaded: {error.reason}") from None
    except (OSError, HTTPException) as error:
        reason = str(error) or type(error).__name__
        raise DownloadError(f"{address} can't be downloaded: {reason}") from None
    if len(content) > _LARGEST:
        raise DownloadError(f"{address} is larger than {_LARGEST:,} bytes, so it is no data set.")
    # With a limit to `read`, http.client ends without a word where the answer is cut off.
    if promised is not None and promised.isdigit() and len(content) != int(promised):
        raise _cut_off(address, len(content), promised)
    return content


def _cut_off(address: str, length: int, promised: str) -> DownloadError:
    return DownloadError(f"{address} was cut off after {length:,} of {promised} bytes; try again.")
