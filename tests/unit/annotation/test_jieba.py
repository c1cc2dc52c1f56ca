"""Chinese words by jieba: which they are, and that jieba itself is neither heard nor disturbed."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tenbin
from tenbin.annotation.tokenizers import load_tokenizer, tokenizer_names
from tenbin.core.errors import MissingExtra, ScriptMismatch

jieba = pytest.importorskip("jieba")


@pytest.fixture
def _forgotten() -> Iterator[None]:
    load_tokenizer.cache_clear()
    yield
    load_tokenizer.cache_clear()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # The two examples of jieba's own documentation; the dictionary has no 杭研, which is found
        # by the hidden Markov model.
        ("我来到北京清华大学", ["我", "来到", "北京", "清华大学"]),
        ("他来到了网易杭研大厦", ["他", "来到", "了", "网易", "杭研", "大厦"]),
        ("医生买了一辆汽车。", ["医生", "买", "了", "一辆", "汽车", "。"]),
        ("", []),
        ("　\t\n", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert load_tokenizer("jieba").tokenize(text) == words


@pytest.mark.parametrize(
    "text", ["iPhone 15 Pro 上市", "第 一\u3000章\r\n第\u00a0二 章", "a\ud800b 猫"]
)
def test_no_token_holds_a_blank_and_none_gets_lost(text: str) -> None:
    tokens = load_tokenizer("jieba").tokenize(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(token.split() == [token] for token in tokens)


def test_the_signature_names_the_version() -> None:
    metric = tenbin.load_metric('ribes(tokenizer="jieba")', language="zh")
    assert metric.signature.get("tok") == "jieba"
    assert f"|version:jieba={jieba.__version__}|" in str(metric.signature)


def test_words_that_a_program_teaches_jieba_do_not_change_scores() -> None:
    before = load_tokenizer("jieba").tokenize("石墨烯电池组很轻")
    assert "石墨烯电池组" not in before
    jieba.setLogLevel(logging.CRITICAL)
    jieba.add_word("石墨烯电池组")
    try:
        assert "石墨烯电池组" in jieba.lcut("石墨烯电池组很轻")
        assert load_tokenizer("jieba").tokenize("石墨烯电池组很轻") == before
    finally:
        jieba.del_word("石墨烯电池组")


@pytest.mark.parametrize("cached", [False, True])
def test_nothing_is_printed_and_nothing_warns(tmp_path: Path, *, cached: bool) -> None:
    code = (
        "from tenbin.annotation.tokenizers import load_tokenizer\n"
        "print(*load_tokenizer('jieba').tokenize('我来到北京'))"
    )
    # Compiled anew, for that is when Python notices what is odd about its source.
    options = ["-W", "error", "-X", f"pycache_prefix={tmp_path / 'none'}"]
    store, shared = tmp_path / "store", tmp_path / "shared"
    shared.mkdir()
    environment = {
        "PATH": "",
        "PYTHONIOENCODING": "utf-8",
        "TENBIN_RESOURCES": str(store),
        "TMPDIR": str(shared),
    }
    for _ in range(1 + cached):
        done = subprocess.run(
            [sys.executable, *options, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.stdout, done.stderr, done.returncode) == ("我 来到 北京\n", "", 0)
    # In a folder of the user's own: what lies where others may write is not to be read.
    files = sorted(path.name for path in (store / "jieba").iterdir())
    cache = f"jieba-{jieba.__version__}.cache"
    assert files == [cache, f"{cache}.sha256"]
    assert not list(shared.iterdir())
    assert (store / "jieba").stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("_forgotten")
def test_its_own_log_is_as_loud_as_before() -> None:
    logger = logging.getLogger("jieba")
    before = logger.level
    logger.setLevel(logging.INFO)
    try:
        load_tokenizer("jieba")
        assert logger.level == logging.INFO
    finally:
        logger.setLevel(before)


@pytest.mark.usefixtures("_forgotten")
def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(MissingExtra, match=r"tokenizer jieba.*pip install 'tenbin\[zh\]'.*char"):
        load_tokenizer("jieba")


def test_unsegmented_chinese_gets_a_hint_to_jieba() -> None:
    assert "jieba" in tokenizer_names()
    metric = tenbin.load_metric('bleu(tokenizer="13a")', language="zh")
    with pytest.raises(ScriptMismatch, match='"zh", "jieba" or "char"'):
        metric.score(["我来到北京清华大学"], ["我来到北京清华大学读书"])


def test_meteor_on_words() -> None:
    pair = (["医生买了一辆汽车。"], ["大夫买了一部汽车。"])
    words = tenbin.load_metric('meteor(tokenizer="jieba")', language="zh").score(*pair).score
    cut = (["医生 买 了 一辆 汽车 。"], ["大夫 买 了 一部 汽车 。"])
    assert words == tenbin.load_metric('meteor(tokenizer="none")', language="zh").score(*cut).score
    # Characters stay the default: 一辆 and 一部 have one of two in common.
    characters = tenbin.load_metric("meteor", language="zh")
    assert characters.signature.get("tokenizer") == "zh"
    assert words != characters.score(*pair).score


def test_meteor_knows_synonyms_among_words(tmp_path: Path) -> None:
    table = tmp_path / "synonyms.tsv"
    table.write_text("医生\t大夫\n", encoding="utf-8")
    spec = f'meteor(tokenizer="jieba", lexicon="{table}", lemmas=False)'
    metric = tenbin.load_metric(spec, language="zh")
    pair = (["医生买了一辆汽车。"], ["大夫买了一部汽车。"])
    assert metric.signature.get("stages") == "exact,synonym"
    plain = tenbin.load_metric('meteor(tokenizer="jieba")', language="zh")
    assert metric.score(*pair).score > plain.score(*pair).score
