"""``tenbin build vectors``."""

import argparse
import sys

from tenbin.api.building import build_vectors
from tenbin.cli.building.options import add_corpus_options, add_target_options, shown_steps
from tenbin.cli.options import worker_count
from tenbin.cli.terminal import tell
from tenbin.core.counting import counted

SUMMARY = "train word vectors on a text, for the metrics that compare words by vectors"
EPILOG = """\
examples:
  tenbin build vectors news.sw.gz wiki.sw.gz -l sw -o vectors.sw.bin --lowercase
  tenbin build vectors corpus.fi -l fi -o fi.bin --method fasttext --jobs 0
  tenbin score -r ref.txt -t out.txt -l sw -m 'meteor(vectors="vectors.sw.bin")'

FILE.card.json beside the result says from what and how it was made.
"""
_NUMBERS = {
    "--dimensions": (300, "numbers per vector"),
    "--window": (5, "words to each side that count as neighbors"),
    "--min-count": (5, "rarer words get no vector"),
    "--epochs": (5, "how often the text is gone through"),
    "--negative": (5, "random words that each word is held against"),
    "--seed": (1, "start of all random numbers"),
}
_METHODS = ("cbow", "skipgram", "fasttext")
_UNITS = ("tokens", "lemmas")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    text = add_corpus_options(parser, auto="the words of the language")
    text.add_argument(
        "--unit",
        choices=_UNITS,
        default=_UNITS[0],
        help="vectors of words as they stand (tokens, the default), or of lemmas",
    )
    text.add_argument(
        "--lowercase", action="store_true", help="lower-case the text; lemmas always are"
    )
    group = parser.add_argument_group("training")
    group.add_argument(
        "--method",
        choices=_METHODS,
        default=_METHODS[0],
        help="cbow (the default, fast), skipgram (better for rare words), or fasttext (skip-gram "
        "with character n-grams: a vector for unknown words too)",
    )
    for option, (default, meaning) in _NUMBERS.items():
        group.add_argument(
            option, type=int, default=default, metavar="N", help=f"{meaning} (default: {default})"
        )
    group.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="threads; 0 for one per core; only 1, the default, gives the same vectors each time",
    )
    add_target_options(parser)


def run(options: argparse.Namespace) -> int:
    """Train the vectors and say how many there are."""
    jobs = worker_count(options.jobs)
    card = build_vectors(
        options.corpus,
        options.language,
        options.output,
        tokenizer=options.tokenizer,
        lowercase=options.lowercase,
        lemmas=options.unit == "lemmas",
        method=options.method,
        dimensions=options.dimensions,
        window=options.window,
        min_count=options.min_count,
        epochs=options.epochs,
        negative=options.negative,
        seed=options.seed,
        jobs=jobs,
        force=options.force,
        phase=shown_steps(quiet=options.quiet),
    )
    if jobs > 1:
        note = f"with {jobs} jobs another run gives slightly other vectors."
        tell([note], quiet=options.quiet)
    if not options.quiet:
        size = f"{counted(card['vocabulary'], 'vector')} of {options.dimensions} numbers"
        covered = 100 * card["tokens_with_vector"] / card["tokens"]
        print(f"{options.output}: {size}, for {covered:.1f} % of all tokens", file=sys.stderr)
    return 0
