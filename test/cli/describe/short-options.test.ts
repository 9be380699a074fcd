// Short options: a letter that means one thing in one command and another in the next is worse than none.
import { expect, test } from 'vitest';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../../../src/cli/command/global-options.ts';
import { describeOptions, describeTree } from '../../../src/cli/describe/describe.ts';
import { TREE } from '../../../src/cli/tree.ts';

const commands = await describeTree(TREE);
const global = describeOptions({ ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION });

/** `esign api` has the letters that people know from `gh api` and curl. */
const others = commands.filter(({ path }) => path[0] !== 'api');

test('a letter stands for one option in all commands', () => {
  const names = new Map<string, Set<string>>();
  for (const { name, short } of [...global, ...others.flatMap(({ options }) => options)])
    if (short !== undefined) names.set(short, (names.get(short) ?? new Set()).add(name));
  expect(Object.fromEntries([...names].map(([letter, all]) => [letter, [...all].join(' ')]))).toEqual({
    E: 'env-path',
    f: 'field',
    h: 'help',
    m: 'message',
    n: 'name',
    o: 'output',
    q: 'quiet',
    t: 'to',
    V: 'version',
    w: 'wait',
    y: 'yes',
  });
});

test('an option has its letter in every command that has the option', () => {
  const letters = new Map(
    others.flatMap(({ options }) => options).flatMap(({ name, short }) => (short ? [[name, short]] : [])),
  );
  const without = others.flatMap(({ path, options }) =>
    options
      .filter(({ name, short }) => short !== letters.get(name))
      .map(({ name }) => `${path.join(' ')} --${name}`),
  );
  expect(without).toEqual([]);
});

test('no command gives a letter of the global options another meaning', () => {
  const taken = new Set(global.flatMap(({ short }) => short ?? []));
  const clashes = commands.flatMap(({ path, options }) =>
    options.filter(({ short }) => short && taken.has(short)).map(({ name }) => `${path.join(' ')} --${name}`),
  );
  expect(clashes).toEqual([]);
});
