"""The calls behind ``tenbin metrics``: what metrics there are, and all about one of them."""

from tenbin.metrics.catalogue import MetricCatalog, MetricDescription, describe_all
from tenbin.metrics.catalogue import describe_metric as _describe_metric


def describe_metrics() -> MetricCatalog:
    """Describe every installed metric."""
    return MetricCatalog(tuple(describe_all()))


def describe_metric(metric: str) -> MetricDescription:
    """Describe the metric that a spec or a short name stands for."""
    return _describe_metric(metric)
