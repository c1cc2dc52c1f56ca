"""The grammar that names a metric everywhere: command line, library, output.

chrf
chrf++
chrf(word_order=2, beta=2)
bleu(tokenizer="ja-mecab")
bleu(tokenizer=ja-mecab)             the same: quotes are hard to get through a shell
short=bleu(tokenizer="ja-mecab")     under a name of the user's own
"""

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Self
from unicodedata import category

from tenbin.core.errors import SpecError, shortened

SpecValue = str | int | float | bool | None | tuple["SpecValue", ...]

_NAME = r"[A-Za-z][\w.+-]*"
_SPEC = re.compile(
    rf"(?:(?P<alias>[^=(]*)=)?\s*(?P<name>{_NAME})\s*(?P<arguments>\(.*\))?", re.DOTALL
)
# A text in quotes, or a value without any: a name, a file, a number.
_QUOTED_OR_BARE = re.compile(
    r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
    r"""|=\s*(?P<bare>[\w./:@~+\\-]+)\s*(?=[,)])""",
    re.DOTALL,
)
_WORDS_OF_PYTHON = frozenset({"True", "False", "None"})
_LONGEST_ALIAS = 60
_MOST_SHOWN = 200
_MOST_BITS = 1023  # what fits into a floating-point number
_HELP = (
    "Write NAME or NAME(parameter=value, ...), for example chrf(word_order=2); texts with spaces "
    'in quotes, idf="my counts.idf".'
)


@dataclass(frozen=True, slots=True)
class Spec:
    """A metric's name and the parameters that differ from its defaults, in the order given.

    As text it is the spec without the alias, which changes nothing about the scores.

    >>> str(Spec.parse("chrf(word_order=2)"))
    'chrf(word_order=2)'
    >>> Spec.parse("bleu( tokenizer = ja-mecab )")
    Spec(name='bleu', parameters=(('tokenizer', 'ja-mecab'),), alias='')
    >>> named = Spec.parse("words=chrf(word_order=2)")
    >>> str(named), named.label
    ('chrf(word_order=2)', 'words')

    Attributes:
        name: The name of the metric.
        parameters: Names and values.
        alias: What the user calls the metric in tables; empty for nothing of their own.
    """

    name: str
    parameters: tuple[tuple[str, SpecValue], ...] = ()
    alias: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the spec of a text; raise `SpecError` with the position of the error."""
        found = _SPEC.fullmatch(text.strip())
        if found is None:
            raise SpecError(f"cannot read the metric {_shown(text)}. {_listed(text) or _HELP}")
        alias = "" if found["alias"] is None else checked_alias(found["alias"].strip())
        arguments = found["arguments"]
        if arguments is None:
            return cls(found["name"], alias=alias)
        try:
            with warnings.catch_warnings(action="ignore"):
                # Python warns of backslashes that it would write otherwise.
                call = ast.parse("_" + _quoted(arguments.strip()), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            # Deep nesting exhausts the parser.
            reason = error.msg if isinstance(error, SyntaxError) else str(error) or "too deep"
            raise SpecError(f"cannot read the metric {_shown(text)}: {reason}. {_HELP}") from error
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise SpecError(f"cannot read the metric {_shown(text)}. {_HELP}")
        if call.args:
            raise SpecError(
                f"the metric {_shown(text)} has a value without a parameter name. {_HELP}"
            )
        parameters: dict[str, SpecValue] = {}
        for keyword in call.keywords:
            if keyword.arg is None or keyword.arg in parameters:
                raise SpecError(f"the metric {_shown(text)} gives a parameter twice. {_HELP}")
            parameters[keyword.arg] = _value(keyword.value, keyword.arg, text)
        return cls(found["name"], tuple(parameters.items()), alias)

    @property
    def label(self) -> str:
        """What a table calls the metric: the alias, or the spec."""
        return self.alias or str(self)

    def __str__(self) -> str:
        if not self.parameters:
            return self.name
        inside = ", ".join(f"{name}={format_value(value)}" for name, value in self.parameters)
        return f"{self.name}({inside})"


def checked_alias(text: str) -> str:
    """Return a name of the user's own, in any script, for a metric or a column of scores.

    Raises:
        SpecError: It has another form than names of metrics have, or is very long.
    """
    # Marks are parts of letters in many scripts.
    fits = text[:1].isalpha() and all(
        character in ".+-_" or category(character)[0] in "LMN" for character in text
    )
    if not fits or len(text) > _LONGEST_ALIAS:
        raise SpecError(
            f"{_shown(text)} cannot be the name of a metric: take a letter, then letters, digits, "
            f"'.', '+', '-' or '_', at most {_LONGEST_ALIAS} in all."
        )
    return text


def spec_list(metrics: str | Sequence[str] | Mapping[str, str]) -> list[str]:
    """Return specs from one, from several, or from a mapping of aliases to specs.

    >>> spec_list("bleu"), spec_list({"words": "chrf(word_order=2)"})
    (['bleu'], ['words=chrf(word_order=2)'])
    """
    if isinstance(metrics, str):
        return [metrics]
    if isinstance(metrics, Mapping):
        return [f"{checked_alias(alias)}={spec}" for alias, spec in metrics.items()]
    return list(metrics)


def format_value(value: SpecValue) -> str:
    """Return a parameter value as the grammar writes it."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        inside = ", ".join(format_value(part) for part in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return repr(value)


def _quoted(arguments: str) -> str:
    """Return arguments with quotes around texts that have none."""
    return _QUOTED_OR_BARE.sub(_with_quotes, arguments)


def _with_quotes(found: re.Match[str]) -> str:
    bare = found["bare"]
    if bare is None or bare in _WORDS_OF_PYTHON or _is_number(bare):
        return found[0]
    is_text = any(character.isalpha() or character == "_" for character in bare)
    return f"={bare!r}" if is_text else found[0]


def _is_number(text: str) -> bool:
    if not text[0].isdecimal() and text[0] not in ".+-":
        return False
    try:
        ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def _value(node: ast.expr, parameter: str, text: str) -> SpecValue:
    try:
        return _frozen(ast.literal_eval(node))
    except (ValueError, TypeError, RecursionError) as error:
        raise SpecError(
            f"cannot read {parameter} in the metric {_shown(text)}: give a number, True, False or "
            "a text, in quotes if it has spaces, for example tokenizer=ja-mecab."
        ) from error


def _listed(text: str) -> str:
    """Return what to write instead of names with commas between them; empty for anything else."""
    names = [name.strip() for name in text.split(",")]
    if len(names) == 1 or not all(re.fullmatch(r"[A-Za-z][\w.+-]*", name) for name in names):
        return ""
    return f"Give each metric by itself, not with commas between them: {' '.join(names)}"


def _shown(text: str) -> str:
    return repr(shortened(text, _MOST_SHOWN))


def _frozen(value: object) -> SpecValue:
    if value is None:
        return value
    if isinstance(value, str):
        value.encode("utf-8")  # "\ud800" is no text that can be printed
        return value
    # 1e999 is read as infinity, which cannot be written back; no more can 0xfff... of any length.
    if isinstance(value, int) and value.bit_length() <= _MOST_BITS:
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    if isinstance(value, list | tuple):
        return tuple(_frozen(part) for part in value)
    raise ValueError(value)
