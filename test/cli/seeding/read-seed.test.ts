// Reads seeds: where each wrong value is, and what no file may do.
import { describe, expect, test } from 'vitest';
import type { CliError } from '../../../src/cli/command/errors.ts';
import { parseSeed, readSeedValue } from '../../../src/cli/seeding/read-seed.ts';
import { SLOW } from '../../support/tier.ts';

function errorOf(text: string): CliError {
  try {
    parseSeed(text, 'world.yaml');
  } catch (error) {
    return error as CliError;
  }
  throw new Error('It was read.');
}

describe('a seed file', () => {
  test('is YAML or JSON, and an omitted property has its default', () => {
    const yaml = 'transactions:\n  - name: Lease\n    files: [a.pdf]\n    to: ["Ada <ada@example.com>"]\n';
    const { seed, placeOf } = parseSeed(yaml, 'world.yaml');
    expect(seed.transactions[0]).toMatchObject({ name: 'Lease', state: 'started', signed: 0, fields: [] });
    expect(seed.users).toEqual([]);
    expect(placeOf(['transactions', 0, 'files', 0])).toBe('world.yaml:3:13');
    expect(placeOf(['transactions', 0, 'state'])).toBe('world.yaml:2:5');
    const json = JSON.stringify({ transactions: [{ name: 'Lease' }] });
    expect(parseSeed(json, 'a.json').seed.transactions[0]?.name).toBe('Lease');
    expect(parseSeed('', 'empty.yaml').seed.users).toEqual([]);
  });

  test.each([
    [
      'users:\n  - name: Ada\n    email: ada',
      'world.yaml:3:5: users[0].email: "ada" is not a valid email address.',
    ],
    ['users:\n  - name: Ada\n', 'world.yaml:2:5: users[0].email is required.'],
    ['transactions: 3', 'world.yaml:1:1: transactions must be an array.'],
    [
      'webhooks:\n- {name: A, endpoint: "https://a.example", events: [b]}',
      'world.yaml:2:53: webhooks[0].events[0]: "b" is not an event type',
    ],
    ['transactions:\n- {name: A, signed: x}', 'world.yaml:2:13: transactions[0].signed must be a number.'],
    [
      'transactions:\n- {name: A, files: ["-"]}',
      'world.yaml:2:21: transactions[0].files[0] must be the path of a file.',
    ],
    ['- a', 'world.yaml:1:1: the file must be an object.'],
    ['a: [', 'world.yaml:1:5: The file is not valid YAML: '],
    ['a: 1\na: 2', 'world.yaml:2:1: The file is not valid YAML: Map keys must be unique.'],
    ['__proto__: {a: 1}', 'world.yaml:1:1: "__proto__" is not a property of the file.'],
    ['users: !!js/function "x"', 'world.yaml'],
  ])('%j is refused where it is wrong', (text, sentence) => {
    const error = errorOf(text);
    expect(error.message).toContain(sentence);
    expect(error.facts).toMatchObject({ code: 'seed_invalid', exit: 2 });
  });

  test('names every wrong value, in the order of the file', () => {
    const error = errorOf('transactions:\n  - name: A\n    fils: []\n    state: sent\nusers: 3\n');
    expect(error.message).toBe('world.yaml: 3 values are not valid.');
    expect(error.facts.errors.map(({ path }) => path)).toEqual([
      'world.yaml:3:5',
      'world.yaml:4:5',
      'world.yaml:5:1',
    ]);
  });

  test('suggests what a property may mean', () => {
    expect(errorOf('transaction: []').facts.hint).toBe('Did you mean "transactions"?');
    expect(errorOf('users: [{name: A, email: a@example.com, phone: 1}]').facts.hint).toBe(
      'Use name, email, company, password.',
    );
  });

  test.skipIf(!SLOW)('cannot be nested without end, or grow by its aliases', () => {
    for (const deep of ['['.repeat(20_000), '{a: '.repeat(5000)])
      expect(errorOf(deep).message).toBe('world.yaml: The file is nested too deeply.');
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
    for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'])
      lines.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`);
    expect(errorOf(lines.join('\n')).message).toContain('repeats too much');
  });
});

test('a seed that is a value names its paths', () => {
  expect(() => readSeedValue({ users: [{ name: 'Ada', email: 'x' }] })).toThrow(
    'seed.users.0.email: users[0].email: "x"',
  );
});
