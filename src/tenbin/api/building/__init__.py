"""The calls behind ``tenbin build``: resources made from text.

Each builder is imported when it is called: some take a second to load, and most need packages of
an extra.
"""

from tenbin.api.building.combinations import build_combination
from tenbin.api.building.encoder import DEFAULT_ENCODER_EPOCHS, build_encoder
from tenbin.api.building.metric import DEFAULT_BASE, build_metric
from tenbin.api.building.models import DEFAULT_EPOCHS, build_bert, build_context
from tenbin.api.building.paraphrases import build_paraphrases, convert_paraphrases
from tenbin.api.building.steps import Phase, TrainingStep
from tenbin.api.building.words import build_function_words, build_idf, build_vectors

__all__ = [
    "DEFAULT_BASE",
    "DEFAULT_ENCODER_EPOCHS",
    "DEFAULT_EPOCHS",
    "Phase",
    "TrainingStep",
    "build_bert",
    "build_combination",
    "build_context",
    "build_encoder",
    "build_function_words",
    "build_idf",
    "build_metric",
    "build_paraphrases",
    "build_vectors",
    "convert_paraphrases",
]
