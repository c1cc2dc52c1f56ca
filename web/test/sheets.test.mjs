import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { csv } from "../src/sheets/csv.ts";
import { escaped, letters, xlsx } from "../src/sheets/xlsx.ts";

test("CSV has a byte order mark, CRLF, and quotes where they are needed", async () => {
  assert.equal(await csv([["a", 'b "c"', "d,e", "f\ng"], [1.5, null, -2, NaN]]), '\ufeffa,"b ""c""","d,e","f\ng"\r\n1.5,,-2,\r\n');
});

test("no text acts as a formula, but negative numbers stay numbers", async () => {
  for (const text of ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "＝1"]) {
    assert.match(await csv([[text]]), /^\ufeff"?'/, JSON.stringify(text));
  }
  assert.equal(await csv([[-1, "a=b"]]), "\ufeff-1,a=b\r\n");
});

test("columns are lettered as spreadsheets do", () => {
  assert.deepEqual([0, 25, 26, 51, 52, 701, 702].map(letters), ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
});

test("what XML cannot hold is written as spreadsheets do", () => {
  assert.equal(escaped("a\u0000<b>&_x0041_\ud800\r"), "a_x0000_&lt;b&gt;&amp;_x005F_x0041__xD800__x000D_");
  assert.equal(escaped("x".repeat(40_000)).length, 32_767);
});

/** Paths and texts of a zip archive by its directory. */
function files(bytes) {
  const found = {};
  let at = bytes.readUInt32LE(bytes.length - 6);
  for (let n = bytes.readUInt16LE(bytes.length - 12); n > 0; n--) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const [size, nameSize, local] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameSize);
    const from = local + 30 + bytes.readUInt16LE(local + 26);
    found[name] = inflateRawSync(bytes.subarray(from, from + size)).toString("utf8");
    at += 46 + nameSize;
  }
  return found;
}

test("a workbook has its parts, texts as inline strings and numbers as numbers", async () => {
  const rows = [["No.", "=text"], [1, "吾輩は<猫>である"], [2, null]];
  const book = Buffer.from(await (await xlsx("Sheet [1]", rows)).arrayBuffer());
  const parts = files(book);
  assert.deepEqual(Object.keys(parts).sort(), ["[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"]);
  const sheet = parts["xl/worksheets/sheet1.xml"];
  assert.match(sheet, /<c r="A2"><v>1<\/v><\/c><c r="B2" s="2" t="inlineStr"><is><t xml:space="preserve">吾輩は&lt;猫&gt;である<\/t>/);
  assert.doesNotMatch(sheet, /<f>/);
  assert.match(parts["xl/workbook.xml"], /name="Sheet {2}1 "/);
  assert.deepEqual(book, Buffer.from(await (await xlsx("Sheet [1]", rows)).arrayBuffer()));
});
