"""The table of encoders beside chrF and static vectors."""

import pytest

encoders = pytest.importorskip("benchmarks.encoder_agreement", reason="not run from the repository")


def test_the_best_metric_over_static_vectors() -> None:
    stored = [
        {"set": "wmt24", "pair": "en-ja", "metric": "chrf", "acc-eq": "0.9"},
        {"set": "wmt24", "pair": "en-ja", "metric": "yisi1, installed", "acc-eq": "0.53"},
        {"set": "wmt24", "pair": "en-ja", "metric": "tenbin, static", "acc-eq": "0.54"},
        {"set": "wmt24", "pair": "en-ja", "metric": "mas, installed", "acc-eq": ""},
        {"set": "wmt24", "pair": "en-ru", "metric": "mas, installed", "acc-eq": "0.6"},
    ]
    assert encoders.best_static(stored, "wmt24", "en-ja", "acc-eq").label == "tenbin, static"
    assert encoders.best_static(stored, "wmt24", "en-es", "acc-eq") is None


def test_an_encoder_must_be_above_both() -> None:
    rows = [
        {"chrf": 0.5, "static": 0.52, "one 4": 0.53, "two 4": 0.51},
        {"chrf": 0.5, "one 4": 0.51, "two 4": 0.49},
        {"chrf": 0.5, "static": 0.4, "one 4": 0.45, "two 4": 0.6},
    ]
    beside = " (without static vectors: 1, beside chrF alone)"
    assert encoders.summary(rows, ["one 4", "two 4"]).split("\n") == [
        f"one 4: above chrF and static vectors on 2 of 3{beside}, a majority",
        f"two 4: above chrF and static vectors on 1 of 3{beside}, no majority",
    ]
