"""The page of a report in a browser: python -m benchmarks.report_page [--write-docs].

Opens a report of 10 systems x 2,000 segments x 8 metrics in Chromium, does what a reader does, and
prints how long each step took from the key or the mouse to the frame that shows its result.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect

from benchmarks.corpus import write_lines
from benchmarks.machine import describe_machine
from benchmarks.report import render_results, write_page
from benchmarks.tables import Row, Section
from benchmarks.timing import cpu_seconds
from tenbin.cli.main import main as tenbin
from tests.browser.chromium import HOW_TO_INSTALL, find_chromium, started_chromium

SIZE = Section(
    "The file of a report",
    "One HTML file with texts, scores, explanations and the page itself; the page opens from disk. "
    "Open: from the start of navigation to the frame with the first view, median of five windows.",
    "nothing: each window is a fresh profile",
)
STEPS = Section(
    "What a reader does",
    "Milliseconds from the event of key, button or wheel to the frame after the last change of the "
    "document that it caused, by the browser's own clock; a page that answers late or in two steps "
    "is charged for both. Median and worst of the repetitions.",
    "the page is open, and its views are drawn for the first time",
)
ROOT = Path(__file__).resolve().parents[1]
_PAGE = ROOT / "docs" / "performance.md"
_MARKER = "<!-- benchmarks: report page -->"
_SYSTEMS, _SEGMENTS = 10, 2_000
_METRICS = (
    *("sentbleu", "chrf", "chrf++", "ter", "ribes", "meteor"),
    *('has(vectors="glove-en-small")', 'we_wpi(vectors="glove-en-small")'),
)
_OPENED, _REPEATED = 5, 7
_LIMIT_OPEN, _LIMIT_STEP, _LIMIT_SIZE = 2_000, 100, 1_500_000

# Both clocks are the page's. What a step begins with is the first event after 'arm'; what it ends
# with is the frame after the last change of the document.
_METER = """
(() => {
  const meter = { begin: null, end: null, opened: null };
  window.meter = meter;
  meter.arm = () => { meter.begin = null; meter.end = null; };
  const note = (event) => { if (meter.begin === null) meter.begin = event.timeStamp; };
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "input", "change"])
    addEventListener(kind, note, { capture: true, passive: true });
  const framed = () => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      meter.end = performance.now();
      if (meter.opened === null && document.querySelector("main[data-view] > *"))
        meter.opened = meter.end;
    };
    requestAnimationFrame(() => channel.port2.postMessage(0));
  };
  new MutationObserver(framed).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true });
})();
"""
