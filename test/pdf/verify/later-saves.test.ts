// Saves behind a signature that take each other back, show a look, or bring to life what lay in the signed part; and what common programs
// change with a signature, which is sound. How a save is written is in save-syntax.test.ts.
import { describe, expect, test } from 'vitest';
import { timestampToken } from '../../support/certificates/pki.ts';
import {
  basePdf,
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
} from '../../support/documents/signed-pdf.ts';
import { behind, faultsOf, PKI, WITH_INFO } from '../../support/documents/verification.ts';
import { sampleOf } from '../../support/tier.ts';

const { signer, tsa } = PKI;
const FORGED = PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '12 0 R');

const signed = (options: Partial<SignOptions> = {}, base = basePdf()) =>
  signPdf(base, { party: signer, entries: certifying(2), ...options });
const certificates = [...signer.chain];

describe('a page that one save replaces and the next one puts back', () => {
  const file = signed();
  const at = file.indexOf('3 0 obj');
  const replaced = updated(file, { [N.page]: FORGED }, WITH_INFO);
  const last = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(replaced.toString('latin1'))![1]);

  test.each(
    sampleOf(
      [
        ['well written', (place: string) => `${place} 00000 n \n`, String(last), '200'],
        ['without zeros before the place', () => `${at} 0 n\n`, String(last), '200'],
        ['with a /Prev that has a point', (place: string) => `${place} 00000 n \n`, `${last}.0`, '200'],
        ['with entries of nineteen bytes', (place: string) => `${place} 00000 n\n`, String(last), '200'],
        ['with a comment in the table', (place: string) => `% x\n${place} 00000 n \n`, String(last), '200'],
        ['with a negative /Size', (place: string) => `${place} 00000 n \n`, String(last), '-1'],
        ['with a /Size that is too small', (place: string) => `${place} 00000 n \n`, String(last), '2'],
      ],
      3,
    ),
  )('%s', (_, entry, prev, size) => {
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
    expect(behind({ [N.info]: '<</Title(Other)>>' }, back)).toEqual(['changed_content']);
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

describe('what a signature or a timestamp brings along', () => {
  const HIDES = { hidden: 2, print: 4, noView: 32, toggle: 256 };
  const LOOK = (box: string, content = '0 0 300 200 re f') =>
    streamOf(content, `/Type/XObject/Subtype/Form/BBox[${box}]`);
  const timestampIn = (field: string, appearance: Buffer): Buffer =>
    signPdf(signed({ entries: '' }), {
      party: tsa,
      number: 60,
      subFilter: 'ETSI.RFC3161',
      entries: '',
      objects: () => ({
        61: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Time)${field}/P 3 0 R/V 60 0 R/AP<</N 62 0 R>>>>`,
        62: appearance,
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
    ['a hidden box, which pdf.js shows', `/Rect[0 0 300 200]/F ${HIDES.hidden}`, '0 0 300 200', true],
    ['a box that is never shown', `/Rect[0 0 300 200]/F ${HIDES.noView}`, '0 0 300 200', true],
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
    expect(behind(stamp, file)).toEqual(['changed_annotations']);
  });

  test('a field that was a reference to nothing', () => {
    const prepared = updated(basePdf(), { [N.form]: FORM('7 0 R 9 0 R 50 0 R') }, WITH_INFO);
    const file = signed({ entries: '' }, prepared);
    const field = { 50: TEXT_FIELD('/V(999)').replace('amount', 'other') };
    expect(behind(field, file)).toEqual(['changed_form']);
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
  test('a second save whose end is near that of the first', () => {
    const file = updated(signed(), { 40: 'null' }, WITH_INFO);
    expect(behind({ 41: 'null' }, file)).toEqual([]);
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

  test('a drawing that each signature names anew in the form, unless a field takes its look from there', () => {
    const again = (appearance: string, base = basePdf()) => {
      const first = signed(
        { entries: '' },
        updated(base, { [N.form]: FORM('7 0 R 9 0 R', appearance) }, WITH_INFO),
      );
      return updated(first, { [N.form]: FORM('7 0 R 9 0 R', appearance.replace('12 0', '5 0')) }, WITH_INFO);
    };
    const drawing = '/SigFlags 3/DR<</XObject<</FRM 12 0 R>>>>';
    expect(faultsOf(again(drawing))).toEqual([]);
    expect(faultsOf(again(`${drawing}/NeedAppearances true`))).toEqual(['changed_form']);
    const appearance = streamOf('/FRM Do', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]');
    expect(faultsOf(again(drawing, updated(basePdf(), { [N.textLook]: appearance }, WITH_INFO)))).toEqual([
      'changed_form',
    ]);
    const value = TEXT_FIELD('/V(100)').replace('/AP<</N 8 0 R>>', '');
    expect(faultsOf(again(drawing, updated(basePdf(), { [N.text]: value }, WITH_INFO)))).toEqual([
      'changed_form',
    ]);
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
