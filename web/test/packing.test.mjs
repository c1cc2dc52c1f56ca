import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { unpacked, unzipped } from "../src/packing.ts";

/** As `packing.py` writes it: the lowest bytes of all numbers first. */
function packed(rows, decimals, offset, bytes) {
  const numbers = rows.flat().map((value) => (value === null ? 2 ** (8 * bytes) - 1 : Math.round(value * 10 ** decimals) - offset));
  const planes = Array.from({ length: bytes }, (_, plane) => numbers.map((q) => Math.floor(q / 256 ** plane) % 256)).flat();
  return { shape: [rows.length, rows[0].length], decimals, offset, bytes, data: Buffer.from(planes).toString("base64") };
}

for (const bytes of [1, 2, 4]) {
  test(`numbers of ${bytes} bytes come back, missing ones as NaN`, () => {
    const rows = [[-1.2, 0, null], [0.5, 12.3, 3]];
    const matrix = unpacked(packed(rows, 1, -12, bytes));
    assert.deepEqual([matrix.rows, matrix.columns], [2, 3]);
    rows.forEach((row, i) => row.forEach((value, j) => assert.equal(matrix.at(i, j), value ?? NaN)));
  });
}

test("the largest number of four bytes is not taken for a negative one", () => {
  assert.equal(unpacked(packed([[4294967294]], 0, 0, 4)).at(0, 0), 4294967294);
});

test("JSON comes out of gzip and base64", async () => {
  const value = { text: "重さ <b>\u2028", n: 1.5 };
  assert.deepEqual(await unzipped(gzipSync(JSON.stringify(value)).toString("base64")), value);
});
