// Attacks on certified documents: what a certification allows is used to draw over the text.
import { describe, expect, test } from 'vitest';
import { withAnnotation, withSneakySignature } from '../../support/documents/attack-files.ts';
import { FORM, N, PAGE, PAGE_ANNOTATIONS, signPdf } from '../../support/documents/signed-pdf.ts';
import { approved, behind, certified, faultsOf, PKI } from '../../support/documents/verification.ts';
import { sampleOf } from '../../support/tier.ts';

const { signer } = PKI;

describe('attacks on certified documents', () => {
  const add = (annotation: string, level: number) => faultsOf(withAnnotation(annotation, level));

  test.each(sampleOf(['FreeText', 'Stamp', 'Redact', 'Ink', 'Square', 'Link', 'FileAttachment'], 2))(
    'evil annotation attack: an annotation of the kind %s over the text',
    (kind) => {
      const annotation = `<</Type/Annot/Subtype/${kind}/Rect[0 0 300 200]/P 3 0 R>>`;
      expect(add(annotation, 1)).toContain('changed_annotations');
      expect(add(annotation, 2)).toEqual(['changed_annotations']);
      expect(add(annotation, 3)).toEqual(['overlay']);
    },
  );

  test('evil annotation attack: a note with a look of its own, or with an action', () => {
    const note = (more: string) => `<</Type/Annot/Subtype/Text/Rect[1 1 21 21]/P 3 0 R${more}>>`;
    expect(add(note('/AP<</N 12 0 R>>'), 3)).toEqual(['overlay']);
    expect(add(note('/A<</S/URI/URI(http://e.test)>>'), 3)).toEqual(['overlay']);
    expect(add(note(''), 3)).toEqual([]);
  });

  test('sneaky signature attack: a signature that is drawn over the text', () => {
    for (const level of [2, 3]) expect(faultsOf(withSneakySignature(level))).toEqual(['overlay']);
  });

  test('a box of a field that belongs to no form, and a field of another kind', () => {
    const box = '<</Type/Annot/Subtype/Widget/FT/Tx/T(x)/Rect[0 0 300 200]/P 3 0 R>>';
    expect(add(box, 3)).toEqual(['overlay']);
    expect(behind({ 80: box, [N.form]: FORM('7 0 R 9 0 R 80 0 R') })).toContain('changed_form');
  });

  describe('a field that comes with a signature', () => {
    /** Signs in a field with these entries. */
    const signedIn = (entries: string, { level = 2, kid = '', annotation = '71 0 R' } = {}) =>
      faultsOf(
        signPdf(certified(level), {
          party: signer,
          number: 70,
          entries: '',
          objects: (number) => ({
            71: `<</FT/Sig/P 3 0 R/V ${number} 0 R${entries}>>`,
            ...(kid !== '' && { 72: kid }),
            [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
            [N.page]: PAGE(`${PAGE_ANNOTATIONS} ${annotation}`),
          }),
        }),
      );

    test.each([
      ['Square', '/IC[1 1 1]/C[1 0 0]'],
      ['FreeText', '/DA(/Helv 12 Tf 0 g)/Contents(I owe you 9)'],
      ['Line', '/L[0 0 300 200]/C[1 0 0]'],
      ['Stamp', '/Name/Approved'],
      ['Link', '/Border[0 0 20]/C[1 0 0]'],
    ])('is no annotation of the kind %s, which readers draw without a look', (kind, more) => {
      const annotation = `/Type/Annot/Subtype/${kind}/Rect[0 0 300 200]/F 4${more}`;
      expect(signedIn(`/T(New)${annotation}`)).toEqual(['changed_form']);
      expect(
        signedIn('/T(New)/Kids[72 0 R]', { kid: `<<${annotation}/Parent 71 0 R>>`, annotation: '72 0 R' }),
      ).toEqual(['changed_form']);
    });

    const BOX = '/Type/Annot/Subtype/Widget/Rect[0 0 0 0]';

    test('has a name of its own: what a verdict says of one is not said of another', () => {
      expect(signedIn(`/T(New)${BOX}`)).toEqual([]);
      expect(signedIn(`/T(Seal)${BOX}`)).toEqual(['changed_form']);
      expect(signedIn(`/T(amount)${BOX}`)).toEqual(['changed_form']);
    });

    test('has no box with a name, or one whose rectangle has other than four corners', () => {
      const kid = (more: string) => `<<${BOX}/Parent 71 0 R${more}>>`;
      const inKid = (more: string) =>
        signedIn('/T(New)/Kids[72 0 R]', { kid: kid(more), annotation: '72 0 R' });
      expect(inKid('')).toEqual([]);
      expect(inKid('/T(Kid)')).toEqual(['changed_form']);
      expect(signedIn('/T(New)/Type/Annot/Subtype/Widget/Rect[10 10 60]')).toEqual(['changed_form']);
    });
  });

  test('a field that waits for a signature over the text, where MuPDF writes "SIGN"', () => {
    const waiting = (entries: string, file?: Buffer) =>
      behind(
        {
          71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(New)/P 3 0 R${entries}>>`,
          [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
          [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
        },
        file,
      );
    expect(waiting('/Rect[0 0 300 200]/F 4')).toEqual(['overlay']);
    expect(waiting('/Rect[0 0 300 200]/F 2')).toEqual([]);
    expect(waiting('/Rect[0 0 0 0]/F 4')).toEqual([]);
    // Beside a signature that certifies nothing fields are prepared for others who sign.
    expect(waiting('/Rect[0 0 300 200]/F 4', approved())).toEqual([]);
  });
});
