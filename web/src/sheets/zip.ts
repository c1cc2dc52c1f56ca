// A zip archive: what a workbook is packed in.

const TABLE = new Uint32Array(256).map((_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) c = (TABLE[(c ^ (bytes[i] as number)) & 255] as number) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Noon of 1 January 1980 as zip writes it: the same files give the same archive. */
const DATE = 0x0021;
const TIME = 0x6000;
const DEFLATE = 8;
const VERSION = 20;
const UTF8 = 0x0800;

function record(signature: number, shorts: number[], ...rest: (number[] | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = [signature & 255, (signature >>> 8) & 255, (signature >>> 16) & 255, signature >>> 24];
  for (const value of shorts) bytes.push(value & 255, (value >>> 8) & 255);
  const all = rest.flatMap((part) => Array.from(part));
  return new Uint8Array([...bytes, ...all]);
}

/** A number of four bytes as two of two. */
function long(value: number): [number, number] {
  return [value & 0xffff, value >>> 16];
}

export async function zip(files: readonly (readonly [string, string])[]): Promise<Blob> {
  const encoder = new TextEncoder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const [path, text] of files) {
    const name = encoder.encode(path);
    const plain = encoder.encode(text);
    const packed = await deflated(plain);
    const common = [VERSION, UTF8, DEFLATE, TIME, DATE, ...long(crc32(plain)), ...long(packed.length), ...long(plain.length), name.length, 0];
    const local = record(0x04034b50, common, name);
    parts.push(local, packed);
    directory.push(record(0x02014b50, [VERSION, ...common, 0, 0, 0, 0, 0, ...long(offset)], name));
    offset += local.length + packed.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const end = record(0x06054b50, [0, 0, files.length, files.length, ...long(size), ...long(offset), 0]);
  return new Blob([...parts, ...directory, end]);
}
