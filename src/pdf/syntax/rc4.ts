// RC4, which older encrypted PDFs use (ISO 32000-2, 7.6.3). node:crypto has it only where OpenSSL loads what it calls legacy.

/** Encrypts and decrypts. */
export function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  let j = 0;
  const swap = (i: number) => {
    const held = state[i]!;
    state[i] = state[j]!;
    state[j] = held;
  };
  for (let i = 0; i < 256; i += 1) {
    j = (j + state[i]! + key[i % key.length]!) & 0xff;
    swap(i);
  }
  const out = Buffer.allocUnsafe(data.length);
  let i = 0;
  j = 0;
  for (let at = 0; at < data.length; at += 1) {
    i = (i + 1) & 0xff;
    j = (j + state[i]!) & 0xff;
    swap(i);
    out[at] = data[at]! ^ state[(state[i]! + state[j]!) & 0xff]!;
  }
  return out;
}
