// Attacks on certified documents: what a certification allows is used to draw over the text.
import { describe, expect, test } from 'vitest';
import { FORM, N, PAGE, PAGE_ANNOTATIONS, signPdf } from '../../../support/documents/signed-pdf.ts';
import { behind, certified, faultsOf, PKI } from '../../../support/documents/verification.ts';

const { signer } = PKI;

describe('attacks on certified documents', () => {
  const add = (annotation: string, level: number) =>
    behind({ 80: annotation, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 80 0 R`) }, certified(level));

  test.each(['FreeText', 'Stamp', 'Redact', 'Ink', 'Square', 'Link', 'FileAttachment'])(
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
    for (const level of [2, 3]) {
      const file = signPdf(certified(level), {
        party: signer,
        number: 70,
        entries: '',
        objects: (number) => ({
          71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Sneaky)/Rect[0 0 300 200]/F 4/P 3 0 R/V ${number} 0 R/AP<</N 12 0 R>>>>`,
          [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
          [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
        }),
      });
      expect(faultsOf(file)).toEqual(['overlay']);
    }
  });

  test('a box of a field that belongs to no form, and a field of another kind', () => {
    const box = '<</Type/Annot/Subtype/Widget/FT/Tx/T(x)/Rect[0 0 300 200]/P 3 0 R>>';
    expect(add(box, 3)).toEqual(['overlay']);
    expect(behind({ 80: box, [N.form]: FORM('7 0 R 9 0 R 80 0 R') })).toContain('changed_form');
  });
});
