// How a save behind a signature is written: what readers understand differently is refused, and what common programs write is sound. Sections
// that are streams are in stream-sections.test.ts.
import { describe, expect, test } from 'vitest';
import {
  basePdf,
  CATALOG,
  certifying,
  N,
  PAGE,
  PAGE_ANNOTATIONS,
  type SignOptions,
  signPdf,
  streamOf,
  updated,
  withStore,
} from '../../support/documents/signed-pdf.ts';
import { behind, faultsOf, PKI, WITH_INFO } from '../../support/documents/verification.ts';
import { sampleOf } from '../../support/tier.ts';

const { signer } = PKI;

const signed = (options: Partial<SignOptions> = {}, base = basePdf()) =>
  signPdf(base, { party: signer, entries: certifying(2), ...options });
const certificates = [...signer.chain];

/** A save that adds a certificate, with its cross-reference section changed by the test. */
function saveWith(change: (text: string, at: number) => string, file = signed()): Buffer {
  const saved = withStore(file, { certificates }, 30);
  const text = saved.subarray(file.length).toString('latin1');
  return Buffer.concat([file, Buffer.from(change(text, file.length), 'latin1')]);
}

const table = (before: string | RegExp, after: string) => (text: string) => {
  const changed = text.replace(before, after);
  expect(changed).not.toBe(text);
  return changed;
};

describe('a save that readers read differently', () => {
  test('is accepted as it is usually written', () => {
    expect(faultsOf(saveWith((text) => text))).toEqual([]);
    expect(faultsOf(saveWith(table('/Size 200', '/Size 34')))).toEqual([]);
  });

  test.each<[string, string | RegExp, string]>(
    sampleOf(
      [
        ['a blank before a place in the table', /\n(\d{10} 00000 n)/, '\n $1'],
        ['line feeds between entries', / n \n/g, ' n\n\n'],
        ['a table of one line', 'xref\n', 'xref '],
        ['no /Size', '/Size 200', ''],
        ['a /Size with a sign', '/Size 200', '/Size +200'],
        ['a /Size that an object reaches', '/Size 200', '/Size 33'],
        ['a /Root with a line end in it', '/Root 1 0 R', '/Root 1 0\nR'],
        ['a /Prev with a sign', '/Prev ', '/Prev +'],
        ['no end', '%%EOF\n', ''],
        ['an end before startxref', 'startxref', '%%EOF\nstartxref'],
        ['words behind the end', '%%EOF\n', '%%EOF\nmore\n'],
        ['a word before startxref', 'startxref', 'endxref startxref'],
        ['an object that begins with zeros', /\n30 0 obj/, '\n030 0 obj'],
        ['an object without a blank before obj', /\n30 0 obj\n/, '\n30 0obj\n\n'],
        ['a stream whose line ends with a carriage return alone', /stream\n/, 'stream\r'],
      ],
      2,
    ),
  )('%s is refused', (_, before, after) => {
    const [fault, ...more] = faultsOf(saveWith(table(before, after)));
    expect(more).toEqual([]);
    expect(['update_irregular', 'bytes_after']).toContain(fault);
  });

  test.each<[string, string]>([
    ['a filter under its short name', '/Filter/AHx'],
    ['data of another file', '/F(other.bin)'],
    ['a key twice', '/A 1/A 2'],
    ['a key in disguise', '/#41 1'],
  ])('a stream with %s is refused', (_, entries) => {
    const store = { [N.catalog]: CATALOG('/DSS 31 0 R'), 31: '<</Certs[30 0 R]>>' };
    const saved = (more: string) => updated(signed(), { ...store, 30: streamOf('abcd>', more) }, WITH_INFO);
    expect(faultsOf(saved(''))).toEqual([]);
    expect(faultsOf(saved(entries))).toEqual(['update_irregular']);
  });

  test('a save that is not the last one and says another place is refused', () => {
    const first = saveWith((item) => item);
    const second = withStore(first, { certificates }, 50).toString('latin1');
    const end = first.toString('latin1').lastIndexOf('startxref\n') + 'startxref\n'.length;
    const other = second[end] === '9' ? '8' : '9';
    const hostile = Buffer.from(second.slice(0, end) + other + second.slice(end + 1), 'latin1');
    expect(faultsOf(hostile)).toEqual(['update_irregular']);
  });

  test.each(['/Root(1 0 R)', ''])(
    'a save that is not the last one is refused whose catalog is %j',
    (root) => {
      const first = saveWith(table('/Root 1 0 R', root));
      expect(faultsOf(withStore(first, { certificates }, 50))).toEqual(['update_irregular']);
    },
  );

  test('a save of an object whose number is too high for some readers is refused', () => {
    expect(behind({ 4000000: 'null' }, signed())).toEqual([]);
    expect(behind({ 4000001: 'null' }, signed())).toEqual(['update_irregular']);
  });

  test('a file whose last save says another place is damaged', () => {
    const text = saveWith((item) => item).toString('latin1');
    const hostile = Buffer.from(
      text.replace(/startxref\n(\d+)\n%%EOF\n$/, 'startxref\n0\n%%EOF\n'),
      'latin1',
    );
    expect(() => faultsOf(hostile)).toThrow('cross_reference');
  });

  test('a save that names an object of the signed part again is refused', () => {
    const file = signed();
    const entry = `${String(file.indexOf('4 0 obj')).padStart(10, '0')} 00000 n \n`;
    const hostile = saveWith((text) => text.replace('xref\n', `xref\n4 1\n${entry}`), file);
    expect(faultsOf(hostile)).toEqual(['update_irregular']);
  });

  test('an object that is written again, the same but for a doubled key, is refused', () => {
    const doubled = PAGE(PAGE_ANNOTATIONS).replace('/Contents 4 0 R', '/Contents 12 0 R/Contents 4 0 R');
    expect(behind({ [N.page]: doubled }, signed())).toEqual(['update_irregular']);
    const filter = streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET', '/Filter[]/Filter[]');
    expect(behind({ [N.content]: filter }, signed())).toEqual(['update_irregular']);
  });

  test('an object stream that holds more than the save names is refused', () => {
    const content = '4 0 <</A 1>>';
    const packed = streamOf(content, '/Type/ObjStm/N 1/First 4');
    expect(behind({ 40: packed }, signed())).toEqual(['update_irregular']);
  });
});

