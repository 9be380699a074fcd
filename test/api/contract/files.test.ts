// No two names are the same on any disk, and a name that a document really has is not given to another.
import { expect, test } from 'vitest';
import { distinctNames } from '../../../src/api/contract/files.ts';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { fileStems } from '../../../src/cli/sending/output-folder.ts';
import { sealedNames } from '../../../src/service/sealing/seal-documents.ts';

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['a', 'a', 'a'],
    ['a', 'a-2', 'a-3'],
  ],
  [
    ['a', 'a', 'a-2'],
    ['a', 'a-3', 'a-2'],
  ],
  [
    ['a-2', 'a', 'A', 'a-2'],
    ['a-2', 'a', 'A-3', 'a-2-2'],
  ],
  [
    ['\u00e4', 'a\u0308'],
    ['\u00e4', 'a\u0308-2'],
  ],
])('%j become %j', (names, expected) => {
  expect(distinctNames(names)).toEqual(expected);
});

test('sealed documents are numbered before their ending, whatever was sent', () => {
  const names = sealedNames(['agreement.pdf', 'agreement.docx', 'Agreement-2.png', 'agreement']);
  expect(names).toEqual([
    'agreement.sealed.pdf',
    'agreement-3.sealed.pdf',
    'Agreement-2.sealed.pdf',
    'agreement-4.sealed.pdf',
  ]);
});

test('sealed documents of one long name are not too long either', () => {
  const long = `${'長'.repeat(LIMITS.fileNameLength)}.pdf`;
  const names = sealedNames(Array.from({ length: 12 }, () => long));
  expect(new Set(names).size).toBe(12);
  for (const name of names) expect([...name].length).toBeLessThanOrEqual(LIMITS.fileNameLength);
});

test('downloads keep the names of sealed documents, and number those of other services in the same way', () => {
  const names = sealedNames(['agreement.pdf', 'agreement.pdf', 'agreement-2.pdf']);
  expect(fileStems(names).map((stem) => `${stem}.pdf`)).toEqual(names);
  expect(fileStems(['agreement.sealed.pdf', 'agreement.sealed.pdf', 'agreement-2.sealed.pdf'])).toEqual([
    'agreement.sealed',
    'agreement-3.sealed',
    'agreement-2.sealed',
  ]);
});
