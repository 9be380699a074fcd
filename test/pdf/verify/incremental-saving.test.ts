// Incremental saving attacks: a save behind the signature that changes what is shown, without touching what is signed. What is allowed to follow a
// signature is in valid.test.ts.
import { describe, expect, test } from 'vitest';
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
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../support/documents/signed-pdf.ts';
import {
  approved,
  behind,
  certified,
  faultsOf,
  PKI,
  sealedPdf,
  signed,
  WITH_INFO,
} from '../../support/documents/verification.ts';
import { sampleOf } from '../../support/tier.ts';

const { signer } = PKI;

describe('incremental saving attack: an update that changes', () => {
  const OTHER = streamOf('BT /F 12 Tf 20 150 Td (I owe you 999 euros) Tj ET');

  test.each<[string, Objects, string]>(
    sampleOf(
      [
        ['the content of a page', { [N.content]: OTHER }, 'changed_content'],
        [
          'which content a page has',
          { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '12 0 R') },
          'changed_content',
        ],
        ['a font', { [N.font]: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }, 'changed_content'],
        ['a box of a page', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/CropBox[0 0 10 10]') }, 'changed_content'],
        ['the list of pages', { [N.pages]: '<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>' }, 'changed_content'],
        [
          'what all pages inherit',
          { [N.pages]: '<</Type/Pages/Count 1/Kids[3 0 R]/Rotate 90>>' },
          'changed_content',
        ],
        [
          'the look of a field',
          { [N.textLook]: streamOf('f', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]') },
          'overlay',
        ],
        [
          'the place of a field',
          { [N.text]: TEXT_FIELD('').replace('10 10 100 30', '0 0 300 200') },
          'changed_form',
        ],
        ['which field hides', { [N.text]: TEXT_FIELD('').replace('/F 4', '/F 2') }, 'changed_form'],
        [
          'a note',
          { [N.note]: '<</Type/Annot/Subtype/Text/Rect[0 0 300 200]/P 3 0 R>>' },
          'changed_annotations',
        ],
        ['the list of notes', { [N.page]: PAGE('7 0 R 9 0 R') }, 'changed_annotations'],
        ['the order of notes', { [N.page]: PAGE('10 0 R 9 0 R 7 0 R') }, 'changed_annotations'],
        ['the look of the seal', { [N.seal]: SEAL_FIELD('/V 20 0 R/AP<</N 12 0 R>>') }, 'overlay'],
        ['the signature itself', { 20: '<</Type/Sig/Filter/Adobe.PPKLite>>' }, 'byte_range_missing'],
        [
          'which signature a field has',
          { [N.seal]: SEAL_FIELD('/V 21 0 R'), 21: '<</Type/Sig>>' },
          'format_unknown',
        ],
        ['the fields of the form', { [N.form]: FORM('9 0 R') }, 'changed_form'],
        [
          'that programs draw the fields anew',
          { [N.form]: FORM('7 0 R 9 0 R', '/NeedAppearances true') },
          'changed_form',
        ],
        [
          'the fonts of the form',
          { [N.form]: FORM('7 0 R 9 0 R', '/DR<</Font<</F 5 0 R>>>>') },
          'changed_form',
        ],
        ['a form that is drawn from XML', { [N.form]: FORM('7 0 R 9 0 R', '/XFA(x)') }, 'changed_form'],
        [
          'what happens when it is opened',
          { [N.catalog]: CATALOG('/OpenAction<</S/JavaScript/JS(app.alert(1))>>') },
          'changed_structure',
        ],
        [
          'scripts',
          { [N.catalog]: CATALOG('/Names<</JavaScript<</Names[(a)<</S/JavaScript>>]>>>>') },
          'changed_structure',
        ],
        ['which layers are shown', { [N.catalog]: CATALOG('/OCProperties<</OCGs[]>>') }, 'changed_structure'],
        ['the files that belong to it', { [N.catalog]: CATALOG('/AF[12 0 R]') }, 'changed_structure'],
        ['an object that nothing refers to', { [N.unused]: streamOf('x') }, 'changed_structure'],
        ['that a page is gone', { [N.page]: null }, 'changed_content'],
      ],
      9,
    ),
  )('%s', (_, objects, code) => {
    expect(behind(objects)).toContain(code);
    // A signature that certifies nothing lets no more of these pass.
    expect(behind(objects, approved())).toContain(code);
    expect(behind(objects, sealedPdf()).length).toBeGreaterThan(0);
  });

  test('the content by another catalog, or by another tree of pages', () => {
    const other = { 90: CATALOG(), 91: '<</Type/Pages/Count 0/Kids[]>>' };
    expect(behind(other, certified(2), '/Root 90 0 R')).toEqual(['changed_structure']);
    const tree = { [N.catalog]: CATALOG().replace('2 0 R', '91 0 R'), 91: '<</Type/Pages/Count 0/Kids[]>>' };
    expect(behind(tree)).toContain('changed_content');
  });

  test('that the file is encrypted', () => {
    expect(behind({ 90: '<</Filter/Standard>>' }, certified(2), `${WITH_INFO}/Encrypt 90 0 R`)).toContain(
      'changed_structure',
    );
  });

  test('the value of a form', () => {
    const had = updated(basePdf(), { [N.text]: TEXT_FIELD('/V(100)') }, WITH_INFO);
    const file = signPdf(had, { party: signer, entries: certifying(2) });
    expect(behind({ [N.text]: TEXT_FIELD('/V(999)') }, file)).toEqual(['changed_form']);
    expect(behind({ [N.text]: TEXT_FIELD('') }, file)).toEqual(['changed_form']);
  });

  test('a field that is locked', () => {
    const lock = (entries: string) =>
      signed({
        entries: `/Reference[<</TransformMethod/FieldMDP/TransformParams<</Type/TransformParams${entries}/V/1.2>>>>]`,
      });
    const change = { [N.text]: TEXT_FIELD('/V(1)') };
    expect(behind(change, lock('/Action/All'))).toEqual(['changed_locked_field']);
    expect(behind(change, lock('/Action/Include/Fields[(amount)]'))).toEqual(['changed_locked_field']);
    expect(behind(change, lock('/Action/Exclude/Fields[(amount)]'))).toEqual([]);
    expect(behind(change, lock('/Action/Include/Fields[(other)]'))).toEqual([]);
  });

  test('a field of a document that was closed when it was signed', () => {
    const closed = (permission: string) =>
      signed({
        entries: '',
        objects: (number) => ({
          [N.seal]: SEAL_FIELD(
            `/V ${number} 0 R/Lock<</Type/SigFieldLock/Action/Include/Fields[(other)]${permission}>>`,
          ),
        }),
      });
    const change = { [N.text]: TEXT_FIELD('/V(1)') };
    expect(behind(change, closed(''))).toEqual([]);
    expect(behind(change, closed('/P 2'))).toEqual([]);
    expect(behind(change, closed('/P 1'))).toEqual(['changed_form']);
  });

  test('the value through another object, the look of a field through one it shares with a page', () => {
    const shared = updated(
      basePdf(),
      { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('/Font<<', '/XObject<</X 8 0 R>>/Font<<') },
      WITH_INFO,
    );
    const file = signPdf(shared, { party: signer, entries: certifying(2) });
    const change = {
      [N.text]: TEXT_FIELD('/V(1)'),
      [N.textLook]: streamOf('f', '/Subtype/Form/BBox[0 0 90 20]'),
    };
    expect(behind(change, certified(2))).toEqual([]);
    expect(behind(change, file)).toContain('changed_content');
  });

  test('a field that a page takes for its drawings, which it calls by the names of entries', () => {
    const page = PAGE(PAGE_ANNOTATIONS).replace('/Font<<', '/XObject 7 0 R/Font<<');
    const file = signPdf(updated(basePdf(), { [N.page]: page }, WITH_INFO), { party: signer });
    expect(behind({ [N.text]: TEXT_FIELD('/V(1)') }, file)).toContain('changed_content');
  });

  test('the list of fields, by one that waited in the signed part', () => {
    const waiting = '<</Type/Annot/Subtype/Widget/FT/Sig/T(Old)/Rect[0 0 300 200]/AP<</N 12 0 R>>/P 3 0 R>>';
    const file = signPdf(updated(basePdf(), { 90: waiting }, WITH_INFO), { party: signer, entries: '' });
    const shown = { [N.form]: FORM('7 0 R 9 0 R 90 0 R'), [N.page]: PAGE(`${PAGE_ANNOTATIONS} 90 0 R`) };
    expect(behind(shown, file)).toContain('changed_form');
  });

  test('the length of a stream, and with it what the stream holds', () => {
    const content = '<</Length 90 0 R>>\nstream\nBT (100) Tj ET BT (999) Tj ET\nendstream';
    const file = signPdf(updated(basePdf(), { [N.content]: content, 90: '14' }, WITH_INFO), {
      party: signer,
    });
    expect(faultsOf(file)).toEqual([]);
    expect(behind({ 90: '28' }, file)).toContain('changed_content');
  });

  test('content that hides in what a save is made of', () => {
    // A cross-reference stream may have any number, and its data may read as content.
    const hiding = (file: Buffer, number: number) => {
      const before = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1'))![1];
      const place = Buffer.alloc(8);
      place.writeUInt32BE(file.length, 1);
      place[0] = 1;
      const head = `${number} 0 obj\n<</Type/XRef/W[1 4 3]/Index[${number} 1]/Size 200/Root 1 0 R/Info 11 0 R/Prev ${before}/Length 8>>\nstream\n`;
      const end = `\nendstream\nendobj\nstartxref\n${file.length}\n%%EOF\n`;
      return Buffer.concat([file, Buffer.from(head), place, Buffer.from(end)]);
    };
    expect(faultsOf(hiding(certified(2), 95))).toEqual([]);
    expect(faultsOf(hiding(certified(2), N.content))).toContain('changed_content');
    expect(faultsOf(hiding(certified(2), N.unused))).toEqual(['changed_structure']);
    const dangling = PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '[4 0 R 95 0 R]');
    const file = signPdf(updated(basePdf(), { [N.page]: dangling }, WITH_INFO), { party: signer });
    expect(faultsOf(hiding(file, 95))).toContain('changed_content');
  });

  test('objects that the signed version refers to and did not have', () => {
    const dangling = updated(
      basePdf(),
      { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '[4 0 R 95 0 R]') },
      WITH_INFO,
    );
    const file = signPdf(dangling, { party: signer });
    expect(behind({ 95: OTHER }, file)).toContain('changed_content');
  });
});
