"""The one table from results to renderers."""

import inspect
from importlib import import_module

import pytest

import tenbin
from tenbin.core.errors import UsageError
from tenbin.core.rendering import Renderable
from tenbin.reports.formats import PRINTED, Format
from tenbin.reports.render import RENDERERS, payload, render, tidy

SYSTEMS = {"good": ["the cat sat", "it rained"], "poor": ["a cat", "rain"]}
REFERENCES = ["the cat sat", "it rains"]


@pytest.mark.parametrize(("kind", "renderer"), RENDERERS.items())
def test_every_kind_of_result_exists_and_has_a_whole_renderer(kind: str, renderer: str) -> None:
    module, _, name = kind.partition(":")
    result = getattr(import_module(module), name)
    assert inspect.isclass(result)
    functions = import_module(renderer)
    wanted = {"payload": 1, "tidy": 1, "draw": 3}
    if Format.TSV not in getattr(functions, "FORMATS", PRINTED):
        del wanted["tidy"]
    for name, count in wanted.items():
        assert len(inspect.signature(getattr(functions, name)).parameters) == count


def test_every_class_that_promises_renderings_has_a_renderer() -> None:
    for name in tenbin.__all__:
        getattr(tenbin, name)
    promised = {f"{one.__module__}:{one.__qualname__}" for one in Renderable.__subclasses__()}
    own = {address for address in promised if address.startswith("tenbin.")}
    assert own <= set(RENDERERS)


@pytest.mark.parametrize("form", PRINTED)
def test_a_format_may_be_named(form: Format) -> None:
    table = tenbin.score(SYSTEMS, REFERENCES, language="en", metrics="chrf")
    assert render(table, str(form)) == render(table, form)


def test_the_methods_of_a_result_are_its_renderings() -> None:
    compared = tenbin.compare(SYSTEMS, REFERENCES, language="en", metrics="chrf", rounds=20)
    assert compared.to_dict() == payload(compared)
    assert compared.to_json() == render(compared, Format.JSON)
    assert compared.to_tsv() == render(compared, Format.TSV)
    assert compared.to_markdown() == render(compared, Format.MARKDOWN)
    assert compared.to_latex() == render(compared, Format.LATEX)
    assert str(compared) == render(compared, Format.TEXT)
    columns, rows = tidy(compared)
    frame = compared.to_dataframe()
    assert list(frame.columns) == list(columns)
    assert len(frame) == len(list(rows))


def test_what_cannot_be_rendered_is_refused() -> None:
    table = tenbin.score(SYSTEMS, REFERENCES, language="en", metrics="chrf")
    with pytest.raises(UsageError, match="there is no format 'html'; choose one of text, json"):
        render(table, "html")
    with pytest.raises(TypeError, match="no renderer for dict"):
        render({}, Format.TEXT)
