import { describe, expect, test } from 'vitest';
import { describeTree } from '../../src/cli/describe/describe.ts';
import { helpPage } from '../../src/cli/describe/help-page.ts';
import { parseWords } from '../../src/cli/program.ts';
import { plainText } from '../../src/cli/terminal/page-layout.ts';
import { TREE } from '../../src/cli/tree.ts';
import { sampleOf } from '../support/tier.ts';

const CATALOGUE = { tree: TREE, version: '0.0.0-test' };
const codeOf = (words: string[]) =>
  parseWords(words, CATALOGUE).then(
    () => undefined,
    (error: { facts: { code: string; exit: number } }) => [error.facts.code, error.facts.exit],
  );

describe('what is typed', () => {
  test.each([
    [['tx', 'snd'], 'command_unknown'],
    [['txx'], 'command_unknown'],
    [['txx', '--help'], 'command_unknown'],
    [['templates', 'create', '--help'], 'command_unknown'],
    [['-h', 'sandbox', 'users', 'adds'], 'command_unknown'],
    [['tx', 'upload'], 'argument_missing'],
    [['tx', 'show', 'a', 'b'], 'arguments_too_many'],
    [['tx', 'send', '--too', 'x'], 'option_unknown'],
    [['tx', 'send', '--to'], 'value_missing'],
    [['tx', 'list', '--status', 'draft', '--status', 'over'], 'value_invalid'],
    [['tx', 'show', 'x', '--color', 'blue'], 'value_invalid'],
    [['tx', 'show', 'x', '--select', 'a,,b'], 'value_invalid'],
  ])('%j is refused with %s and exit code 2', async (words, code) => {
    expect(await codeOf(words)).toEqual([code, 2]);
  });

  test('global options stand anywhere', async () => {
    for (const words of [
      ['--profile', 'p', '--json', 'tx', 'show', 'x', '-q'],
      ['tx', '--profile', 'p', 'show', '--json', 'x', '-q'],
      ['tx', 'show', 'x', '-q', '--json', '--profile', 'p'],
    ])
      expect((await parseWords(words, CATALOGUE)).settings).toMatchObject({
        profile: 'p',
        json: true,
        quiet: true,
        input: true,
      });
  });

  test('may have --no-input, --yes and --select', async () => {
    const { settings } = await parseWords(
      ['sandbox', 'reset', '--no-input', '-y', '--select', 'a, b'],
      CATALOGUE,
    );
    expect(settings).toMatchObject({ input: false, yes: true, json: true, select: ['a', 'b'] });
  });

  test('help and a bare group are no errors', async () => {
    for (const words of [
      [],
      ['tx'],
      ['--help'],
      ['tx', 'send', '--help'],
      ['tx', '-V'],
      ['tx', 'show', '@', '--help'],
      ['api', 'transaction.detail', '--help'],
      ['--profile', 'p', 'templates', '-h'],
    ])
      expect(await codeOf(words)).toBeUndefined();
  });
});

describe('every command', async () => {
  const commands = await describeTree(TREE);

  test.each(
    sampleOf(
      commands.map((command) => [command.path.join(' '), command] as const),
      2,
    ),
  )('%s says what it prints and how it is used', async (_, command) => {
    expect(command.json).not.toBe('');
    expect(command.examples.length).toBeGreaterThan(0);
    const help = plainText(await helpPage(command.path, TREE));
    for (const { name } of command.options) expect(help).toContain(`--${name}`);
    for (const { line } of command.examples) expect(help).toContain(line);
  });

  test('no option of its own hides a global one', async () => {
    const { GLOBAL_OPTIONS } = await import('../../src/cli/command/global-options.ts');
    for (const { options } of commands)
      for (const { name } of options) expect(Object.keys(GLOBAL_OPTIONS)).not.toContain(name);
  });
});
