// A service whose every text is hostile: nothing of it reaches a terminal as anything but visible characters, and all
// of it reaches JSON unchanged.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/api/contract/events.ts';
import { createApp } from '../../src/cli/app.ts';
import { reportOf } from '../../src/cli/command/error-report.ts';
import { eventLine } from '../../src/cli/commands/events/listen.ts';
import { parseWords } from '../../src/cli/program.ts';
import { programOf } from '../../src/cli/run.ts';
import { PLAIN } from '../../src/cli/terminal/color.ts';
import { createProgress } from '../../src/cli/terminal/progress.ts';
import { createPrompts, type Prompts } from '../../src/cli/terminal/prompts.ts';
import { TREE } from '../../src/cli/tree.ts';
import {
  EVENT,
  HOSTILE,
  LIST,
  startHostileService,
  TRANSACTION,
} from '../support/servers/hostile-service.ts';
import type { RunningServer } from '../support/servers/scripted-service.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../support/stories/story.ts';
import { sampleOf } from '../support/tier.ts';

/** DEL, C1 and bidi controls; C0 is escaped by JSON itself, but for line ends between properties. */
const OBEYED_IN_JSON =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const CATALOGUE = { tree: TREE, version: '0' };

/** Everything that is not a line end and is not shown. */
const UNSEEN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

let service: RunningServer;
let fixture: StoryFixture;

/** Node's own fetch, which other tests of this worker use, cannot work with the dispatcher that a command sets. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
let dispatcher: unknown;

beforeAll(async () => {
  await fetch('data:,');
  dispatcher = Reflect.get(globalThis, DISPATCHER);
  service = await startHostileService();
  fixture = await createStoryFixture();
  Object.assign(fixture.env, {
    ESIGN_BASE_URL: service.origin,
    ESIGN_APP_URL: service.origin,
    ESIGN_ACCESS_TOKEN: 'token',
    CI: '1',
  });
});

afterAll(async () => {
  Reflect.set(globalThis, DISPATCHER, dispatcher);
  await service.close();
  await fixture.close();
});

/** Runs a command as at a terminal of this width; what it wrote on both streams. */
async function atTerminal(words: string[], columns: number): Promise<{ out: string; err: string }> {
  const said = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
    },
    isTerminal: true,
    columns,
  });
  const streams = {
    out: sink('out'),
    err: sink('err'),
    isInputTerminal: false,
    input: () => new PassThrough(),
  };
  const environment = { variables: fixture.env, homeDir: fixture.folder, workingDir: fixture.folder };
  const { settings, run } = await parseWords([...words, '--color', 'never'], CATALOGUE);
  const app = await createApp({
    settings,
    streams,
    environment,
    program: programOf(CATALOGUE, { environment }),
    onSignal: () => undefined,
  });
  try {
    await app.context.terminal.print(await run(app.context));
  } finally {
    await app.close(false);
  }
  return said;
}

const COMMANDS = [
  ['tx', 'show', 'x'],
  ['tx', 'fields', 'x'],
  ['tx', 'open', 'x'],
  ['tx', 'wait', 'x', '--for', 'started'],
  ['tx', 'list'],
  ['templates', 'list'],
  ['templates', 'show', 'x'],
  ['webhooks', 'list'],
  ['webhooks', 'show', 'x'],
  ['events', 'list'],
  ['events', 'show', 'x'],
];

