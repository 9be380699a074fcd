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
import { faultsOf, PKI, WITH_INFO } from '../../support/documents/verification.ts';
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
    const first = saveWith((one) => one);
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
    expect(faultsOf(updated(signed(), { 4000000: 'null' }, WITH_INFO))).toEqual([]);
    expect(faultsOf(updated(signed(), { 4000001: 'null' }, WITH_INFO))).toEqual(['update_irregular']);
  });

  test('a file whose last save says another place is damaged', () => {
    const text = saveWith((one) => one).toString('latin1');
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
    expect(faultsOf(updated(signed(), { [N.page]: doubled }, WITH_INFO))).toEqual(['update_irregular']);
    const filter = streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET', '/Filter[]/Filter[]');
    expect(faultsOf(updated(signed(), { [N.content]: filter }, WITH_INFO))).toEqual(['update_irregular']);
  });

  test('an object stream that holds more than the save names is refused', () => {
    const content = '4 0 <</A 1>>';
    const packed = streamOf(content, '/Type/ObjStm/N 1/First 4');
    expect(faultsOf(updated(signed(), { 40: packed }, WITH_INFO))).toEqual(['update_irregular']);
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
