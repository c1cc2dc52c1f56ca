"""Names of the user's own on the command line: systems, documents, metrics, columns of scores."""

import json
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

LONG = "chrf(word_order=2, beta=3)"
SYSTEMS = ("-t", "new=a/out.txt", "old=b/out.txt")
TEXTS = ("-r", "ref.txt", *SYSTEMS, "-l", "en")


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    references = [f"sentence number {place} of the text" for place in range(12)]
    poor = [text.replace("sentence", "phrase") for text in references]
    for folder in ("a", "b"):
        Path(folder).mkdir()
    rows = [f"d{place // 4}" for place in range(12)]
    scores = [
        *(f"new\t{0.8 + place / 100}\n" for place in range(12)),
        *(f"old\t{0.3 + place / 100}\n" for place in range(12)),
    ]
    files = {
        "ref.txt": references,
        "a/out.txt": references,
        "b/out.txt": poor,
        "docs.txt": rows,
        "new.mx": [str(place % 3) for place in range(12)],
        "old.mx": [str(5 + place % 4) for place in range(12)],
    }
    for name, lines in files.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    Path("COMET-refA.seg.score").write_text("".join(scores), encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("named")
class TestNames:
    """Every command that reads outputs of systems takes their names."""

    def test_score_and_compare(self, cli: Cli) -> None:
        found = json.loads(cli("score", *TEXTS, "-m", "chrf", "-f", "json").stdout)
        assert [row["system"] for row in found["results"]] == ["new", "old"]
        for baseline in ("old", "b/out.txt", "old=b/out.txt"):
            done = cli("compare", *TEXTS, "-m", "chrf", "--baseline", baseline, "-f", "json")
            assert json.loads(done.stdout)["test"]["baseline"] == "old"

    def test_explain_and_report(self, cli: Cli) -> None:
        done = cli("explain", *TEXTS, "-n", "1", "--documents", "docs.txt", "-f", "json")
        assert {one["system"] for one in json.loads(done.stdout)["explanations"]} == {"new", "old"}
        cli("score", *TEXTS, "-m", "chrf", "-f", "json", "-o", "s.json")
        done = cli("report", "s.json", "-r", "ref.txt", *SYSTEMS, "-o", "page.html")
        assert done.returncode == 0, done.stderr
        done = cli("report", "s.json", "-r", "ref.txt", "-t", "a/out.txt", "-o", "page.html")
        assert "has scores of new, old" in done.stderr

    def test_check_and_doctor(self, cli: Cli) -> None:
        base = ("check", "--write-baseline", "b.json", "-r", "ref.txt", "-t", "new=a/out.txt")
        assert cli(*base, "-l", "en", "-m", f"short={LONG}", "bleu").returncode == 0
        checked = ("check", "--baseline", "b.json", "-t", "newer=b/out.txt", "-f", "json")
        done = cli(*checked, "--max-drop", "short=0.3")
        assert done.returncode == 1
        (row,) = json.loads(done.stdout)["metrics"]
        assert (row["metric"], row["max_drop"]) == ("short", 0.3)
        assert cli(*checked, "--max-drop", f"{LONG}=0.3").stdout == done.stdout
        assert "it has bleu, short" in cli(*checked, "--max-drop", "ter=1").stderr
        assert "12 segments, 3 documents" in cli("doctor", *TEXTS, "--documents", "docs.txt").stdout

    def test_candidates(self, cli: Cli) -> None:
        plain = cli("mbr", "-t", "a/out.txt", "b/out.txt", "ref.txt", "-l", "en", "-m", "chrf")
        names = ("x=a/out.txt", "y=b/out.txt", "z=ref.txt")
        done = cli("mbr", "-t", *names, "-l", "en", "-m", "short=chrf")
        assert (done.stdout, done.returncode) == (plain.stdout, 0)

    @pytest.mark.parametrize(
        ("systems", "problem"),
        [
            (("=a/out.txt",), "no name before the '='"),
            (("new=",), "no path after the '='"),
            (("a\x1b[0m=a/out.txt",), "control characters"),
            (("x=a/out.txt", "x=b/out.txt"), "two files are called 'x' (-t)"),
            (("x=none.txt",), "none.txt: there is no such file"),
        ],
    )
    def test_names_that_cannot_be(self, cli: Cli, systems: tuple[str, ...], problem: str) -> None:
        done = cli("score", "-r", "ref.txt", "-t", *systems, "-l", "en", "-m", "chrf")
        assert problem in done.stderr
        assert done.returncode in {2, 3}


@pytest.mark.usefixtures("named")
class TestDocuments:
    """Plain files get documents of a file."""

    def test_intervals_and_worst_segments(self, cli: Cli) -> None:
        words = ("score", *TEXTS, "-m", "chrf", "--documents", "docs.txt", "-f", "json")
        found = json.loads(cli(*words, "--ci", "--worst", "1").stdout)
        assert "unit:documents" in found["results"][0]["signature"]
        assert found["worst_segments"]["segments"][0]["document"].startswith("d")
        found = json.loads(cli(*words, "--texts", "--ci", "--by", "segments").stdout)
        assert "unit:segments" in found["results"][0]["signature"]
        assert found["texts"]["documents"][4] == "d1"

    @pytest.mark.parametrize(
        ("words", "problem"),
        [
            (("--documents", "short.txt"), "a/out.txt: 12, short.txt: 1"),
            (("--documents", "none.txt"), "no such file"),
            (("--documents", "empty.txt"), "empty.txt, line 1: there is no document"),
        ],
    )
    def test_documents_that_do_not_fit(
        self, cli: Cli, words: tuple[str, ...], problem: str
    ) -> None:
        Path("short.txt").write_text("d\n", encoding="utf-8")
        Path("empty.txt").write_text("\n" * 12, encoding="utf-8")
        assert problem in cli("score", *TEXTS, "-m", "chrf", *words).stderr

    def test_a_set_has_its_own(self, cli: Cli) -> None:
        words = ("--set", "bundled:example", "--pair", "de-en", "--documents", "docs.txt")
        for command in (("score", "-m", "chrf"), ("doctor",)):
            assert "--documents: not with --set" in cli(*command, *words).stderr


@pytest.mark.usefixtures("named")
class TestAliases:
    """Metrics under a name of the user's own."""

    def test_every_form_of_score(self, cli: Cli) -> None:
        words = ("score", *TEXTS, "-m", f"short={LONG}", "bleu")
        text = cli(*words).stdout
        assert "short ↑" in text
        assert "  short = chrf|" in text
        (row, *_) = json.loads(cli(*words, "-f", "json").stdout)["results"]
        assert (row["metric"], row["alias"]) == (LONG, "short")
        assert "new\tshort\t" in cli(*words, "-f", "tsv").stdout
        for form in ("markdown", "latex"):
            assert "short" in cli(*words, "-f", form).stdout

    def test_which_metric_chooses(self, cli: Cli) -> None:
        words = (*TEXTS, "-m", f"short={LONG}", "bleu")
        found = cli("score", *words, "--worst", "1", "--worst-by", "short", "-f", "json")
        assert json.loads(found.stdout)["worst_segments"]["metric"] == LONG
        options = ("--differences", "1", "--differences-by", "short")
        assert cli("compare", *words, *options).returncode == 0
        done = cli("score", *words, "--worst", "1", "--worst-by", "shorter")
        assert "among the metrics of this run: short, bleu" in done.stderr

    def test_meta_and_tune(self, cli: Cli) -> None:
        judged = "".join(
            f"{name}\t{place * scale}\n"
            for name, scale in (("new", 2), ("old", -1))
            for place in range(12)
        )
        layout = {
            "references/de-en.refA.txt": Path("ref.txt").read_text(encoding="utf-8"),
            "system-outputs/de-en/new.txt": Path("a/out.txt").read_text(encoding="utf-8"),
            "system-outputs/de-en/old.txt": Path("b/out.txt").read_text(encoding="utf-8"),
            "human-scores/de-en.da-z.seg.score": judged,
        }
        for name, text in layout.items():
            Path("set", name).parent.mkdir(parents=True, exist_ok=True)
            Path("set", name).write_text(text, encoding="utf-8")
        words = ("--set", "set", "--pair", "de-en", "--measure", "segment-pearson", "--no-cache")
        done = cli("meta", *words, "-m", f"short={LONG}", "bleu", "-f", "json")
        first = json.loads(done.stdout)["rows"][0]
        assert (first["metric"], first["spec"]) == ("short", LONG)
        assert first["signature"].startswith("chrf|")
        text = cli("meta", *words, "-m", f"short={LONG}", "bleu").stdout
        assert "  short = chrf|" in text
        tuned = ("tune", "--set", "set", "--pair", "de-en", "--measure", "segment-pearson")
        rest = ("--parameter", "beta=1,2", "--folds", "0", "--no-cache")
        done = cli(*tuned, "-m", f"short={LONG}", *rest)
        assert "short" in done.stdout
        assert "chrf|lang:en|nrefs:1|case:mixed|eff:yes|nc:6|nw:2" in done.stdout
        assert "two metrics are called" in cli(*tuned, "-m", "a=chrf", "a=bleu", *rest).stderr

    def test_a_parquet_table_has_columns_of_that_name(self, cli: Cli) -> None:
        pa = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        table = pa.table({"hypothesis": ["a cat", "b"], "reference": ["a cat", "c"]})
        parquet.write_table(table, "in.parquet")
        words = ("--input", "in.parquet", "-o", "out.parquet", "-l", "en")
        done = cli("score", *words, "-m", f"short={LONG}")
        assert done.returncode == 0, done.stderr
        assert parquet.read_table("out.parquet").column_names[-1] == "short"
        refused = cli("score", *words, "-m", "chrf", "--scores", "x=y", "--documents", "d")
        assert "--documents, --scores: not with a table" in refused.stderr


@pytest.mark.usefixtures("named")
class TestScores:
    """Scores of other programs beside ours."""

    def test_every_form_of_score(self, cli: Cli) -> None:
        words = ("score", *TEXTS, "-m", "chrf", "--scores", "comet=COMET-refA.seg.score")
        words = (*words, "mx(lower)={system}.mx")
        text = cli(*words, "--ci").stdout
        assert "comet ↑" in text
        assert "mx ↓" in text
        assert "scores:imported|better:lower|file:new.mx,old.mx|sha256:" in text
        rows = json.loads(cli(*words, "-f", "json", "--segments").stdout)["results"]
        assert [row["metric"] for row in rows] == ["chrf"] * 2 + ["comet"] * 2 + ["mx"] * 2
        assert rows[2]["imported"]
        assert rows[2]["segments"][1] == pytest.approx(0.81)
        lines = cli(*words, "-f", "tsv", "--segments").stdout.splitlines()
        assert sum(line.startswith("old\tmx\tsegment") for line in lines) == 12

    def test_significance(self, cli: Cli) -> None:
        words = ("compare", *TEXTS, "-m", "chrf", "--scores", "comet=COMET-refA.seg.score")
        found = json.loads(cli(*words, "-f", "json").stdout)
        pair = next(one for one in found["pairs"] if one["metric"] == "comet")
        assert pair["p_value"] < 0.01
        assert found["ranks"]["comet"] == {"new": 1, "old": 2}
        plain = json.loads(cli(*words[:-2], "-f", "json").stdout)
        assert plain["pairs"][0] == found["pairs"][0]

    def test_the_page_and_a_stored_result(self, cli: Cli) -> None:
        words = (*TEXTS, "-m", "chrf", "--scores", "comet=COMET-refA.seg.score")
        for command in ("score", "compare"):
            done = cli(
                *(command, *words, "--report", "p.html", "-f", "json"),
                *("--texts", "-o", f"{command}.json"),
            )
            assert done.returncode == 0, done.stderr
            done = cli(
                "report", f"{command}.json", "-o", "again.html", "--scores", "mx(lower)={system}.mx"
            )
            assert done.returncode == 0, done.stderr
            done = cli("report", f"{command}.json", "-o", "x.html", "--scores", "comet=new.mx")
            assert done.returncode != 0

    def test_a_stored_baseline_with_scores_of_others(self, cli: Cli) -> None:
        words = ("-r", "ref.txt", "-t", "new=a/out.txt", "-l", "en", "-m", "chrf")
        scores = ("--scores", "comet=new.mx", "-f", "json", "--texts", "-o", "b.json")
        assert cli("score", *words, *scores).returncode == 0
        checked = ("check", "--baseline", "b.json", "-t", "x=a/out.txt")
        assert cli(*checked).returncode == 0
        assert "come from another program" in cli(*checked, "--max-drop", "comet=1").stderr

    @pytest.mark.parametrize(
        ("scores", "problem"),
        [
            ("comet", "--scores: cannot read 'comet'"),
            ("comet=new.mx", "--scores comet:SYSTEM=FILE"),
            ("comet=none", "none: there is no such file"),
            ("chrf=new.mx", "name of another metric"),
            ("comet:older=new.mx", "there is no system 'older'"),
        ],
    )
    def test_scores_that_do_not_fit(self, cli: Cli, scores: str, problem: str) -> None:
        done = cli("score", *TEXTS, "-m", "bleu", "--scores", scores)
        assert problem in done.stderr

    def test_a_trained_metric_names_the_option(self, cli: Cli) -> None:
        done = cli("score", *TEXTS, "-m", "comet")
        assert "--scores comet=FILE" in done.stderr