describe('hostile text', () => {
  test.each(
    sampleOf(
      COMMANDS.map((words) => [words.join(' '), words] as const),
      6,
    ),
  )('%s', async (_, words) => {
    for (const columns of [20, 100]) {
      const { out, err } = await atTerminal(words, columns);
      expect(out).not.toMatch(UNSEEN);
      expect(err).not.toMatch(UNSEEN);
      expect(out).not.toBe('');
    }
  });

  test('in the line of an event that came', () => {
    const settings = { json: false } as Parameters<typeof eventLine>[0]['settings'];
    const terminal = { streams: { out: { isTerminal: true } } } as Parameters<
      typeof eventLine
    >[0]['terminal'];
    const forwarded = { status: null, why: HOSTILE, duration_ms: 1, attempts: 2 };
    const outcome = eventLine({ settings, terminal }, { event: EVENT as unknown as Envelope, forwarded });
    expect(outcome.kind === 'text' && outcome.text).not.toMatch(UNSEEN);
    expect(outcome.kind === 'text' && outcome.text).not.toContain('\n');
  });

  test('in JSON it is what it was', async () => {
    const { out } = await atTerminal(['tx', 'show', 'x', '--json'], 100);
    expect(JSON.parse(out)).toMatchObject(TRANSACTION);
    expect(JSON.parse((await atTerminal(['templates', 'list', '--json'], 100)).out)).toEqual(LIST);
    // Written with escapes: the same value, and nothing that a terminal obeys.
    for (const columns of [20, 100])
      expect((await atTerminal(['tx', 'show', 'x', '--json'], columns)).out).not.toMatch(OBEYED_IN_JSON);
    expect(out).toContain('\\u009b31m');
    expect(out).toContain('\\u202e');
    const refused = await runCommand(fixture, 'esign tx show refused --json');
    expect(refused.err).not.toMatch(OBEYED_IN_JSON);
    expect(refused.err).toContain('\\u009b31m');
  });

  test('in a refusal of the service, and in what was typed', async () => {
    const lines = [
      'esign tx show refused',
      'esign tx show refused --debug',
      `esign tx show "$(printf 'a\\033]0;x\\007\\302\\233')" --profile "$(printf '\\033[2J')"`,
      `esign "$(printf 'x\\033[2J')"`,
      `esign tx send contract.pdf --to "$(printf 'A\\033[2J <a@b.co>')"`,
      `esign tx send "$(printf 'no\\033[2Jfile.pdf')" --to a@b.co`,
    ];
    for (const line of sampleOf(lines, 3)) {
      const { code, out, err } = await runCommand(fixture, line);
      expect(code, line).not.toBe(0);
      expect(out + err, line).not.toMatch(UNSEEN);
    }
    const { err } = await runCommand(fixture, 'esign tx show refused --json');
    // Its blanks are made one, so that it stays a sentence.
    expect(JSON.parse(err).error.message).toContain(HOSTILE.replace(/\s+/g, ' '));
  });

  test.each([false, true])('in questions and their choices, in lines: %s', async (inLines) => {
    let shown = '';
    const choices = [{ value: 1, name: HOSTILE, description: HOSTILE }];
    const questions: ((prompts: Prompts) => Promise<unknown>)[] = [
      (prompts) => prompts.choose(HOSTILE, '', choices),
      (prompts) => prompts.chooseSeveral(HOSTILE, '', choices),
      (prompts) => prompts.ask(HOSTILE, '', { otherwise: HOSTILE }),
      (prompts) => prompts.confirm(HOSTILE),
      (prompts) => prompts.secret(HOSTILE, ''),
    ];
    for (const question of questions) {
      const [input, output] = [new PassThrough(), new PassThrough()];
      const { signal } = new AbortController();
      const asked = question(createPrompts({ canAsk: true, yes: false, input, output, signal, inLines }));
      output.on('data', (chunk) => {
        shown += chunk;
      });
      await once(output, 'data');
      input.end();
      await expect(asked).rejects.toThrow('Interrupted');
    }
    // @inquirer's own moves of the cursor are CSI sequences: they end in a letter, and hold figures only.
    expect(shown.replace(/\u001b\[[?\d;]*[A-Za-z]/g, '').replaceAll('\r', '')).not.toMatch(UNSEEN);
    expect(shown).not.toContain('\u001b[2J');
  });

  test('in notes, warnings, steps and what is waited for', async () => {
    let written = '';
    const err = {
      write: (text: string) => {
        written += text;
      },
      isTerminal: false,
      columns: 80,
    };
    const talk = createProgress(err, PLAIN, { silent: false, spinner: false });
    talk.noteBeforeNext(HOSTILE);
    talk.note(HOSTILE);
    talk.warn(HOSTILE);
    await talk.step(HOSTILE, async () => 1);
    await talk.showWaiting(HOSTILE, async (say) => say(HOSTILE));
    expect(written).not.toMatch(UNSEEN);
    expect(written.match(/paypal/g)).toHaveLength(6);
  });

  test('in the spinner of a terminal, and in the list of what was seen', async () => {
    const seen = { kind: 'transaction', id: 'id-1', name: HOSTILE, outcome: HOSTILE, people: [HOSTILE] };
    const folder = join(fixture.folder, '.esign', 'data', 'seen');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'environment.ndjson'),
      `${JSON.stringify({ ...seen, service: service.origin, atMs: 1 })}\n`,
    );
    const { out } = await atTerminal(['tx', 'list'], 200);
    expect(out).toContain('id-1');
    expect(out).not.toMatch(UNSEEN);
  });

  test('a report keeps the original message: only the terminal changes it', () => {
    expect(reportOf(new Error(HOSTILE)).message).toBe(HOSTILE);
  });
});
