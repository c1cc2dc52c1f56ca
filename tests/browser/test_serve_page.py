"""The page of ``tenbin serve`` in Chromium: files in, report out, and nothing that acts."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect
from tests.browser import probes
from tests.browser.watched import DESK, PATIENCE, PHONE, Size

pytest.importorskip("starlette", reason="the extra 'serve' is not installed")
pytest.importorskip("uvicorn", reason="the extra 'serve' is not installed")

REFERENCE = "The cat sat on the mat.\nRain fell all night.\nNobody knew where the key was.\n"
GOOD = "The cat sat on a mat.\nRain fell all night.\nNobody knew where the key had gone.\n"
POOR = "Cat on carpet.\nAll night it rained.\nThe key nobody was knowing.\n"
JAPANESE = "猫は静かに座っていた。\n一晩中雨が降った。\n鍵がどこにあるか誰も知らなかった。\n"


@dataclass
class Visitor:
    """Opens the page in windows of its own, and writes down what they complain of."""

    browser: Browser
    url: str
    folder: Path
    problems: list[str] = field(default_factory=list)

    def open(self, size: Size = DESK, scheme: str = "light", locale: str = "en-US") -> Page:
        context = self.browser.new_context(
            viewport={"width": size.width, "height": size.height},
            color_scheme="dark" if scheme == "dark" else "light",
            locale=locale,
            bypass_csp=False,
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"threw {error}"))
        page.on(
            "console",
            lambda said: (
                self.problems.append(f"{said.type}: {said.text[:300]}")
                if said.type in {"error", "warning"}
                else None
            ),
        )
        page.goto(self.url)
        page.wait_for_selector("#start")
        return page

    def add(self, page: Page, role: str, *files: tuple[str, str | bytes]) -> None:
        """Give files to one of the three places."""
        page.set_input_files(
            f"#choose-{role}",
            [
                FilePayload(
                    name=name,
                    mimeType="text/plain",
                    buffer=text.encode() if isinstance(text, str) else text,
                )
                for name, text in files
            ],
        )

    def fill(self, page: Page) -> None:
        """Fill in the form for a small comparison."""
        self.add(page, "references", ("ref.txt", REFERENCE))
        self.add(page, "systems", ("good.txt", GOOD), ("poor.txt", POOR))
        page.select_option("#language", "en")
        page.wait_for_selector(".metric")
        chosen = page.locator(".metric input:checked")
        while chosen.count():
            chosen.first.uncheck()
        page.check("[id='metric-chrf++']")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("serve")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        process = subprocess.Popen(
            [sys.executable, "-m", "tenbin", "serve", "--no-browser", "--most-bytes", "100000"],
            stdout=subprocess.PIPE,
            text=True,
        )
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    yield found[0]
    process.send_signal(signal.SIGINT)
    assert process.wait() == 0
    process.stdout.close()
    assert list(folder.iterdir()) == []


@pytest.fixture
def visitor(chromium: Browser, server: str, tmp_path: Path) -> Iterator[Visitor]:
    visitor = Visitor(chromium, server, tmp_path)
    yield visitor
    for context in chromium.contexts:
        context.close()
    assert visitor.problems == []


def test_files_become_a_report_with_downloads(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.fill(page)
    page.locator("input.system").first.fill("first")
    page.keyboard.press("Tab")
    page.fill("#report-title", "My <b>report</b>")
    page.click("#start")
    report = page.frame_locator("iframe.frame")
    expect(report.locator("main[data-view]")).to_be_visible()
    expect(report.locator("h1")).to_have_text("My <b>report</b>")
    expect(report.locator("body")).to_contain_text("first")
    for form in ("HTML", "XLSX", "CSV", "JSON", "LaTeX"):
        with page.expect_download() as download:
            page.locator(".bar .downloads").get_by_text(form, exact=True).click()
        assert Path(download.value.path()).stat().st_size > 100
    page.click("a.back")
    expect(page.locator(".recent > li")).to_have_count(1)
    expect(page.locator(".file.good")).to_have_count(3)
    page.reload()
    expect(page.locator(".recent > li")).to_have_count(1)
    expect(page.locator("input.system").first).to_have_value("first")
    page.locator(".recent button").click()
    expect(page.locator(".recent > li")).to_have_count(0)


def test_a_report_in_the_frame_cannot_ask_the_server(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.fill(page)
    page.click("#start")
    page.frame_locator("iframe.frame").locator("main[data-view]").wait_for()
    (frame,) = [one for one in page.frames if "report.html" in one.url]
    assert frame.evaluate("() => self.origin") == "null"
    page.locator(".bar a[target=_blank]").wait_for()


def test_what_is_wrong_stands_beside_its_file(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.add(page, "references", ("sjis.txt", (JAPANESE * 3).encode("cp932")))
    expect(page.locator(".file.bad")).to_contain_text("Shift_JIS")
    visitor.add(page, "systems", ("empty.txt", ""), ("large.txt", "x" * 100_001))
    expect(page.locator(".file.bad")).to_have_count(3)
    expect(page.locator(".file.bad").nth(1)).to_contain_text("the file is empty")
    expect(page.locator(".file.bad").nth(2)).to_contain_text("this server takes up to 100 kB")
    page.click("#start")
    expect(page.locator(".start .notice")).to_contain_text("remove or replace the files")
    visitor.problems[:] = [one for one in visitor.problems if "422" not in one]


def test_texts_of_unequal_length_are_marked(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.add(page, "references", ("ref.txt", REFERENCE))
    visitor.add(page, "systems", ("good.txt", GOOD), ("short.txt", "One.\n"))
    expect(page.locator(".file.odd")).to_have_count(1)
    expect(page.locator(".file.odd")).to_contain_text("short.txt")
    expect(page.locator("section > .problem")).to_contain_text("differ in their number of lines")


def test_the_script_suggests_a_language_and_says_so(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.add(page, "references", ("ref.txt", JAPANESE))
    expect(page.locator("#language")).to_have_value("ja")
    expect(page.locator(".notice[role=status]")).to_contain_text("because of the script of ref.txt")
    expect(page.locator(".metric").first).to_be_visible()
    page.select_option("#language", "en")
    expect(page.locator(".notice[role=status]")).to_contain_text("looks like Japanese")


def test_names_that_would_act_are_shown_as_text(visitor: Visitor) -> None:
    page = visitor.open()
    names = ["<img src=x onerror=alert(1)>.txt", "\u202egnp.txt", "a\x1b[31mb.txt"]
    visitor.add(page, "systems", *[(name, GOOD) for name in names])
    expect(page.locator(".file.good")).to_have_count(3)
    assert page.locator(".file img").count() == 0
    assert probes.acting(page) == []


def test_cancel_ends_a_job(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.fill(page)
    page.click("#start")
    page.locator(".job button").first.click()
    expect(page.locator(".job")).to_contain_text("Cancelled.")
    expect(page.locator("#start")).to_be_enabled()


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_for_everybody(
    visitor: Visitor, axe: str, size: Size, scheme: str, locale: str
) -> None:
    page = visitor.open(size, scheme, locale)
    assert page.locator("html").get_attribute("lang") == locale[:2]
    visitor.fill(page)
    page.locator(".more > summary").click()
    assert probes.sideways(page) == []
    assert probes.missing_words(page) == []
    # The policy of the page lets no script in, so axe reads a copy of what is drawn.
    copy = visitor.browser.new_page(
        viewport={"width": size.width, "height": size.height},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    style = page.evaluate("async () => (await fetch('serve.css')).text()")
    drawn = page.evaluate("() => document.documentElement.outerHTML")
    copy.set_content(re.sub(r"<script.*?</script>|<link[^>]*>", "", drawn, flags=re.S))
    copy.add_style_tag(content=style)
    assert probes.barriers(copy, axe) == []


def test_the_language_of_the_page_is_a_choice(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.fill(page)
    page.select_option("#page-language", "ja")
    expect(page.locator("#start")).to_have_text("評価を始める")
    expect(page.locator(".file.good")).to_have_count(3)
    expect(page.locator("[id='metric-chrf++']")).to_be_checked()
    page.reload()
    expect(page.locator("#start")).to_have_text("評価を始める")


def test_files_can_be_dropped(visitor: Visitor) -> None:
    page = visitor.open()
    dropped = page.evaluate_handle(
        """(text) => {
          const files = new DataTransfer();
          files.items.add(new File([text], "a.txt"));
          files.items.add(new File([text], "b.txt"));
          return files;
        }""",
        GOOD,
    )
    zone = page.locator("[data-role=systems]")
    for event in ("dragenter", "dragover", "drop"):
        zone.dispatch_event(event, {"dataTransfer": dropped})
    expect(page.locator(".file.good")).to_have_count(2)
    expect(zone).not_to_have_class(re.compile("over"))
    # Beside its place a file must not be opened in the place of the page.
    page.locator("h1").dispatch_event("drop", {"dataTransfer": dropped})
    expect(page.locator(".file.good")).to_have_count(2)
    assert page.url == visitor.url
