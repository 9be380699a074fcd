import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlacedField, parseFieldSpec } from '../../../src/cli/input/field-spec.ts';
import { boxesAtFoot, type FieldBox, resolveBox } from '../../../src/cli/sending/boxes.ts';

const A4 = { width: 595.28, height: 841.89 };
const pages = { sizes: [A4, A4, { width: 841.89, height: 595.28 }] };

const overlap = (a: FieldBox, b: FieldBox): boolean =>
  a.positionX < b.positionX + b.width &&
  b.positionX < a.positionX + a.width &&
  a.positionY < b.positionY + b.height &&
  b.positionY < a.positionY + a.height;

describe('boxes at the foot of a page', () => {
  test('one signer: bottom left, inside the margins', () => {
    const [box] = boxesAtFoot(A4, 2, 1, 'contract.pdf');
    expect(box).toEqual({ page: 2, positionX: 35.72, positionY: 758.17, width: 180, height: 48 });
  });

  test('any number on any page: all inside, none on top of another', () => {
    const side = fc.double({ min: 250, max: 5000, noNaN: true });
    fc.assert(
      fc.property(side, side, fc.integer({ min: 1, max: 100 }), (width, height, count) => {
        const boxes = boxesAtFoot({ width, height }, 0, count, 'contract.pdf');
        expect(boxes).toHaveLength(count);
        const isInside = ({ positionX: x, positionY: y, ...box }: (typeof boxes)[number]) =>
          box.width >= 4 &&
          box.height >= 4 &&
          x >= 0 &&
          y >= 0 &&
          x + box.width <= width + 0.02 &&
          y + box.height <= height + 0.02;
        expect(boxes.filter((box) => !isInside(box))).toEqual([]);
        expect(
          boxes.filter((box, index) => boxes.some((other, at) => at < index && overlap(box, other))),
        ).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a page without room', () => {
  test.each([
    [{ width: 3.84, height: 3.84 }, 1],
    [{ width: 300, height: 20 }, 60],
    [{ width: 40, height: 40 }, 100],
  ])('%o for %d signers is refused', (size, count) => {
    expect(() => boxesAtFoot(size, 0, count, 'smile.png')).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code: 'page_too_small' }) }),
    );
  });

  test('has the smallest field while that fits', () => {
    expect(boxesAtFoot({ width: 20, height: 6 }, 0, 1, 'smile.png')).toHaveLength(1);
  });
});

describe('a field on its page', () => {
  const on = (known: Parameters<typeof resolveBox>[1], spec: string) =>
    resolveBox(parseFieldSpec(spec) as PlacedField, known, 'contract.pdf');
  const at = (spec: string) => on(pages, spec);

  test('last and percentages are of the page they are on', () => {
    expect(at('text@last:10%,50%,20%x10%')).toEqual({
      page: 2,
      positionX: 84.19,
      positionY: 297.64,
      width: 168.38,
      height: 59.53,
    });
  });

  test('may end where the page ends', () => {
    expect(at('text@1:90%,90%,10%x10%').page).toBe(0);
  });

  test.each([
    'text@4:1,1,9x9',
    'text@1:600,1,9x9',
    'text@1:1,840,9x9',
    'text@1:-1,1,9x9',
    'text@1:1,1,0x9',
    'text@1:95%,1,10%x9',
  ])('%s is off the page', (spec) => {
    expect(() => at(spec)).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code: 'field_off_page' }) }),
    );
  });

  test.each(['text@1:1,1,3.9x9', 'text@1:1,1,9x0.1%'])('%s is too small', (spec) => {
    expect(() => at(spec)).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code: 'field_too_small' }) }),
    );
  });

  test('points are enough where nothing is known of the page', () => {
    expect(on(undefined, 'text@7:1,2,5x4')).toEqual({
      page: 6,
      positionX: 1,
      positionY: 2,
      width: 5,
      height: 4,
    });
    expect(on({ count: 5 }, 'text@last:1,2,4x4').page).toBe(4);
  });

  test.each(['text@last:1,1,9x9', 'text@1:1%,1,9x9'])('%s needs to know it', (spec) => {
    expect(() => on(undefined, spec)).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code: 'page_size_unknown' }) }),
    );
  });
});
