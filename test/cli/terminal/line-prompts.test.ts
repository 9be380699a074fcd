// Questions in plain lines, as ACCESSIBLE=1 asks them: what is written, which answers count, and how they end.
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { Interrupted } from '../../../src/cli/command/errors.ts';
import { createPrompts, type Prompts } from '../../../src/cli/terminal/prompts.ts';

type Ask = (prompts: Prompts) => Promise<unknown>;

/** Asks, with lines that were typed before. @returns the answer and what was written */
async function answered(ask: Ask, typed: string, input = new PassThrough()) {
  const output = new PassThrough();
  const { signal } = new AbortController();
  input.write(typed);
  const prompts = createPrompts({ canAsk: true, yes: false, input, output, signal, inLines: true });
  const answer = await ask(prompts);
  return { answer, shown: `${output.read() ?? ''}` };
}

const FILES = ['contract.pdf', 'contract-2.pdf', 'Lease, signed.pdf', '7'].map((name) => ({
  value: name,
  name,
}));
const choose: Ask = (prompts) => prompts.choose('Document', 'FILE', FILES);
const chooseLease: Ask = (prompts) => prompts.choose('Document', 'FILE', FILES, 'Lease, signed.pdf');
const several: Ask = (prompts) => prompts.chooseSeveral('Files', 'FILE', FILES);
const confirm: Ask = (prompts) => prompts.confirm('Send this?');
const confirmYes: Ask = (prompts) => prompts.confirm('Send this?', { otherwise: true });
const name: Ask = (prompts) => prompts.ask('Name', '--name TEXT', { accept: refuseEve });
const named: Ask = (prompts) => prompts.ask('Name', '--name TEXT', { otherwise: 'Ada', accept: refuseEve });
const optional: Ask = (prompts) => prompts.ask('Name', '--name TEXT', { mayBeEmpty: true });
const secret: Ask = (prompts) => prompts.secret('Token', '--token', { accept: refuseEve });

function refuseEve(text: string) {
  if (text === 'Eve') throw new Error('"Eve" is taken.');
}

test.each<[string, Ask, string, unknown]>([
  ['a number', choose, '2\n', 'contract-2.pdf'],
  ['a number before a name that is one', chooseLease, '4\n', '7'],
  ['a name that is no number of the list', choose, '7\n', '7'],
  ['a name, where another begins with it', choose, 'CONTRACT.pdf\n', 'contract.pdf'],
  ['the beginning of a name', choose, 'lea\n', 'Lease, signed.pdf'],
  ['Enter, which is the first choice', choose, '\n', 'contract.pdf'],
  ['Enter, which is the default', chooseLease, '\r\n', 'Lease, signed.pdf'],
  ['several numbers', several, '1, 3 1\n', ['contract.pdf', 'Lease, signed.pdf']],
  ['several texts', several, 'contract-, 7\n', ['contract-2.pdf', '7']],
  ['a text with a comma', several, 'Lease, signed.pdf\n', ['Lease, signed.pdf']],
  ['y', confirm, 'y\n', true],
  ['NO', confirmYes, 'NO\n', false],
  ['Enter, which is no', confirm, '\n', false],
  ['Enter, which is yes', confirmYes, '\n', true],
  ['a text', name, 'Zoë 🖊\n', 'Zoë 🖊'],
  ['Enter, which is the text of the question', named, '\n', 'Ada'],
  ['Enter, which is empty', optional, '\n', ''],
  ['a secret with corrections', secret, 'wrong\u0015ab\u007fc\r', 'ac'],
])('%s is an answer', async (_, ask, typed, answer) => {
  expect(await answered(ask, typed)).toMatchObject({ answer });
});

test.each<[string, Ask, string, string]>([
  [
    'a number that is none of the list',
    choose,
    '0\n1\n',
    '"0" is none of the choices. Enter a number from 1 to 4.',
  ],
  [
    'a text that is none of the list',
    choose,
    'x\n1\n',
    '"x" is none of the choices. Enter a number from 1 to 4.',
  ],
  ['a beginning of two', choose, 'contract\n1\n', '"contract" is several of the choices. Enter a number.'],
  ['one wrong of several', several, '1,9\n1\n', '"9" is none of the choices. Enter a number from 1 to 4.'],
  ['none of several', several, '\n1\n', 'Choose at least one.'],
  ['commas alone', several, ' ,\n1\n', 'Choose at least one.'],
  ['a word for y or n', confirm, 'perhaps\ny\n', 'Answer y or n.'],
  ['no text', name, '\nAda\n', 'Enter a value.'],
  ['a text that is refused', name, 'Eve\nAda\n', '"Eve" is taken.'],
  ['a default that is replaced', named, 'Eve\n\n', '"Eve" is taken.'],
  ['an arrow', name, '\u001b[A\nAda\n', 'The answer contains a key that is no character, such as an arrow.'],
  ['no secret', secret, '\nabc\n', 'Enter a value.'],
  ['a secret that is refused', secret, 'Eve\nabc\n', '"Eve" is taken.'],
])('%s repeats the question with the reason', async (_, ask, typed, reason) => {
  const { shown } = await answered(ask, typed);
  const [before = '', after = ''] = shown.split(`Not accepted: ${reason}\n`);
  const question = before.trimEnd().split('\n').at(-1) ?? '';
  expect(question).not.toBe('');
  expect(after.trimEnd().split('\n').at(-1)).toBe(question);
});

