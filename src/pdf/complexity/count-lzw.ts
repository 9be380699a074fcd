// Counts what LZW data unpacks to (ISO 32000-1, 7.4.4) without unpacking it. It must never count beyond the given maximum.

const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
const TABLE = 4096;

/** How many bytes `data` unpacks to, or more than `most` as soon as it passes that. Damaged data ends where the damage is. */
export function countLzw(data: Buffer, most: number, earlyChange: 0 | 1): number {
  const lengths = new Uint16Array(TABLE).fill(1, 0, 256);
  let next = FIRST_FREE;
  let bits = 9;
  let previous = 0; // length of what the code before stands for; 0 after a clear
  let held = 0;
  let heldBits = 0;
  let total = 0;
  for (let at = 0; at < data.length && total <= most; ) {
    while (heldBits < bits && at < data.length) {
      held = ((held << 8) | data[at++]!) & 0xfffffff;
      heldBits += 8;
    }
    if (heldBits < bits) break;
    heldBits -= bits;
    const code = (held >> heldBits) & ((1 << bits) - 1);
    if (code === END) break;
    if (code === CLEAR) {
      [next, bits, previous] = [FIRST_FREE, 9, 0];
      continue;
    }
    if (code > next || (code === next && previous === 0)) break;
    const isNew = code === next;
    const length = isNew ? previous + 1 : lengths[code]!;
    if (previous > 0 && next < TABLE) lengths[next++] = previous + 1;
    previous = length;
    total += length;
    if (next + earlyChange >= 1 << bits && bits < 12) bits += 1;
  }
  return total;
}
