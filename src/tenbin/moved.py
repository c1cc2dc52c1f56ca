"""Modules that have moved: their old names still import, with a `DeprecationWarning`.

The table holds the modules that pages of the documentation named before they moved. Old names go
with version 0.3.
"""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "tenbin.building.bert_model": "tenbin.building.bert.model",
    "tenbin.building.paraphrase_conversion": "tenbin.building.paraphrases.conversion",
    "tenbin.building.paraphrase_table": "tenbin.building.paraphrases.table",
    "tenbin.building.word_vectors": "tenbin.building.vectors.training",
    "tenbin.evaluation.kept_runs": "tenbin.evaluation.score_cache",
    "tenbin.library": "tenbin.api.scoring",
    "tenbin.library.calls": "tenbin.api.scoring",
    "tenbin.library.meta_call": "tenbin.api.meta",
    "tenbin.library.shapes": "tenbin.api.shapes",
    "tenbin.library.studies_call": "tenbin.api.studies",
    "tenbin.library.studies_options": "tenbin.studies.planning",
    "tenbin.library.table_call": "tenbin.api.tables",
    "tenbin.library.tuning_call": "tenbin.api.tuning",
    "tenbin.matching.text_penalty": "tenbin.penalty.texts",
    "tenbin.annotation.names": "tenbin.penalty.names.recognition",
    "tenbin.metrics.penalties": "tenbin.penalty.applied",
    "tenbin.reports.meta_table": "tenbin.core.agreement",
    "tenbin.reports.score_table": "tenbin.core.scores",
    "tenbin.reports.tuning_table": "tenbin.core.tuning",
    "tenbin.resources.manifest": "tenbin.resources.store.manifest",
    "tenbin.resources.paraphrase_sets": "tenbin.resources.paraphrases",
    "tenbin.resources.preparation": "tenbin.resources.store.preparation",
    "tenbin.resources.token_frequencies": "tenbin.resources.frequencies",
    "tenbin.resources.vector_table": "tenbin.resources.vectors.table",
}


class _OldNames:
    """Finds and loads a moved module under its old name.

    Not a subclass of what `importlib.abc` has: importing that would double the start-up.
    """

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - part of the protocol
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        is_package = any(name.startswith(f"{fullname}.") for name in MOVED)
        if fullname not in MOVED:
            return None
        return ModuleSpec(fullname, self, is_package=is_package)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:  # noqa: ARG002 - part of the protocol
        return None

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        new = MOVED[old]
        warnings.warn(f"{old} is {new} now", DeprecationWarning, stacklevel=2)
        found = import_module(new)
        if any(name.startswith(f"{old}.") for name in MOVED):
            # A package stays one, so that what was in it can be found.
            module.__dict__.update(
                {name: thing for name, thing in vars(found).items() if not name.startswith("__")}
            )
        else:
            sys.modules[old] = found


def find_moved_modules() -> None:
    """Let old names be imported; they are looked for last, so that nothing else gets slower."""
    if not any(isinstance(finder, _OldNames) for finder in sys.meta_path):
        sys.meta_path.append(_OldNames())
