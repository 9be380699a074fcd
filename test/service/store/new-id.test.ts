import { describe, expect, test } from 'vitest';
import { idAfter, timeOrderedIds } from '../../../src/service/store/rows.ts';
import { SLOW } from '../../support/tier.ts';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids in the order of time', () => {
  test.skipIf(!SLOW)('grow within a millisecond, when the clock stands still and when it goes back', () => {
    let now = 1_700_000_000_000;
    const next = timeOrderedIds(() => now);
    const ids = [];
    for (let count = 0; count < 10_000; count += 1) {
      ids.push(next());
      if (count % 3000 === 2999) now -= 5;
    }
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(V7);
  });

  test('begin with the millisecond', () => {
    const id = timeOrderedIds(() => 0x0199_1234_5678)();
    expect(id.slice(0, 13)).toBe('01991234-5678');
  });

  test('come after one that another process made later, and carry over into the next millisecond', () => {
    const fresh = timeOrderedIds(() => 5)();
    const later = '00000000-00ff-7fff-8000-000000000000';
    const after = idAfter(later, fresh);
    expect(after).toMatch(/^00000000-0100-7000-[89ab]/);
    expect(after).toMatch(V7);
    expect(idAfter('00000000-0004-7fff-8000-000000000000', fresh)).toBe(fresh);
    expect(idAfter(undefined, fresh)).toBe(fresh);
    expect(idAfter('not one of ours', fresh)).toBe(fresh);
  });
});
