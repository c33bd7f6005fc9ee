// An XML text as events, piece by piece. Entities are never expanded, but for XML's own five; a document type is refused; what is held
// between two events is bounded.

import { SaxesParser } from "saxes";
import { refuse } from "./csv.part.mjs";

const mostHeld = 16 << 20; // characters between two events: one text, one tag or one comment
const mostDepth = 256;

/**
 * Walks through a text: open(name, attributes), text(text) and close(name) are called with names without their prefixes. After each
 * piece it yields, so that what the calls have made can be taken away.
 * @param {AsyncIterable<Uint8Array>} pieces
 * @param {() => object} where the text stands, for a person
 */
export async function* walk(pieces, { open = () => {}, text = () => {}, close = () => {} }, where) {
  const parser = new SaxesParser({ position: false });
  const damaged = () => refuse("damaged", where());
  let held = 0, depth = 0;
  const seen = (handle) => (event) => {
    held = 0;
    handle(event);
  };
  parser.on("error", damaged);
  parser.on("doctype", () => refuse("unsupported", where()));
  parser.on("opentag", seen(({ name, attributes }) => {
    if (++depth > mostDepth) damaged();
    open(local(name), attributes);
  }));
  parser.on("closetag", seen(({ name }) => {
    depth--;
    close(local(name));
  }));
  parser.on("text", seen(text));
  parser.on("cdata", seen(text));
  let decoder = null;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encoding(piece), { fatal: true });
    held += piece.length;
    if (held > mostHeld) refuse("too-large", where());
    let characters;
    try {
      characters = decoder.decode(piece, { stream: true });
    } catch {
      damaged();
    }
    parser.write(characters);
    yield;
  }
  parser.close();
}

/** UTF-16 has a mark at its start, as the format asks for; all else is UTF-8. */
function encoding([first, second]) {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

const local = (name) => name.slice(name.indexOf(":") + 1);

/** The value of an attribute, whatever prefix its name has. */
export function attribute(attributes, name) {
  if (name in attributes) return attributes[name];
  const found = Object.keys(attributes).find((key) => local(key) === name);
  return found === undefined ? undefined : attributes[found];
}
