import { describe, expect, test } from 'vitest';
import { preparation } from '../../../src/api/contract/files.ts';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { preparationBody } from '../../../src/cli/sending/preparations.ts';

const ORIGINAL = { sha256: 'a'.repeat(64), sizeBytes: 10 };

describe('the statement about a file', () => {
  test('is omitted for a file that is uploaded as it is', () => {
    expect(preparationBody({ fields: [] }, ORIGINAL)).toBeUndefined();
    expect(preparationBody({ fields: [], emptied: [], tags: [] }, ORIGINAL)).toBeUndefined();
  });

  test('counts what was emptied and names the tags with their pages', () => {
    const emptied = [{ page: 0, annotation: 1 }];
    const tags = [{ page: 2, index: 7, text: '{{signature,\n r1}}' }];
    expect(preparationBody({ fields: [], emptied, tags }, ORIGINAL)).toEqual({
      original: { sha256: ORIGINAL.sha256, bytes: 10 },
      removed_tags: [{ page: 2, text: '{{signature, r1}}' }],
      emptied_form_boxes: 1,
      drawn_values: 0,
    });
  });

  test.each([
    ['control characters', '{{a\u0000\u001b[31m}}', '{{a[31m}}'],
    ['characters that turn text around', '{{a\u202e}}', '{{a}}'],
    ['half of a pair', '{{a\ud800}}', '{{a}}'],
    ['line ends of any kind', '{{a\u2028\u0085b}}', '{{a b}}'],
    [
      'more text than the service takes',
      `{{${'😀'.repeat(400)}}}`,
      `{{${'😀'.repeat(LIMITS.tagLength - 3)}…`,
    ],
  ])('is one that the service takes, for a tag with %s', (_, text, stated) => {
    const body = preparationBody({ fields: [], tags: [{ page: 0, index: 0, text }] }, ORIGINAL);
    expect(body?.removed_tags).toEqual([{ page: 0, text: stated }]);
    expect(preparation.safeParse(body).success).toBe(true);
  });
});
