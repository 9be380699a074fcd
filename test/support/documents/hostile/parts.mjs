// Builds parts of hostile files: PDFs of given objects, and bytes that inflate to far more than their size.
// Plain JavaScript, so that tests and the bench share it. It must never build the inflated data in memory.
import { constants, deflateRawSync } from 'node:zlib';

/** A stream object. `dict` are the entries of its dictionary without /Length. */
export const stream = (dict, data) => {
  const bytes = Buffer.from(data, 'latin1');
  const head = `<<${dict}/Length ${bytes.length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes, Buffer.from('\nendstream')]);
};

/** A PDF of these objects, numbered from 1, with a right cross-reference table. Object 1 is the catalog. */
export function pdfOf(objects, trailer = '') {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets = [];
  let at = parts[0].length;
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    const framed = [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object, 'latin1'),
      Buffer.from('\nendobj\n'),
    ];
    parts.push(...framed);
    at += framed.reduce((sum, part) => sum + part.length, 0);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end, 'latin1')]);
}

/** One page of A4 that draws `content`; `others` are the objects from number 5 on. */
export const onePage = (content, resources = '', others = [], page = '') =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<${resources}>>${page}>>`,
    typeof content === 'string' ? stream('', content) : content,
    ...others,
  ]);

const ADLER = 65_521;

/** Data that inflates to `prefix` and then `times` copies of `chunk`, with a correct checksum. */
export function deflatedCopies(chunk, times, prefix = Buffer.alloc(0)) {
  const open = (bytes) => deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  let sums = [1, 0];
  const add = ([ones, sum], { length, total, weighted }) => [
    (ones + total) % ADLER,
    (sum + length * ones + weighted) % ADLER,
  ];
  sums = add(sums, sumsOf(prefix));
  const ofChunk = sumsOf(chunk);
  for (let round = 0; round < times; round += 1) sums = add(sums, ofChunk);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(sums[1] * 65_536 + sums[0]);
  const head = Buffer.from([0x78, 0xda]);
  const final = Buffer.from([0x03, 0x00]);
  return Buffer.concat([head, open(prefix), ...Array(times).fill(open(chunk)), final, checksum]);
}

function sumsOf(bytes) {
  // Exact up to 8 MiB. An iterator over the bytes takes twenty times as long.
  let total = 0;
  let weighted = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    total += bytes[index];
    weighted += (bytes.length - index) * bytes[index];
  }
  return { length: bytes.length % ADLER, total: total % ADLER, weighted: weighted % ADLER };
}

export const MIB = 1024 * 1024;
