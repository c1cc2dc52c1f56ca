"""Which layer of an encoder agrees best with people: python -m benchmarks.encoder_layers MODEL.

BERTScore and `tenbin` with the vectors of every layer, on the judged test sets into English (or
another language), each with the measure of its campaign. The layer is chosen anew with every year
left out, and measured on that year. Encoders of many layers are slow on a processor: a part of the
judged translations of each set is enough (`--translations`), and intervals say what that is worth.
"""

import argparse
import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from pathlib import Path

import numpy as np

from benchmarks.agreement.columns import target
from benchmarks.agreement.page import render_table
from benchmarks.agreement.sets import PLANS, Plan, chosen_plans, scored_pairs
from benchmarks.preset_search.features import paired
from benchmarks.preset_search.report import Interval, mean_interval
from benchmarks.preset_search.sets import JudgedSet, SetName, judged_set
from benchmarks.preset_search.settings import FoldKind, Rule, chosen, folds, held_out
from tenbin.annotation.encoders.context_encoder import unit_length
from tenbin.annotation.encoders.encoded import EncodedTexts
from tenbin.annotation.encoders.loading import find_model, load_encoder
from tenbin.annotation.encoders.settings import Pooling, View
from tenbin.core.arrays import FloatArray
from tenbin.core.caching import caching
from tenbin.kernels.similarity.blocks import padded
from tenbin.meta.significance.bootstrap import bootstrap
from tenbin.metrics.bertscore import BertScore
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.representations.model_defaults import USUAL_SHARE, default_layer
from tenbin.metrics.representations.sentences import SubwordsAndSentences, two_layers
from tenbin.metrics.tenbin_score import TenbinScore

_ROOT = Path(__file__).resolve().parents[1]
_PAIRS_AT_ONCE = 100
_RESAMPLES, _SLOW, _SLOW_RESAMPLES = 1_000, "acc-eq", 100
_SEED = 12345
_METRICS = ("bertscore", "tenbin")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LayerValues:
    """What the layers of an encoder come to on one language pair of a test set.

    Attributes:
        name: Which one it is.
        measure: The measure.
        translations: Judged translations, distinct ones.
        values: Agreement, ``(metrics, layers)``.
        interval: 95 % interval of what `tenbin` gains over BERTScore on the layer of `shown`.
        lead: 95 % interval of what the layer gains over the usual one, for BERTScore.
    """

    name: SetName
    measure: str
    translations: int
    values: FloatArray
    interval: Interval
    lead: Interval


def main() -> None:
    """Measure and print."""
    options = _parse()
    count = find_model(options.model, options.language).layer_count
    layers = tuple(range(1, count + 1))
    options.layer = options.layer or default_layer(options.model, options.language)
    options.beside = options.beside or ceil(USUAL_SHARE * count)
    found = []
    for plan in chosen_plans(options.sets):
        for pair in scored_pairs(options.data / plan.name):
            if target(pair) == options.language:
                one = measured(options, plan, pair, layers)
                found += [] if one is None else [one]
    if not found:
        raise SystemExit(f"no judged test set into {options.language!r} in {options.data}.")
    print(report(found, layers, options.layer))


def measured(
    options: argparse.Namespace, plan: Plan, pair: str, layers: Sequence[int]
) -> LayerValues | None:
    """Return what each layer comes to on a language pair; None where nobody judged it."""
    os.environ.setdefault("TENBIN_KERNELS", "compiled")
    start = time.process_time()
    judged = judged_set(options.data / plan.name, pair, plan, options.translations)
    if judged is None:
        return None
    scores = load_scores(judged, options.model, options.language, layers, options.keep)
    values = np.stack([judged.agreement.values(rows) for rows in scores])
    shown, usual = layers.index(options.layer), layers.index(options.beside)
    rows = (scores[0, shown], scores[1, shown], scores[0, usual])
    resamples = _SLOW_RESAMPLES if judged.measure == _SLOW else _RESAMPLES
    drawn = bootstrap(
        [judged.prepared(row) for row in rows],
        rng=np.random.default_rng(_SEED),
        resamples=resamples,
    )
    spent = time.process_time() - start
    print(f"{judged.name}: {spent:.1f} s of processor time", file=sys.stderr, flush=True)
    return LayerValues(
        name=judged.name,
        measure=judged.measure,
        translations=len(judged.hypotheses),
        values=values,
        interval=mean_interval(drawn[1] - drawn[0]),
        lead=mean_interval(drawn[0] - drawn[2]),
    )


def load_scores(
    judged: JudgedSet, model: str, language: str, layers: Sequence[int], folder: Path
) -> FloatArray:
    """Return the scores by metric, layer and pair of texts; kept in a folder for the next time."""
    identity = find_model(model, language).identity
    known = repr((identity, tuple(layers), judged.hypotheses, judged.references))
    digest = hashlib.sha256(known.encode()).hexdigest()[:16]
    path = folder / f"{identity.name}-{judged.name.test_set}-{judged.name.pair}-{digest}.npy"
    if path.is_file():
        kept: FloatArray = np.load(path)
        return kept
    parts = []
    for start in range(0, len(judged.hypotheses), _PAIRS_AT_ONCE):
        some = slice(start, start + _PAIRS_AT_ONCE)
        texts = judged.hypotheses[some], judged.references[some]
        parts.append(layer_scores(*texts, model=model, language=language, layers=layers))
    found = np.concatenate(parts, axis=2)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(path, found)
    return found


