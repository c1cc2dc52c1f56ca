"""The calls behind ``tenbin metrics``: what metrics there are, and all about one of them."""

from tenbin.metrics.catalogue import MetricCatalog, MetricDescription, describe_all
from tenbin.metrics.catalogue import describe_metric as _describe_metric
from tenbin.metrics.recommended import LanguageMetrics, registered_recommendations
from tenbin.metrics.recommended import language_metrics as _language_metrics


def describe_metrics() -> MetricCatalog:
    """Describe every installed metric."""
    by_language = {
        language: tuple(one.metric for one in metrics)
        for language, metrics in registered_recommendations().items()
    }
    return MetricCatalog(tuple(describe_all()), by_language)


def language_metrics(language: str) -> LanguageMetrics:
    """Return what to take for a target language, best first, and what of it is installed.

    >>> language_metrics("de").surface
    'chrf++'
    """
    return _language_metrics(language)


def describe_metric(metric: str) -> MetricDescription:
    """Describe the metric that a spec or a short name stands for."""
    return _describe_metric(metric)
