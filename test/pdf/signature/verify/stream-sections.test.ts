// Later saves whose cross-reference section is a stream: what other readers take for another object, or for no section at all.
import { describe, expect, test } from 'vitest';
import { basePdf, certifying, N, signPdf, streamOf, updated } from '../../../support/documents/signed-pdf.ts';
import { faultsOf, PKI } from '../../../support/documents/verification.ts';

const WITH_INFO = '/Root 1 0 R/Info 11 0 R';
const SIGNED = signPdf(basePdf(), { party: PKI.signer, entries: certifying(2) });

type StreamSave = {
  /** The number of the cross-reference stream. */
  number?: number;
  /** More entries of its dictionary. */
  entries?: string;
  /** Rows beside that of the object: number, kind and the two fields behind it. */
  rows?: readonly (readonly [number, number, number, number])[];
  /** The row of the stream itself; null for none. */
  own?: readonly [kind: number] | null;
  /** More bytes of data than the rows have. */
  data?: string;
  /** How far behind the beginning of the stream `startxref` points. */
  shift?: number;
};

/** A save of a new /Info, whose places stand in a stream. */
function savedByStream({
  number = 92,
  entries = '',
  rows = [],
  own = [1],
  data = '',
  shift = 0,
}: StreamSave) {
  const at = SIGNED.length;
  const object = '11 0 obj\n<</Title(Saved again)>>\nendobj\n';
  const start = at + object.length;
  const all = [[N.info, 1, at, 0] as const, ...rows, ...(own ? [[number, own[0], start, 0] as const] : [])];
  const packed = all.map(([, kind, second, third]) => {
    const row = Buffer.alloc(7);
    row.writeUInt8(kind, 0);
    row.writeUInt32BE(second, 1);
    row.writeUInt16BE(third, 5);
    return row;
  });
  const before = /startxref\n(\d+)\n%%EOF\n$/.exec(SIGNED.toString('latin1'))![1];
  const index = all.map(([one]) => `${one} 1`).join(' ');
  const stream = streamOf(
    Buffer.concat([...packed, Buffer.from(data)]),
    `/Type/XRef/W[1 4 2]/Index[${index}]/Size 200${WITH_INFO}/Prev ${before}${entries}`,
  );
  const end = `\nendobj\nstartxref\n${start + shift}\n%%EOF\n`;
  return Buffer.concat([SIGNED, Buffer.from(`${object}${number} 0 obj\n`), stream, Buffer.from(end)]);
}

describe('a cross-reference stream behind a signature', () => {
  test('is accepted as it is usually written, also where it calls itself free or does not name itself', () => {
    expect(faultsOf(savedByStream({}))).toEqual([]);
    expect(faultsOf(savedByStream({ own: [0] }))).toEqual([]);
    expect(faultsOf(savedByStream({ own: null }))).toEqual([]);
  });

  test('that other readers take for the page tree, because startxref points to the second digit of 92', () => {
    const tree = '/Count 1/Kids[3 0 R]';
    expect(faultsOf(savedByStream({ entries: tree }))).toEqual([]);
    expect(faultsOf(savedByStream({ entries: tree, shift: 1, own: null }))).toEqual(['bytes_after']);
    expect(faultsOf(savedByStream({ entries: tree, shift: 1 }))).toEqual(['update_irregular']);
  });

  test('that has the number of an object of the signed part', () => {
    expect(faultsOf(savedByStream({ number: N.unused, own: null }))).toEqual(['update_irregular']);
    expect(faultsOf(savedByStream({ number: N.unused, own: [0] }))).toEqual(['update_irregular']);
    expect(faultsOf(savedByStream({ number: N.unused }))).toEqual(['changed_structure']);
  });

  test('with a row of an unknown kind, or more data than rows', () => {
    expect(faultsOf(savedByStream({ rows: [[40, 3, 0, 0]] }))).toEqual(['update_irregular']);
    expect(faultsOf(savedByStream({ data: 'more' }))).toEqual(['update_irregular']);
  });
});

test('an object whose place is the second digit of its number is refused', () => {
  const file = updated(SIGNED, { 40: '<</A 1>>' }, WITH_INFO);
  const text = file.toString('latin1');
  const at = text.lastIndexOf('40 0 obj');
  const place = (number: number) => `${String(number).padStart(10, '0')} 00000 n`;
  const hostile = text
    .replace(`40 1\n${place(at)}`, `30 1\n${place(at)}`)
    .replace(`\n40 0 obj`, `\n130 0 obj`);
  // 130 0 obj moves the section by one byte.
  const moved = hostile
    .replace(place(at), place(at + 1))
    .replace(/startxref\n(\d+)\n%%EOF\n$/, (_, offset) => `startxref\n${Number(offset) + 1}\n%%EOF\n`);
  expect(faultsOf(Buffer.from(moved, 'latin1'))).toEqual(['bytes_after']);
});
