"""What all tests can ask for."""

import signal

import pytest


def pytest_configure():
    """Hear Ctrl-C, as processes that tests start must: shells let what runs in the background ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def chromium():
    """The browser of the session; what needs it is skipped where there is none."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    from browser import Browser, unavailable

    reason = unavailable()
    if reason is not None:
        pytest.skip(reason)
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture
def browser(chromium):
    """The browser with an empty console, which must stay empty."""
    chromium.messages()
    yield chromium
    assert chromium.messages() == []


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """The folder with the pages of `explorer_pages`."""
    from explorer_pages import write_pages

    folder = tmp_path_factory.mktemp("pages")
    write_pages(folder)
    return folder


@pytest.fixture
def two(tmp_path):
    """Two Parquet files with a target, the second of which may be replaced: their folder, and its rows."""
    import polars as pl

    from source_samples import rows

    frame, y = rows(200)
    frame = frame.with_columns(target=pl.Series(y.tolist()))
    frame[:100].write_parquet(tmp_path / "a.parquet")
    frame[100:].write_parquet(tmp_path / "b.parquet")
    return tmp_path, frame[100:]
