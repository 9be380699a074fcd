import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decode, unfilter } from '../../../src/pdf/read/filters.ts';
import { type PdfFile, readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { entriesAt, NOTHING, Scanner } from '../../../src/pdf/read/scanner.ts';
import { type Dict, isSame, PdfStream, type PdfString, Ref, textOf } from '../../../src/pdf/read/values.ts';
import { seededRandom } from '../../support/documents/broken-pdf.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { SEED } from '../../support/random.ts';
import { SLOW } from '../../support/tier.ts';
import { CORPUS, needsCorpus } from '../../support/tools.ts';

const opened = (bytes: Uint8Array): PdfFile => {
  const file = readPdf(bytes);
  if (!file.ok) throw new Error(`${file.reason} at ${file.at}`);
  return file;
};
const parsed = (text: string) => new Scanner(Buffer.from(text, 'latin1'), 0).value();
const string = (text: string) => (parsed(text) as PdfString).bytes.toString('latin1');

const small = () =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 0/Kids[]>>',
    '<</Length 5>>\nstream\nHello\nendstream',
  ]);

/** `bytes` with objects written behind them, and a table that names them. */
function saved(bytes: Buffer, objects: Record<number, string>, size = 9): Buffer {
  const before = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.toString('latin1'))![1]);
  const pieces: Buffer[] = [bytes];
  let at = bytes.length;
  let table = 'xref\n';
  for (const [number, value] of Object.entries(objects)) {
    const object = Buffer.from(`${number} 0 obj\n${value}\nendobj\n`, 'latin1');
    table += `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
    at += object.length;
    pieces.push(object);
  }
  const end = `${table}trailer\n<</Size ${size}/Root 1 0 R/Prev ${before}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

describe('values of PDF syntax', () => {
  test('reads each kind, and says where it ended', () => {
    expect(parsed('[1 -2.5 .5 true false null /A#42 12 0 R 3 4]')).toEqual([
      1,
      -2.5,
      0.5,
      true,
      false,
      null,
      'AB',
      new Ref(12, 0),
      3,
      4,
    ]);
    expect(
      string(String.raw`(a\(b\)(c)\101\n\
d)`),
    ).toBe('a(b)(c)A\nd');
    expect(string('<48 65 6>')).toBe('He`');
    expect(textOf(parsed('<FEFF00e9>') as PdfString)).toBe('é');
    const entries = entriesAt(Buffer.from('  <</A 1/Contents <00ff> /A [<<>>]>> rest'), 0)!;
    expect(entries.map(({ key, start, end }) => [key, start, end])).toEqual([
      ['A', 7, 8],
      ['Contents', 18, 24],
      ['A', 28, 34],
    ]);
  });

  test.each([
    '',
    '(open',
    '<12',
    '<0x>',
    '[1 2',
    '<</A>>',
    '<</A 1',
    '<<1 2>>',
    '>>',
    ')',
    'endobj',
    '1 2 R3'.slice(6),
  ])('takes %j for nothing', (text) => expect(parsed(text)).toBe(NOTHING));

  test('goes no deeper than the limit', () => {
    expect(parsed('['.repeat(60) + ']'.repeat(60))).not.toBe(NOTHING);
    expect(parsed('['.repeat(100_000))).toBe(NOTHING);
    expect(parsed('<</A '.repeat(100_000))).toBe(NOTHING);
  });

  test('compares without following references', () => {
    expect(isSame(parsed('<</A[1(x)]/B 2 0 R>>') as Dict, parsed('<</B 2 0 R/A[1<78>]>>') as Dict)).toBe(
      true,
    );
    for (const other of [
      '<</A[1(x)]>>',
      '<</A[1(y)]/B 2 0 R>>',
      '<</A[1/x]/B 2 0 R>>',
      '<</A[1(x)]/B 3 0 R>>',
    ])
      expect(isSame(parsed('<</A[1(x)]/B 2 0 R>>') as Dict, parsed(other) as Dict), other).toBe(false);
  });
});

describe('filters', () => {
  const dict = (text: string) => parsed(text) as Dict;
  const unpacked = (data: Buffer, text: string, most = 1000) =>
    decode(data, dict(text), (value) => value, most)?.toString('latin1');

  test('undoes them in their order, and gives nothing for damage, for pictures and for too much', () => {
    const flate = deflateSync(Buffer.from('Hello'));
    expect(unpacked(flate, '<</Filter/FlateDecode>>')).toBe('Hello');
    expect(unpacked(Buffer.from(`${flate.toString('hex')}>`), '<</Filter[/ASCIIHexDecode/Fl]>>')).toBe(
      'Hello',
    );
    expect(unpacked(Buffer.from('87cURD]j7BEbo80~>'), '<</Filter/ASCII85Decode>>')).toBe('Hello world!');
    expect(unpacked(Buffer.from([2, 65, 66, 67, 254, 68, 128]), '<</Filter/RunLengthDecode>>')).toBe(
      'ABCDDD',
    );
    // The example of ISO 32000-1, 7.4.4.2.
    const lzw = Buffer.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]);
    expect(unpacked(lzw, '<</Filter/LZWDecode>>')).toBe('-----A---B');
    expect(unpacked(flate.subarray(0, 8), '<</Filter/FlateDecode>>')).toBeUndefined();
    expect(unpacked(Buffer.from('x'), '<</Filter/DCTDecode>>')).toBeUndefined();
    expect(unpacked(Buffer.from('x'), '<</Filter/constructor>>')).toBeUndefined();
    expect(unpacked(deflateSync(Buffer.alloc(1001)), '<</Filter/FlateDecode>>')).toBeUndefined();
  });

  test('reads hexadecimal digits up to the mark, blanks between them, and one that is alone', () => {
    const hex = (text: string, most?: number) =>
      unpacked(Buffer.from(text), '<</Filter/ASCIIHexDecode>>', most);
    expect(hex('4 8\n6\x005\t6C6c\f6F\r>zz')).toBe('Hello');
    expect(hex('48 5>')).toBe('HP');
    expect(hex('')).toBe('');
    expect(hex('48 g5>')).toBeUndefined();
    expect(hex('4865', 2)).toBe('He');
    expect(hex('48656', 2)).toBeUndefined();
    const options = { parameters: new Map(), most: 2 };
    const tolerant = (text: string) =>
      unfilter('AHx', Buffer.from(text), { ...options, isTolerant: true })?.toString('latin1');
    expect(tolerant('4g8-6 5')).toBe('He');
    expect(tolerant('48g656')).toBe('too_large');
  });

  test('gives nothing for truncated run lengths', () => {
    for (const cut of [[200], [5, 65], [0, 65, 200]])
      expect(unpacked(Buffer.from(cut), '<</Filter/RunLengthDecode>>'), String(cut)).toBeUndefined();
  });

  test.skipIf(!SLOW)('gives tolerantly what it gives strictly, and more where data is damaged', () => {
    const random = seededRandom(SEED);
    const options = { parameters: new Map(), most: 5000 };
    const data: [string, Buffer][] = [
      ['FlateDecode', deflateSync(Buffer.from('Hello, hello, hello'))],
      ['LZWDecode', Buffer.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01])],
      ['ASCII85Decode', Buffer.from('87cURD]j7BEbo80z~>')],
      ['ASCIIHexDecode', Buffer.from('48 65 6C 6c6f>')],
      ['RunLengthDecode', Buffer.from([2, 65, 66, 67, 254, 68, 128])],
    ];
    let sound = 0;
    for (const [name, packed] of data)
      for (let round = 0; round < 400; round += 1) {
        const changed = Buffer.from(packed.subarray(0, 1 + random(packed.length)));
        if (round % 2 === 0) changed[random(changed.length)] = random(256);
        const strict = unfilter(name, changed, { ...options, isTolerant: false });
        const tolerant = unfilter(name, changed, { ...options, isTolerant: true });
        if (!Buffer.isBuffer(strict)) continue;
        sound += 1;
        // Of two ways to read LZW, the one that gives more counts.
        if (name === 'LZWDecode') expect(tolerant!.length).toBeGreaterThanOrEqual(strict.length);
        else expect(tolerant, `${name} ${changed.toString('hex')}`).toEqual(strict);
      }
    expect(sound).toBeGreaterThan(200);
  });

  test('undoes predictors', () => {
    const rows = deflateSync(Buffer.from([2, 1, 2, 3, 2, 1, 1, 1, 1, 5, 1, 1]));
    const png = '<</Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 3>>>>';
    expect(Buffer.from(unpacked(rows, png)!, 'latin1')).toEqual(Buffer.from([1, 2, 3, 2, 3, 4, 5, 6, 7]));
    const tiff = '<</Filter/FlateDecode/DecodeParms<</Predictor 2/Columns 3>>>>';
    const bytes = deflateSync(Buffer.from([1, 1, 1, 5, 1, 1]));
    expect(Buffer.from(unpacked(bytes, tiff)!, 'latin1')).toEqual(Buffer.from([1, 2, 3, 5, 6, 7]));
  });

  test('unpacks nothing whose parameters or whose place readers understand differently', () => {
    const flate = deflateSync(Buffer.from('Hello'));
    const item = '<</Predictor 2/Columns 3>>';
    for (const [entries, isUnpacked] of [
      [`/Filter/FlateDecode/DecodeParms${item}`, true],
      [`/Filter[/FlateDecode]/DecodeParms[${item}]`, true],
      ['/Filter[/FlateDecode]/DecodeParms null', true],
      [`/Filter/FlateDecode/DecodeParms[${item}]`, false],
      [`/Filter[/FlateDecode]/DecodeParms${item}`, false],
      ['/Filter/FlateDecode/DecodeParms<</Predictor 2.4>>', false],
      ['/Filter/FlateDecode/DecodeParms<</Predictor 9 0 R>>', false],
      ['/Filter/FlateDecode/DecodeParms/None', false],
      ['/F/FlateDecode', false],
      ['/Filter/FlateDecode/F(data.bin)', false],
    ] as const)
      expect([entries, unpacked(flate, `<<${entries}>>`) !== undefined]).toEqual([entries, isUnpacked]);
  });
});

