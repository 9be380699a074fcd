// Unpacks the codes of a GIF (version 89a, appendix F): each stands for a row of pixels that was there before.

const MOST_CODES = 4096;
const MOST_BITS = 12;

/**
 * Unpacks the palette index of each of `count` pixels. Undefined where pixels are missing, or a code is not defined yet: only
 * with such codes could a row refer to itself.
 */
export function unpackGif(codes: Uint8Array, rootBits: number, count: number): Uint8Array | undefined {
  if (rootBits < 1 || rootBits > 8) return undefined;
  const pixels = new Uint8Array(count);
  const clear = 1 << rootBits;
  // Of each row but those of one pixel: the row before its last pixel, that pixel, and its length.
  const before = new Uint16Array(MOST_CODES);
  const last = new Uint8Array(MOST_CODES);
  const lengths = new Uint16Array(MOST_CODES).fill(1);
  for (let color = 0; color < clear; color += 1) last[color] = color;
  let [next, bits, previous, first, at, to, have, held] = [clear + 2, rootBits + 1, -1, 0, 0, 0, 0, 0];
  while (to < count) {
    for (; have < bits; have += 8) {
      if (at >= codes.length) return undefined;
      held |= codes[at++]! << have;
    }
    const code = held & ((1 << bits) - 1);
    held >>>= bits;
    have -= bits;
    if (code === clear) {
      [next, bits, previous] = [clear + 2, rootBits + 1, -1];
      continue;
    }
    const isNew = code === next && previous !== -1;
    if (code === clear + 1 || (code >= next && !isNew) || (previous === -1 && code > clear)) return undefined;
    // The row that this code makes known: the one before it, and the first pixel of this one.
    const known = isNew ? previous : code;
    const end = to + lengths[known]!;
    let row = known;
    for (let place = end - 1; place >= to; place -= 1, row = before[row]!) {
      first = last[row]!;
      if (place < count) pixels[place] = first;
    }
    if (isNew && end < count) pixels[end] = first;
    if (previous !== -1 && next < MOST_CODES) {
      before[next] = previous;
      last[next] = first;
      lengths[next] = lengths[previous]! + 1;
      next += 1;
      if (next === 1 << bits && bits < MOST_BITS) bits += 1;
    }
    to = isNew ? end + 1 : end;
    previous = code;
  }
  return pixels;
}