describe('a save that common programs write', () => {
  test('a name in a comment before startxref', () => {
    const file = saveWith(table('startxref', '%iText-Core-9.0.0\nstartxref'));
    expect(faultsOf(file)).toEqual([]);
    expect(faultsOf(withStore(file, { certificates }, 50))).toEqual([]);
  });

  test('blank lines before and after the table', () => {
    const file = saveWith(table('trailer', '\n\ntrailer'));
    expect(faultsOf(file)).toEqual([]);
    const early = saveWith((text) => text.replace(/startxref\n(\d+)/, (_, at) => `startxref\n${at - 1}`));
    expect(faultsOf(early)).toEqual([]);
  });

  test('a hybrid save is none: Ghostscript repairs a file with such a save, also where table and stream agree', () => {
    const file = signed();
    const hybridSave = (placeInStream: (at: number) => number, kind = 'n') => {
      const at = file.length;
      const object = '40 0 obj\nnull\nendobj\n';
      const rows = Buffer.alloc(6);
      rows.writeUInt8(1, 0);
      rows.writeUInt32BE(placeInStream(at), 1);
      const stream = Buffer.concat([
        Buffer.from(`41 0 obj\n<</Type/XRef/W[1 4 1]/Index[40 1]/Size 200${WITH_INFO}/Length 6>>\nstream\n`),
        rows,
        Buffer.from('\nendstream\nendobj\n'),
      ]);
      const section = at + object.length + stream.length;
      const entry = (place: number, is = 'n') => `${String(place).padStart(10, '0')} 00000 ${is} \n`;
      const before = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
      return Buffer.concat([
        file,
        Buffer.from(object),
        stream,
        Buffer.from(
          `xref\n40 2\n${entry(at, kind)}${entry(at + object.length)}trailer\n<</Size 200${WITH_INFO}/Prev ${before}/XRefStm ${at + object.length}>>\nstartxref\n${section}\n%%EOF\n`,
        ),
      ]);
    };
    expect(faultsOf(hybridSave((at) => at))).toEqual(['update_irregular']);
    expect(faultsOf(hybridSave(() => file.indexOf('4 0 obj')))).toEqual(['update_irregular']);
    // Some readers see only the table.
    expect(faultsOf(hybridSave((at) => at, 'f'))).toEqual(['update_irregular']);
  });
});

// ── sections in streams: what other readers take for another object, or for no section at all ──

const SIGNED = signPdf(basePdf(), { party: PKI.signer, entries: certifying(2) });

type StreamSave = {
  /** It is saved behind this file. */
  file?: Buffer;
  /** An object stream of the same save, whose number is 80. */
  packed?: { head: string; body: string; entries?: string };
  /** It is that of the cross-reference stream. */
  generation?: number;
  /** It is that of the cross-reference stream. */
  number?: number;
  /** More entries of its dictionary. */
  entries?: string;
  /** Rows beside that of the object: number, kind and the two fields that follow. */
  rows?: readonly (readonly [number, number, number, number])[];
  /** It is the row of the stream itself; null for none. */
  streamRow?: readonly [kind: number] | null;
  /** More bytes of data than the rows have. */
  data?: string;
  /** `startxref` points so far behind the beginning of the stream. */
  shift?: number;
};

