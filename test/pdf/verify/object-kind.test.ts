// What `esign verify --explain` calls an object.
import { expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/syntax/read-pdf.ts';
import { createObjectKinds } from '../../../src/pdf/verify/verify.ts';
import { basePdf, N, streamOf, updated } from '../../support/documents/signed-pdf.ts';
import { WITH_INFO } from '../../support/documents/verification.ts';

test.each<[number, string]>([
  [N.catalog, 'catalog'],
  [N.pages, 'node of the page tree'],
  [N.page, 'page 1'],
  [N.content, 'content of page 1'],
  [N.font, 'font'],
  [N.form, 'form'],
  [N.text, 'text field "amount"'],
  [N.textLook, 'drawing (form XObject)'],
  [N.seal, 'signature field "Seal"'],
  [N.note, 'annotation'],
  [N.info, 'document information'],
  [N.unused, 'stream'],
  [80, 'list'],
  [81, 'value'],
  [82, 'dictionary'],
  [83, 'picture'],
  [99, 'not in the file'],
])('object %i is called %s', (number, words) => {
  const picture = streamOf('', '/Type/XObject/Subtype/Image');
  const later = { 80: '[1]', 81: '7', 82: '<</Type/Whatever>>', 83: picture };
  const file = readPdf(updated(basePdf(), later, WITH_INFO));
  if (!file.ok) throw new Error(file.reason);
  expect(createObjectKinds(file)(number)).toBe(words);
});
