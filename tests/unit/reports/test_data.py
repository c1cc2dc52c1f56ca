"""Tab-separated rows."""

from tenbin.reports.data import tsv_text


def test_fields_cannot_break_the_table() -> None:
    rows = [("a\tb\nc\rd", 1, 0.1, None), ("日本", 2, float("nan"), "x")]
    text = tsv_text(("name", "n", "value", "note"), rows)
    assert text.split("\n") == [
        "name\tn\tvalue\tnote",
        "a b c d\t1\t0.1\t",
        "日本\t2\t\tx",
        "",
    ]
