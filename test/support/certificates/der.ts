// Writes DER value by value, for tests that need certificates and signatures that no usual program makes.

export const tlv = (tag: number, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const length =
    body.length < 0x80
      ? Buffer.from([body.length])
      : body.length < 0x100
        ? Buffer.from([0x81, body.length])
        : body.length < 0x10000
          ? Buffer.from([0x82, body.length >> 8, body.length & 0xff])
          : Buffer.from([0x83, body.length >> 16, (body.length >> 8) & 0xff, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};

export const seq = (...parts: Uint8Array[]): Buffer => tlv(0x30, ...parts);
/** Sorted, as DER requires. */
export const set = (...parts: Uint8Array[]): Buffer =>
  tlv(0x31, ...parts.map((part) => Buffer.from(part)).sort(Buffer.compare));
export const tagged = (number: number, ...parts: Uint8Array[]): Buffer => tlv(0xa0 + number, ...parts);
export const octets = (bytes: Uint8Array): Buffer => tlv(0x04, bytes);
export const bits = (bytes: Uint8Array, unused = 0): Buffer => tlv(0x03, Buffer.from([unused]), bytes);
export const utf8Text = (value: string): Buffer => tlv(0x0c, Buffer.from(value));
export const flag = (value: boolean): Buffer => tlv(0x01, Buffer.from([value ? 0xff : 0]));
export const NULL = Buffer.from([0x05, 0x00]);

export function int(value: number | bigint | Buffer): Buffer {
  if (Buffer.isBuffer(value)) return tlv(0x02, value[0]! & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), value);
  const hex = value.toString(16);
  return int(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex'));
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [40 * first + second, ...rest].flatMap((part) => {
    const out = [part & 0x7f];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128))
      out.unshift((left & 0x7f) | 0x80);
    return out;
  });
  return tlv(0x06, Buffer.from(bytes));
}

const digits = (time: number) => new Date(time).toISOString().replace(/[-:T]|\.\d+/g, '');
/** Always a GeneralizedTime: readers accept it for years before 2050 as well. */
export const time = (at: number): Buffer => tlv(0x18, Buffer.from(digits(at)));
