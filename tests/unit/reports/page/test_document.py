"""The file of a report: whole in itself, and nothing in its texts can act."""

import gzip
import hashlib
import json
import re
from base64 import b64decode, b64encode
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tenbin.core.errors import ResourceError
from tenbin.core.report import Report, ReportKind
from tenbin.reports.page import document as document_module
from tenbin.reports.page.document import document
from tenbin.reports.page.payload import payload
from tenbin.reports.page.words import page_languages

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>",
    "</noscript><img src=x onerror=alert(1)>",
    "\u202eabc\u2066",
    "\x1b[31mred",
    "a\u2028b\u2029c",
    "&lt;b&gt; &amp;",
    "'\"><svg onload=alert(1)>",
    "\x00\x08",
    "{title} {0} %s",
)


class Parts(HTMLParser):
    """The elements of a page, as a browser that runs no script sees them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.contents: dict[int, str] = {}
        self._open: list[int] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self.elements[self._open.pop()][0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for place in self._open:
            self.contents[place] = self.contents.get(place, "") + data

    def named(self, tag: str, **wanted: str) -> list[str]:
        """Return the contents of elements."""
        return [
            self.contents.get(place, "")
            for place, (name, attributes) in enumerate(self.elements)
            if name == tag and all(attributes.get(key) == value for key, value in wanted.items())
        ]


def data_of(page: Parts) -> Any:
    (packed,) = page.named("script", id="data")
    return json.loads(gzip.decompress(b64decode(packed, validate=True)))


def hostile(report: Report) -> Report:
    assert report.texts is not None
    assert report.scores is not None
    text = " ".join(HOSTILE)
    scores = report.scores
    return replace(
        report,
        title=text,
        command=text,
        notes=(text,),
        texts=replace(report.texts, source=(text,) * 3),
        scores=replace(
            scores,
            systems=(text, "two"),
            results=tuple(
                replace(one, systems=(text, "two"), title=text) for one in scores.results
            ),
        ),
    )


@pytest.mark.parametrize("language", page_languages())
def test_only_its_own_script_and_style_may_act(report: Report, language: str) -> None:
    text = document(payload(report), language)
    page = Parts(text)
    (policy,) = [
        attributes["content"] or ""
        for tag, attributes in page.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    scripts = [
        page.contents[place]
        for place, (tag, attributes) in enumerate(page.elements)
        if tag == "script" and "type" not in attributes
    ]
    for contents, rule in ((scripts, "script-src"), (page.named("style"), "style-src")):
        (content,) = contents
        digest = b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")
        assert rules[rule] == f"'sha256-{digest}'"
    # Not even a style attribute, which the policy would refuse.
    assert not any("style" in attributes for _, attributes in page.elements)


def test_nothing_is_loaded(report: Report) -> None:
    page = Parts(document(payload(report), "en"))
    assert not any({"src", "href", "srcset"} & attributes.keys() for _, attributes in page.elements)
    assert not {tag for tag, _ in page.elements} & {"link", "iframe", "object", "base", "form"}


def test_the_data_come_out_as_they_went_in(report: Report) -> None:
    plain = payload(report)
    found = data_of(Parts(document(plain, "en")))
    title = "Comparison of systems: one, two"
    assert found == json.loads(json.dumps({**plain, "title": title}))


def test_hostile_texts_stay_texts(report: Report) -> None:
    usual, bad = (Parts(document(payload(one), "en")) for one in (report, hostile(report)))
    # As many elements as ever: no text has become one.
    assert [tag for tag, _ in usual.elements] == [tag for tag, _ in bad.elements]
    (script,) = bad.named("title")
    assert script == " ".join(HOSTILE)
    assert data_of(bad)["segments"]["texts"][0][0] == " ".join(HOSTILE)
    assert " ".join(HOSTILE) in bad.named("table")[0]


def test_words_are_json_that_cannot_end_its_element(report: Report) -> None:
    page = Parts(document(payload(report), "ja"))
    (words,) = page.named("script", id="words")
    assert not set(words) & {"<", ">", "&", "\u2028", "\u2029"}
    assert "document" not in json.loads(words)


def test_the_same_report_gives_the_same_bytes(report: Report) -> None:
    assert document(payload(report), "en") == document(payload(report), "en")


def test_without_scripts_it_still_says_the_scores(report: Report) -> None:
    page = Parts(document(payload(report), "en"))
    (table,) = page.named("table")
    assert re.sub(r"\s+", " ", table).strip() == (
        "SystemBLEU (higher is better)TER (lower is better) one28.9729.0 two––"
    )
    (fallback,) = page.named("noscript")
    assert "does not run scripts" in fallback
    assert "tenbin compare -r 'a b.txt'" in fallback


@pytest.mark.parametrize(
    ("systems", "title"),
    [
        (("a",), "Scores: a"),
        (tuple("abcdefg"), "Scores: a, b, c, d, e, …"),
        ((), "Scores"),
    ],
)
def test_the_window_is_named_after_what_was_done(systems: tuple[str, ...], title: str) -> None:
    plain = {**payload(Report(kind=ReportKind.SCORE)), "systems": list(systems)}
    page = Parts(document(plain, "en"))
    assert page.named("title") == [title]
    assert data_of(page)["title"] == title


def test_a_copy_without_its_script_says_what_to_do(
    report: Report, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(document_module, "files", lambda _: tmp_path)
    with pytest.raises(ResourceError, match=r"report\.js, .* is missing .* npm run build"):
        document(payload(report), "en")
