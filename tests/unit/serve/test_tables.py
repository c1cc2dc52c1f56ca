"""Tables and translation files that are dropped on the page become plain texts."""

import json
from typing import Any

import pytest
from tests.unit.serve.visiting import GOOD, POOR, REFERENCE, Play, Visit

_ROWS = zip(*(text.splitlines() for text in (REFERENCE, GOOD, POOR)), strict=True)
WIDE = "id\tref\tmt_good\tmt_poor\n" + "".join(
    "\t".join([str(number), *row]) + "\n" for number, row in enumerate(_ROWS)
)
UNIT = '<trans-unit id="1"><source>A b</source><target>Ä b</target></trans-unit>'
XLIFF = f'<xliff version="1.2"><file original="x"><body>{UNIT}</body></file></xliff>'


async def added(visit: Visit, content: str | bytes, name: str, role: str) -> Any:
    data = content.encode() if isinstance(content, str) else content
    return await visit.client.post("files", params={"name": name, "role": role}, content=data)


def test_a_table_with_all_texts_is_scored(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        answer = await added(visit, WIDE, "all.tsv", "systems")
        assert answer.status_code == 201, answer.text
        parts = answer.json()["parts"]
        found = [(part["role"], part["system"], part["name"], part["lines"]) for part in parts]
        assert found == [
            ("references", "", "all.reference.txt", 3),
            ("systems", "mt_good", "all.mt_good.txt", 3),
            ("systems", "mt_poor", "all.mt_poor.txt", 3),
        ]
        assert len(visit.stored) == 4  # the texts and the identifiers, not the table
        job = await visit.job(
            references=[parts[0]["id"]],
            systems=[{"name": part["system"], "file": part["id"]} for part in parts[1:]],
        )
        await visit.stay('"state": "done"')
        assert job.state == "done", job.message

    play(scenario)


def test_documents_of_a_table_are_those_of_the_scores(play: Play) -> None:
    header, *rows = WIDE.splitlines(keepends=True)
    table = "".join([f"document\t{header}", *(f"d{n // 2}\t{row}" for n, row in enumerate(rows))])

    async def scenario(visit: Visit) -> None:
        parts = (await added(visit, table, "all.tsv", "systems")).json()["parts"]
        job = await visit.job(
            references=[parts[0]["id"]],
            systems=[{"name": part["system"], "file": part["id"]} for part in parts[1:]],
            intervals=True,
        )
        await visit.stay('"state": "done"')
        assert job.state == "done", job.message
        data = json.loads((await visit.client.get(f"reports/{job.id}/scores.json")).text)
        assert "unit:documents" in data["results"][0]["signature"]
        page = (await visit.client.get(f"reports/{job.id}/report.html")).text
        assert "tenbin score --input all.tsv -l en -m chrf --ci" in page

    play(scenario)


def test_what_a_table_says_of_its_segments_goes_with_its_last_text(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        parts = (await added(visit, WIDE, "all.tsv", "systems")).json()["parts"]
        left = []
        for part in parts:
            await visit.client.delete(f"files/{part['id']}")
            left.append(len(visit.stored))
        assert left == [3, 2, 0]

    play(scenario)


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("systems", [("source", "A b"), ("systems", "Ä b")]),
        ("references", [("references", "Ä b")]),
        ("source", [("source", "A b")]),
    ],
)
def test_a_translation_file_is_what_it_is_dropped_as(
    play: Play, role: str, expected: list[tuple[str, str]]
) -> None:
    async def scenario(visit: Visit) -> None:
        parts = (await added(visit, XLIFF, "menu.xlf", role)).json()["parts"]
        texts = {path.name: path.read_text("utf-8").rstrip("\n") for path in visit.stored}
        assert [(part["role"], texts[part["id"]]) for part in parts] == expected

    play(scenario)


def test_line_ends_inside_a_segment_are_noted(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        answer = await added(visit, 'ref,mt\n"a\nb",c\n', "x.csv", "systems")
        reference, system = answer.json()["parts"]
        assert reference["notes"] == ["x.csv: 1 segment with line ends inside; read as blanks."]
        assert system["notes"] == []
        assert sorted(path.read_text("utf-8") for path in visit.stored) == ["a b\n", "c\n"]

    play(scenario)


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("ref,mt\na\n", "x.csv", "x.csv, line 2: found 1 field, expected 2 as in the header"),
        ("a,b\nc,d\n", "x.csv", "Call the columns source, reference and system"),
        ("", "x.xlsx", "x.xlsx"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><x/>", "x.xlf", "x.xlf, line 1: an entity is declared"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_kept(
    play: Play, content: str, name: str, message: str
) -> None:
    async def scenario(visit: Visit) -> None:
        answer = await added(visit, content, name, "systems")
        assert answer.status_code == 422
        assert message in answer.json()["problem"]
        assert str(visit.folder) not in answer.text
        assert visit.stored == []

    play(scenario)


def test_a_table_past_the_limit_is_refused(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        answer = await added(visit, "ref,mt\n" + "a,b\n" * 1_000, "x.csv", "systems")
        assert answer.status_code == 413
        assert visit.stored == []

    play(scenario, most_bytes=1_000)
