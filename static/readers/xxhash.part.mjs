// XXH64 with seed 0, of which Zstandard keeps the lower half. Numbers of 64 bits are in two halves of 32.
// Reference: XXH64 in the specification of xxHash, version 0.1.1.

const primes = [[0x9e3779b1, 0x85ebca87], [0xc2b2ae3d, 0x27d4eb4f], [0x165667b1, 0x9e3779f9], [0x85ebca77, 0xc2b2ae63], [0x27d4eb2f, 0x165667c5]];
const [P1, P2, P3, P4, P5] = primes.map(([high, low]) => ({ h: high | 0, l: low | 0 }));

/** a = a·p, modulo 2^64. */
function times(a, p) {
  const a0 = a.l & 0xffff, a1 = a.l >>> 16, p0 = p.l & 0xffff, p1 = p.l >>> 16;
  const low = a0 * p0;
  const middle = a1 * p0 + (low >>> 16);
  const cross = (middle & 0xffff) + a0 * p1;
  const carry = a1 * p1 + Math.floor(middle / 65536) + Math.floor(cross / 65536);
  a.h = (carry + Math.imul(a.h, p.l) + Math.imul(a.l, p.h)) | 0;
  a.l = ((cross & 0xffff) << 16) | (low & 0xffff);
}

function plus(a, h, l) {
  const low = (a.l >>> 0) + (l >>> 0);
  a.h = (a.h + h + (low > 0xffffffff ? 1 : 0)) | 0;
  a.l = low | 0;
}

function rotate(a, by) { // 0 < by < 32
  const { h, l } = a;
  a.h = (h << by) | (l >>> (32 - by));
  a.l = (l << by) | (h >>> (32 - by));
}

/** a is mixed with a lane of the input. */
function round(a, h, l) {
  const lane = { h, l };
  times(lane, P2);
  plus(a, lane.h, lane.l);
  rotate(a, 31);
  times(a, P1);
}

const copy = ({ h, l }) => ({ h, l });

export class Checksum {
  #lanes = [copy(P1), copy(P2), { h: 0, l: 0 }, { h: 0, l: 0 }];
  #rest = new Uint8Array(32);
  #held = 0;
  #total = 0;

  constructor() {
    plus(this.#lanes[0], P2.h, P2.l);
    plus(this.#lanes[3], ~P1.h, ~P1.l);
    plus(this.#lanes[3], 0, 1); // −P1
  }

  add(bytes) {
    this.#total += bytes.length;
    let at = 0;
    if (this.#held > 0) {
      at = Math.min(32 - this.#held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < 32) return;
      this.#stripes(this.#rest, 0, 32);
      this.#held = 0;
    }
    const end = at + ((bytes.length - at) & ~31);
    this.#stripes(bytes, at, end);
    this.#rest.set(bytes.subarray(end));
    this.#held = bytes.length - end;
  }

  #stripes(bytes, from, to) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    for (; from < to; from += 32) {
      for (let k = 0; k < 4; k++) round(this.#lanes[k], view.getInt32(from + 8 * k + 4, true), view.getInt32(from + 8 * k, true));
    }
  }

  /** The lower 32 bits. */
  low() {
    const hash = { h: 0, l: 0 };
    if (this.#total >= 32) {
      [1, 7, 12, 18].forEach((by, k) => {
        const lane = copy(this.#lanes[k]);
        rotate(lane, by);
        plus(hash, lane.h, lane.l);
      });
      for (const lane of this.#lanes) {
        const mixed = { h: 0, l: 0 };
        round(mixed, lane.h, lane.l);
        hash.h ^= mixed.h;
        hash.l ^= mixed.l;
        times(hash, P1);
        plus(hash, P4.h, P4.l);
      }
    } else {
      plus(hash, P5.h, P5.l);
    }
    plus(hash, Math.floor(this.#total / 2 ** 32), this.#total | 0);
    const view = new DataView(this.#rest.buffer);
    let at = 0;
    for (; at + 8 <= this.#held; at += 8) {
      const mixed = { h: 0, l: 0 };
      round(mixed, view.getInt32(at + 4, true), view.getInt32(at, true));
      hash.h ^= mixed.h;
      hash.l ^= mixed.l;
      rotate(hash, 27);
      times(hash, P1);
      plus(hash, P4.h, P4.l);
    }
    if (at + 4 <= this.#held) {
      const lane = { h: 0, l: view.getInt32(at, true) };
      times(lane, P1);
      hash.h ^= lane.h;
      hash.l ^= lane.l;
      rotate(hash, 23);
      times(hash, P2);
      plus(hash, P3.h, P3.l);
      at += 4;
    }
    for (; at < this.#held; at++) {
      const lane = { h: 0, l: this.#rest[at] };
      times(lane, P5);
      hash.h ^= lane.h;
      hash.l ^= lane.l;
      rotate(hash, 11);
      times(hash, P1);
    }
    shift(hash, 33);
    times(hash, P2);
    shift(hash, 29);
    times(hash, P3);
    return (hash.l ^ hash.h) >>> 0; // shifted by 32
  }
}

/** a ^= a >>> by. */
function shift(a, by) {
  if (by >= 32) a.l ^= a.h >>> (by - 32);
  else {
    a.l ^= (a.l >>> by) | (a.h << (32 - by));
    a.h ^= a.h >>> by;
  }
}
