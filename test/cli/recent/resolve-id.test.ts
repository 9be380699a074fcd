// Which id a part, `@` or `@2` stands for, and that nothing is chosen where two may be meant.
import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/command/context.ts';
import { expandIdPrefixes, resolveId } from '../../../src/cli/recent/resolve-id.ts';
import { mergeEntries, type SeenItem } from '../../../src/cli/recent/store.ts';

const ONE = '01a20099-9e26-72fe-a84f-6c0aa2318165';
const TWO = '01a200a7-6baa-7483-a39e-0c75d8fa99a5';
const EVENT = '01a200a7-6baa-7483-a39e-0c75d8fa0000';
const seen = (id: string, more: Partial<SeenItem> = {}): SeenItem => ({
  kind: 'transaction',
  id,
  service: 'sandbox',
  atMs: 0,
  ...more,
});

function contextWith(things: SeenItem[]) {
  const notes: string[] = [];
  const kept: string[] = [];
  const asked: boolean[] = [];
  const context = {
    history: {
      recentItems: async ({ isOfSandbox } = { isOfSandbox: false }) => {
        asked.push(isOfSandbox);
        return { profile: 'p', service: 's', things };
      },
      keepOrder: (ids: string[]) => void kept.push(...ids),
    },
    terminal: { progress: { note: (text: string) => void notes.push(text) } },
  } as unknown as CommandContext;
  return { context, notes, kept, asked };
}

const THINGS = [seen(TWO, { name: 'Second' }), seen(EVENT, { kind: 'event' }), seen(ONE), seen('tx_12345')];
/** Of a service whose ids all have the same form. */
const ALIKE = THINGS.filter(({ id }) => !id.startsWith('tx_'));
const find = (text: string, things = THINGS) => resolveId(contextWith(things).context, 'transaction', text);

describe('an id', () => {
  test.each([
    ['the last', '@', TWO],
    ['the last, by its number', '@1', TWO],
    ['the one before, of the same kind', '@2', ONE],
    ['a beginning', '01a20099', ONE],
    ['a beginning over a dash', '01a20099-9e', ONE],
    ['an end', '99a5', TWO],
    ['in capitals', '99A5', TWO],
    [
      'a whole one that nobody has seen',
      '01a1f91f-5cbf-74eb-a7af-b5b0692e9cd4',
      '01a1f91f-5cbf-74eb-a7af-b5b0692e9cd4',
    ],
    ['one of another form', 'tx_12345', 'tx_12345'],
    ['what is no part of an id', 'contract', 'contract'],
  ])('%s: %s', async (_, text, id) => {
    expect(await find(text)).toBe(id);
  });

  test.each([
    [
      'that fits two',
      '01a2',
      {
        code: 'id_ambiguous',
        exit: 2,
        errors: [
          { path: TWO, message: 'Second' },
          { path: ONE, message: '' },
        ],
      },
    ],
    ['that fits none', 'beef', { code: 'id_unknown', exit: 5 }],
    ['from the middle', '9e26', { code: 'id_unknown', exit: 5 }],
    ['that is too short', '9a5', { code: 'id_unknown', exit: 5 }],
    ['before the first', '@4', { code: 'id_unknown', exit: 5 }],
    ['that is no place', '@0', { code: 'value_invalid', exit: 2 }],
    ['that is no place', '@x', { code: 'value_invalid', exit: 2 }],
  ])('%s is refused: %s', async (_, text, facts) => {
    await expect(find(text, ALIKE)).rejects.toMatchObject({ facts });
  });

  test.each([
    ['where ids of another form were seen', THINGS],
    ['where none was seen', []],
  ])('that could be a whole one is sent as it is, %s', async (_, things) => {
    expect(await find('2345', things)).toBe('2345');
  });

  test('is refused where nothing was seen', async () => {
    await expect(find('@', [])).rejects.toMatchObject({ facts: { code: 'id_unknown', exit: 5 } });
  });

  test('which one is meant is said, and a place does not change the places', async () => {
    const { context, notes, kept } = contextWith(THINGS);
    await resolveId(context, 'transaction', '@');
    await resolveId(context, 'transaction', '6c0aa2318165');
    expect(notes).toEqual([`@ is transaction ${TWO}, "Second"`, `6c0aa2318165 is transaction ${ONE}`]);
    expect(kept).toEqual([TWO]);
  });
});

test('every argument and option that takes an id is made whole, and nothing else', async () => {
  const { context, asked } = contextWith(THINGS);
  const described = {
    arguments: [
      { name: 'id', summary: '', completes: 'transaction' as const },
      { name: 'file', summary: '', repeat: true as const, completes: 'file' as const },
    ],
    options: {
      event: { summary: '', value: 'ID', repeat: true as const, completes: 'event' as const },
      page: { summary: '', value: 'N' },
    },
  };
  const input = { args: { id: '@2', file: ['@'] }, options: { event: ['@', '0000'], page: '99a5' } };
  expect(await expandIdPrefixes(context, described, input, true)).toEqual({
    args: { id: ONE, file: ['@'] },
    options: { event: [EVENT, EVENT], page: '99a5' },
  });
  expect(asked).toEqual([true, true, true]);
});

test('what keeps its place is brought up to date where it stands', () => {
  const told = [seen(ONE), seen(TWO), { ...seen(ONE, { name: 'New' }), stays: true }];
  const folded = mergeEntries(told.map((one) => JSON.stringify(one)).join('\n'));
  expect(folded.map(({ id, name }) => [id, name])).toEqual([
    [TWO, undefined],
    [ONE, 'New'],
  ]);
  expect(folded.some((one) => 'stays' in one)).toBe(false);
});
