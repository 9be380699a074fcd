import { describe, expect, test } from 'vitest';
import { withDeferredChecks } from '../../../src/service/checks/deferred-checks.ts';
import type { Field } from '../../../src/service/domain/transaction.ts';
import { type DeferredChecks, readValues } from '../../../src/service/domain/values.ts';

describe('an attempt that asks for checks', () => {
  test('is made again until it asks for nothing new, also for what only a later attempt asks', async () => {
    const comesTo: string[] = [];
    const result = await withDeferredChecks(async ({ matches }: DeferredChecks) => {
      const answers = [];
      for (const value of ['a', 'b', 'c']) {
        const answer = matches('[ab]', value);
        answers.push(answer);
        if (answer === 'untried') break;
      }
      comesTo.push(answers.join(' '));
      return answers;
    });
    expect(result).toEqual(['matches', 'matches', 'differs']);
    expect(comesTo).toEqual([
      'untried',
      'matches untried',
      'matches matches untried',
      'matches matches differs',
    ]);
  });

  test('that asks for nothing is made once', async () => {
    let count = 0;
    await withDeferredChecks(async () => {
      count += 1;
    });
    expect(count).toBe(1);
  });

  test('ends although it asks for something new each time', async () => {
    let count = 0;
    const result = await withDeferredChecks(async ({ matches }: DeferredChecks) => {
      count += 1;
      return matches('x*', 'x'.repeat(count));
    });
    expect(result).toBe('untried');
    expect(count).toBe(20);
  });
});

test('a value that was not checked is not taken, and nothing is said against it', () => {
  const field = { id: 'F', type: 'text', regex: 'x', max_length: null, min_length: null } as Field;
  const untried: DeferredChecks = { matches: () => 'untried', missing: () => [] };
  expect(readValues([{ field_id: 'F', value: 'x' }], [field], untried, '2026-11-30')).toEqual({
    ok: false,
    errors: [],
  });
  const taken: DeferredChecks = { ...untried, matches: () => 'matches' };
  expect(readValues([{ field_id: 'F', value: 'x' }], [field], taken, '2026-11-30')).toMatchObject({
    ok: true,
  });
});