/** A save of a new /Info, whose places stand in a stream. */
function savedByStream({
  file = SIGNED,
  packed,
  number = 92,
  generation = 0,
  entries = '',
  rows = [],
  streamRow = [1],
  data = '',
  shift = 0,
}: StreamSave) {
  const at = file.length;
  const info = '11 0 obj\n<</Title(Saved again)>>\nendobj\n';
  const container = packed ? objectStream(packed) : '';
  const object = info + container;
  const start = at + object.length;
  const all = [
    [N.info, 1, at, 0] as const,
    ...(packed ? [[80, 1, at + info.length, 0] as const] : []),
    ...rows,
    ...(streamRow ? [[number, streamRow[0], start, 0] as const] : []),
  ];
  const written = all.map(([, kind, second, third]) => {
    const row = Buffer.alloc(7);
    row.writeUInt8(kind, 0);
    row.writeUInt32BE(second, 1);
    row.writeUInt16BE(third, 5);
    return row;
  });
  const before = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
  const index = all.map(([item]) => `${item} 1`).join(' ');
  const stream = streamOf(
    Buffer.concat([...written, Buffer.from(data)]),
    `/Type/XRef/W[1 4 2]/Index[${index}]/Size 200${WITH_INFO}/Prev ${before}${entries}`,
  );
  const end = `\nendobj\nstartxref\n${start + shift}\n%%EOF\n`;
  const head = Buffer.from(`${object}${number} ${generation} obj\n`);
  return Buffer.concat([file, head, stream, Buffer.from(end)]);
}

function objectStream({ head, body, entries = '' }: NonNullable<StreamSave['packed']>): string {
  const count = head.trim().split(' ').length / 2;
  const stream = streamOf(head + body, `/Type/ObjStm/N ${count}/First ${head.length}${entries}`);
  return `80 0 obj\n${stream}\nendobj\n`;
}

describe('a cross-reference stream behind a signature', () => {
  test('is accepted as it is usually written, also where it calls itself free or does not name itself', () => {
    expect(faultsOf(savedByStream({}))).toEqual([]);
    expect(faultsOf(savedByStream({ streamRow: [0] }))).toEqual([]);
    expect(faultsOf(savedByStream({ streamRow: null }))).toEqual([]);
  });

  test('that other readers take for the page tree, because startxref points to the second digit of 92', () => {
    const tree = '/Count 1/Kids[3 0 R]';
    expect(faultsOf(savedByStream({ entries: tree }))).toEqual([]);
    expect(faultsOf(savedByStream({ entries: `${tree}/XRefStm 100` }))).toEqual(['update_irregular']);
    expect(faultsOf(savedByStream({ entries: tree, shift: 1, streamRow: null }))).toEqual(['bytes_after']);
    expect(faultsOf(savedByStream({ entries: tree, shift: 1 }))).toEqual(['update_irregular']);
  });

  test('that other readers take for object 192, because startxref points to its second digit', () => {
    expect(faultsOf(savedByStream({ number: 192 }))).toEqual([]);
    expect(faultsOf(savedByStream({ number: 192, shift: 1 }))).toEqual(['update_irregular']);
  });

  test('that has a generation', () => {
    expect(faultsOf(savedByStream({ streamRow: null, generation: 1 }))).toEqual(['update_irregular']);
  });

  test.each([
    ['/Index[', '/Index[+'],
    ['/W[1 4 2]', '/W[1 4 +2]'],
    ['/Length ', '/Length +'],
  ])('that has a number with a sign in %s', (before, after) => {
    const [start, text] = [SIGNED.length, savedByStream({ streamRow: null }).toString('latin1')];
    const save = text.slice(start).replace(/(XRef.*)/, (dictionary) => dictionary.replace(before, after));
    const hostile = Buffer.from(text.slice(0, start) + save, 'latin1');
    expect(hostile).toHaveLength(text.length + 1);
    expect(faultsOf(hostile)).toEqual(['update_irregular']);
  });

  test('that has the number of an object of the signed part', () => {
    expect(faultsOf(savedByStream({ number: N.unused, streamRow: null }))).toEqual(['update_irregular']);
    expect(faultsOf(savedByStream({ number: N.unused, streamRow: [0] }))).toEqual(['update_irregular']);
    expect(faultsOf(savedByStream({ number: N.unused }))).toEqual(['changed_structure']);
  });

  test('with a row of an unknown kind, or more data than rows', () => {
    expect(faultsOf(savedByStream({ rows: [[40, 3, 0, 0]] }))).toEqual(['update_irregular']);
    expect(faultsOf(savedByStream({ data: 'more' }))).toEqual(['update_irregular']);
  });
});

