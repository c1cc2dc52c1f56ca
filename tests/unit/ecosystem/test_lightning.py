"""Tenbin's metrics in a real Trainer of Lightning."""

import pickle
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from tenbin.core.errors import MissingExtra, ShapeError, UnknownMetric, UsageError
from tenbin.ecosystem import lightning as adapter

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def lightning() -> Any:
    return pytest.importorskip("pytorch_lightning", reason="the extra 'ecosystem' is not installed")


@pytest.fixture
def translator(lightning: Any, hypotheses: list[str], references: list[str]) -> Any:
    """Return a module that learns nothing and translates by rote."""
    torch: Any = import_module("torch")
    loader = torch.utils.data.DataLoader

    class Translator(lightning.LightningModule):  # type: ignore[misc] # any module
        returned: Any = None
        loaders = 1

        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)

        def training_step(self, batch: Any, _number: int) -> Any:
            return self.layer(torch.ones(len(batch), 1)).sum()

        def validation_step(self, batch: Any, _number: int, dataloader_idx: int = 0) -> Any:  # noqa: ARG002
            if self.returned is not None:
                return self.returned
            return {
                "hypotheses": [hypotheses[row] for row in batch],
                "references": [references[row] for row in batch],
            }

        test_step = validation_step

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 0.1)

        def train_dataloader(self) -> Any:
            return loader(range(2))

        def val_dataloader(self) -> Any:
            one = loader(range(len(hypotheses)), batch_size=3)
            return one if self.loaders == 1 else [one] * self.loaders

        test_dataloader = val_dataloader

    return Translator()


@pytest.fixture
def trainer(lightning: Any) -> Callable[..., Any]:
    def make(*callbacks: Any, **settings: Any) -> Any:
        return lightning.Trainer(
            max_epochs=2,
            accelerator="cpu",
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            callbacks=list(callbacks),
            **settings,
        )

    return make


def callback(*words: Any, **settings: Any) -> Any:
    return adapter.TranslationCallback(*words, **{"language": "en", **settings})


def test_scores_of_the_epoch_are_logged(
    trainer: Callable[..., Any], translator: Any, expected: Callable[[str], float], lightning: Any
) -> None:
    own = callback(["chrf", "ter"])
    assert isinstance(own, lightning.Callback)
    stopping = lightning.callbacks.EarlyStopping("val_chrf", mode="max")
    running = trainer(own, stopping)
    running.fit(translator)
    logged = {name: value.item() for name, value in running.callback_metrics.items()}
    assert logged == {"val_chrf": expected("chrf"), "val_ter": expected("ter")}
    (tested,) = running.test(translator, verbose=False)
    assert tested == {"test_chrf": expected("chrf"), "test_ter": expected("ter")}


def test_loaders_have_scores_of_their_own(
    trainer: Callable[..., Any], translator: Any, expected: Callable[[str], float]
) -> None:
    translator.loaders = 2
    running = trainer(callback({"letters": "chrf"}))
    running.validate(translator, verbose=False)
    logged = {name: value.item() for name, value in running.callback_metrics.items()}
    names = ["val_letters/dataloader_idx_0", "val_letters/dataloader_idx_1"]
    assert logged == dict.fromkeys(names, expected("chrf"))


@pytest.mark.parametrize(
    ("returned", "message"),
    [(1.0, "returned float, expected a dict"), ({"loss": 1}, "returned dict with loss, expected")],
)
def test_a_step_that_returns_no_texts_is_named(
    trainer: Callable[..., Any], translator: Any, returned: Any, message: str
) -> None:
    translator.returned = returned
    with pytest.raises(ShapeError, match=f"validation_step {message}"):
        trainer(callback("chrf")).validate(translator, verbose=False)


def test_a_bad_name_is_refused_before_training(lightning: Any) -> None:
    assert lightning
    with pytest.raises(UnknownMetric):
        callback("nonsense")
    with pytest.raises(UsageError, match="metrics is empty"):
        callback([])


def test_it_can_be_sent_to_other_processes(lightning: Any) -> None:
    copy = pickle.loads(pickle.dumps(callback("chrf")))  # noqa: S301
    assert isinstance(copy, lightning.Callback)


def test_the_package_that_is_in_use_is_taken(
    lightning: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "lightning.pytorch", raising=False)
    assert adapter._package() == "pytorch_lightning"
    assert issubclass(adapter.TranslationCallback, lightning.Callback)
    # The same code is also published as 'lightning'.
    monkeypatch.setitem(sys.modules, "lightning.pytorch", lightning)
    assert adapter._package() == "lightning.pytorch"
    assert issubclass(adapter.TranslationCallback, lightning.Callback)


def test_without_lightning_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter._translation_callback.cache_clear()
    monkeypatch.setitem(sys.modules, "pytorch_lightning", None)
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[ecosystem\]'"):
        _ = adapter.TranslationCallback
    with pytest.raises(AttributeError, match="nonsense"):
        _ = adapter.nonsense