describe('a file', () => {
  test('has its objects with the places of their bytes', () => {
    const { latest, bytes, sections } = opened(small());
    expect(sections).toHaveLength(1);
    const stream = latest.object(3)!;
    expect(bytes.toString('latin1', stream.start, stream.end)).toMatch(/^3 0 obj.*endobj$/s);
    expect(latest.data(new Ref(3, 0))?.toString()).toBe('Hello');
    expect(latest.dict(latest.root)?.get('Type')).toBe('Catalog');
    expect(latest.resolve(new Ref(3, 1))).toBeNull();
    expect(latest.object(77)).toBeUndefined();
  });

  test('is shown as it was after each save', () => {
    const file = opened(saved(saved(small(), { 5: '(one)' }), { 5: '(two)', 6: '5 0 R' }));
    const text = (index: number, number: number) => textOf(file.view(index).resolve(new Ref(number, 0)));
    expect([text(0, 5), text(1, 5), text(2, 5), text(1, 6), text(2, 6)]).toEqual([
      undefined,
      'one',
      'two',
      undefined,
      'two',
    ]);
    expect(file.highestNumber).toBe(6);
  });

  test('may have junk before its header', () => {
    const file = opened(Buffer.concat([Buffer.from('From: mail\n\n'), small()]));
    expect(file.shift).toBe(12);
    expect(file.latest.object(1)!.start).toBe(12 + small().indexOf('1 0 obj'));
  });

  test('reports what readers understand differently', () => {
    const doubtful = (value: string) => opened(saved(small(), { 5: value })).latest.object(5)?.isDoubtful;
    expect(doubtful('<</A 1/B 2>>')).toBe(false);
    expect(doubtful('<</A 1/A 2>>')).toBe(true);
    expect(doubtful('<</A 1>> 7')).toBe(true);
    expect(doubtful('<</Length 3>>\nstream\nabc\nendstream')).toBe(false);
    expect(doubtful('<</Length 2>>\nstream\nabc\nendstream')).toBe(true);
  });

  test('ends where a section is not what it should be', () => {
    const reason = (bytes: Buffer) => {
      const file = readPdf(bytes);
      return file.ok ? 'ok' : file.reason;
    };
    const text = small().toString('latin1');
    const changed = (from: string | RegExp, to: string) =>
      reason(Buffer.from(text.replace(from, to), 'latin1'));
    expect(reason(Buffer.from('hello'))).toBe('not_a_pdf');
    expect(reason(Buffer.from('%PDF-1.7\n'))).toBe('no_end');
    expect(changed(/startxref\n\d+/, 'startxref\n3')).toBe('cross_reference');
    expect(changed(/startxref\n\d+/, 'startxref\n99999999')).toBe('cross_reference');
    expect(changed('trailer', 'railer')).toBe('cross_reference');
    const at = text.lastIndexOf('xref\n', text.indexOf('trailer'));
    // A section that comes before itself.
    expect(changed('trailer\n<<', `trailer\n<</Prev ${at}`)).toBe('cross_reference');
    expect(changed('trailer\n<<', 'trailer\n<</Prev -1')).toBe('cross_reference');
  });

  test('takes an object for nothing that is not at its place, or is made of itself', () => {
    const text = small().toString('latin1');
    const swapped = opened(Buffer.from(text.replace('3 0 obj', '7 0 obj'), 'latin1'));
    expect(swapped.latest.object(3)).toBeUndefined();
    const { latest } = opened(
      saved(small(), { 5: '6 0 R', 6: '5 0 R', 7: '<</Length 7 0 R>>\nstream\nab\nendstream' }),
    );
    expect(latest.resolve(new Ref(5, 0))).toBeNull();
    expect(latest.object(7)?.isDoubtful).toBe(true);
  });

  test.skipIf(!SLOW)('gives up on texts that hold each other as objects', () => {
    const count = 3000;
    const objects: Record<number, string> = {};
    // Each object is a text without an end in sight, which the reader would follow to the end of the file.
    for (let number = 10; number < 10 + count; number += 1) objects[number] = `(${' '.repeat(200)}`;
    const file = opened(saved(small(), objects, 10 + count));
    for (let number = 10; number < 10 + count; number += 1) file.latest.object(number);
    expect(file.isExhausted()).toBe(true);
  });

  test.skipIf(!SLOW)('never throws, whatever bytes are changed or missing', () => {
    const bytes = saved(small(), { 5: '<</A(1)/B<41>/C[1 0 R]>>' });
    const read = (hostile: Buffer) => {
      const file = readPdf(hostile);
      if (!file.ok) return;
      for (let number = 0; number <= 9; number += 1)
        if (file.latest.object(number)?.value instanceof PdfStream) file.latest.data(new Ref(number, 0));
    };
    for (let at = 0; at < bytes.length; at += 1) {
      read(bytes.subarray(0, at));
      for (const byte of [0x00, 0x28, 0x3c, 0x3e, 0x39, 0xff]) {
        const hostile = Buffer.from(bytes);
        hostile[at] = byte;
        read(hostile);
      }
    }
  });
});

const { skip, why } = needsCorpus();
describe.skipIf(skip)(`real files${why}`, () => {
  const folder = skip ? '' : join(CORPUS, 'py-pdf-sample-files');
  const files = skip ? [] : readdirSync(folder).filter((name) => name.endsWith('.pdf'));
  // Its cross-reference table is no sound one, as every other tool says too.
  test.each(files.filter((name) => name !== 'unreadablemetadata.pdf'))(
    '%s: every object is where it should be',
    (name) => {
      const file = opened(readFileSync(join(folder, name)));
      for (let number = 1; number <= file.highestNumber; number += 1) {
        const place = file.latest.place(number);
        if (place && place.kind !== 'free')
          expect(file.latest.object(number), `${number}`).toMatchObject({ isDoubtful: false });
      }
      expect(file.latest.dict(file.latest.dict(file.latest.root)?.get('Pages'))?.get('Type')).toBe('Pages');
    },
  );
});
