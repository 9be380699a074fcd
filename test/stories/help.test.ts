// Help that the build prepared is what commander would have printed, byte by byte, for every command.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { helpOn } from '../../src/cli/describe/help.ts';
import { preparedHelp } from '../../src/cli/describe/prepared.ts';
import { TOPICS } from '../../src/cli/describe/topics.ts';
import { parseWords } from '../../src/cli/program.ts';
import { programOf } from '../../src/cli/run.ts';
import { PLAIN } from '../../src/cli/terminal/color.ts';
import { render } from '../../src/cli/terminal/render.ts';
import { TREE } from '../../src/cli/tree.ts';
import { everyPath } from '../shell/tree.ts';
import { createWorld, runIn, type World } from './story.ts';

const CATALOGUE = { tree: TREE, version: '1.2.3' };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a text does not look at is left out. */
const options = { json: false, select: undefined } as Parameters<typeof render>[3];

async function printed(words: readonly string[]): Promise<string> {
  const { run } = await parseWords(words, CATALOGUE);
  const written: string[] = [];
  const sink = { write: (text: string) => void written.push(text), isTerminal: false, columns: undefined };
  await render(await run({ program: programOf(CATALOGUE) } as never), sink, PLAIN, options);
  return written.join('');
}

describe('prepared help', async () => {
  const prepared = await preparedHelp(CATALOGUE);
  const found = (words: readonly string[]) => prepared.texts[prepared.words[JSON.stringify(words)] ?? -1];
  const paths = everyPath();
  const lines = [
    [],
    ...paths.flatMap((path) => [
      [...path, '--help'],
      [...path, '-h'],
      ['help', ...path],
    ]),
    ...TOPICS.map(({ name }) => ['help', name]),
  ];

  test('of every command, group and topic', async () => {
    for (const words of lines) expect([words, found(words)]).toEqual([words, await printed(words)]);
  });

  test('and nothing else', () => {
    const known = new Set(lines.map((words) => JSON.stringify(words)));
    expect(Object.keys(prepared.words).filter((words) => !known.has(words))).toEqual([]);
    expect(paths.length).toBeGreaterThan(30);
  });

  test('is what was built', async () => {
    const built = JSON.parse(await readFile(`${root}/dist/help.json`, 'utf8')) as typeof prepared;
    expect(built).toEqual(prepared);
  });

  test('a topic that shares its name with a group comes after it', async () => {
    expect(await helpOn(['config'], CATALOGUE)).toMatch(/^Usage: esign config[\s\S]*\n\nConfiguration\n\n/);
  });
});

describe('the built program', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test.each(['', '--help', 'tx -h', 'help tx send', 'help exit-codes'])('esign %s', async (line) => {
    const [quick, whole] = await Promise.all([
      runIn(world, `esign ${line}`),
      runIn(world, `${process.execPath} ${root}/dist/main.js ${line}`),
    ]);
    expect(quick).toEqual(whole);
    expect(quick).toMatchObject({ code: 0, err: '' });
  });

  test.each([
    // No word of the tree: commander shows the help of what it did understand.
    ['esign "tx send" --help | grep -q "^Usage: esign .options"', 0],
    ['esign tx nosuch --help', 0],
    ['esign tx send --help --json | grep -c "^{"', 0],
    ['esign --help | head -c 5', 0],
  ])('%s is left to the program', async (line, code) => {
    expect(await runIn(world, line)).toMatchObject({ code });
  });

  test('output that cannot be written is an error', async () => {
    const { code, err } = await runIn(world, 'esign --help > /dev/full');
    expect([code, err]).toEqual([1, expect.stringContaining('output_failed')]);
  });
});
