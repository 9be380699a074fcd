// Warnings about fields that a service accepts and nobody may mean.
import { describe, expect, test } from 'vitest';
import { findOverlappingFields, unsignedWarning } from '../../../src/cli/sending/remarks.ts';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const at = (positionX: number, positionY: number, width = 100, height = 50, page = 0) => ({
  ...{ page, positionX, positionY, width, height },
});
const field = (box: ReturnType<typeof at>, recipient: string | null = ADA, type = 'signature') => ({
  ...{ type, recipient, box },
});

describe('fields that cover each other', () => {
  test('are named, with both recipients and the page', () => {
    expect(
      findOverlappingFields('a.pdf', [field(at(10, 10)), field(at(10, 10, 90, 40), BOB, 'date')]),
    ).toEqual([
      {
        code: 'field_covers_field',
        message:
          'The signature field for ada@example.com and the date field for bob@example.com on page 1 cover each other. Move one of them, such as with at=right, match=2 or DX,DY.',
        document: 'a.pdf',
        page: 0,
        type: 'date',
        recipient: BOB,
        words: [],
      },
    ]);
  });

  test('are named once each', () => {
    const fields = [field(at(10, 10)), field(at(10, 10), BOB), field(at(10, 10), null)];
    expect(findOverlappingFields('a.pdf', fields)).toHaveLength(2);
  });

  test.each([
    ['beside each other', at(110, 10)],
    ['that share an edge of some points', at(105, 10)],
    ['on another page', at(10, 10, 100, 50, 1)],
    ['of which a small one stands in a large one', at(60, 40, 40, 15)],
  ])('fields %s are none', (_, box) => {
    expect(findOverlappingFields('a.pdf', [field(at(10, 10)), field(box, BOB)])).toEqual([]);
  });
});

describe('a signer whose fields sign nothing', () => {
  const held = (type: string) => ({ type, document: 'a.pdf', page: 2 });

  test('is named, with the field to add', () => {
    expect(unsignedWarning(ADA, [held('date'), held('text')])).toEqual({
      code: 'recipient_without_signature',
      message: `${ADA} has fields, but none for a signature or initials. Add one, such as --field 'signature@"WORDS"=${ADA},at=below'.`,
      document: 'a.pdf',
      page: 2,
      type: 'signature',
      recipient: ADA,
      words: [],
    });
  });

  test.each([[[]], [['signature']], [['date', 'initials']]])(
    'with fields of the types %j is none',
    (types) => {
      expect(unsignedWarning(ADA, types.map(held))).toBeUndefined();
    },
  );
});
