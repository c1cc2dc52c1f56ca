"""What a notebook shows: well formed HTML that stands alone and shows hostile texts as text."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import tenbin
from tenbin.core.agreement import MetaRow, MetaTable
from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.explanation import Explanation, Step
from tenbin.core.rendering import Renderable
from tenbin.core.signature import Signature
from tenbin.core.tuning import TriedSetting, Tuning, TuningTable
from tenbin.reports.html import marked_text
from tenbin.reports.notebook.links import COLORS, DASHES, draw_links

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></div></svg>",
    "\x1b[31mred",
    "\u202egnp.exe",
    "half \ud800 a character",
    "]]> & &amp; <!--",
)
VOID = {"br", "hr", "img", "meta", "link", "input"}
KNOWN = {
    *("div", "style", "figure", "table", "thead", "tbody", "tr", "th", "td", "bdi", "strong", "p"),
    *("figcaption", "details", "summary", "ul", "li", "code", "h4", "h5", "dl", "dt", "dd", "mark"),
    *("section", "span", "svg", "title", "g", "path", "text", "rect", "circle", "pre"),
}
SAFE_ATTRIBUTES = {
    *("class", "style", "scope", "dir", "lang", "title", "xmlns", "role", "width", "height"),
    *("viewbox", "font-size", "font-family", "font-weight", "fill", "stroke", "stroke-width"),
    *("stroke-dasharray", "d", "x", "y", "rx", "cx", "cy", "r", "opacity", "text-anchor"),
    *("unicode-bidi", "aria-hidden", "aria-label"),
}


class Page(HTMLParser):
    """Elements as they are nested; raises nothing, remembers what is wrong."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.texts: list[str] = []
        self.names: set[str] = set()
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.faults += [f"{name} is not closed" for name in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if tag not in KNOWN:
            self.faults.append(f"there is a {tag}")
        self.faults += [f"{tag} has {name}" for name, _ in attrs if name not in SAFE_ATTRIBUTES]
        # The one address is the name of SVG.
        addresses = [value for _, value in attrs if value and "http" in value]
        self.faults += [one for one in addresses if one != "http://www.w3.org/2000/svg"]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"{tag} is closed where it is not open")

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


def check(result: Renderable) -> Page:
    html = result._repr_html_()
    html.encode()  # no half characters
    page = Page(html)
    assert page.faults == []
    assert not set("\x1b\u202e\u2066") & set(html)
    return page


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_texts_and_names_are_shown_as_text(hostile: str) -> None:
    systems = {hostile: [hostile, "a cat", "x"], "other": ["a dog", hostile, "y"]}
    references = ["a cat sat", hostile, "z"]
    given: dict[str, Any] = {"source": [hostile] * 3, "documents": [hostile, "b", hostile]}
    table = tenbin.score(
        systems, references, metrics=["chrf"], language="en", worst=3, segments=True, **given
    )
    visible = re.sub(r"[\x1b\u202e\ud800]", "", hostile)
    assert visible in re.sub(r"U\+[0-9A-F]{4}", "", check(table).text)
    compared = tenbin.compare(
        systems, references, metrics=["chrf"], language="en", rounds=5, differences=3, **given
    )
    check(compared)
    for metric in ("mas", "wmd", "meteor(paraphrases='none')"):
        check(tenbin.explain(systems, references, language="en", metric=metric, segments=[1, 2]))


def test_a_table_says_what_it_means() -> None:
    table = tenbin.score(["a cat"], ["the cat"], metrics=["chrf", "ter"], language="en")
    page = check(table)
    assert {"table", "figcaption", "details", "summary", "code"} <= page.names
    assert "Signatures (2)" in page.text
    assert "1 segment, target language en." in page.text
    assert str(table.results[0].signature) in page.text


def row(metric: str, value: float, **changes: object) -> MetaRow:
    fields: dict[str, object] = {
        "test_set": "wmt",
        "pair": "de-en",
        "metric": metric,
        "measure": "segment-kendall",
        "human": "da",
        "value": value,
        "n": 9,
        "counted": "translations",
    }
    return MetaRow(**(fields | changes))  # type: ignore[arg-type]


