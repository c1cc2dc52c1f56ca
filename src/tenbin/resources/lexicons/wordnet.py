"""WordNet 3.0 with the morphology of METEOR 1.5: the default lexicon for English."""

from functools import cache, cached_property, lru_cache

from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.lexicons.table import LexiconTable, read_lexicon_table
from tenbin.resources.lexicons.lexicon import TableLexicon
from tenbin.resources.store.store import default_store

# Suffix and replacement, in METEOR's order; the first that yields a listed word is used.
_RULES = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
    *(("men", "man"), ("ies", "y")),
    *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", "")),
    *(("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)
_RULES_BY_LETTER = {
    letter: tuple(rule for rule in _RULES if rule[0][-1] == letter)
    for letter in {suffix[-1] for suffix, _ in _RULES}
}
_NAME = "wordnet"  # in the manifest
_LONGEST_BASE = 2
_CACHE_SIZE = 500_000


class WordNetLexicon(TableLexicon):
    """Synsets of a word: those of the word itself, and those of its base forms.

    Base forms are the listed ones of an irregular form (``was``: be), or the first that a suffix
    rule makes and WordNet lists (``cars``: car). METEOR-E looks up words unchanged.
    """

    def __init__(
        self, identity: ResourceIdentity, table: LexiconTable, *, morphology: bool = True
    ) -> None:
        super().__init__(identity, table)
        self._morphology = morphology
        # Chunks of a test set share most of their words.
        self._cached = lru_cache(maxsize=_CACHE_SIZE)(self._looked_up)

    def concepts(self, word: str) -> tuple[int, ...]:
        """Return the synsets of a word, ascending."""
        return self._cached(word)

    def _looked_up(self, word: str) -> tuple[int, ...]:
        own = self.table.sets_of(word)
        bases = self.bases(word) if self._morphology else ()
        if not bases:
            return own
        found = {number for base in bases for number in self.table.sets_of(base)}
        return tuple(sorted(found.union(own)))

    def bases(self, word: str) -> tuple[str, ...]:
        """Return the base forms of a word; none if it is its own base form."""
        irregular = self._irregular.get(word)
        if irregular is not None:
            return irregular
        if len(word) <= _LONGEST_BASE or word.endswith("ss"):
            return ()
        listed = self.table
        for suffix, replacement in _RULES_BY_LETTER.get(word[-1], ()):
            if word.endswith(suffix):
                base = word[: len(word) - len(suffix)] + replacement
                if base in listed:
                    return (base,)
        return ()

    def describe(self, concept: int) -> str:
        """Return the number of a synset and its words."""
        members = ", ".join(self.table.members(concept))
        return f"WordNet synset {concept:08d}: {members}"

    @cached_property
    def _irregular(self) -> dict[str, tuple[str, ...]]:
        lines = (line.split(" ") for line in self.table.notes.splitlines())
        return {form: tuple(bases) for form, *bases in lines}


@cache
def load_wordnet(*, morphology: bool = True) -> WordNetLexicon:
    """Return the WordNet that comes with Tenbin.

    Raises:
        FingerprintMismatch: The file was damaged.

    >>> load_wordnet().describe(*set(load_wordnet().concepts("automobiles")) & {2958343})
    'WordNet synset 02958343: auto, automobile, car, machine, motorcar'
    """
    store = default_store()
    identity = store.identity(_NAME, kind=ResourceKind.LEXICON)
    return WordNetLexicon(identity, read_lexicon_table(store.path(_NAME)), morphology=morphology)
