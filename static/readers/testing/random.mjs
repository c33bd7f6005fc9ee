// Randomness for tests.

/** Numbers from 0 to 1 that look random and are the same for a seed (Chris Wellons, triple32). */
export function random(seed) {
  return () => {
    seed = (seed + 0x9e3779b9) | 0;
    let z = Math.imul(seed ^ (seed >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Changes one to four bytes, those at the end more often. */
export function change(bytes, r) {
  for (let changes = 1 + Math.floor(r() * 4); changes > 0; changes--) {
    const place = Math.floor((r() < 0.5 ? r() : 1 - r() ** 3) * bytes.length);
    if (r() < 0.5) bytes[place] ^= 1 << Math.floor(r() * 8);
    else bytes[place] = [0, 1, 0x7f, 0x80, 0xff, Math.floor(r() * 256)][Math.floor(r() * 6)];
  }
}
