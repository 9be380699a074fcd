import { describe, expect, test } from 'vitest';
import { completionData } from '../../../src/cli/describe/completion-data.ts';
import { answerShell, quotedForBash, readBashLine } from '../../../src/cli/shell-completion/answer.ts';
import { complete, type KnownOffers } from '../../../src/cli/shell-completion/complete.ts';
import { SCRIPTS } from '../../../src/cli/shell-completion/scripts.ts';
import type { CompletionNode } from '../../../src/cli/shell-completion/words.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { everyPlace } from '../../shell/tree.ts';

const BREAKS = ' \t\n"\'><=;|&(:';
const nothing: KnownOffers = async () => [];

describe('a line of bash is cut as bash cuts it', () => {
  test.each([
    ['esign tx show ', { words: ['tx', 'show'], current: '', kept: 0, quote: '' }],
    ['esign "tx" s\\ h\'o w\'x', { words: ['tx'], current: 's ho wx', kept: 0, quote: '' }],
    ['esign --a=b', { words: [], current: '--a=b', kept: 4, quote: '' }],
    ['esign "it\\"s \\a', { words: [], current: 'it"s \\a', kept: 0, quote: '"' }],
    ["esign a:'b c", { words: [], current: 'a:b c', kept: 2, quote: "'" }],
    ['esign a\\:b', { words: [], current: 'a:b', kept: 0, quote: '' }],
    ["esign 'a b':c", { words: [], current: 'a b:c', kept: 4, quote: '' }],
    ["esign '' x", { words: [''], current: 'x', kept: 0, quote: '' }],
    ['esign x >out y', { words: ['x'], current: 'y', kept: 0, quote: '' }],
  ])('%s', (line, expected) => {
    expect(readBashLine(line, BREAKS)).toMatchObject(expected);
  });

  test('where output goes to', () => {
    expect(readBashLine('esign x >ou', BREAKS).isRedirected).toBe(true);
  });
});

test('a value is written as it has to stand there', () => {
  expect(quotedForBash('a b$(c)', '')).toBe('a\\ b\\$\\(c\\)');
  expect(quotedForBash("it's", "'")).toBe("it'\\''s");
  expect(quotedForBash('a"$`\\', '"')).toBe('a\\"\\$\\`\\\\');
  // History would be looked through, and no quoting inside double quotes prevents it.
  expect(quotedForBash('a!b', '"')).toBeUndefined();
});

describe.each(['zsh', 'fish', 'powershell'] as const)('%s', (shell) => {
  test('offers every command and every option', async () => {
    const data = await completionData(TREE);
    for (const { words, offers } of await everyPlace()) {
      const [current = '', ...before] = [...words].reverse();
      const variables = {
        ESIGN_COMPLETE_WORDS: ['esign', ...before.reverse()].join('\n'),
        ESIGN_COMPLETE_CURRENT: current,
      };
      const lines = (await answerShell(shell, variables, data, nothing)).trimEnd().split('\n');
      expect([words, lines.map((line) => line.split('\t')[0])]).toEqual([words, ['values', ...offers]]);
    }
  });
});

test('a group that is a command as well', async () => {
  const data = await completionData(TREE);
  const both: CompletionNode = {
    summary: 'both',
    arguments: [{ name: 'operation', summary: 'one', completes: 'operation' }],
    options: { field: { value: 'K=V', summary: 'a field' } },
    children: { routes: { summary: 'list', arguments: [], options: {} } },
  };
  const ask = async (...words: string[]) => {
    const current = words.pop() ?? '';
    return complete(words, current, { ...data, tree: { api: both } }, nothing);
  };
  const operations = data.operation.map(({ value }) => value);
  expect((await ask('api', '')).offers.map(({ value }) => value)).toEqual(['routes', ...operations]);
  expect((await ask('api', '--fi')).offers.map(({ value }) => value)).toContain('--field');
  expect((await ask('api', 'routes', '--')).offers.map(({ value }) => value)).not.toContain('--field');
  expect((await ask('api', 'file.upload', '')).offers).toEqual([]);
});

test('each line of an answer is one value and what it is', async () => {
  const known: KnownOffers = async () => [
    { value: 'tx-1', about: `a\nb\tc\u001b[31m\u202e${'x'.repeat(200)}` },
    { value: 'bad\n', about: '' },
    { value: 'x'.repeat(500), about: '' },
  ];
  const variables = { ESIGN_COMPLETE_WORDS: 'esign\ntx\nshow', ESIGN_COMPLETE_CURRENT: '' };
  const text = await answerShell('fish', variables, await completionData(TREE), known);
  expect(text).toMatch(/^values\ntx-1\ta\\nb\\tc\\u\{1b\}\[31m\\u\{202e\}x+…\n$/);
});

test('no script evaluates anything, and bash needs nothing that 3.2 lacks', () => {
  const code = (text: string) => text.replace(/^\s*#.*$/gm, '');
  for (const script of Object.values(SCRIPTS))
    expect(code(script)).not.toMatch(/\beval\b|compgen|Invoke-Expression/);
  expect(code(SCRIPTS.bash)).not.toMatch(
    /mapfile|readarray|declare -A|local -A|\$\{\w+(,,|\^\^)|_init_completion|\[\[/,
  );
});

describe('an alias', () => {
  const aliases: KnownOffers = async (kind) =>
    kind === 'alias'
      ? [
          { value: 'todo', about: 'mine --refresh' },
          { value: 'mine', about: 'tx list --status started' },
          { value: 'round', about: 'round' },
        ]
      : [];
  const offered = async (words: string[], current: string) => {
    const { offers } = await complete(words, current, await completionData(TREE), aliases);
    return offers.map(({ value }) => value);
  };

  test('is offered beside the commands, and stands for what it stands for', async () => {
    expect(await offered([], '')).toEqual(expect.arrayContaining(['tx', 'todo', 'mine']));
    expect(await offered(['--profile', 'x', 'todo'], '--')).toContain('--limit');
    expect(await offered(['todo'], '--')).not.toContain('--refresh');
    expect(await offered(['mine', '--status'], '')).toEqual([
      'draft',
      'completed',
      'rejected',
      'expired',
      'cancelled',
    ]);
  });

  test('is offered as a setting', async () => {
    expect(await offered(['config', 'unset'], 'aliases.')).toEqual(
      expect.arrayContaining(['sender', 'aliases.todo', 'aliases.mine']),
    );
  });

  test('that leads nowhere offers nothing', async () => {
    expect(await offered(['round'], '')).toEqual([]);
    expect(await offered(['nothing'], '')).toEqual([]);
  });
});