def tuning() -> TuningTable:
    settings = tuple(
        TriedSetting(values=(beta,), spec=f"chrf(beta={beta})", value=beta / 10, by_pair=(0.1,))
        for beta in (1, 2, 3)
    )
    return TuningTable(
        tunings=(
            Tuning(
                metric="chrf",
                signature="chrf|<b>",
                parameters=("beta",),
                measure="segment-kendall",
                human=("da",),
                places=(("wmt", "de-en"),),
                n=(9,),
                counted="translations",
                settings=settings,
                default=settings[1],
                oracle=settings[2],
                validation=None,
            ),
        )
    )


def test_tables_of_agreement_and_of_tuning() -> None:
    agreement = MetaTable(rows=(row("<i>chrf</i>", 0.2), row("bleu", 0.1, signature="bleu|x")))
    assert "<i>chrf</i>" in check(agreement).text
    assert "chrf|<b>" in check(tuning()).text


def test_every_result_has_a_form_for_notebooks() -> None:
    check(tenbin.language_metrics("en"))


def linked(own: str, other: str, *kinds: MatchKind, mass: float | None = None) -> Alignment:
    return Alignment(
        hypothesis=tuple(own.split()),
        reference=tuple(other.split()),
        matches=tuple(
            Match(
                hypothesis=Span(place, place + 1),
                reference=Span(place, place + 1),
                kind=kind,
                similarity=0.5,
                evidence="why",
                mass=mass,
                cost=None if mass is None else 1.0,
            )
            for place, kind in enumerate(kinds)
        ),
        exclusive=mass is None,
    )


def test_kinds_differ_by_more_than_color() -> None:
    assert set(COLORS) == set(DASHES) == set(MatchKind)
    assert len(set(COLORS.values())) == len(set(DASHES.values())) == len(MatchKind)
    explanation = Explanation(
        alignment=linked("a b c", "d e f", *list(MatchKind)[:2]),
        steps=(Step("score", "", "", 0.5),),
        score=0.5,
        signature=Signature(metric="m"),
    )
    page = check(explanation)
    assert "2 of 3 words of the translation linked with 2 of 3 words of the reference" in page.text
    assert "no match" in page.text


def test_sentences_of_right_to_left_scripts_begin_at_the_right() -> None:
    drawn = draw_links(linked("אחת שתיים שלוש", "one two three"), "reference")
    across = {
        word: float(place)
        for place, word in re.findall(r'<text x="([\d.]+)"[^>]*middle[^>]*>([^<]+)<', drawn)
    }
    assert across["אחת"] > across["שתיים"] > across["שלוש"]
    assert across["one"] < across["two"] < across["three"]


def test_the_more_weight_the_wider_the_curve() -> None:
    first, second = (
        linked("a b", "c d", *[MatchKind.VECTOR] * 2, mass=mass) for mass in (0.4, 0.1)
    )
    both = Alignment(
        hypothesis=first.hypothesis,
        reference=first.reference,
        matches=(first.matches[0], second.matches[1]),
        exclusive=False,
    )
    widths = [float(one) for one in re.findall(r'stroke-width="([\d.]+)"', draw_links(both, "x"))]
    assert widths[0] == 4 * widths[1]


@pytest.mark.parametrize("words", [("", ""), ("a", ""), ("", "b")])
def test_empty_sentences_are_drawn(words: tuple[str, str]) -> None:
    assert Page(draw_links(linked(*words), "reference")).faults == []


def test_characters_that_act_are_boxes_with_their_codes() -> None:
    shown = marked_text("a\u202eb\x07")
    assert re.sub("<[^>]*>", "", shown) == "aU+202EbU+0007"
    assert "right-to-left override" in shown


def test_a_cell_of_a_heat_map_has_all_numbers_where_the_pointer_stands() -> None:
    texts = (["The cat sat on a mat"], ["A dog slept on the rug"])
    (one,) = tenbin.explain(*texts, language="en", metric="was(threshold=0)")
    html = one._repr_html_()
    assert html.count('<td style="background') == len(one.alignment.matches)
    check(one)
