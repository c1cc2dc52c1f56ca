"""The switch of the caches, in this process and in workers."""

from tenbin.core.caching import caching, is_caching
from tenbin.evaluation.parallel import mapped

ASKED = "__import__('tenbin.core.caching').core.caching.is_caching()"


def test_caches_are_used_unless_a_run_says_no() -> None:
    assert is_caching()
    with caching(enabled=False):
        assert not is_caching()
        with caching(enabled=True):
            assert not is_caching()
    assert is_caching()


def test_workers_have_the_setting_of_the_process_that_started_them() -> None:
    assert list(mapped(eval, [ASKED], jobs=2)) == [True]
    with caching(enabled=False):
        assert list(mapped(eval, [ASKED], jobs=2)) == [False]
