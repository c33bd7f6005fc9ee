// Which files are no plain text, so that a reader makes CSV of them: told by their bytes, never by their names. The readers are in
// readers/, see the README there; what has no reader is told by core/table.

const mostNames = 1 << 20; // bytes of a ZIP archive's list of names that are looked at

/** The kind of a file, by the name of its reader; "" where it is read as text. @param {Blob} file @returns {Promise<string>} */
export async function recognise(file) {
  const head = await bytes(file, 0, 4096);
  const starts = (...magic) => magic.every((byte, i) => head[i] === byte);
  if (starts(0x50, 0x4b, 3, 4)) return kindOfZip(await namesInZip(file));
  if (starts(0x28, 0xb5, 0x2f, 0xfd) || (starts(head[0], 0x2a, 0x4d, 0x18) && head[0] >> 4 === 5)) return "zstd";
  if (starts(0x50, 0x41, 0x52, 0x31)) return (await text(file.slice(-4))) === "PAR1" ? "parquet" : "";
  return isJSON(starts(0x1f, 0x8b) ? await unpacked(file) : head) ? "json" : "";
}

/** The first bytes that a file of gzip is unpacked to, as far as it can be. */
async function unpacked(file) {
  let head = new Uint8Array();
  try {
    const reader = file.slice(0, 1 << 16).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    while (head.length < 4096) {
      const { value, done } = await reader.read();
      if (done) break;
      head = new Uint8Array([...head, ...value.subarray(0, 4096)]);
    }
    reader.cancel().catch(() => {});
  } catch {} // core/table tells what is wrong with it
  return head;
}

/** Whether a text of these first bytes is objects of JSON. */
export const isJSON = (head) => /^\s*(\[\s*)?\{\s*["}]/.test(new TextDecoder(unicodeOf(head)).decode(head));

/** The encoding of JSON by its first four bytes: two are a character of ASCII, or a mark, where it is in UTF-16. */
export function unicodeOf([a, b, c, d]) {
  if ((a === 0xff && b === 0xfe && (c || d)) || (a && !b && c && !d)) return "utf-16le";
  return (a === 0xfe && b === 0xff) || (!a && b && !c && d) ? "utf-16be" : "utf-8";
}

/** A workbook is an archive with a part of this name; an archive of another program is told by core/table. */
function kindOfZip(names) {
  const has = (...parts) => parts.some((part) => names.includes(part));
  if (has("xl/workbook.xml", "xl/workbook.bin")) return "xlsx";
  return has("mimetypeapplication/", "word/document", "ppt/presentation", "Index/Document.iwa", "Index.zip") ? "" : "zip";
}

/** The names in a ZIP archive, as one text: those of its list, which stands at its end, and the bytes that it begins with. */
async function namesInZip(file) {
  const tail = await bytes(file, Math.max(0, file.size - 65_557), file.size);
  let end = tail.length - 22;
  while (end >= 0 && !(tail[end] === 0x50 && tail[end + 1] === 0x4b && tail[end + 2] === 5 && tail[end + 3] === 6)) end--;
  const start = end < 0 ? 0 : new DataView(tail.buffer, end).getUint32(16, true);
  return latin(await bytes(file, 0, 200)) + latin(await bytes(file, start, start + mostNames));
}

const bytes = async (file, from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer());
const text = (blob) => blob.text();
const latin = (bytes) => new TextDecoder("latin1").decode(bytes);
