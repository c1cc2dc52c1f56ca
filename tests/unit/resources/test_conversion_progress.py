"""Who shows how far a conversion is."""

from collections.abc import Callable
from pathlib import Path

from tenbin.resources.store.conversion_progress import conversion_progress, conversions_reported_to
from tenbin.resources.store.store import ResourceStore

VECTORS = b"".join(b"word%d 1 0.5 %d\n" % (number, number) for number in range(500))


def test_the_one_who_asked_for_it_gets_the_reports() -> None:
    seen: list[float] = []
    with conversions_reported_to(seen.append), conversion_progress("x", wanted=False) as report:
        assert report is not None
        report(0.5)
    assert seen == [0.5]
    with conversions_reported_to(None), conversion_progress("x", wanted=True) as report:
        assert report is None


def test_afterwards_it_is_as_before() -> None:
    with conversions_reported_to(print):
        pass
    with conversion_progress("x", wanted=False) as report:
        assert report is None


def test_an_install_counts_the_bytes_again_that_it_converts(
    store: Callable[..., ResourceStore],
    provider: dict[str, str],
    fake_client: Callable[..., None],
    make_zip: Callable[..., Path],
) -> None:
    wheel = make_zip(**{"data/words.dat": VECTORS})
    fake_client("pip", wheel)
    seen: list[int] = []
    opened = store(provider["wheel"], data=VECTORS, kind="vectors", prepare="vectors-float16-1")
    opened.install("words", advance=seen.append)
    assert sum(seen) == wheel.stat().st_size + 2 * len(VECTORS)
