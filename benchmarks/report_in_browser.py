"""The page of a report in a browser: python -m benchmarks.report_in_browser [--write-docs].

Opens a report of 10 systems x 2,000 segments x 8 metrics in Chromium, does what a reader does, and
prints how long each step took from the key or the mouse to the frame that shows its result.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, CDPSession, Page, expect
from tests.browser.chromium import HOW_TO_INSTALL, find_chromium, started_chromium

from benchmarks.machine import describe_machine
from benchmarks.report import render_results, write_page
from benchmarks.tables import Row, Section
from tenbin.cli.main import main as tenbin

SIZE = Section(
    "The file of a report",
    "One HTML file with texts, scores, explanations and the page itself; the page opens from disk. "
    "Open: from the start of navigation to the frame with the first view, median of five windows.",
    "nothing: each window is a fresh profile",
)
STEPS = Section(
    "What a reader does",
    "Milliseconds from the event of key, button or wheel to the frame that shows the answer, and "
    "to the frame after the last change of the document that it caused (what a view adds below "
    "the part in sight comes later, in pieces), by the browser's own clock, in three windows. "
    "Processor time is that of the page's thread for the whole step, with what it put off and the "
    "events that the test sends; other work on the machine lengthens the first two, not the third.",
    "the page is open, its views are not drawn yet",
)
ROOT = Path(__file__).resolve().parents[1]
_PAGE = ROOT / "docs" / "performance.md"
_MARKER = "<!-- benchmarks: report page -->"
_DATA = ROOT.parent / "shared" / "data"
_SYSTEMS = 10
_METRICS = (
    *("sentbleu", "chrf", "chrf++", "ter", "ribes", "meteor"),
    *('has(vectors="glove-en-small")', 'we_wpi(vectors="glove-en-small")'),
)
_OPENED, _WINDOWS, _REPEATED = 5, 3, 7
_LIMIT_OPEN, _LIMIT_STEP, _LIMIT_SIZE = 2_000, 100, 1_500_000

# Both clocks are the page's. What a step begins with is the first event after 'arm'; what it ends
# with is the frame after the last change of the document.
_METER = """
(() => {
  const meter = { begin: null, first: null, end: null, opened: null };
  window.meter = meter;
  meter.arm = () => { meter.begin = meter.first = meter.end = null; };
  const note = (event) => { if (meter.begin === null) meter.begin = event.timeStamp; };
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "input", "change"])
    addEventListener(kind, note, { capture: true, passive: true });
  const framed = () => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      meter.end = performance.now();
      meter.first ??= meter.end;
      if (meter.opened === null && document.querySelector("main[data-view] > *"))
        meter.opened = meter.end;
    };
    requestAnimationFrame(() => channel.port2.postMessage(0));
  };
  new MutationObserver(framed).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true });
})();
"""

Step = Callable[[Page], object]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=_DATA, help="the folder of test sets")
    parser.add_argument("--report", type=Path, help="a report that is there, instead of a new one")
    parser.add_argument("--write-docs", action="store_true", help="put the tables into the docs")
    options = parser.parse_args()
    program = find_chromium()
    if program is None:
        raise SystemExit(HOW_TO_INSTALL)
    with TemporaryDirectory() as folder, started_chromium(program) as browser:
        path = options.report or _written(Path(folder) / "report.html", options.data)
        texts, rows = _opened(browser, path)
        steps = _steps(browser, path)
        machine = describe_machine(()) | {"browser": f"Chromium {browser.version}"}
    report = render_results(machine, texts, {SIZE: rows, STEPS: steps})
    print(report)
    if options.write_docs:
        write_page(_PAGE, report, _MARKER)


def _written(path: Path, data: Path) -> Path:
    """Write the report of ten systems of WMT22 Japanese-English, 2,008 segments, by 8 metrics."""
    systems = sorted(one.stem for one in (data / "wmt22/system-outputs/ja-en").glob("*.txt"))
    if not systems:
        raise SystemExit(f"{data} has no wmt22 ja-en: name the folder of test sets with --data")
    words = ["score", "--set", str(data / "wmt22"), "--pair", "ja-en", "-t", *systems[:_SYSTEMS]]
    if tenbin([*words, "-m", *_METRICS, "--quiet", "--report", str(path)]):
        raise SystemExit("the report was not written")
    return path


def _page(browser: Browser, path: Path) -> Page:
    """Return a page that is open, in a profile of its own."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    context.add_init_script(_METER)
    page = context.new_page()
    page.goto(path.resolve().as_uri())
    page.wait_for_function("() => window.meter.opened !== null")
    return page


def _opened(browser: Browser, path: Path) -> tuple[str, list[Row]]:
    """Return what the report shows, and how large it is and how soon it is there."""
    times = []
    facts = ""
    for _ in range(_OPENED):
        page = _page(browser, path)
        times.append(float(page.evaluate("() => window.meter.opened")))
        facts = page.locator("header .facts").inner_text().replace("\n", " ")
        page.context.close()
    size = path.stat().st_size
    rows: list[Row] = [
        {"what": "file, bytes", "median": size, "worst": size, "limit": _LIMIT_SIZE},
        {"what": "open, ms", "median": median(times), "worst": max(times), "limit": _LIMIT_OPEN},
    ]
    return facts, rows


