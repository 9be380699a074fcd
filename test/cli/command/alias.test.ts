// Aliases: what they stand for, and what they may not be.
import { describe, expect, test } from 'vitest';
import { checkAlias, expandWords } from '../../../src/cli/command/alias.ts';
import { splitAliasWords } from '../../../src/cli/command/alias-words.ts';

const isCommand = (word: string) => ['tx', 'config', 'help'].includes(word);
const ALIASES = {
  todo: 'tx list --status started',
  ask: 'tx send $1 --to "$2 <$3>" --json',
  mine: 'todo --limit 5',
  a: 'b',
  b: 'a',
  broken: 'tx "list',
  odd: 'nothing here',
};
const meant = (...words: string[]) => expandWords(words, 0, ALIASES, isCommand).words;

describe('words', () => {
  test.each([
    ['tx list', ['tx', 'list']],
    ['  tx   list ', ['tx', 'list']],
    [`tx send 'a b' "c d"e \\ f ""`, ['tx', 'send', 'a b', 'c de', ' f', '']],
    [`'$(id)' "a\\"b" '\\'`, ['$(id)', 'a"b', '\\']],
    [`"a\\nb" "\\\\" "\\$1" C:\\\\x`, ['a\\nb', '\\', '$1', 'C:\\x']],
    ['', []],
    ['a "b', undefined],
    ["a 'b", undefined],
  ])('%s', (text, words) => {
    expect(splitAliasWords(text)).toEqual(words);
  });
});

describe('an alias', () => {
  test('stands for its words; what follows stands at the end', () => {
    expect(meant('todo', '--refresh')).toEqual(['tx', 'list', '--status', 'started', '--refresh']);
    expect(expandWords(['--json', 'todo'], 1, ALIASES, isCommand).words[0]).toBe('--json');
  });

  test('takes words by their number, and nothing in them is evaluated', () => {
    expect(meant('ask', 'a b.pdf', '$(id)', 'x@y.example', '--draft')).toEqual([
      'tx',
      'send',
      'a b.pdf',
      '--to',
      '$(id) <x@y.example>',
      '--json',
      '--draft',
    ]);
    expect(() => meant('ask', 'a.pdf')).toThrow('needs 3 words after it, not 1.');
  });

  test('may stand for an alias, and not for itself', () => {
    expect(meant('mine')).toEqual(['tx', 'list', '--status', 'started', '--limit', '5']);
    expect(() => meant('a')).toThrow('The alias "a" leads back to "a".');
    expect(() => meant('broken')).toThrow('A quote in');
  });

  test('what is no alias is left as it is', () => {
    expect(meant('constructor', 'x')).toEqual(['constructor', 'x']);
    expect(meant('odd')).toEqual(['nothing', 'here']);
  });
});

describe('an alias that is set', () => {
  const check = (name: string, line: string) => () => checkAlias(name, line, ALIASES, isCommand);

  test.each([
    ['todo2', 'tx list'],
    ['again', 'mine --json'],
    ['todo', 'tx show @'],
  ])('%s may be', (name, line) => {
    expect(check(name, line)).not.toThrow();
  });

  test.each([
    ['tx', 'tx list', 'is already a command'],
    ['a b', 'tx list', 'is not a valid name'],
    ['__proto__', 'tx list', 'is not a valid name'],
    ['-x', 'tx list', 'is not a valid name'],
    ['x', 'nothing', 'is not a command'],
    ['x', 'x list', 'is not a command'],
    ['x', '--json tx list', 'is not a command'],
    ['x', ' ', 'is empty'],
    ['x', 'tx "list', 'is not closed'],
    ['todo', 'mine', 'leads back'],
  ])('%s: %s is refused', (name, line, why) => {
    expect(check(name, line)).toThrow(why);
  });
});