describe('an object stream behind a signature', () => {
  const rows = [[13, 2, 80, 0]] as const;

  test('is accepted as it is usually written', () => {
    expect(faultsOf(savedByStream({ packed: { head: '13 0 ', body: 'null' }, rows }))).toEqual([]);
  });

  test('that extends another one is refused', () => {
    const packed = { head: '13 0 ', body: 'null', entries: '/Extends 4 0 R' };
    expect(faultsOf(savedByStream({ packed, rows }))).toEqual(['update_irregular']);
  });

  test('whose objects the save names at other places is refused', () => {
    const packed = { head: '13 0 13 5 ', body: 'null null' };
    const other = [[13, 2, 80, 1]] as const;
    expect(faultsOf(savedByStream({ packed, rows: other }))).toEqual(['update_irregular']);
  });

  test('of the signed part holds no object of a later save', () => {
    const packed = { head: '13 0 14 5 ', body: 'null null' };
    const signedWith = (more: NonNullable<StreamSave['rows']>) =>
      signPdf(savedByStream({ file: basePdf(), packed, rows: [...rows, ...more] }), {
        party: PKI.signer,
        trailer: WITH_INFO,
      });
    const file = signedWith([]);
    expect(faultsOf(savedByStream({ file: signedWith([[14, 2, 80, 1]]), number: 93 }))).toEqual([]);
    expect(faultsOf(savedByStream({ file, number: 93 }))).toEqual(['update_irregular']);
    const later = savedByStream({ file, number: 93, rows: [[14, 2, 80, 1]] });
    expect(faultsOf(later)).toEqual(['update_irregular']);
  });

  test.each([0, 1])('may be replaced by an object of generation 0, not of another one: %i', (generation) => {
    const prepared = savedByStream({ file: basePdf(), packed: { head: '13 0 ', body: 'null' }, rows });
    const file = signPdf(prepared, { party: PKI.signer, trailer: WITH_INFO });
    const object = `13 ${generation} obj\nnull\nendobj\n`;
    const table = `xref\n13 1\n${place(file.length)} 0000${generation} n \n`;
    const before = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
    const trailer = `trailer\n<</Size 200${WITH_INFO}/Prev ${before}>>`;
    const end = `${trailer}\nstartxref\n${file.length + object.length}\n%%EOF\n`;
    const later = Buffer.concat([file, Buffer.from(object + table + end)]);
    expect(faultsOf(later)).toEqual(generation === 0 ? [] : ['update_irregular']);
  });
});

const place = (at: number) => String(at).padStart(10, '0');

test('an object whose place is the second digit of its number is refused', () => {
  const file = updated(SIGNED, { 40: '<</A 1>>' }, WITH_INFO);
  const text = file.toString('latin1');
  const at = text.lastIndexOf('40 0 obj');
  const entry = (number: number) => `${place(number)} 00000 n`;
  const hostile = text
    .replace(`40 1\n${entry(at)}`, `30 1\n${entry(at)}`)
    .replace(`\n40 0 obj`, `\n130 0 obj`);
  // 130 0 obj moves the section by one byte.
  const moved = hostile
    .replace(entry(at), entry(at + 1))
    .replace(/startxref\n(\d+)\n%%EOF\n$/, (_, offset) => `startxref\n${Number(offset) + 1}\n%%EOF\n`);
  expect(faultsOf(Buffer.from(moved, 'latin1'))).toEqual(['bytes_after']);
});

test('an object that begins inside the number of another one is refused', () => {
  const text = updated(SIGNED, { 130: '<</A 1>>' }, WITH_INFO).toString('latin1');
  const at = text.lastIndexOf('130 0 obj');
  const hostile = text.replace('xref\n130 1\n', `xref\n30 1\n${place(at + 1)} 00000 n \n130 1\n`);
  expect(hostile).not.toBe(text);
  expect(faultsOf(Buffer.from(hostile, 'latin1'))).toEqual(['update_irregular']);
});

test('an object by which a signed object stream is read stays as it is', () => {
  const prepared = updated(basePdf(), { 70: '<</Predictor 1>>' }, WITH_INFO);
  const base = savedByStream({
    file: prepared,
    packed: { head: '60 0', body: '<</Subject(x)>>', entries: '/DecodeParms 70 0 R' },
    rows: [[60, 2, 80, 0]],
  });
  const sealed = signPdf(base, { party: PKI.signer });
  expect(faultsOf(sealed)).toEqual([]);
  expect(behind({ 70: '<</Predictor 2>>' }, sealed)).toEqual(['update_irregular']);
});