def layer_scores(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    model: str,
    language: str,
    layers: Sequence[int],
) -> FloatArray:
    """Return BERTScore and `tenbin` of some pairs with each layer, ``(2, layers, pairs)``."""
    plain = BertScore(model=model, layer=layers[0]).bind(language)
    mixed = TenbinScore(model=model, layer=layers[0]).bind(language)
    choice = replace(
        plain.part(ContextualSubwords).choice, view=View(tuple(layers), Pooling.JOINED)
    )
    with caching(enabled=False):  # all layers together would fill the cache
        encoded = load_encoder(choice).encode(paired(hypotheses, references).strings)
    found = np.empty((len(_METRICS), len(layers), len(hypotheses)))
    for row, (one, both) in enumerate(_by_layer(encoded, len(layers))):
        batch = paired(hypotheses, references)
        subwords = plain.part(ContextualSubwords)
        key = ("encoded texts", subwords.compared_with, subwords.choice)
        batch.once(key, partial(replace, one, units=padded(one.units)))
        batch.once(mixed.part(SubwordsAndSentences).sentences_key(), partial(two_layers, both))
        found[0, row] = plain.pair_scores(batch)
        found[1, row] = mixed.pair_scores(batch)
    return found


def _by_layer(encoded: EncodedTexts, count: int) -> Iterator[tuple[EncodedTexts, EncodedTexts]]:
    """Yield texts with the vectors of each layer, and with those of the last one beside them."""
    size = encoded.units.shape[1] // count
    parts = [encoded.units[:, place * size :][:, :size] for place in range(count)]
    for part in parts:
        both = np.concatenate([part, parts[-1]], axis=1)
        yield replace(encoded, units=unit_length(part)), replace(encoded, units=both)


def report(found: Sequence[LayerValues], layers: Sequence[int], shown: int) -> str:
    """Return the tables: agreement by layer, and what is chosen with each year left out."""
    parts = []
    place = list(layers).index(shown)
    for number, metric in enumerate(_METRICS):
        header = [f"{metric}: test set", "measure", "translations", *map(str, layers)]
        values = np.stack([one.values[number] for one in found], axis=1)
        rows = [
            [str(one.name), one.measure, f"{one.translations:,}"]
            + [f"{value:.3f}" for value in one.values[number]]
            for one in found
        ]
        rows.append(["mean", "", "", *(f"{value:.4f}" for value in values.mean(axis=1))])
        parts.append(render_table(header, rows))
        # Gains, so that sets of other measures weigh the same.
        gains = values - values.mean(axis=0)
        everything = range(len(found))
        left_out = held_out(gains, folds([one.name for one in found], FoldKind.YEAR), Rule.MEAN)
        best = layers[chosen(gains, everything, Rule.MEAN)]
        line = f"{metric}: best mean on all sets: layer {best}"
        if left_out is not None:
            times = Counter(layers[one] for one in left_out.choices).most_common()
            named = ", ".join(f"layer {layer} ({count} sets)" for layer, count in times)
            kept = values[list(left_out.choices), np.arange(len(found))].mean()
            line += f"; chosen with the year left out: {named}, mean there {kept:.4f}"
        parts.append(line)
    header = ["test set", f"tenbin - bertscore, layer {shown}", "95 % interval", "layer's lead"]
    rows = [
        [
            str(one.name),
            f"{one.values[1, place] - one.values[0, place]:+.4f}",
            f"{one.interval[0]:+.4f} to {one.interval[1]:+.4f}",
            f"{one.lead[0]:+.4f} to {one.lead[1]:+.4f}",
        ]
        for one in found
    ]
    return "\n\n".join([*parts, render_table(header, rows)])


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.encoder_layers", description=__doc__
    )
    parser.add_argument("model", help="an encoder: a resource or a folder")
    parser.add_argument("-l", "--language", default="en", help="target language")
    parser.add_argument(
        "--data", type=Path, default=_ROOT.parent / "shared" / "data", metavar="DIR"
    )
    parser.add_argument(
        "--sets", nargs="*", default=[], metavar="SET", help=", ".join(one.name for one in PLANS)
    )
    parser.add_argument(
        "--translations", type=int, default=1_000, metavar="N", help="judged ones of each set"
    )
    parser.add_argument("--layer", type=int, help="the layer with intervals (that of the model)")
    parser.add_argument("--beside", type=int, help="what it is compared with (7 tenths up)")
    parser.add_argument(
        "--keep",
        type=Path,
        default=_ROOT / "build" / "encoder-layers",
        metavar="DIR",
        help="where scores are kept (default: %(default)s)",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
