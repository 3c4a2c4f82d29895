"""The command line: ``ramify`` and ``python -m ramify``."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from ramify.cli import app
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("typer", "rich", "polars", "click"):
            raise
        sys.exit(f"ramify's command line needs {error.name}: pip install 'ramify[cli]'")
    except KeyboardInterrupt:  # before the command has begun
        sys.exit(130)
    app(prog_name="ramify")


if __name__ == "__main__":
    main()
