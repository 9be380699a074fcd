// The skill says what the program takes: every command and option that it names exists, each of its calls parses, and nothing of
// it tells an assistant to print a secret.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { splitAliasWords } from '../../src/cli/command/alias-words.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../../src/cli/command/global-options.ts';
import { isBranch, nodeAt, type Tree } from '../../src/cli/command/tree.ts';
import { describeTree } from '../../src/cli/describe/describe.ts';
import { TOPIC_LIST, TOPICS } from '../../src/cli/describe/topics.ts';
import { parseWords } from '../../src/cli/program.ts';
import { TREE } from '../../src/cli/tree.ts';

const ROOT = new URL('../../', import.meta.url);
const SKILL = new URL('skills/esign/SKILL.md', ROOT);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const text = readFileSync(SKILL, 'utf8');
const [, front = '', body = ''] = text.split(/^---$/m);
const CATALOGUE = { tree: TREE, version: '1.2.3' };

const calls = [...body.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, lines = '']) =>
  lines.trim().split('\n'),
);
const spans = [...body.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(
  ([, span = '']) => span,
);

const GLOBAL = Object.keys({ ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION });

/** Returns what of a call does not exist. A word in capitals stands for a value. */
async function unknownIn(words: readonly string[]): Promise<string[]> {
  const [first = '', second] = words;
  if (first.startsWith('--')) return optionsOf(words).filter((name) => !GLOBAL.includes(name));
  if (first === 'help' && (/^[A-Z]+$/.test(second ?? '') || TOPICS.some(({ name }) => name === second)))
    return [];
  const place = nodeAt(words, TREE);
  if (!place) return [first];
  const command = await place.node.load?.();
  const next = words[place.depth];
  const isUnknownChild =
    !command && isBranch(place.node) && next !== undefined && !/^(--|[A-Z]+$)/.test(next);
  const known = [...GLOBAL, ...Object.keys(command?.options ?? {})];
  return [...(isUnknownChild ? [next] : []), ...optionsOf(words).filter((name) => !known.includes(name))];
}

const optionsOf = (words: readonly string[]): string[] =>
  words.flatMap((word) => /^--([a-z][a-z-]*)/.exec(word)?.[1] ?? []);

const isTopOf = (tree: Tree, word: string | undefined): boolean =>
  word !== undefined && Object.hasOwn(tree, word);

describe('the skill', () => {
  test('has a name, a description, a licence and the version of the program in its front matter', () => {
    const { version, license } = JSON.parse(read('package.json'));
    expect(front).toMatch(/^name: esign$/m);
    expect(front).toMatch(/^description: >\n {2}\S/m);
    expect(front).toContain(`\nlicense: ${license}\n`);
    expect(front).toContain(`\nmetadata:\n  version: "${version}"\n`);
    const description = front.slice(front.indexOf('>') + 1, front.indexOf('license:')).trim();
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(body.split('\n').length).toBeLessThan(250);
  });

  test('has calls that the program takes', async () => {
    expect(calls.length).toBeGreaterThan(15);
    for (const call of calls) {
      const [program, ...words] = splitAliasWords(call) ?? [];
      expect([call, program]).toEqual([call, 'esign']);
      const place = nodeAt(words, TREE);
      expect([call, place && !isBranch(place.node)]).toEqual([call, true]);
      await expect(parseWords(words, CATALOGUE).then(() => call)).resolves.toBe(call);
    }
  });

  test('names commands and options that exist', async () => {
    const options = new Set([
      ...GLOBAL,
      ...(await describeTree(TREE)).flatMap((command) => command.options.map(({ name }) => name)),
    ]);
    for (const span of spans) {
      const words = splitAliasWords(span) ?? [];
      const [first, ...others] = words;
      const command =
        first === 'esign' ? others : isTopOf(TREE, first) && others.length > 0 ? words : undefined;
      if (command && command.length > 0) expect([span, await unknownIn(command)]).toEqual([span, []]);
      else expect([span, optionsOf(words).filter((name) => !options.has(name))]).toEqual([span, []]);
    }
  });

  test('has no call that prints a secret or the link of a recipient', () => {
    for (const call of calls.filter((line) =>
      /tx (send|show|wait|list|start)|webhooks (create|rotate)|seed/.test(line),
    ))
      expect(call).toMatch(/ --(select|jq|dry-run) ?/);
    for (const call of calls) {
      expect(call).not.toMatch(/--print-secret|--raw|^esign (token|sandbox token|sandbox apps)/);
      expect(call).not.toMatch(/--select \S*(url|secret)|--jq .*(url|secret)/);
    }
  });

  test('lists every reference, and what it links to is there', () => {
    const links = [...body.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
    expect(links.filter((to) => !existsSync(new URL(to, SKILL)))).toEqual([]);
    const names = new Set([...Object.keys(TREE), ...TOPICS.map(({ name }) => name)]);
    names.delete(TOPIC_LIST);
    expect(links.sort()).toEqual([...names].map((name) => `references/${name}.md`).sort());
  });
});

describe('the plugins that contain the skill', () => {
  const { name: _, version, license } = JSON.parse(read('package.json'));

  test.each(['.claude-plugin', '.codex-plugin', '.cursor-plugin'])(
    '%s has the version and licence of the program',
    (folder) => {
      const plugin = JSON.parse(read(`${folder}/plugin.json`));
      expect(plugin).toMatchObject({ name: 'esign', version, license });
      if (plugin.skills !== undefined)
        expect(existsSync(new URL(`${plugin.skills}esign/SKILL.md`, ROOT))).toBe(true);
    },
  );

  test('the marketplace lists the plugin', () => {
    const { plugins } = JSON.parse(read('.claude-plugin/marketplace.json'));
    expect(plugins).toEqual([expect.objectContaining({ name: 'esign', source: './', version })]);
  });
});
