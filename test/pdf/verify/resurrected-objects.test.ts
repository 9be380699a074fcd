// Saves that this reader reads as honest ones, and after which others show something else: what waits in the signed part or in a stream is
// found by readers that search a file for objects, and each reader has its own reasons to do so.
import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { isReadFromElsewhere } from '../../../src/pdf/verify/rules/entry-point.ts';
import { withLinearizedLength } from '../../support/documents/attack-files.ts';
import {
  basePdf,
  CATALOG,
  certifying,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  updated,
} from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, WITH_INFO } from '../../support/documents/verification.ts';

const signed = (base = basePdf(), entries = '') => signPdf(base, { party: PKI.signer, entries });
const widget = (entries: string) => `<</Type/Annot/Subtype/Widget/FT/Sig/T(Bob)/P 3 0 R${entries}>>`;
const withField = (entries: string): Objects => ({
  50: widget(entries),
  51: streamOf('1 g 0 0 300 200 re f', '/Type/XObject/Subtype/Form/BBox[0 0 300 200]'),
  [N.form]: FORM('7 0 R 9 0 R 50 0 R'),
  [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`),
});
const withData = (data: string): Objects => ({
  [N.catalog]: CATALOG('/DSS 30 0 R'),
  30: '<</Certs[31 0 R]>>',
  31: streamOf(data),
});

describe('a signature that was made for one field', () => {
  test('is not that of another one', () => {
    const shown = '/Rect[0 0 300 200]/F 4/V 20 0 R/AP<</N 51 0 R>>';
    expect(faultsOf(updated(signed(), withField(shown), WITH_INFO))).toEqual([
      'signature_dictionary_doubtful',
    ]);
  });

  test.each(['', certifying(2)])('does not fill an empty field, after %j', (entries) => {
    const prepared = updated(basePdf(), withField('/Rect[0 0 90 90]/F 4'), WITH_INFO);
    const field = { 50: widget('/Rect[0 0 90 90]/F 4/V 20 0 R/AP<</N 51 0 R>>') };
    expect(faultsOf(updated(signed(prepared, entries), field, WITH_INFO))).toEqual([
      'signature_dictionary_doubtful',
    ]);
  });

  test('that waited without a field is not brought back', () => {
    const prepared = updated(basePdf(), withField('/Rect[0 0 90 90]/F 4'), WITH_INFO);
    const waiting = { party: PKI.signer, number: 60, entries: '', objects: () => ({}) };
    const file = signed(signPdf(prepared, waiting));
    const back = { 50: widget('/Rect[0 0 90 90]/F 4/V 60 0 R') };
    expect(faultsOf(updated(file, back, WITH_INFO))).toEqual(['changed_signatures']);
  });
});

describe('a reader that searches the file for objects', () => {
  test.each([
    ['an object', 'x\n4 0 obj\n<<>>\nendobj\n'],
    ['an object with blanks', '4\r0  obj<<>>'],
    ['a trailer', 'trailer\n<</Root 70 0 R>>'],
  ])('finds no %s in a stream', (_, data) => {
    expect(faultsOf(updated(signed(), withData('x'), WITH_INFO))).toEqual([]);
    expect(faultsOf(updated(signed(), withData(data), WITH_INFO))).toEqual(['update_irregular']);
  });

  test('is not made to by blanks behind the end', () => {
    const behind = (blanks: number) => faultsOf(Buffer.concat([signed(), Buffer.alloc(blanks, '\n')]));
    expect(behind(500)).toEqual([]);
    expect(behind(1100)).toEqual(['update_irregular']);
  });

  test('is not made to by a reference to nothing', () => {
    const file = signed();
    const appearance = (reference: string) => withField(`/Rect[0 0 0 0]/F 4/AP<</N ${reference}>>`);
    expect(faultsOf(updated(file, appearance('199 0 R'), WITH_INFO))).toEqual(['update_irregular']);
    expect(faultsOf(updated(file, appearance('5 1 R'), WITH_INFO))).toEqual(['update_irregular']);
    expect(faultsOf(updated(file, withData('x'), '/Root 1 0 R/Info 199 0 R'))).toEqual(['update_irregular']);
    const dangling = signed(updated(basePdf(), { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Other 199 0 R') }));
    const page = { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Other 199 0 R') };
    expect(faultsOf(updated(dangling, page, WITH_INFO))).toEqual([]);
  });
});

test('a file that says how long it is does not become as long as that', () => {
  const linearized = (length: number) => signed(withLinearizedLength(length));
  expect(faultsOf(updated(linearized(1000), withData('x'), WITH_INFO))).toEqual([]);
  expect(faultsOf(linearized(90_000))).toEqual([]);
  expect(faultsOf(updated(linearized(90_000), withData('x'), WITH_INFO))).toEqual(['update_irregular']);
});

describe('a linearized file that is as long as it says', () => {
  /** A small one with two sections, of which the one that the file ends with stands behind the first object, or elsewhere. */
  const linearized = (length: number, isFirst: boolean) => {
    const first = `%PDF-1.7\n4 0 obj\n<</Linearized 1/L ${String(length).padStart(5)}>>\nendobj\n`;
    const row = (at: number) => `${String(at).padStart(10, '0')} 00000 n \n`;
    const trailer = (entries: string) => `trailer\n<</Size 5/Root 1 0 R${entries}>>\n`;
    const table = (prev: number) =>
      `xref\n4 1\n${row(9)}${trailer(`/Prev ${String(prev).padStart(4)}`)}startxref\n0\n%%EOF\n`;
    const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 0/Kids[]>>', 'null'];
    const begin = first.length + (isFirst ? table(0).length : 0);
    let body = '';
    const rows = objects.map((object, index) => {
      const at = begin + body.length;
      body += `${index + 1} 0 obj\n${object}\nendobj\n`;
      return row(at);
    });
    const main = begin + body.length;
    const rest = `xref\n0 4\n0000000000 65535 f \n${rows.join('')}${trailer('')}`;
    const behind = isFirst ? '' : table(main);
    const last = isFirst ? first.length : main + rest.length;
    const text = `${first}${isFirst ? table(main) : ''}${body}${rest}${behind}startxref\n${last}\n%%EOF\n`;
    return Buffer.from(text, 'latin1');
  };
  const isAmbiguous = (bytes: Buffer) => {
    const file = readPdf(bytes);
    if (!file.ok) throw new Error(file.reason);
    return isReadFromElsewhere(file);
  };
  const ofItsLength = (isFirst: boolean) => linearized(linearized(1000, isFirst).length, isFirst);

  test('is read alike where it has one version, and its first section is the one at its beginning', () => {
    expect(isAmbiguous(ofItsLength(true))).toBe(false);
    expect(isAmbiguous(ofItsLength(false))).toBe(true);
    expect(isAmbiguous(linearized(1000, false))).toBe(false);
  });

  test('was made longer by its signature, which was foreseen', () => {
    const { length } = signed(withLinearizedLength(10_000));
    expect(faultsOf(signed(withLinearizedLength(length)))).toEqual(['signature_dictionary_doubtful']);
    expect(faultsOf(signed(withLinearizedLength(length + 1)))).toEqual([]);
  });
});

describe('numbers that readers take for others', () => {
  test.each(['2.0', '34.0', '4294967298', '+2'])('a field with the flags %s is not hidden', (flags) => {
    const field = withField(`/Rect[0 0 300 200]/F ${flags}/AP<</N 51 0 R>>`);
    expect(faultsOf(updated(signed(), field, WITH_INFO))).toEqual(['update_irregular']);
  });

  test('the length of a stream', () => {
    const content = streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET').toString('latin1');
    expect(faultsOf(updated(signed(), { [N.content]: content }, WITH_INFO))).toEqual([]);
    const real = content.replace(/(\/Length \d+)/, '$1.0');
    expect(faultsOf(updated(signed(), { [N.content]: real }, WITH_INFO))).toEqual(['update_irregular']);
  });
});

describe('an object stream', () => {
  const LIST = '[4 0 R]';
  /** A save that packs object 13 again, and what else is named. */
  const packing = (head: string, body: string, numbers: readonly number[]) => {
    const page = { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '13 0 R'), 13: LIST };
    const file = signed(updated(basePdf(), page, WITH_INFO));
    const before = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
    const entries = `/Type/ObjStm/N ${numbers.length}/First ${head.length}`;
    const objects = Buffer.concat([
      Buffer.from('80 0 obj\n'),
      streamOf(head + body, entries),
      Buffer.from('\nendobj\n'),
    ]);
    const start = file.length + objects.length;
    const rows = [...numbers.map((number, index) => [number, 2, 80, index]), [80, 1, file.length, 0]];
    const data = Buffer.concat(
      rows.map(([, kind, place, index]) => {
        const row = Buffer.from([kind!, 0, 0, 0, 0, index!]);
        row.writeUInt32BE(place!, 1);
        return row;
      }),
    );
    const index = rows.map(([number]) => `${number} 1`).join(' ');
    const dict = `/Type/XRef/W[1 4 1]/Index[${index}]/Size 200${WITH_INFO}/Prev ${before}`;
    const end = Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`);
    return Buffer.concat([file, objects, Buffer.from('90 0 obj\n'), streamOf(data, dict), end]);
  };

  test.each<[string, string, string, readonly number[], boolean]>([
    ['one object', '13 0 ', LIST, [13], true],
    ['two objects', '13 0 14 8 ', `${LIST} null`, [13, 14], true],
    ['one in another', '13 0 14 3 ', LIST, [13, 14], false],
    ['objects in falling order', '13 5 14 0 ', `null ${LIST}`, [13, 14], false],
    ['more than its objects', '13 0 ', `${LIST} null`, [13], false],
  ])('with %s', (_, head, body, numbers, isSound) => {
    expect(faultsOf(packing(head, body, numbers))).toEqual(isSound ? [] : ['update_irregular']);
  });
});

test.each(['--1', '1.2.3', '0x1'])(
  'what lies behind an object with the value %s does not change',
  (value) => {
    const appearance = (content: string) => streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 300 200]');
    const page = PAGE(PAGE_ANNOTATIONS).replace('/Font<<', '/XObject 14 0 R/Font<<');
    const base = { [N.page]: page, 14: `<</Q ${value}/X 95 0 R>>`, 95: appearance('') };
    const other = { 95: appearance('1 g 0 0 300 200 re f'), 90: '<</Title 95 0 R>>' };
    const file = updated(signed(updated(basePdf(), base, WITH_INFO)), other, '/Root 1 0 R/Info 90 0 R');
    expect(faultsOf(file)).toEqual(['changed_content']);
  },
);
