// What is said of a signed part that programs may show differently: it was signed as it is, and stays valid.
import { expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { createObjectKinds, verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { linearizedPdf } from '../../support/documents/linearized-pdf.ts';
import {
  basePdf,
  N,
  NOW,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  updated,
} from '../../support/documents/signed-pdf.ts';
import { PKI, trusting, WITH_INFO } from '../../support/documents/verification.ts';

function inspect(base: Buffer) {
  const report = verifyPdf(signPdf(base, { party: PKI.signer }), { trust: trusting(PKI.root), now: NOW });
  if (!report.ok) throw new Error(report.reason);
  expect(report.signatures.flatMap(({ faults }) => faults)).toEqual([]);
  return report.irregularity?.part;
}

const text = basePdf().toString('latin1');
const changed = (before: string, after: string) => Buffer.from(text.replace(before, after), 'latin1');

test('a file that is written as the standard requires has none', () => {
  expect(inspect(basePdf())).toBeUndefined();
  expect(
    inspect(updated(basePdf(), { [N.page]: PAGE(PAGE_ANNOTATIONS) }, '/Root 1 0 R/Info 11 0 R')),
  ).toBeUndefined();
});

test('a file that is written for the web has none, though one of its sections names no catalog', () => {
  expect(inspect(linearizedPdf())).toBeUndefined();
  expect(inspect(linearizedPdf('/Root 1  0 R'))).toBe('Root');
});

test('a section that names no catalog is named, unless it is the first one', () => {
  const page = { [N.page]: PAGE(PAGE_ANNOTATIONS) };
  expect(inspect(updated(basePdf(), page, '/Info 11 0 R'))).toBe('Root');
});

test.each([
  [
    'a page with two contents',
    changed('/Contents 4 0 R/Annots', '/Contents 12 0 R/Contents 4 0 R/Annots'),
    'object',
  ],
  ['a filter under its short name', changed('<</Length 49>>', '<</Filter[]/F()/Length 49>>'), 'stream'],
  ['an object without its end', changed('Helvetica>>\nendobj', 'Helvetica>>\nendob '), 'object'],
])('%s is named', (_, base, part) => {
  // Objects behind the change have moved.
  const moved = base.toString('latin1').replace(/\n(\d{10}) 00000 n/g, (entry, place) => {
    const head = /(\d+) 0 obj/.exec(text.slice(Number(place)))![0];
    const at = base.indexOf(`\n${head}`) + 1;
    return entry.replace(place, String(at).padStart(10, '0'));
  });
  const start = moved.lastIndexOf('\nxref') + 1;
  const whole = moved.replace(/startxref\n\d+/, `startxref\n${start}`);
  expect(inspect(Buffer.from(whole, 'latin1'))).toBe(part);
});

// ── what `esign verify --explain` calls an object ──

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
