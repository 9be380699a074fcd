// The words of help and of the pages about the service, by the mechanical part of the rules in src/decisions/0030-help.md.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { OptionDescription } from '../../../src/cli/command/description.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../../../src/cli/command/global-options.ts';
import type { HelpBlock } from '../../../src/cli/command/help-page.ts';
import { isBranch, type Tree } from '../../../src/cli/command/tree.ts';
import { describeOptions, describeTree } from '../../../src/cli/describe/describe.ts';
import { PROGRAM_SUMMARY } from '../../../src/cli/describe/help-page.ts';
import { TOPICS, topicSections } from '../../../src/cli/describe/topics.ts';
import { TREE } from '../../../src/cli/tree.ts';

/** Words that a summary, a switch or an example may begin with. */
const VERBS = new Set(
  (
    'Accept Add Advance Answer Ask Back Begin Call Cancel Change Check Compare Complete Confirm Copy Count Create Delete Disable Download Draw Enable ' +
    'Edit Export Find Forward Generate Import Include Install Issue Keep Let List Log Lose Make Manage Open Override Overwrite Place Print Query ' +
    'Read Refuse Register Reject Remind Remove Render Replace Request Require Restore Resume Retry Run Save See Send Serve Set Show Sign Skip Slow ' +
    'Start Stay Stop Store Test Suppress Switch Trigger Try Turn Update Upload Use Verify View Wait Watch Write Never'
  ).split(' '),
);

/** Expressions of the old help: words that users do not search for, and sentences that they have to read twice. */
const BANNED =
  /\b(whoever|whom|somebody|everybody|anybody|nobody|is told|are told|told by|asks nobody|service inside|left out|made up|once more|going on|goes on|go on with|cut off|what is named|as it came|come of|speaks? to|spoken to|be had|e-mails?|colour|whether it may|behind it|hold[s]? this|the own|here and now)\b/i;

const INTERNAL = /\bA\d+\b|§|\bdecision \d|\bspec(ification)? §/;

type Words = { where: string; text: string };

const commands = await describeTree(TREE);
const options = [
  ...commands.flatMap(({ path, options }) => options.map((option) => ({ where: path.join(' '), option }))),
  ...describeOptions({ ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION }).map((option) => ({
    where: 'every command',
    option,
  })),
];
const lines: Words[] = [
  ...summariesOf(TREE),
  ...commands.flatMap(({ path, arguments: args, examples }) => [
    ...args.map(({ name, summary }) => ({ where: `${path.join(' ')} ${name}`, text: summary })),
    ...examples.map(({ line, about }) => ({ where: line, text: about })),
  ]),
  ...options.map(({ where, option: { name, summary } }) => ({ where: `${where} --${name}`, text: summary })),
  ...TOPICS.flatMap(({ name, title, summary }) => [
    { where: `topic ${name}`, text: title },
    { where: `topic ${name}`, text: summary },
  ]),
];
const texts: Words[] = [
  { where: 'esign', text: PROGRAM_SUMMARY },
  ...commands.flatMap(({ path, details }) => (details ? [{ where: path.join(' '), text: details }] : [])),
  ...(await Promise.all(
    TOPICS.map(async (topic) => ({
      where: `topic ${topic.name}`,
      text: (
        await topicSections(topic, TREE, topic.title)
      )
        .flatMap(({ title, blocks }) => [title, ...blocks.map(textOf)])
        .join('\n\n'),
    })),
  )),
];

function textOf(block: HelpBlock): string {
  if (block.kind === 'text') return block.text;
  if (block.kind === 'lines') return block.lines.map((line) => `  ${line}`).join('\n');
  // Assumed points have their numbers in one topic alone, each explained.
  return block.rows
    .map(([term, text]) => (/^A\d+$/.test(term) ? `  ${text}` : `  ${term} ${text}`))
    .join('\n');
}

function summariesOf(tree: Tree, path: readonly string[] = []): Words[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    const here = [...path, name];
    const own = { where: here.join(' '), text: node.summary };
    return isBranch(node) ? [own, ...summariesOf(node.children, here)] : [own];
  });
}

const wrong = (among: readonly Words[], isWrong: (text: string) => boolean) =>
  among.filter(({ text }) => isWrong(text)).map(({ where, text }) => `${where}: ${text}`);

const firstWord = (text: string): string => text.split(/[ ,;]/)[0] ?? '';

describe('one line', () => {
  test('begins with a capital letter', () => {
    expect(wrong(lines, (text) => !/^[A-Z]/.test(text))).toEqual([]);
  });

  test('has no full stop at its end', () => {
    expect(wrong(lines, (text) => /[.:;!?\s]$/.test(text))).toEqual([]);
  });

  test('a summary is an imperative of at most 72 characters', () => {
    const summaries = summariesOf(TREE);
    expect(wrong(summaries, (text) => !VERBS.has(firstWord(text)))).toEqual([]);
    expect(wrong(summaries, (text) => text.length > 72)).toEqual([]);
  });

  test('an example says what it does', () => {
    const examples = commands.flatMap((one) =>
      one.examples.map(({ line, about }) => ({ where: line, text: about })),
    );
    expect(wrong(examples, (text) => !VERBS.has(firstWord(text)))).toEqual([]);
  });

  test('a switch is an imperative, a value is named', () => {
    // These say what happens with the value.
    const said = new Set(['profile', 'select', 'jq', 'resume', 'at']);
    const isWrong = ({ name, value, summary }: OptionDescription) =>
      (value === undefined) !== VERBS.has(firstWord(summary)) && !said.has(name);
    expect(
      options
        .filter(({ option }) => isWrong(option))
        .map(({ where, option }) => [where, option.name, option.summary]),
    ).toEqual([]);
  });
});

describe('everything', () => {
  test('speaks plainly', () => {
    expect(
      wrong([...lines, ...texts], (text) => BANNED.test(text)).map(
        (one) => `${one} | ${BANNED.exec(one)?.[0]}`,
      ),
    ).toEqual([]);
  });

  test('refers to nothing that only the project knows', () => {
    expect(wrong([...lines, ...texts], (text) => INTERNAL.test(text))).toEqual([]);
  });

  test('a paragraph is made of whole sentences', () => {
    const paragraphs = texts.flatMap(({ where, text }) =>
      text
        .split(/\n[ \t]*\n/)
        .map((part) => part.trim().replace(/^# .*\n+/, ''))
        .filter((part) => part !== '' && !/^( {2}|\{|#)/.test(part) && !/ {2,}|^\w+$/.test(part))
        .map((part) => ({ where, text: part })),
    );
    expect(wrong(paragraphs, (text) => !/^[A-Z`]/.test(text) && !/^esign|^[\w-]+@|^TYPE/.test(text))).toEqual(
      [],
    );
  });
});

describe.each(['docs/service.md', 'docs/embedding.md'])('%s', (page) => {
  const markdown = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  const paragraphs = markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split(/\n\n|\n(?=[|-] )/)
    .map((text) => ({ where: page, text }));

  test('speaks plainly', () => {
    expect(paragraphs.length).toBeGreaterThan(10);
    expect(wrong(paragraphs, (text) => /\bmoments?\b/.test(text) || BANNED.test(text))).toEqual([]);
  });
});
