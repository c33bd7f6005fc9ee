import assert from "node:assert/strict";
import { test } from "node:test";
import * as zip from "../zip.mjs";
import { read } from "./workbook.mjs";

/** An archive of one stored member whose sizes and places stand in fields of 64 bits. */
function wide(name, text) {
  const bytes = new TextEncoder();
  const body = bytes.encode(text), title = bytes.encode(name);
  let crc = -1;
  for (const byte of body) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const fields = (...parts) => Uint8Array.from(parts.flatMap(([size, value]) => Array.from({ length: size }, (_, i) => Number(BigInt(value) >> BigInt(8 * i) & 0xffn))));
  const all = 0xffffffff, sum = ~crc >>> 0;
  const local = fields([4, 0x04034b50], [2, 45], [2, 0x800], [2, 0], [4, 0], [4, sum], [4, all], [4, all], [2, title.length], [2, 20]);
  const extra = fields([2, 1], [2, 16], [8, body.length], [8, body.length]);
  const at = local.length + title.length + extra.length + body.length;
  const listed = fields([4, 0x02014b50], [2, 45], [2, 45], [2, 0x800], [2, 0], [4, 0], [4, sum], [4, all], [4, all], [2, title.length], [2, 36], [2, 0], [2, 0], [2, 0], [4, 0], [4, all]);
  const widened = fields([2, 9], [2, 4], [4, 0], [2, 1], [2, 24], [8, body.length], [8, body.length], [8, 0]);
  const size = listed.length + title.length + widened.length;
  const end64 = fields([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, 1], [8, 1], [8, size], [8, at]);
  const locator = fields([4, 0x07064b50], [4, 0], [8, at + size], [4, 1]);
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, all], [4, all], [2, 0]);
  return new Blob([local, title, extra, body, listed, title, widened, end64, locator, end]);
}

test("an archive with sizes of 64 bits", async () => {
  const file = wide("ü.csv", "a\n1\n");
  assert.deepEqual((await zip.parts(file)).map(({ name, size }) => [name, size]), [["ü.csv", 4]]);
  assert.equal(await read(zip, file), "a\n1\n");
});
