"""Dictionaries of names for Sudachi, so that a name that it does not list is one word: カービィ.

A dictionary is built once from a list of names and kept in the cache folder under a key, the hash
of the names and of the versions of Sudachi. The list lies beside it: a worker process needs the key
alone, and what was built can be built again.
"""

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.errors import MissingExtra, ResourceError
from tenbin.formats.output import whole_file, write_text
from tenbin.resources.store.lookup import CACHE_VARIABLE, cache_folder

KEY = re.compile("[0-9a-f]{12}")
"""What a key looks like."""

_FORMAT = "1"  # of the rows below
_FOLDER = "sudachi"
# Sudachi's numbers for how a proper noun goes with other words, and the cost that its manual
# recommends for nouns.
_CONNECTION, _COST = "4786", "5000"
_PROPER_NOUN = ("名詞", "固有名詞", "一般", "*", "*", "*")
_SHORTEST, _LONGEST = 2, 255
_JAPANESE = re.compile("[\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff]")
_KANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}


def listed_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that a dictionary of Japanese lists, sorted, each once.

    Names without kana and kanji are words of their own already; a single character would cut other
    words, and what is longer than 255 characters is no word.

    >>> listed_names(["カービィ", "ｶｰﾋﾞｨ", " メタナイト ", "Kirby", "花", ""])
    ('カービィ', 'メタナイト')
    """
    plain = {" ".join(unicodedata.normalize("NFKC", name).split()) for name in names}
    return tuple(
        sorted(
            name
            for name in plain
            if _SHORTEST <= len(name) <= _LONGEST
            and _JAPANESE.search(name)
            and not any(unicodedata.category(letter) in {"Cc", "Cs"} for letter in name)
        )
    )


def build_names_dictionary(names: Iterable[str]) -> str:
    """Build the dictionary of some names, unless it is there; return its key, empty for no names.

    Raises:
        MissingExtra: sudachipy or sudachidict_core is not installed.
        ResourceError: It cannot be built or written.
    """
    listed = listed_names(names)
    if not listed:
        return ""
    rows = _rows(listed)
    known = (_FORMAT, *(f"{name} {number}" for name, number in versions()), rows)
    key = hashlib.sha256("\n".join(known).encode()).hexdigest()[:12]
    place = _place(key)
    if not place.is_file() or not _list_of(place).is_file():
        _build(rows, place, len(listed))
    return key


def versions() -> tuple[tuple[str, str], ...]:
    """Return the versions of Sudachi and of its dictionary.

    Raises:
        MissingExtra: One is not installed.
    """
    try:
        return tuple((name, version(name)) for name in ("sudachipy", "sudachidict_core"))
    except ImportError as error:
        raise _missing() from error


@cache
def load_names_dictionary(key: str) -> Callable[[], Any]:
    """Return what makes analyzers with the names of a dictionary.

    Args:
        key: What `build_names_dictionary` returned.

    Raises:
        MissingExtra: sudachipy or sudachidict_core is not installed.
        ResourceError: There is no such dictionary, and no list to build it from.
    """
    place = _place(key)
    try:
        return _opened(place)
    except ImportError as error:
        raise _missing() from error
    except Exception as error:  # SudachiPy raises errors of many types
        if not _list_of(place).is_file():
            raise ResourceError(
                f"{place}: there is no dictionary of names {key!r}. Score with the glossary again, "
                "which builds it."
            ) from error
    # Removed or damaged.
    rows = _list_of(place).read_text(encoding="utf-8")
    _build(rows, place, rows.count("\n"))
    return _opened(place)


def _opened(place: Path) -> Callable[[], Any]:
    package = import_module("sudachipy")
    config = import_module("sudachipy.config").Config(system="core", user=[str(place)])
    dictionary: Any = package.Dictionary(config=config)
    # 'create' is the name of 'tokenizer' before SudachiPy 0.7.
    made: Callable[[], Any] = getattr(dictionary, "tokenizer", None) or dictionary.create
    return made


def _rows(names: Iterable[str]) -> str:
    """Return the rows of Sudachi's format for dictionaries, in CSV."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for name in names:
        # A backslash begins the number of a character in this format.
        written = name.replace("\\", r"\u005c")
        reading = written.translate(_KANA)
        places = (written.lower(), _CONNECTION, _CONNECTION, _COST, written)
        writer.writerow((*places, *_PROPER_NOUN, reading, written, "*", "A", "*", "*", "*", "*"))
    return stream.getvalue()


def _build(rows: str, place: Path, count: int) -> None:
    """Build a dictionary, whole or not at all, after the list of its names."""
    try:
        build = import_module("sudachipy.sudachipy").build_user_dic
        system = str(files("sudachidict_core").joinpath("resources", "system.dic"))
    except ImportError as error:
        raise _missing() from error
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(str(_list_of(place)), rows)
        with whole_file(str(place)) as target:
            build(system, [str(_list_of(place))], str(target), "names of a glossary")
            _opened(target)
    except Exception as error:  # SudachiPy raises errors of many types
        raise ResourceError(
            f"{place}: the Sudachi dictionary of {counted(count, 'name')} cannot be built "
            f"({error}). Expected a folder that can be written; name another with the variable "
            f"{CACHE_VARIABLE}, or score without the glossary."
        ) from error


def _place(key: str) -> Path:
    return cache_folder(None) / _FOLDER / f"{key}.dic"


def _list_of(place: Path) -> Path:
    return place.with_suffix(".csv")


def _missing() -> MissingExtra:
    return MissingExtra("a Sudachi dictionary of names", "ja")
