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
  tenbin build vectors en-de.tsv.xz -l de --variant bi --source-language en --source-first \\
      -o vectors.de.bin --source-output vectors.en.bin --lowercase
  tenbin build vectors corpus.de -l de -o de.bin --variant pseudo-pos --lowercase
  tenbin score -r ref.txt -t out.txt -l sw -m 'meteor(vectors="vectors.sw.bin")'

FILE.card.json beside the result says from what and how it was made.
"""
# Values of enumerations in tenbin.building, which is slow to load.
_VARIANTS = ("mono", "bi", "pseudo-pos", "pseudo-lemma", "mono-lemma", "bi-lemma")
_METHODS = ("cbow", "skipgram", "fasttext")
_UNITS = ("tokens", "lemmas")
_NUMBERS = {
    "--dimensions": (int, 300, "N", "numbers per vector"),
    "--window": (int, 5, "N", "words to each side that count as neighbors"),
    "--min-count": (int, 5, "N", "rarer words get no vector"),
    "--epochs": (int, 5, "N", "how often the text is gone through"),
    "--negative": (int, 5, "N", "random words that each word is held against"),
    "--sample": (float, 1e-3, "X", "share of the text above which words are often skipped"),
    "--beta": (float, 1.0, "X", "weight of predictions from the other side, unless mono"),
    "--seed": (int, 1, "N", "start of all random numbers"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    text = add_corpus_options(parser, auto="the words of the language")
    text.add_argument(
        "--unit",
        choices=_UNITS,
        default=_UNITS[0],
        help="vectors of words as they stand (tokens, the default), or of lemmas: the same as "
        "--variant mono-lemma",
    )
    text.add_argument(
        "--lowercase", action="store_true", help="lower-case the text; lemmas always are"
    )
    _add_variant_options(parser)
    group = parser.add_argument_group("training")
    group.add_argument(
        "--method",
        choices=_METHODS,
        default=_METHODS[0],
        help="cbow (the default, fast), skipgram (better for rare words), or fasttext (skip-gram "
        "with character n-grams: a vector for unknown words too; needs tenbin[build])",
    )
    for option, (kind, default, name, meaning) in _NUMBERS.items():
        group.add_argument(
            option, type=kind, default=default, metavar=name, help=f"{meaning} (default: {default})"
        )
    group.add_argument(
        "--rate",
        type=float,
        metavar="X",
        help="learning rate at the start (default: 0.05 for cbow, else 0.025)",
    )
    group.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="threads; 0 for one per core; only 1, the default, gives the same vectors each time",
    )
    add_target_options(parser)


def _add_variant_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "variant",
        "What is learned from the text. For bi and bi-lemma CORPUS has two languages, with a tab "
        "between them: that of the vectors, then the source language.",
    )
    group.add_argument(
        "--variant",
        choices=_VARIANTS,
        default=_VARIANTS[0],
        help="mono: words (default); bi: words of two languages in one space; pseudo-pos and "
        "pseudo-lemma: words, and the tags or lemmas of the same text; mono-lemma and bi-lemma: "
        "lemmas instead of words",
    )
    group.add_argument("--source-language", metavar="LANG", help="the other language of CORPUS")
    group.add_argument(
        "--source-first", action="store_true", help="the source language is in the first column"
    )
    group.add_argument(
        "--source-output",
        metavar="FILE",
        help="write the vectors of the source language, too; they are in the same space",
    )
    group.add_argument(
        "--source-tokenizer",
        metavar="NAME",
        default="auto",
        help="how the source language is cut into words",
    )
    group.add_argument(
        "--other",
        nargs="+",
        metavar="FILE",
        default=[],
        help="text in the source language, if each CORPUS has one language only",
    )
    group.add_argument(
        "--links",
        nargs="+",
        metavar="FILE",
        default=[],
        help="word links of each CORPUS, made by an aligner: 0-0 1-2 ...; the first number is of "
        "the first column (default: words are aligned uniformly, by position)",
    )
    group.add_argument(
        "--tags",
        nargs="+",
        metavar="FILE",
        default=[],
        help="for pseudo-pos, universal tags of each CORPUS, a line of tags per line (default: "
        "those of a tagger)",
    )


def run(options: argparse.Namespace) -> int:
    """Train the vectors and say how many there are."""
    jobs = worker_count(options.jobs)
    card = build_vectors(
        options.corpus,
        options.language,
        options.output,
        variant=options.variant,
        source_language=options.source_language or "",
        source_output=options.source_output,
        source_first=options.source_first,
        others=options.other,
        links=options.links,
        tags=options.tags,
        tokenizer=options.tokenizer,
        source_tokenizer=options.source_tokenizer,
        lowercase=options.lowercase,
        lemmas=options.unit == "lemmas",
        method=options.method,
        dimensions=options.dimensions,
        window=options.window,
        min_count=options.min_count,
        epochs=options.epochs,
        negative=options.negative,
        sample=options.sample,
        rate=options.rate,
        beta=options.beta,
        seed=options.seed,
        jobs=jobs,
        force=options.force,
        phase=shown_steps(quiet=options.quiet),
        note=lambda text: tell([text], quiet=options.quiet),
    )
    if jobs > 1:
        note = f"with {jobs} jobs another run gives slightly other vectors."
        tell([note], quiet=options.quiet)
    if not options.quiet:
        size = f"{counted(card['vocabulary'], 'vector')} of {options.dimensions} numbers"
        covered = 100 * card["tokens_with_vector"] / card["tokens"]
        print(f"{options.output}: {size}, for {covered:.1f} % of all tokens", file=sys.stderr)
        other = card.get("other", {})
        if "file" in other:
            size = f"{counted(other['vocabulary'], 'vector')} of {options.dimensions} numbers"
            print(f"{options.source_output}: {size}, in the same space", file=sys.stderr)
    return 0