test('a list is shown once, with the default by its number and name', async () => {
  const choices = [
    { value: 1, name: 'Lease', description: 'id-1' },
    { value: 2, name: 'Offer' },
  ];
  const { shown } = await answered(
    (prompts) => prompts.choose('Template', '--template ID', choices, 2),
    'x\n1\n',
  );
  expect(shown).toBe(
    'Template\n1. Lease (id-1)\n2. Offer\nNumber or text (Enter: 2. Offer): ' +
      'Not accepted: "x" is none of the choices. Enter a number from 1 to 2.\n' +
      'Template\nNumber or text (Enter: 2. Offer): ',
  );
});

test('defaults of texts and confirmations are named', async () => {
  expect((await answered(named, '\n')).shown).toBe('Name (Enter: Ada): ');
  expect((await answered(confirm, '\n')).shown).toBe('Send this? y/n (Enter: n): ');
  expect((await answered(confirmYes, '\n')).shown).toBe('Send this? y/n (Enter: y): ');
});

test('a secret is read from a raw terminal, and is written nowhere', async () => {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => void modes.push(isRaw) });
  const { answer, shown } = await answered(secret, 'whsec_1\r', input);
  expect(answer).toBe('whsec_1');
  expect(shown).toBe('Token (not shown): \n');
  expect(modes).toEqual([true, false]);
});

test('what is typed ahead answers the next question', async () => {
  const all: Ask = async (prompts) => [await choose(prompts), await name(prompts), await confirm(prompts)];
  expect(await answered(all, '2\nAda\ny\n')).toMatchObject({ answer: ['contract-2.pdf', 'Ada', true] });
});

test('Esc goes back to the question before, whose answer is then the default', async () => {
  const all: Ask = (prompts) =>
    prompts.series(async () => [await choose(prompts), await several(prompts), await confirm(prompts)]);
  const esc = '\u001b\n';
  const { answer, shown } = await answered(all, `${esc}2\n1,3\n${esc}\n${esc}${esc}\n4\ny\n`);
  expect(answer).toEqual(['contract-2.pdf', ['7'], true]);
  expect(shown).toContain('\nNumber or text (Enter: 2. contract-2.pdf): ');
  expect(shown).toContain('\nNumbers or texts (commas between them; Enter: 1, 3; Esc, then Enter: back): ');
});

describe('the end without an answer', () => {
  const open = () => {
    const [input, output, controller] = [new PassThrough(), new PassThrough(), new AbortController()];
    const { signal } = controller;
    return {
      input,
      output,
      controller,
      prompts: createPrompts({ canAsk: true, yes: false, input, output, signal, inLines: true }),
    };
  };

  test.each<[string, Ask, string]>([
    ['the end of the input', name, ''],
    ['the end of the input in a line', confirm, 'y'],
    ['Ctrl-C in a secret', secret, 'abc\u0003'],
    ['Ctrl-D instead of a secret', secret, '\u0004'],
  ])('%s is an interruption', async (_, ask, typed) => {
    const { input, prompts } = open();
    const asked = ask(prompts);
    input.end(typed);
    await expect(asked).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGINT' });
  });

  test('a signal ends a question with its own name', async () => {
    const { output, controller, prompts } = open();
    const asked = choose(prompts);
    output.once('data', () => controller.abort(new Interrupted('SIGTERM')));
    await expect(asked).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGTERM' });
  });

  test('a question that is withdrawn reads nothing more', async () => {
    const { input, prompts } = open();
    const withdrawal = new AbortController();
    const asked = prompts.ask('URL', '--complete URL', { withdrawn: withdrawal.signal });
    withdrawal.abort();
    await expect(asked).rejects.toThrow('Interrupted');
    input.write('Ada\n');
    expect(await name(prompts)).toBe('Ada');
  });
});