class Times(NamedTuple):
    """Of one step, in milliseconds."""

    answer: float
    end: float
    processor: float


def _steps(browser: Browser, path: Path) -> list[Row]:
    """Return how long each step takes, over several windows."""
    times: dict[str, list[Times]] = {}
    for _ in range(_WINDOWS):
        page = _page(browser, path)
        thread = page.context.new_cdp_session(page)
        thread.send("Performance.enable", {"timeDomain": "threadTicks"})
        for name, steps in _tasks().items():
            times.setdefault(name, []).extend(_timed(page, thread, step) for step in steps)
        page.context.close()
    return [_row(name, found) for name, found in times.items()]


def _row(name: str, times: list[Times]) -> Row:
    return {
        "step": name,
        "times": len(times),
        "answer, median, ms": median(one.answer for one in times),
        "worst": max(one.answer for one in times),
        "limit": _LIMIT_STEP,
        "all, median": median(one.end for one in times),
        "processor, median": median(one.processor for one in times),
    }


def _timed(page: Page, thread: CDPSession, step: Step) -> Times:
    """Return what one step takes, from its first event to its first and to its last frame."""
    before = _busy(thread)
    page.evaluate("() => window.meter.arm()")
    step(page)
    page.wait_for_function("() => window.meter.end !== null")
    # A tenth of a second later nothing that the step put off is left.
    page.evaluate(
        "() => new Promise((then) => setTimeout(() => requestAnimationFrame(() => "
        "requestAnimationFrame(then)), 100))"
    )
    first, last = page.evaluate(
        "() => [window.meter.first, window.meter.end].map((time) => time - window.meter.begin)"
    )
    return Times(float(first), float(last), _busy(thread) - before)


def _busy(thread: CDPSession) -> float:
    """Return the processor time of the page's thread so far, in milliseconds."""
    metrics = thread.send("Performance.getMetrics")["metrics"]
    return next(1000 * float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def _tasks() -> dict[str, list[Step]]:
    """Return what a reader does, in the order of a visit."""
    views = ("segments", "why", "analyses", "systems")
    sorts = ("worst", "best", "systems", "loses", "metrics", "longest", "file")
    return {
        **{f"{view}, first time": [_switched(view)] for view in views},
        "switch view again": [_switched(view) for view in (*views, *views)],
        "another metric in the ranking": [_chosen("#systems-metric", at) for at in (1, 2, 3, 0)],
        "other metrics in the scatter": [_chosen("#scatter-x", at) for at in (1, 2, 3)],
        "brush over 20,000 points": [_brushed(share) for share in (0.3, 0.5, 0.7, 0.9)],
        "to segments": [_switched("segments")],
        "letter of a search": [_key("#segments-search", letter) for letter in "station"],
        "clear the search": [_filled("#segments-search", "")],
        "sort": [_sorted(sort) for sort in sorts],
        "filter by score": [_filled("#segments-max", value) for value in ("20", "30", "")],
        "differences": [_chosen("#segments-diff", at) for at in (1, 2, 0)],
        "scroll by a wheel's turn": [_scrolled for _ in range(_REPEATED)],
        "open a segment": [_pressed("j") for _ in range(_REPEATED)],
        "why of a segment": [_pressed("w")],
        "another metric of why": [_chosen("#why-metric", at) for at in (1, 2, 0)],
        "colors": [_chosen("#theme", at) for at in (2, 1)],
    }


def _switched(view: str) -> Step:
    def step(page: Page) -> None:
        page.locator(f"nav a[data-view={view}]").click()
        expect(page.locator("main")).to_have_attribute("data-view", view)

    return step


def _chosen(select: str, at: int) -> Step:
    return lambda page: page.locator(select).select_option(index=at)


def _sorted(sort: str) -> Step:
    return lambda page: page.locator("#segments-sort").select_option(sort)


def _key(field: str, letter: str) -> Step:
    return lambda page: page.locator(field).press(letter)


def _filled(field: str, value: str) -> Step:
    return lambda page: page.locator(field).fill(value)


def _pressed(key: str) -> Step:
    def step(page: Page) -> None:
        # A field that has the focus would take the key.
        page.evaluate("() => document.activeElement?.blur()")
        page.evaluate("() => window.meter.arm()")
        page.keyboard.press(key)

    return step


def _scrolled(page: Page) -> None:
    page.locator("[role=table]").hover()
    page.evaluate("() => window.meter.arm()")
    page.mouse.wheel(0, 900)
    page.wait_for_function("() => window.meter.end !== null")


def _brushed(share: float) -> Step:
    def step(page: Page) -> None:
        frame = page.locator(".brush .ground")
        frame.scroll_into_view_if_needed()
        box = frame.bounding_box()
        if box is None:
            raise AssertionError("there is no scatter plot to brush")
        page.mouse.move(box["x"] + box["width"] * 0.05, box["y"] + box["height"] * 0.05)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] * share, steps=3)
        # What is timed is the end of the drag, when segments are selected.
        page.evaluate("() => window.meter.arm()")
        page.evaluate(
            "() => addEventListener('pointerup', (event) => { window.meter.begin = "
            "event.timeStamp; }, { capture: true, once: true })"
        )
        page.mouse.up()

    return step


if __name__ == "__main__":
    main()
