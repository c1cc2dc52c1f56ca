"""Which metrics to take for a target language, by what is installed.

Nothing is loaded to find out: names are looked up in the registry, resources in the store, packages
by their place on disk.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from tenbin.annotation.languages import Language, parse_language
from tenbin.core.rendering import Renderable
from tenbin.core.spec import Spec
from tenbin.metrics.registry import ALIASES, metric_names
from tenbin.resources.recommended_metrics import Recommendation, recommendations
from tenbin.resources.store.lookup import State
from tenbin.resources.store.store import ResourceStore, default_store

_ABSENT = {State.MISSING, State.DAMAGED}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendedMetric:
    """A metric for a target language, and what is lacking to run it.

    Attributes:
        metric: Its spec.
        agreement: What was measured of its agreement with people.
        needs: Resources and the extra that it needs.
        commands: What installs those that are lacking; none if it can run.
    """

    metric: str
    agreement: str
    needs: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    @property
    def is_installed(self) -> bool:
        """Whether it can run as things are."""
        return not self.commands


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageMetrics(Renderable):
    """What to take for one target language.

    Attributes:
        language: Tag of the language.
        surface: The metric of characters, which needs nothing.
        meaning: Metrics of meaning, the one that agrees best with people first.
    """

    language: str
    surface: str
    meaning: tuple[RecommendedMetric, ...]

    @property
    def chosen(self) -> tuple[str, ...]:
        """The default metrics: that of characters, and the best one of meaning that can run."""
        installed = [one.metric for one in self.meaning if one.is_installed]
        return (self.surface, *installed[:1])

    @property
    def better(self) -> RecommendedMetric | None:
        """The best one of meaning, if it is not the one that can run."""
        best = self.meaning[0] if self.meaning else None
        return None if best is None or best.is_installed else best

    @property
    def notes(self) -> tuple[str, ...]:
        """A line on the better metric that could be installed, if there is one."""
        better = self.better
        if better is None:
            return ()
        note = (
            f"for {self.language}, {better.metric} agrees better with people and can be installed: "
            f"{' && '.join(better.commands)}"
        )
        return (note,)


def language_metrics(language: str, store: ResourceStore | None = None) -> LanguageMetrics:
    """Return what to take for a target language.

    Args:
        language: Its tag.
        store: Where resources are looked up; by default the user's store.

    >>> language_metrics("is").chosen, language_metrics("th").chosen
    (('chrf++',), ('chrf',))
    """
    target = parse_language(language)
    own = default_store() if store is None else store
    return LanguageMetrics(
        language=target.tag,
        surface="chrf++" if target.spaced else "chrf",
        meaning=tuple(
            _checked(one, own)
            for one in recommendations()
            if _is_for(one, target) and is_registered(one.metric)
        ),
    )


def registered_recommendations() -> dict[str, tuple[Recommendation, ...]]:
    """Return the metrics that exist here, by language; languages without any are left out."""
    found: dict[str, tuple[Recommendation, ...]] = {}
    for one in recommendations():
        if is_registered(one.metric):
            found[one.language] = (*found.get(one.language, ()), one)
    return found


def is_registered(spec: str) -> bool:
    """Return whether a metric of that name exists; its class is not imported.

    >>> is_registered("chrf(word_order=2)"), is_registered("combination-xx")
    (True, False)
    """
    name = Spec.parse(spec).name.lower()
    return name in ALIASES or name in metric_names()


def _is_for(one: Recommendation, target: Language) -> bool:
    # The script counts: Chinese vectors are in simplified characters.
    wanted = parse_language(one.language)
    return (wanted.code, wanted.script_code) == (target.code, target.script_code)


def _checked(one: Recommendation, store: ResourceStore) -> RecommendedMetric:
    commands = []
    if any(find_spec(package) is None for package in one.packages):
        commands.append(f"pip install 'tenbin[{one.extra}]'")
    lacking = [name for name in one.resources if _is_lacking(name, store)]
    if lacking:
        commands.append(f"tenbin resources install {' '.join(lacking)}")
    return RecommendedMetric(
        metric=one.metric,
        agreement=one.agreement,
        needs=(*one.resources, *([f"tenbin[{one.extra}]"] if one.extra else [])),
        commands=tuple(commands),
    )


def _is_lacking(name: str, store: ResourceStore) -> bool:
    known: Sequence[str] = [entry.name for entry in store.entries()]
    return name not in known or store.state(name)[0] in _ABSENT
