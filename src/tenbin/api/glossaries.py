"""The glossary of a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath

from tenbin.core.errors import UsageError
from tenbin.core.run_glossary import using_glossary
from tenbin.resources.glossaries import glossary_file

__all__ = ["glossary_of_run"]


@contextmanager
def glossary_of_run(
    glossary: str | PathLike[str] | None, pair: str | None = None
) -> Iterator[None]:
    """Inside the block, metrics and explanations take a glossary.

    Args:
        glossary: The file: CSV, TSV, XLSX, TBX, or names, one per line; ``bundled:example``, for
            the example set; None for none, or that of an outer block.
        pair: The language pair, for the inflection of source terms.

    Raises:
        UsageError: It is not a path.
        UnreadableFile: There is no such file.
    """
    file = None
    if glossary is not None:
        if not isinstance(glossary, str | PathLike):
            raise UsageError(f"`glossary`: expected the path of a file, not {glossary!r}.")
        file = str(glossary_file(fspath(glossary)))
    source, dash, _ = (pair or "").partition("-")
    with using_glossary(file, source.replace("_", "-") if dash else ""):
        yield
