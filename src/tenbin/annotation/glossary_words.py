"""The names of the run's glossary as words of Japanese."""

from tenbin.annotation.languages import parse_language
from tenbin.annotation.tokenizers import is_sudachi, plain_tokenizer
from tenbin.core.run_glossary import NO_GLOSSARY, run_glossary


def with_glossary_names(tokenizer: str, language: str) -> str:
    """Return a tokenizer that knows the names of the run's glossary; the same where it has none.

    Only Sudachi takes names, in Japanese. To be called where a metric is bound: worker processes
    have the name of the tokenizer, not the glossary.

    Args:
        tokenizer: The full name of a tokenizer.
        language: The language of the texts.

    Raises:
        InputError: The glossary cannot be read.
        MissingExtra: Sudachi is not installed.
        ResourceError: The dictionary of its names cannot be built.
    """
    run = run_glossary()
    if run.file in {"", NO_GLOSSARY} or not is_sudachi(tokenizer):
        return tokenizer
    if parse_language(language).code != "ja":
        return tokenizer
    from tenbin.resources.glossaries import load_glossary  # noqa: PLC0415 - slow
    from tenbin.resources.lexicons.sudachi_names import build_names_dictionary  # noqa: PLC0415

    loaded = load_glossary(name=run.file, target=language, source=run.source_language)
    key = build_names_dictionary(loaded.glossary.names)
    plain = plain_tokenizer(tokenizer)
    return f"{plain}+{key}" if key else plain
