"""What a meta-evaluation reads: a test set, texts of one's own, or files of scores; never two."""

from collections.abc import Mapping

from tenbin.core.errors import UsageError
from tenbin.meta.judgments import ALL_PAIRS

_SET, _TEXTS, _FILES = "folder", "judged", "human_scores"
_FOREIGN = {
    _TEXTS: (
        *("folder", "scores", "human_scores", "columns", "human_columns", "references"),
        *("import_scores", "imported", "negate", "export_scores"),
    ),
    _FILES: (
        *("folder", "pairs", "language", "metrics", "references"),
        *("import_scores", "imported", "export_scores"),
    ),
    _SET: ("language", "columns", "human_columns"),
}
_REASONS = {
    _TEXTS: "not with `judged`, which holds all there is",
    _FILES: "not with `scores`, which brings all there is",
    _SET: "not with a test set (`folder`), whose files are known",
}


def check_sources(given: Mapping[str, object]) -> None:
    """Raise `UsageError` if parameters of `meta_evaluate` do not go together.

    Args:
        given: Their values by name; what is empty was not given.
    """
    found = {name for name, value in given.items() if value and value != ALL_PAIRS}
    kind = _TEXTS if _TEXTS in found else _FILES if found & {"scores", _FILES} else _SET
    if kind is _FILES and not {"scores", _FILES} <= found:
        raise UsageError(
            "`scores` needs `human_scores`, the judgments to compare with, and the other way round."
        )
    if foreign := [f"`{name}`" for name in _FOREIGN[kind] if name in found]:
        raise UsageError(f"{', '.join(foreign)}: {_REASONS[kind]}. Leave one of them out.")
    if kind is _SET and _SET not in found:
        raise UsageError(
            "there is nothing to measure: give a test set (`folder`), texts with human scores "
            "(`judged`), or files of both scores (`scores`, `human_scores`)."
        )
    if kind is _SET and "import_scores" not in found and found & {"imported", "negate"}:
        raise UsageError("`imported` and `negate` go with `import_scores`.")
