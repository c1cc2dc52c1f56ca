// From the document to numbers: base64, gzip and packed matrices.

import type { Matrix } from "./page";
import type { PackedNumbers } from "./schema";

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The JSON value in base64 of gzip. */
export async function unzipped(base64: string): Promise<unknown> {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

export function matrix(rows: number, columns: number, values: Float64Array): Matrix {
  return { rows, columns, values, at: (row, column) => values[row * columns + column] ?? NaN };
}

/** Numbers as they were before packing; missing ones are NaN. */
export function unpacked(packed: PackedNumbers): Matrix {
  const [rows, columns] = packed.shape;
  const size = rows * columns;
  const planes = bytesOf(packed.data);
  const missing = 2 ** (8 * packed.bytes) - 1;
  const unit = 10 ** packed.decimals;
  const values = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    let q = 0;
    for (let plane = packed.bytes - 1; plane >= 0; plane--) q = q * 256 + (planes[plane * size + i] ?? 0);
    values[i] = q === missing ? NaN : (packed.offset + q) / unit;
  }
  return matrix(rows, columns, values);
}
