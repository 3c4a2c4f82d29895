"""What all commands share: where they write, and how they end."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup

from ramify.export.text import printable

BAD_DATA = 1
BAD_USAGE = 2
INTERRUPTED = 130
#: As for other programs whose reader went away: 128 and the number of the signal.
NO_READER = 141


class _Console(Console):
    """A console that leaves a broken pipe to `Commands`."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


console = _Console(highlight=False)
errors = _Console(stderr=True, highlight=False)

#: What to write where an encoding has no such character; one character for one, to keep columns in line.
_PLAIN = {
    **dict.fromkeys("─━╌═", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("├└┌┐┘┤┬┴┼╭╮╰╯╞╡╪", "+"),
    **dict.fromkeys("█■", "#"),
    **{"▓": "=", "▒": "-", "░": ".", "→": ">", "≤": "<", "≥": ">", "±": "~", "…": "~", "·": "-"},
}

#: The exception of all wrong usage; typer exports only those below it.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def fail(message: str, code: int = BAD_DATA) -> typer.Exit:
    """Say on one line what is wrong, and return the exception that ends the command."""
    line = printable(" ".join(message.split()))
    errors.print(Text(f"ramify: {line}", style="red"), soft_wrap=True)
    return typer.Exit(code)


class Commands(TyperGroup):
    """The commands, which end in one line on stderr and with the right code, whatever happens."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command, and leave the program."""
        if standalone_mode:
            accept_any_character()
        try:
            result = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except _UsageError as error:
            if not standalone_mode:
                raise
            result = _refuse(error)
        except typer.Abort:
            result = INTERRUPTED
        except MemoryError:
            result = fail("there is not enough memory for this.").exit_code
        if not standalone_mode:
            return result
        sys.exit(result if isinstance(result, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a reader that goes away ends it quietly."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            with Path(os.devnull).open("w") as nowhere:
                os.dup2(nowhere.fileno(), sys.stdout.fileno())  # what is still in the buffer
            raise typer.Exit(NO_READER) from None
        return result


def _refuse(error: Any) -> int:
    """Say in one line what is wrong with the words of a command, and return the code."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return BAD_USAGE
    message = " ".join(error.format_message().split())
    path = error.ctx.command_path if error.ctx is not None else "ramify"
    end = " See" if message.endswith("?") else "; see"
    return fail(f"{message.rstrip('.')}{end} `{path} --help`.", error.exit_code).exit_code


def accept_any_character() -> None:
    """Let stdout and stderr take any text: what their encoding lacks is written as something like it."""
    codecs.register_error("ramify-plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="ramify-plain")


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(mark, "?") for mark in error.object[error.start : error.end]), error.end


@contextmanager
def one_line_errors(*usage: type[Exception]) -> Iterator[None]:
    """End a command with one line if its data can't be used, or the exceptions of `usage` are raised."""
    from ramify.tables import DataError

    try:
        yield
    except usage as error:
        raise fail(str(error), BAD_USAGE) from None
    except BrokenPipeError:
        raise
    except (DataError, ImportError, OSError, TypeError, ValueError) as error:
        raise fail(str(error)) from None
