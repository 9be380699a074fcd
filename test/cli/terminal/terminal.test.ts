import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { Interrupted } from '../../../src/cli/command/errors.ts';
import type { Outcome } from '../../../src/cli/command/outcome.ts';
import {
  colorLevel,
  createPaint,
  PLAIN,
  READABLE_COLORS,
  readColorSetting,
} from '../../../src/cli/terminal/color.ts';
import { select } from '../../../src/cli/terminal/json.ts';
import { createProgress } from '../../../src/cli/terminal/progress.ts';
import { createPrompts, missingValuesError, type Prompts } from '../../../src/cli/terminal/prompts.ts';
import { render } from '../../../src/cli/terminal/render.ts';
import { safeLines, safeText } from '../../../src/cli/terminal/safe-text.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00.000Z');

const sink = (isTerminal: boolean) => {
  const written: string[] = [];
  return { written, out: { write: (text: string) => void written.push(text), isTerminal, columns: 80 } };
};

async function rendered(
  outcome: Outcome,
  isTerminal: boolean,
  options: { json?: boolean; select?: string[] } = {},
): Promise<string> {
  const { written, out } = sink(isTerminal);
  await render(outcome, out, PLAIN, { json: options.json ?? false, select: options.select, nowMs: NOW_MS });
  return written.join('');
}

const HOSTILE = 'a\u001b[31mb\u0007\tc\nd\u202ee\u009bf';

const record: Outcome = {
  kind: 'record',
  json: { id: '1', name: HOSTILE, nested: { deep: [1, 2] } },
  headline: 'Done.',
  entries: [
    { key: 'id', label: 'Id', value: '1' },
    { key: 'name', label: 'Name', value: HOSTILE },
    { key: 'quiet', value: 'for pipes' },
    { key: 'absent', label: 'Absent', value: undefined },
    { key: 'at', label: 'At', value: '2026-11-20T10:00:00.000Z', shown: '10 o’clock' },
  ],
  tables: [{ key: 'row', columns: ['A', 'B'], rows: [['x', HOSTILE]] }],
};

describe('text from outside', () => {
  test('nothing in it moves the cursor or breaks the line', () => {
    expect(safeText(HOSTILE)).toBe('a\\u{1b}[31mb\\u{7}\\tc\\nd\\u{202e}e\\u{9b}f');
    expect(safeText('Zoë 🖊 日本語')).toBe('Zoë 🖊 日本語');
    expect(safeText('\ud800')).toBe('\\u{d800}');
    expect(safeLines('a\nb\u001b')).toBe('a\nb\\u{1b}');
  });

  test.each([true, false])('in an outcome, terminal: %s', async (isTerminal) => {
    expect(await rendered(record, isTerminal)).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]{1}(?<!\t)/u,
    );
  });
});

describe('an outcome', () => {
  test('in a pipe: key TAB value, rows of tables with their key', async () => {
    const lines = (await rendered(record, false)).split('\n');
    expect(lines.map((line) => line.split('\t')[0])).toEqual(['id', 'name', 'quiet', 'at', 'row', '']);
    expect(lines[3]).toBe('at\t2026-11-20T10:00:00.000Z');
  });

  test('for a person: headline, labels, tables', async () => {
    const page = await rendered(record, true);
    expect(page).toMatch(/^Done\.\n\nId {4}1\n/);
    expect(page).toContain('10 o’clock');
    expect(page).not.toContain('for pipes');
    expect(page).toMatch(/A {2}B/);
  });

  test('as JSON: one line in a pipe, the object as it is', async () => {
    expect(JSON.parse(await rendered(record, false, { json: true }))).toEqual(record.json);
    expect((await rendered(record, false, { json: true })).trimEnd()).not.toContain('\n');
    expect(JSON.parse(await rendered(record, true, { json: true }))).toEqual(record.json);
  });

  test('with --select, what is not there is null', () => {
    expect(select(record.json, ['id', 'nested.deep', 'none.at.all'])).toEqual({
      id: '1',
      'nested.deep': [1, 2],
      'none.at.all': null,
    });
    expect(select({ items: [{ id: 1, x: 2 }], meta: {} }, ['id'])).toEqual({ items: [{ id: 1 }], meta: {} });
  });

  test('an empty list is empty in a pipe, and said to a person', async () => {
    const list: Outcome = {
      kind: 'list',
      json: { items: [] },
      empty: 'Nothing.',
      table: { columns: ['A'], rows: [] },
    };
    expect(await rendered(list, false)).toBe('');
    expect(await rendered(list, true)).toBe('Nothing.\n');
  });
});

