"""Pages whose every complaint and every request is written down."""

from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Dialog, Page, Route

# Playwright's clock is for a page that never gets there; a busy machine may take long.
PATIENCE = 120_000


class Size(NamedTuple):
    """Of a window, in CSS pixels."""

    width: int
    height: int


DESK = Size(1440, 900)
PHONE = Size(390, 844)


class Watched:
    """Opens files in windows that reach neither network nor other files.

    Attributes:
        problems: What the pages wrote to their consoles as errors or warnings, what they threw,
            and what they asked for beyond the file that was opened.
    """

    def __init__(self, browser: Browser) -> None:
        self.problems: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def open(
        self,
        path: Path,
        fragment: str = "",
        *,
        size: Size = DESK,
        scheme: Literal["light", "dark"] = "light",
        scripts: bool = True,
    ) -> Page:
        """Return the page of a report, with the view that its address names drawn."""
        context = self._browser.new_context(
            viewport={"width": size.width, "height": size.height},
            color_scheme=scheme,
            java_script_enabled=scripts,
            reduced_motion="reduce",
            accept_downloads=True,
            locale="en-US",
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        address = path.resolve().as_uri()

        def answer(route: Route) -> None:
            url = route.request.url
            if url.partition("#")[0] == address or url.startswith("blob:"):
                route.continue_()
            else:
                self.problems.append(f"asked for {url[:200]}")
                route.abort()

        context.route("**/*", answer)
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"threw {error}"))
        page.on(
            "console",
            lambda message: (
                self.problems.append(f"{message.type}: {message.text[:400]}")
                if message.type in {"error", "warning"}
                else None
            ),
        )
        page.on("dialog", self._dismissed)
        page.on("popup", lambda popup: self.problems.append(f"opened {popup.url}"))
        page.goto(address + fragment, timeout=PATIENCE)
        if scripts:
            page.wait_for_selector("main[data-view]", state="attached")
        return page

    def close(self) -> None:
        """Close every window."""
        for context in self._contexts:
            context.close()

    def _dismissed(self, dialog: Dialog) -> None:
        self.problems.append(f"showed a dialog: {dialog.message}")
        dialog.dismiss()
