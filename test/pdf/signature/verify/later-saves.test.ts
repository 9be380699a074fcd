// Saves behind a signature that readers understand differently, that take each other back, or that bring to life what lay in the signed part;
// and saves of common programs, which are sound.
import { describe, expect, test } from 'vitest';
import { timestampToken } from '../../../support/certificates/pki.ts';
import {
  basePdf,
  CATALOG,
  certifying,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  type SignOptions,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
  withStore,
  withTimestamp,
} from '../../../support/documents/signed-pdf.ts';
import { faultsOf, PKI } from '../../../support/documents/verification.ts';

const { signer, tsa } = PKI;
const WITH_INFO = '/Root 1 0 R/Info 11 0 R';
const FORGED = PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '12 0 R');

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

describe('a page that one save replaces and the next one puts back', () => {
  const file = signed();
  const at = file.indexOf('3 0 obj');
  const replaced = updated(file, { [N.page]: FORGED }, WITH_INFO);
  const last = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(replaced.toString('latin1'))![1]);

  test.each([
    ['well written', (place: string) => `${place} 00000 n \n`, String(last), '200'],
    ['without zeros before the place', () => `${at} 0 n\n`, String(last), '200'],
    ['with a /Prev that has a point', (place: string) => `${place} 00000 n \n`, `${last}.0`, '200'],
    ['with entries of nineteen bytes', (place: string) => `${place} 00000 n\n`, String(last), '200'],
    ['with a comment in the table', (place: string) => `% x\n${place} 00000 n \n`, String(last), '200'],
    ['with a negative /Size', (place: string) => `${place} 00000 n \n`, String(last), '-1'],
    ['with a /Size that is too small', (place: string) => `${place} 00000 n \n`, String(last), '2'],
  ])('%s', (_, entry, prev, size) => {
    const section = `xref\n3 1\n${entry(String(at).padStart(10, '0'))}trailer\n<</Size ${size}${WITH_INFO}/Prev ${prev}>>\nstartxref\n${replaced.length}\n%%EOF\n`;
    expect(faultsOf(Buffer.concat([replaced, Buffer.from(section, 'latin1')]))).toEqual(['update_irregular']);
  });

  test('by writing it again', () => {
    const back = updated(replaced, { [N.page]: PAGE(PAGE_ANNOTATIONS) }, WITH_INFO);
    expect(faultsOf(back)).toEqual(['changed_content']);
  });

  test.each<[string, number, string | Buffer, string | Buffer]>([
    [
      'its content',
      N.content,
      streamOf('BT /F 12 Tf 20 150 Td (I owe you 999 euros) Tj ET'),
      streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET'),
    ],
    [
      'its font',
      N.font,
      '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ],
  ])('by writing %s again, behind another allowed change', (_, number, forged, sound) => {
    const changed = updated(file, { [number]: forged }, WITH_INFO);
    const back = withStore(updated(changed, { [number]: sound }, WITH_INFO), { certificates }, 30);
    expect(faultsOf(back)).toEqual(['changed_content']);
    expect(faultsOf(updated(back, { [N.info]: '<</Title(Other)>>' }, WITH_INFO))).toEqual([
      'changed_content',
    ]);
  });

  test('in a file that was signed again in between', () => {
    const again = signPdf(updated(signed({ entries: '' }), { [N.page]: FORGED }, WITH_INFO), {
      party: signer,
      number: 70,
      entries: '',
      objects: (number) => ({
        71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[0 0 0 0]/F 132/P 3 0 R/V ${number} 0 R>>`,
        [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
      }),
    });
    expect(faultsOf(again)).toEqual(['changed_content']);
  });
});

describe('a save that readers read differently', () => {
  test('is accepted as it is usually written', () => {
    expect(faultsOf(saveWith((text) => text))).toEqual([]);
  });

  test.each<[string, string | RegExp, string]>([
    ['a blank before a place in the table', /\n(\d{10} 00000 n)/, '\n $1'],
    ['line feeds between entries', / n \n/g, ' n\n\n'],
    ['a table of one line', 'xref\n', 'xref '],
    ['no /Size', '/Size 200', ''],
    ['a /Size with a sign', '/Size 200', '/Size +200'],
    ['a /Prev with a sign', '/Prev ', '/Prev +'],
    ['a word before startxref', 'startxref', 'endxref startxref'],
    ['an object that begins with zeros', /\n30 0 obj/, '\n030 0 obj'],
    ['a stream whose line ends with a carriage return alone', /stream\n/, 'stream\r'],
  ])('%s is refused', (_, before, after) => {
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

describe('what a signature or a timestamp brings along', () => {
  const HIDES = { hidden: 2, print: 4, noView: 32, toggle: 256 };
  const LOOK = (box: string, content = '0 0 300 200 re f') =>
    streamOf(content, `/Type/XObject/Subtype/Form/BBox[${box}]`);
  const timestampIn = (field: string, look: Buffer): Buffer =>
    signPdf(signed({ entries: '' }), {
      party: tsa,
      number: 60,
      subFilter: 'ETSI.RFC3161',
      entries: '',
      objects: () => ({
        61: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Time)${field}/P 3 0 R/V 60 0 R/AP<</N 62 0 R>>>>`,
        62: look,
        [N.form]: FORM('7 0 R 9 0 R 61 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 61 0 R`),
      }),
      make: (data) => timestampToken(tsa, data),
    });

  test.each([
    ['a box that is seen', '/Rect[0 0 300 200]/F 4', '0 0 300 200', true],
    ['a box that is only printed', `/Rect[0 0 300 200]/F ${HIDES.noView | HIDES.print}`, '0 0 300 200', true],
    [
      'a box that comes when pressed',
      `/Rect[0 0 300 200]/F ${HIDES.noView | HIDES.toggle}`,
      '0 0 300 200',
      true,
    ],
    ['a box without width whose look has one', '/Rect[0 0 0 200]/F 4', '0 0 300 200', true],
    ['a box without width and its look', '/Rect[0 0 0 0]/F 4', '0 0 0 0', false],
    ['a hidden box', `/Rect[0 0 300 200]/F ${HIDES.hidden}`, '0 0 300 200', false],
    ['a box that is never shown', `/Rect[0 0 300 200]/F ${HIDES.noView}`, '0 0 300 200', false],
  ])('%s', (_, field, box, isRefused) => {
    expect(faultsOf(timestampIn(field, LOOK(box)))).toEqual(isRefused ? ['overlay'] : []);
  });

  test('a box without width whose look says only a comment is sound', () => {
    expect(faultsOf(timestampIn('/Rect[0 0 0 0]/F 132', LOOK('0 0 100 100', '% DSBlank\n')))).toEqual([]);
  });

  test('an empty field that is seen is not filled with a timestamp that shows a name', () => {
    const base = updated(
      basePdf(),
      {
        40: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Buyer)/Rect[10 60 140 90]/F 4/P 3 0 R>>',
        [N.form]: FORM('7 0 R 9 0 R 40 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 40 0 R`),
      },
      WITH_INFO,
    );
    for (const entries of ['', certifying(1), certifying(2)]) {
      const hostile = signPdf(signed({ entries }, base), {
        party: tsa,
        number: 60,
        subFilter: 'ETSI.RFC3161',
        entries: '',
        objects: () => ({
          40: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Buyer)/Rect[10 60 140 90]/F 4/P 3 0 R/V 60 0 R/AP<</N 62 0 R>>>>',
          62: LOOK('0 0 130 30', 'BT /F 12 Tf (Signed: Bob Buyer) Tj ET'),
        }),
        make: (data) => timestampToken(tsa, data),
      });
      expect([entries, faultsOf(hostile)]).toEqual([entries, ['overlay']]);
    }
  });
});

describe('what lay in the signed part', () => {
  test('an annotation that was a reference to nothing', () => {
    const prepared = updated(basePdf(), { [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`) }, WITH_INFO);
    const file = signed({ entries: '' }, prepared);
    expect(faultsOf(file)).toEqual([]);
    const stamp = {
      50: '<</Type/Annot/Subtype/Stamp/Rect[0 0 300 200]/F 4/AP<</N 12 0 R>>>>',
    };
    expect(faultsOf(updated(file, stamp, WITH_INFO))).toEqual(['changed_annotations']);
  });

  test('a field that was a reference to nothing', () => {
    const prepared = updated(basePdf(), { [N.form]: FORM('7 0 R 9 0 R 50 0 R') }, WITH_INFO);
    const file = signed({ entries: '' }, prepared);
    const field = { 50: TEXT_FIELD('/V(999)').replace('amount', 'other') };
    expect(faultsOf(updated(file, field, WITH_INFO))).toEqual(['changed_form']);
  });

  const FILLED: Objects = {
    [N.text]: TEXT_FIELD('/V(EUR 999000)').replace('8 0 R', '41 0 R'),
    41: streamOf('BT (EUR 999000) Tj ET', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]'),
  };
  const lookOf = (content: string) => streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 90 20]');

  test.each<[string, Objects, boolean]>([
    ['without a value and empty', {}, false],
    [
      'with a border and a background',
      { [N.textLook]: lookOf('q 1 g 0 0 90 20 re f 0 G 0 0 90 20 re S Q') },
      false,
    ],
    ['without a value that shows one', { [N.textLook]: lookOf('BT (EUR 100) Tj ET') }, true],
    ['that shows one line of text in a list', { [N.textLook]: lookOf('BT [(EUR 100)]TJ ET') }, true],
    ['that shows a picture', { [N.textLook]: lookOf('q /Im0 Do Q') }, true],
    ['whose look cannot be read', { [N.textLook]: streamOf('x', '/Filter/FlateDecode') }, true],
    ['that is read-only', { [N.text]: TEXT_FIELD('/Ff 1') }, true],
    ['that has a value', { [N.text]: TEXT_FIELD('/V(100)') }, true],
  ])('a field %s', (_, objects, isRefused) => {
    const base = Object.keys(objects).length > 0 ? updated(basePdf(), objects, WITH_INFO) : basePdf();
    const more = objects[N.text]
      ? { [N.text]: TEXT_FIELD('/V(EUR 999000)/Ff 1').replace('8 0 R', '41 0 R') }
      : {};
    const file = updated(
      signed({}, base),
      { ...FILLED, ...(`${objects[N.text]}`.includes('/Ff') && more) },
      WITH_INFO,
    );
    expect(faultsOf(file)).toEqual(isRefused ? ['changed_form'] : []);
  });
});

describe('saves of common programs are sound', () => {
  test('a name in a comment before startxref', () => {
    const file = saveWith(table('startxref', '%iText-Core-9.0.0\nstartxref'));
    expect(faultsOf(file)).toEqual([]);
    expect(faultsOf(withStore(file, { certificates }, 50))).toEqual([]);
  });

  test('a second save whose end is near that of the first', () => {
    const file = updated(signed(), { 40: 'null' }, WITH_INFO);
    expect(faultsOf(updated(file, { 41: 'null' }, WITH_INFO))).toEqual([]);
  });

  test('a form that gets a default look and fonts with a timestamp', () => {
    const base = updated(
      basePdf(),
      { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/DR<</Font<</F 5 0 R>>>>') },
      WITH_INFO,
    );
    const stamped = (form: string) =>
      signPdf(signed({ entries: '' }, base), {
        party: tsa,
        number: 60,
        subFilter: 'ETSI.RFC3161',
        entries: '',
        objects: () => ({
          61: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Time)/Rect[0 0 0 0]/F 132/P 3 0 R/V 60 0 R>>',
          63: '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>',
          [N.form]: FORM('7 0 R 9 0 R 61 0 R', form),
          [N.page]: PAGE(`${PAGE_ANNOTATIONS} 61 0 R`),
        }),
        make: (data) => timestampToken(tsa, data),
      });
    expect(faultsOf(stamped('/SigFlags 3/DA(/F 0 Tf)/DR<</Font<</F 5 0 R/Z 63 0 R>>>>'))).toEqual([]);
  });

  test('an empty signature field that is signed in a later save', () => {
    const box = '/Type/Annot/Subtype/Widget/FT/Sig/T(Buyer)/Rect[10 60 140 90]/F 4/P 3 0 R';
    const withField = (more = '') =>
      updated(
        signed({ entries: '' }),
        {
          40: `<<${box}${more}>>`,
          [N.form]: FORM('7 0 R 9 0 R 40 0 R'),
          [N.page]: PAGE(`${PAGE_ANNOTATIONS} 40 0 R`),
        },
        WITH_INFO,
      );
    expect(faultsOf(withField())).toEqual([]);
    const objects = (number: number) => ({ 40: `<<${box}/V ${number} 0 R>>` });
    expect(faultsOf(signPdf(withField(), { party: signer, number: 70, entries: '', objects }))).toEqual([]);
    expect(faultsOf(withField('/AP<</N 12 0 R>>'))).toEqual(['overlay']);
    expect(faultsOf(withField('/MK<</BG[1 1 1]>>'))).toEqual(['overlay']);
  });

  test('blank lines before the table and behind it', () => {
    const file = saveWith(table('trailer', '\n\ntrailer'));
    expect(faultsOf(file)).toEqual([]);
    const early = saveWith((text) => text.replace(/startxref\n(\d+)/, (_, at) => `startxref\n${at - 1}`));
    expect(faultsOf(early)).toEqual([]);
  });

  test('a drawing that each signature names anew in the form, unless a field takes its look from there', () => {
    const again = (look: string, base = basePdf()) => {
      const first = signed(
        { entries: '' },
        updated(base, { [N.form]: FORM('7 0 R 9 0 R', look) }, WITH_INFO),
      );
      return updated(first, { [N.form]: FORM('7 0 R 9 0 R', look.replace('12 0', '5 0')) }, WITH_INFO);
    };
    const drawing = '/SigFlags 3/DR<</XObject<</FRM 12 0 R>>>>';
    expect(faultsOf(again(drawing))).toEqual([]);
    expect(faultsOf(again(`${drawing}/NeedAppearances true`))).toEqual(['changed_form']);
    const look = streamOf('/FRM Do', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]');
    expect(faultsOf(again(drawing, updated(basePdf(), { [N.textLook]: look }, WITH_INFO)))).toEqual([
      'changed_form',
    ]);
    const value = TEXT_FIELD('/V(100)').replace('/AP<</N 8 0 R>>', '');
    expect(faultsOf(again(drawing, updated(basePdf(), { [N.text]: value }, WITH_INFO)))).toEqual([
      'changed_form',
    ]);
  });

  test('a hybrid save whose table and stream agree', () => {
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
    expect(faultsOf(hybridSave((at) => at))).toEqual([]);
    expect(faultsOf(hybridSave(() => file.indexOf('4 0 obj')))).toEqual(['update_irregular']);
    // Some readers see only the table.
    expect(faultsOf(hybridSave((at) => at, 'f'))).toEqual(['update_irregular']);
  });

  test('a further timestamp', () => {
    expect(faultsOf(withTimestamp(signed(), { tsa }))).toEqual([]);
  });

  test('an empty field that is signed, and its box printed as well', () => {
    const again = signPdf(basePdf(), {
      party: signer,
      entries: '',
      objects: (number) => ({ [N.seal]: SEAL_FIELD(`/V ${number} 0 R`) }),
    });
    expect(faultsOf(again)).toEqual([]);
  });
});