describe('color', () => {
  test.each([
    // A terminal and nothing else: what it can.
    ['auto', true, {}, 1],
    ['auto', false, {}, 0],
    ['auto', true, { TERM: 'xterm' }, 1],
    ['auto', true, { TERM: 'xterm-256color' }, 2],
    ['auto', true, { COLORTERM: 'truecolor' }, 3],
    ['auto', false, { COLORTERM: 'truecolor' }, 0],
    ['auto', true, { TERM: 'dumb' }, 0],
    // The flag is stronger than everything.
    ['always', false, { NO_COLOR: '1' }, 1],
    ['always', false, { TERM: 'dumb', CLICOLOR: '0', FORCE_COLOR: '0' }, 1],
    ['never', true, { FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, 0],
    // NO_COLOR, when it is not empty.
    ['auto', true, { NO_COLOR: '1' }, 0],
    ['auto', true, { NO_COLOR: '' }, 1],
    ['auto', true, { NO_COLOR: '1', FORCE_COLOR: '3' }, 0],
    ['auto', false, { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, 0],
    // FORCE_COLOR, also in a pipe.
    ['auto', false, { FORCE_COLOR: '1' }, 1],
    ['auto', false, { FORCE_COLOR: '2' }, 2],
    ['auto', false, { FORCE_COLOR: '3' }, 3],
    ['auto', false, { FORCE_COLOR: 'true' }, 1],
    ['auto', false, { FORCE_COLOR: '', TERM: 'xterm-256color' }, 2],
    ['auto', true, { FORCE_COLOR: '0' }, 0],
    ['auto', true, { FORCE_COLOR: 'false' }, 0],
    ['auto', false, { FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, 0],
    ['auto', true, { FORCE_COLOR: '1', TERM: 'dumb' }, 1],
    // CLICOLOR_FORCE, then CLICOLOR.
    ['auto', false, { CLICOLOR_FORCE: '1' }, 1],
    ['auto', false, { CLICOLOR_FORCE: '0' }, 0],
    ['auto', false, { CLICOLOR_FORCE: '' }, 0],
    ['auto', true, { CLICOLOR: '0' }, 0],
    ['auto', true, { CLICOLOR: '1' }, 1],
    ['auto', false, { CLICOLOR: '1' }, 0],
    ['auto', true, { CLICOLOR: '0', CLICOLOR_FORCE: '1' }, 1],
    // The colors of the terminal, which a person can choose.
    ['auto', true, { TERM: 'xterm-256color', ACCESSIBLE: '1' }, 1],
    ['always', false, { COLORTERM: 'truecolor', GH_ACCESSIBLE_COLORS: 'yes' }, 1],
    ['auto', true, { ACCESSIBLE: '1', NO_COLOR: '1' }, 0],
    ['auto', true, { TERM: 'xterm-256color', ACCESSIBLE: 'false' }, 2],
  ] as const)('%s, terminal %s, %j: level %d', (wish, isTerminal, variables, level) => {
    expect(colorLevel(wish, isTerminal, variables)).toBe(level);
  });

  test.each([
    [['tx', '--color', 'never'], 'never'],
    [['--color=always', 'tx'], 'always'],
    [['--color', 'never', '--color', 'always'], 'always'],
    [['--color', 'blue'], 'auto'],
    [['--color'], 'auto'],
    [[], 'auto'],
  ] as const)('words that were not understood, %j: %s', (words, wish) => {
    expect(readColorSetting(words)).toBe(wish);
  });

  test('none is no escape code', async () => {
    for (const paint of Object.values(await createPaint(0))) expect(paint('x')).toBe('x');
    expect((await createPaint(1)).red('x')).toBe('\u001b[31mx\u001b[39m');
    expect((await createPaint(2)).red('x')).toBe('\u001b[38;5;160mx\u001b[39m');
    expect((await createPaint(1)).dim('x')).toBe('\u001b[2mx\u001b[22m');
    expect((await createPaint(1, { ACCESSIBLE: '1' })).dim('x')).toBe('x');
  });

  test.each(Object.entries(READABLE_COLORS))('%s can be read on black and on white', (_, index) => {
    const light = luminance(index);
    expect(1.05 / (light + 0.05)).toBeGreaterThan(3.5);
    expect((light + 0.05) / 0.05).toBeGreaterThan(3.5);
  });
});

/** WCAG 2 relative luminance of one of the 6 × 6 × 6 colors. */
function luminance(index: number): number {
  const steps = [0, 95, 135, 175, 215, 255];
  const at = index - 16;
  const [red = 0, green = 0, blue = 0] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => {
    const part = (steps[step] ?? 0) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('talk', () => {
  test('a pipe gets a line for each step that was done, silence nothing', async () => {
    for (const silent of [false, true]) {
      const { written, out } = sink(false);
      const talk = createProgress(out, PLAIN, { silent, spinner: false });
      await talk.step('upload a.pdf', async () => 1);
      await talk.step('start', () => Promise.reject(new Error('no'))).catch(() => undefined);
      expect(written.join('')).toBe(silent ? '' : '✓ upload a.pdf\n');
    }
  });
});

test('a terminal without a spinner gets a line when a step begins and one when it ends', async () => {
  const { written, out } = sink(true);
  const talk = createProgress(out, PLAIN, { silent: false, spinner: false, inWords: true });
  await talk.step('upload a.pdf', async (report) => report(1, 2));
  await talk.step('start', () => Promise.reject(new Error('no'))).catch(() => undefined);
  await talk.showWaiting('Waiting for Ada', async (say) => say('Waiting for Bob'));
  expect(written.join('').split('\n')).toEqual([
    'upload a.pdf …',
    'done: upload a.pdf',
    'start …',
    'failed: start',
    'Waiting for Ada',
    'Waiting for Bob',
    '',
  ]);
});

describe('questions', () => {
  const options = { input: process.stdin, output: process.stderr, signal: new AbortController().signal };

  test('without a terminal there is no question: the error names the flag', async () => {
    const prompts = createPrompts({ canAsk: false, yes: false, ...options });
    await expect(prompts.confirm('Sure?')).rejects.toMatchObject({
      facts: { code: 'confirmation_needed', exit: 2 },
    });
    await expect(prompts.ask('Reason', '--reason TEXT')).rejects.toMatchObject({
      facts: { code: 'value_missing', exit: 2 },
    });
  });

  test('an input that ends is an interruption, not an answer', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const prompts = createPrompts({ canAsk: true, yes: false, input, output, signal: options.signal });
    const asked = prompts.ask('Reason', '--reason TEXT');
    output.once('data', () => input.end());
    await expect(asked).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGINT' });
  });

  test('a signal ends a question with its own name', async () => {
    const controller = new AbortController();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const prompts = createPrompts({ canAsk: true, yes: false, input, output, signal: controller.signal });
    const asked = prompts.choose('Which', '--which', [{ value: 1, name: 'one' }]);
    output.once('data', () => controller.abort(new Interrupted('SIGTERM')));
    await expect(asked).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGTERM' });
  });

  test.each<[string, (prompts: Prompts) => Promise<boolean>]>([
    ['a lone question', (prompts) => prompts.confirm('Send it nevertheless?')],
    ['the first question of a series', (prompts) => prompts.series(() => prompts.confirm('Sure?'))],
  ])('Esc is no answer to %s, and does not end it', async (_, ask) => {
    const input = new PassThrough();
    const output = new PassThrough();
    const answering = ask(createPrompts({ canAsk: true, yes: false, input, output, signal: options.signal }));
    output.once('data', () =>
      setImmediate(() => {
        input.emit('keypress', undefined, { name: 'escape' });
        input.write('y');
        input.write('\r');
      }),
    );
    expect(await answering).toBe(true);
  });

  test('what is missing is named in one sentence', () => {
    expect(
      missingValuesError([
        { what: 'Name', flag: '--name TEXT' },
        { what: 'Endpoint', flag: '--endpoint URL' },
      ]),
    ).toMatchObject({
      message: 'These values are missing: name, endpoint.',
      facts: { code: 'value_missing', exit: 2, hint: 'Add --name TEXT --endpoint URL.' },
    });
  });

  test('--yes is the answer', async () => {
    expect(await createPrompts({ canAsk: false, yes: true, ...options }).confirm('Sure?')).toBe(true);
  });
});
