import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeAt, type Tree } from '../../../src/cli/command/tree.ts';
import { meantCommand, meantOption, OTHER_WORDS } from '../../../src/cli/input/meant.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { nearest } from '../../../src/common/nearest.ts';

describe('the nearest word', () => {
  test.each([
    ['sned', ['send', 'show'], 'send'],
    ['shw', ['send', 'show'], 'show'],
    ['SEND', ['send'], 'send'],
    ['transaction.raed', ['transaction.read', 'transaction.write'], 'transaction.read'],
    ['xt', ['tx'], 'tx'],
    ['foo', ['tx', 'api', 'transaction.read'], undefined],
    ['ab', ['tx'], undefined],
    ['downlaod', ['download', 'upload'], 'download'],
    ['', ['tx'], undefined],
    ['send', [], undefined],
  ])('%j of %j is %j', (word, candidates, meant) => {
    expect(nearest(word, candidates)).toBe(meant);
  });

  test('a swap of neighbours is one change, and three changes are another word', () => {
    expect(nearest('baecdf', ['abcedf'])).toBe('abcedf');
    expect(nearest('abcxyz', ['abcdef'])).toBeUndefined();
  });

  test('a word is its own nearest, and one change away is found', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,20}$/), fc.nat(), (word, at) => {
        const dropped = word.slice(0, at % word.length) + word.slice((at % word.length) + 1);
        return nearest(word, [word]) === word && nearest(dropped, [word]) === word;
      }),
    );
  });
});

describe('the option that was meant', () => {
  const OPTIONS = ['--jq', '--json', '--yes', '--to', '--select'];

  test.each([
    ['--tp', '--to'],
    ['--jsn', '--json'],
    ['--selct', '--select'],
    ['--recipient', '--to'],
    ['--on', undefined],
    ['--as', undefined],
  ])('%s is %s', (word, meant) => {
    expect(meantOption(word, OPTIONS)).toBe(meant);
  });

  test('a short name is near to no other short name', () => {
    expect(meantOption('--to', ['--jq', '--json'])).toBeUndefined();
  });
});

describe('the command that was meant', () => {
  test.each([
    ['tx sned', 'tx send'],
    ['transaction send', 'tx send'],
    ['transactions ls', 'tx list'],
    ['transaction', 'tx'],
    ['template get', 'templates show'],
    ['version', '--version'],
    ['tx delete', 'tx cancel'],
    ['tx delete 0199', 'tx cancel'],
    ['settings list', 'config list'],
    ['transaction delete', 'tx cancel'],
    ['tx get', 'tx show'],
    ['webhook add', 'webhooks create'],
    ['send', 'tx send'],
    ['sign', 'sandbox sign'],
    ['auth login', 'login'],
    ['auth', 'login'],
    ['listen', 'events listen'],
    ['loign', 'login'],
    ['sandbox users lst', 'sandbox users list'],
    ['SEND', 'tx send'],
    ['foo', undefined],
    ['tx foo', undefined],
    ['constructor', undefined],
    ['tx __proto__', undefined],
  ])('%s is %s', (line, meant) => {
    expect(meantCommand(line.split(' '), TREE)).toBe(meant);
  });

  test('every other word leads to a command, and is none itself', () => {
    for (const [word, meant] of Object.entries(OTHER_WORDS)) {
      const words = word.split(' ');
      expect(nodeAt(words, TREE)?.depth, word).not.toBe(words.length);
      if (!meant.startsWith('--'))
        expect(nodeAt(meant.split(' '), TREE)?.depth, meant).toBe(meant.split(' ').length);
    }
  });

  test('whatever is typed, what is meant exists', () => {
    const names = (tree: Tree): string[] =>
      Object.entries(tree).flatMap(([name, node]) => [
        name,
        ...('children' in node ? names(node.children) : []),
      ]);
    const word = fc.oneof(fc.constantFrom(...names(TREE), 'transaction', 'get', 'rm', 'sned'), fc.string());
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const meant = meantCommand(words, TREE)?.split(' ');
        return meant === undefined || meant[0] === '--version' || nodeAt(meant, TREE)?.depth === meant.length;
      }),
    );
  });
});
