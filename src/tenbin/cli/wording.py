"""Parameters in messages, in the words of the command line.

Below `cli` a message names parameters of the library, in backticks: ``language="ja"``. Whoever
typed a command reads the option instead: ``-l ja``.
"""

import re

from tenbin.core.named_parameters import renamed_parameters

_SHORT = {
    "language": "-l",
    "references": "-r",
    "systems": "-t",
    "source": "-s",
    "metrics": "-m",
    "test_set": "--set DIR --pair PAIR",
    "test_sets": "--set",
    "start": "--from",
    "base_model": "--base",
    "plain_text": "--text",
    "list_measures()": "'tenbin meta --list'",
    "page_language": "--report-language",
    "pairs": "--pair",
    "format": "-f",
    "folder": "--set",
    "judged": "--input",
    "teachers": "--teacher",
    "tables": "--table",
    "max_drops": "--max-drop",
}
_LONG = (
    *("damage", "difference", "exclude", "full", "hold_out", "most_texts", "pair"),
    *("peers", "student_of", "teacher", "teacher_base", "teacher_share"),
    *("keep_embeddings", "rounded", "state_weight", "subword_weight"),
    *("ci", "kind", "regularization", "resamples", "seed", "trees"),
    *("by", "force", "heads", "human", "human_scores", "human_systems", "import_scores", "jobs"),
    *("bitext", "context", "lexicon", "links", "scores", "source_vectors", "thresholds", "vectors"),
    *("lowercase", "master", "max_words", "memory", "min_count", "other", "reference_column"),
    *("search", "share", "ship_resources", "source_first", "source_language", "source_output"),
    *("differences", "differences_between", "differences_by", "worst", "worst_by"),
    *("host", "languages", "port", "second_teacher", "teacher_second"),
    *("archive",),
    *("baseline_system", "write_baseline", "p", "rescore"),
    *("human_columns", "imported", "negate", "export_scores"),
    *("aggregate", "given", "per_segment", "pool", "weights", "with_self"),
    *("columns", "documents", "encoding", "input_format", "sheet"),
    *("glossary", "texts"),
    *(
        "source_tokenizer",
        "system_column",
        "table",
        "tags",
        "texts",
        "tokenizer",
        "variant",
        "work",
    ),
)
_OPTIONS = {**_SHORT, **{name: f"--{name.replace('_', '-')}" for name in _LONG}}
_LONG_WORD = re.compile(r"(\S{300})\S{700,}")


def in_options(text: str) -> str:
    """Return a message with options in the place of parameters.

    >>> in_options('Give the language of the text, for example `language="ja"`.')
    'Give the language of the text, for example -l ja.'
    >>> in_options("`something_else` stays.")
    '`something_else` stays.'
    """
    return renamed_parameters(text, _OPTIONS, "{word} {value}")


def with_short_words(message: str) -> str:
    """Return a message in which what is too long for a name of anything is not shown whole.

    >>> len(with_short_words("no such file: " + "x" * 5000))
    317
    """
    return _LONG_WORD.sub(r"\1...", message)
