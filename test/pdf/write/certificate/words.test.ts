// What is said of an original that is not as it was: whole sentences for one and for several.
import { describe, expect, test } from 'vitest';
import {
  ownAuthorityInWords,
  preparationInWords,
  removedInWords,
  stampRemarkInWords,
} from '../../../../src/pdf/write/certificate/words.ts';

describe('what the service issued itself', () => {
  const END = 'itself, on the machine that sealed this document. No independent authority vouches for';
  const TIMES =
    'The times in the timestamps are those of the clock of that machine; nothing else proves them.';
  const LISTS =
    'The revocation lists (of withdrawn certificates) were made at sealing, are valid for ten years and are empty, because the sandbox withdraws no certificate.';
  test.each([
    [false, false, `The sandbox issued the certificate of this seal ${END} it.`],
    [true, false, `The sandbox issued the certificate of this seal and the timestamps ${END} them. ${TIMES}`],
    [
      false,
      true,
      `The sandbox issued the certificate of this seal and the revocation lists ${END} them. ${LISTS}`,
    ],
    [
      true,
      true,
      `The sandbox issued the certificate of this seal, the timestamps and the revocation lists ${END} them. ${TIMES} ${LISTS}`,
    ],
  ])('timestamps %s, revocation lists %s', (timestamps, revocationLists, sentence) => {
    expect(ownAuthorityInWords({ of: 'sandbox', timestamps, revocationLists })).toBe(sentence);
    const ofServer = sentence.replaceAll('sandbox', 'service');
    expect(ownAuthorityInWords({ of: 'server', timestamps, revocationLists })).toBe(ofServer);
  });
});

describe('what was removed', () => {
  test.each([
    [{ code: 'javascript', count: 1 }, 'A script was removed.'],
    [{ code: 'javascript', count: 3 }, '3 scripts were removed.'],
    [{ code: 'actions', count: 1, names: ['Launch'] }, 'An action was removed: Launch.'],
    [
      { code: 'xfa', count: 1 },
      'The dynamic form (XFA) was removed. The pages are kept as they were displayed.',
    ],
    [{ code: 'form_fields', count: 2, names: ['a', 'b'] }, '2 form fields became part of their pages: a, b.'],
    [{ code: 'form_fields', count: 30, names: ['a'] }, '30 form fields became part of their pages: a.'],
    [
      { code: 'actions', count: 30, names: Array.from({ length: 20 }, () => 'x') },
      `30 actions were removed: ${'x, '.repeat(20)}….`,
    ],
    [
      { code: 'earlier_signatures', count: 1, names: ['Signature1'] },
      'An earlier signature is kept as an image: Signature1. It can be verified in the original.',
    ],
    [{ code: 'annotations', count: 1, names: ['Square'] }, 'An annotation became part of its page: Square.'],
    [
      { code: 'pages_redrawn', count: 1, names: ['3'] },
      'Page 3 is kept as an image, because programs would show its damaged content differently.',
    ],
    [
      { code: 'pages_redrawn', count: 2, names: ['3', '5'] },
      '2 pages are kept as images, because programs would show their damaged content differently: 3, 5.',
    ],
    [{ code: 'embedded_files_kept', count: 1, names: ['a.txt'] }, 'An attached file is kept: a.txt.'],
  ] as const)('%j', (removed, sentence) => {
    expect(removedInWords(removed)).toBe(sentence);
  });
});

test('a page is counted from 1', () => {
  expect(stampRemarkInWords({ code: 'value_small', page: 0, label: 'Name' })).toContain('on page 1 ');
});

describe('what was done before the upload', () => {
  const END = 'This is a statement of that program: the service has not seen the original.';
  const tags = (count: number) => Array.from({ length: count }, () => ({ page: 0, text: '{{a}}' }));
  test.each([
    [0, 0, 0, 'changed the original'],
    [1, 0, 0, 'removed 1 tag'],
    [4, 0, 1, 'removed 4 tags and drew 1 value into the pages'],
    [0, 1, 0, 'made the form a part of the pages with 1 box empty'],
    [
      2,
      3,
      2,
      'removed 2 tags, made the form a part of the pages with 3 boxes empty and drew 2 values into the pages',
    ],
  ])('%s tags, %s boxes, %s values', (removed, emptied_form_boxes, drawn_values, summary) => {
    const stated = { removed_tags: tags(removed), emptied_form_boxes, drawn_values };
    expect(preparationInWords(stated)).toBe(`Before the upload, the sender's program ${summary}. ${END}`);
  });
});
