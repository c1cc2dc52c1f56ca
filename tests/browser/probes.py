"""Questions put to an open page."""

from typing import Any

from playwright.sync_api import Page
from tests.browser.watched import Size

# Keys of the table of words: the page shows the key where a word is missing.
_KEYS = r"/\b(shell|systems|segments|why|analyses|meta|tune|serve)\.(?!html\b)[a-z]\w*(\.\w+)*\b/g"

_SIDEWAYS = """
() => {
  const root = document.scrollingElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter(
    (one) => one.getBoundingClientRect().right > root.clientWidth + 1);
  return wide.slice(0, 5).map((one) => `${one.tagName}.${one.getAttribute("class")} ` +
    `ends at ${Math.round(one.getBoundingClientRect().right)} of ${root.clientWidth}`)
    .concat("the page is wider than its window");
}
"""

# Boxes of letters, not of elements: two texts overlap where their lines do, by more than a hair.
_OVERLAPS = """
(root) => {
  const found = [];
  const boxes = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ opacityProperty: true })) continue;
    if (element.closest("option, title, desc, .offscreen")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      // What another element clips or covers is not seen.
      const x = box.left + box.width / 2, y = box.top + box.height / 2;
      const top = document.elementFromPoint(x, y);
      if (!top || !(top === element || element.contains(top) || top.contains(element))) continue;
      boxes.push({ box, text: node.data.trim().slice(0, 40), svg: element.closest("svg") });
    }
  }
  for (let i = 0; i < boxes.length; i++)
    for (let j = i + 1; j < boxes.length; j++) {
      const a = boxes[i].box, b = boxes[j].box;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 2 && height > Math.min(a.height, b.height) * 0.35)
        found.push(`"${boxes[i].text}" and "${boxes[j].text}"`);
    }
  return found.slice(0, 10);
}
"""


# Controls, marks and overrides of direction, separators of lines, half characters.
_ACTING = r"""
() => {
  const acting = new RegExp("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f" +
    "\u2028-\u202e\u2066-\u2069]");
  const found = [];
  const note = (where, text) => {
    if (acting.test(text)) found.push(`${where}: ${JSON.stringify(text.slice(0, 60))}`);
  };
  for (const element of document.querySelectorAll("#page *")) {
    const tag = element.tagName;
    for (const node of element.childNodes)
      if (node.nodeType === 3) note(`${tag}.${element.getAttribute("class")}`, node.data);
    for (const name of ["title", "aria-label", "aria-description", "placeholder"])
      if (element.hasAttribute(name)) note(`${tag} ${name}`, element.getAttribute(name));
  }
  note("title", document.title);
  return found.slice(0, 10);
}
"""


def settled(page: Page) -> None:
    """Return when the page has drawn what it was told so far: four frames later."""
    page.evaluate(
        """async () => {
          for (let frame = 0; frame < 4; frame++)
            await new Promise((then) => requestAnimationFrame(then));
        }"""
    )


def resized(page: Page, size: Size) -> None:
    """Give the window another size, and let the page follow."""
    page.set_viewport_size({"width": size.width, "height": size.height})
    settled(page)


def missing_words(page: Page) -> list[str]:
    """Return keys that are shown instead of their words."""
    found: list[str] = page.evaluate(f"() => document.body.innerText.match({_KEYS}) ?? []")
    return found


def acting(page: Page) -> list[str]:
    """Return texts with characters that act unseen: they turn a line around, or end it."""
    found: list[str] = page.evaluate(_ACTING)
    return found


def sideways(page: Page) -> list[str]:
    """Return what makes the page scroll sideways."""
    found: list[str] = page.evaluate(_SIDEWAYS)
    return found


def overlaps(page: Page, selector: str = "main") -> list[str]:
    """Return pairs of texts that are drawn over each other, in the part that is in the window."""
    found: list[str] = page.locator(selector).first.evaluate(_OVERLAPS)
    return found


def barriers(page: Page, axe: str) -> list[str]:
    """Return the serious and critical violations that axe finds, each with its first places."""
    page.evaluate(axe)
    results: dict[str, Any] = page.evaluate(
        "() => axe.run(document, { resultTypes: ['violations'] })"
    )
    return [
        f"{one['id']}: {one['help']}: {[node['target'] for node in one['nodes'][:3]]} "
        f"{one['nodes'][0].get('failureSummary', '')[:300]}"
        for one in results["violations"]
        if one["impact"] in {"serious", "critical"}
    ]
