"""Draws segments with their texts one after the other: as plain text, Markdown or LaTeX."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tenbin.core.segment_differences import CharacterRanges
from tenbin.core.segment_texts import SegmentTexts
from tenbin.reports.formats import Format, Page
from tenbin.reports.grid import display_width, printable, shortened
from tenbin.reports.html import element, marked_text, spoken
from tenbin.reports.latex import escape_latex
from tenbin.reports.markdown import escape_markdown
from tenbin.reports.plain_text import render_paragraph
from tenbin.reports.wrapping import CLOSING, OPENING, hanging

_USUAL_WIDTH = 100
_WIDEST_LABEL = 20
_INDENT = "  "
_BOLD, _PLAIN = "\x1b[1;33m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class LabeledText:
    """A text, what it is, which of its characters are to be noticed, and its language."""

    label: str
    text: str
    marked: CharacterRanges = ()
    language: str = ""

    def with_marks(self) -> str:
        """Return the text with marks around what is to be noticed, fit for output."""
        shown, end = "", 0
        for start, stop in self.marked:
            inside = printable(self.text[start:stop])
            shown += f"{printable(self.text[end:start])}{OPENING}{inside}{CLOSING}"
            end = stop
        return shown + printable(self.text[end:])


@dataclass(frozen=True, slots=True)
class ListedSegment:
    """A segment: a line about it, and its texts."""

    heading: str
    texts: tuple[LabeledText, ...]


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """Segments under a title of their own."""

    title: str
    segments: tuple[ListedSegment, ...]


def draw_list(
    title: str, groups: Sequence[ListedGroup], caption: str, form: Format, page: Page
) -> str:
    """Return groups of segments with their texts.

    Args:
        title: What they are.
        groups: The segments.
        caption: What a reader must know of them; may be empty.
        form: Plain text, Markdown, LaTeX or HTML.
        page: What plain text is printed on.
    """
    if form is Format.LATEX:
        return _latex(title, groups, caption)
    if form is Format.MARKDOWN:
        return _markdown(title, groups, caption)
    if form is Format.HTML:
        return _html(title, groups, caption)
    width = page.width or _USUAL_WIDTH
    parts = [hanging(printable(title), width, "", 0)]
    for group in groups:
        underlined = shortened(printable(group.title), width)
        parts.append(f"{underlined}\n{'─' * display_width(underlined)}\n")
        parts += [_text(one, width, color=page.color) for one in group.segments]
        if not group.segments:
            parts.append(f"{_INDENT}none\n")
    if caption:
        parts.append(f"{render_paragraph(caption, page.width)}\n")
    return "\n".join(parts)


def texts_as_read(texts: SegmentTexts, language: str) -> list[LabeledText]:
    """Return document, source and references with what they are; no more than there is.

    Args:
        texts: The texts.
        language: The target language.
    """
    # In a heading, a long name of a document would push the scores into the next line.
    document = [] if texts.document is None else [_document(texts.document)]
    source = [] if texts.source is None else [LabeledText("source", texts.source)]
    many = len(texts.references) > 1
    references = [
        LabeledText(f"reference {number}" if many else "reference", text, language=language)
        for number, text in enumerate(texts.references, start=1)
    ]
    return [*document, *source, *references]


def draw_texts(
    texts: Sequence[LabeledText], width: int, indent: str = _INDENT, *, color: bool = False
) -> str:
    """Return texts below each other, each beside its label and wrapped to a width."""
    room = min(_WIDEST_LABEL, width // 3)
    labels = _distinct([shortened(printable(one.label), room) for one in texts])
    margin = len(indent) + max(map(display_width, labels), default=0) + 2
    lines = []
    for label, one in zip(labels, texts, strict=True):
        start = indent + label + " " * (margin - len(indent) - display_width(label))
        drawn = hanging(one.with_marks(), width, start, margin)
        lines.append(_painted(drawn) if color and one.marked else drawn)
    return "".join("".join(f"{line.rstrip()}\n" for line in one.splitlines()) for one in lines)


def _document(name: str) -> LabeledText:
    # Where a file of documents has columns, the first is the domain.
    return LabeledText("document", name.replace("\t", " / "))


def _distinct(labels: list[str]) -> list[str]:
    """Return labels that can be told apart, also where shortening made them the same."""
    if len(set(labels)) == len(labels):
        return labels
    return [f"{number} {label}" for number, label in enumerate(labels, start=1)]


def _painted(text: str) -> str:
    """Return lines in which what stands between marks has a color too."""
    lines, is_open = [], False
    for line in text.splitlines():
        inner = line.lstrip(" ")
        indent = line[: len(line) - len(inner)]
        start = _BOLD if is_open else ""
        is_open = line.count(OPENING) > line.count(CLOSING) - is_open
        painted = inner.replace(OPENING, _BOLD + OPENING).replace(CLOSING, CLOSING + _PLAIN)
        lines.append(f"{indent}{start}{painted}{_PLAIN if is_open else ''}\n")
    return "".join(lines)


def _text(one: ListedSegment, width: int, *, color: bool) -> str:
    heading = hanging(printable(one.heading), width, "", 2)
    return heading + draw_texts(one.texts, width, color=color)


def _markdown(title: str, groups: Sequence[ListedGroup], caption: str) -> str:
    lines = [f"**{escape_markdown(title)}**\n"]
    for group in groups:
        lines.append(f"*{escape_markdown(group.title)}*\n")
        for one in group.segments:
            lines.append(f"- {escape_markdown(one.heading)}")
            lines += [
                f"    - {escape_markdown(text.label)}: {escape_markdown(text.with_marks())}"
                for text in one.texts
            ]
        lines.append("" if group.segments else "- none\n")
    return "\n".join([*lines, *([f"{escape_markdown(caption)}\n"] if caption else [])])


def _latex(title: str, groups: Sequence[ListedGroup], caption: str) -> str:
    lines = [rf"\paragraph{{{escape_latex(title)}}} {escape_latex(caption)}".rstrip()]
    for group in groups:
        lines.append(rf"\subparagraph{{{escape_latex(group.title)}}}")
        for one in group.segments:
            lines += [rf"\par {escape_latex(one.heading)}", r"\begin{description}"]
            lines += [
                rf"\item[{{{escape_latex(text.label)}}}] {_latex_text(text)}" for text in one.texts
            ]
            lines.append(r"\end{description}")
        if not group.segments:
            lines.append("none")
    return "\n".join(lines) + "\n"


def _latex_text(one: LabeledText) -> str:
    return "".join(
        rf"\textbf{{{escape_latex(part)}}}" if is_marked else escape_latex(part)
        for part, is_marked in marked_parts(one)
    )


def marked_parts(one: LabeledText) -> Iterator[tuple[str, bool]]:
    """Yield a text in parts, each with whether it is to be noticed."""
    end = 0
    for start, stop in one.marked:
        yield from (((one.text[end:start], False),) if end < start else ())
        yield one.text[start:stop], True
        end = stop
    if end < len(one.text):
        yield one.text[end:], False


def _html(title: str, groups: Sequence[ListedGroup], caption: str) -> str:
    parts = [element("h4", element("span", marked_text(title)))]
    for group in groups:
        parts.append(element("h5", marked_text(group.title)))
        parts += [_html_segment(one) for one in group.segments]
        if not group.segments:
            parts.append(element("p", "none"))
    if caption:
        parts.append(element("p", marked_text(caption), classes="tenbin-caption"))
    return element("div", "".join(parts), classes="tenbin-segments")


def _html_segment(one: ListedSegment) -> str:
    rows = "".join(
        element("dt", marked_text(text.label))
        + element("dd", _html_text(text), dir="auto", **spoken(text.language))
        for text in one.texts
    )
    return element("p", marked_text(one.heading)) + element("dl", rows)


def _html_text(one: LabeledText) -> str:
    return "".join(
        element("mark", f"{OPENING}{marked_text(part)}{CLOSING}") if noticed else marked_text(part)
        for part, noticed in marked_parts(one)
    )
