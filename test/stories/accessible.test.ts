// A terminal with ACCESSIBLE=1: questions are lines, progress is words, and nothing is written that moves the cursor or erases.
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTerminal, type Terminal } from '../support/command-line/terminal.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../support/stories/story.ts';
import { needsCommand } from '../support/tools.ts';

const tmux = needsCommand('tmux');

let fixture: StoryFixture;
let terminal: Terminal | undefined;

beforeEach(async () => {
  fixture = await createStoryFixture();
});

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await fixture.close();
});

const recording = () => join(fixture.folder, 'written');

async function open(env: Record<string, string>): Promise<(line: string, wanted: RegExp) => Promise<string>> {
  terminal = await openTerminal({
    columns: 80,
    folder: fixture.folder,
    env: { ...fixture.env, ...env },
    record: recording(),
  });
  const opened = terminal;
  return async (line, wanted) => {
    await opened.type(line);
    await opened.press('Enter');
    return opened.until(wanted);
  };
}

const COLOR = /\u001b\[[\d;]*m/g;
/** What moves the cursor or erases: a carriage return within a line, a backspace, any escape sequence. */
const MOVES = /\u001b|[\b\v\f]|\r(?!\r*\n)/;

/** What a person reads, without colors and without times, which differ in each run. */
const linesOf = (text: string): string[] =>
  text
    .replace(COLOR, '')
    .replace(/\d+ (?:ms|s|seconds?|minutes?)\b/g, '…')
    .split(/\r*\n/)
    .filter((line) => !line.includes('esign tx list; '));

const written = () => readFile(recording(), 'utf8');

const movesWritten = async () => (await written()).replace(COLOR, '').match(new RegExp(MOVES, 'g')) ?? [];

describe.skipIf(tmux.skip)(`an accessible terminal${tmux.why}`, () => {
  test.each<[string, Record<string, string>]>([
    ['ACCESSIBLE', { ACCESSIBLE: '1' }],
    ['both names of gh', { GH_ACCESSIBLE_PROMPTER: 'enabled', GH_SPINNER_DISABLED: 'true' }],
    ['ACCESSIBLE without color', { ACCESSIBLE: '1', NO_COLOR: '1' }],
  ])('%s: tx send asks, sends and waits without a move of the cursor', async (_, env) => {
    await copyFile(join(fixture.folder, 'contract.pdf'), join(fixture.folder, 'lease.pdf'));
    const answer = await open(env);
    const asking = await answer(
      'esign tx send; echo "code=$?"',
      /Number or text \(Enter: 1\. contract\.pdf\):$/m,
    );
    expect(asking).toMatch(/^Document to sign\n1\. contract\.pdf\n2\. lease\.pdf\n3\. several of these/m);
    await answer('none', /^Not accepted: "none" is none of the choices\. Enter a number from 1 to 4\.$/m);
    await answer('lease', /First signer \("Name <email>"\):$/m);
    await answer('Ada', /^Not accepted: "Ada" is not a valid email address(?:.|\n)*First signer.*:$/m);
    await answer('Ada <ada@example.com>', /leave empty to continue\):$/m);
    await answer('', /\n4\. Stop \(Nothing is sent\.\)\nNumber or text \(Enter: /);
    await answer('Continue', /\n1\. Yes\n2\. Change the documents\n(?:.|\n)*Number or text \(Enter: 1\. Yes/);
    await answer('', /^code=0$/m);
    const progress = await answer('esign tx wait --timeout 1s @; echo "waited=$?"', /^waited=8$/m);
    expect(progress).toMatch(/^upload lease\.pdf …$/m);
    expect(progress).toMatch(/^done: upload lease\.pdf$/m);
    const text = await written();
    expect(text.replace(COLOR, '')).not.toMatch(MOVES);
    expect(COLOR.test(text)).toBe(!('NO_COLOR' in env));
  });

  test('a secret is not shown, Ctrl-C interrupts, and the terminal is as before', async () => {
    const answer = await open({ ACCESSIBLE: '1' });
    const login = 'esign login --base-url http://127.0.0.1:9 --with-token';
    await answer(
      `stty -g > before; ${login}; echo "code=$?"; stty -g | cmp - before && echo same`,
      /Access token \(not shown\):$/m,
    );
    await terminal?.type('secret-of-ada');
    await terminal?.press('C-c');
    const screen = await terminal?.until(/^same$/m);
    expect(screen).toMatch(/^error: Interrupted\. \(interrupted\)\ncode=130$/m);
    // Where the terminal is not raw, Ctrl-C is a signal, which ends the line of the shell as well.
    await answer('clear; esign webhooks create --event transaction_completed', /^Name:$/m);
    await terminal?.press('C-c');
    await terminal?.until(/^Name: \^C\nerror: Interrupted\. \(interrupted\)\n\$/m);
    await answer('echo "code=$?"', /^code=130$/m);
    await answer('clear; esign webhooks create --event transaction_completed', /^Name:$/m);
    await terminal?.press('C-d');
    await terminal?.until(/^Name:\nerror: Interrupted\. \(interrupted\)\n\$/m);
    expect(await written()).not.toContain('secret-of-ada');
  });

  test('tx show --watch and tx wait print each status once, as a line of its own', async () => {
    const send = async (person: string) =>
      JSON.parse((await runCommand(fixture, `esign tx send contract.pdf --to "${person}" --json`)).out).id;
    const first = await send('Ada <ada@example.com>');
    const answer = await open({ ACCESSIBLE: '1' });
    await answer(`esign tx show ${first} --watch; echo "watched=$?"`, /started, waiting for Ada/);
    await runCommand(fixture, `esign sandbox sign ${first}`);
    const watched = await terminal?.until(/^watched=0$/m);
    expect(watched?.match(/^.*(started|completed).*$/gm)).toEqual([
      expect.stringMatching(/^\d.* {2}started, waiting for Ada <ada@example\.com>$/),
      expect.stringMatching(/^\d.* {2}completed$/),
    ]);

    const second = await send('Bob <bob@example.com>');
    await answer(`esign tx wait ${second}; echo "waited=$?"`, /^status: started, waiting for Bob/m);
    await runCommand(fixture, `esign sandbox sign ${second}`);
    const waited = await terminal?.until(/^waited=0$/m);
    expect(waited?.match(/^(Waiting for|status:|Everyone).*$/gm)).toEqual([
      `Waiting for transaction ${second}`,
      'status: started, waiting for Bob <bob@example.com>',
      'status: completed',
      'Everyone has signed.',
    ]);
    expect(await movesWritten()).toEqual([]);
  });

  test('events listen, events list --follow and sandbox serve print lines until they are stopped', async () => {
    const answer = await open({ ACCESSIBLE: '1' });
    const stop = async (wanted: RegExp) => {
      await terminal?.press('C-c');
      await terminal?.until(wanted);
    };
    await answer('esign events listen; echo "listened=$?"', /^Listening to the events of the sandbox\./m);
    await runCommand(fixture, 'esign events trigger transaction_started --json');
    const heard = await terminal?.until(/transaction_started/);
    expect(heard?.match(/transaction_(created|started)/g)).toEqual([
      'transaction_created',
      'transaction_started',
    ]);
    await stop(/listened=130$/m);
    await answer('esign events list --follow; echo "followed=$?"', /^TIME +TYPE/m);
    await runCommand(fixture, 'esign events trigger transaction_cancelled --json');
    await terminal?.until(/transaction_cancelled/);
    await stop(/followed=130$/m);
    await answer('esign sandbox serve --port 0; echo "served=$?"', /^Base URL +http:/m);
    await stop(/served=130$/m);
    expect(await movesWritten()).toEqual([]);
  });

  test('what is colored says the same without color', async () => {
    await runCommand(fixture, 'esign tx send contract.pdf --to "Ada <ada@example.com>" --json');
    await runCommand(fixture, 'esign events trigger transaction_rejected --json');
    const textWith = async (env: Record<string, string>) => {
      const answer = await open({ ACCESSIBLE: '1', ...env });
      await answer(
        'esign tx list; esign tx show @; esign verify contract.pdf; echo "ended=$?"',
        /^ended=\d+$/m,
      );
      const text = await written();
      await terminal?.close();
      await rm(recording());
      return text;
    };
    const colored = await textWith({});
    const plain = await textWith({ NO_COLOR: '1' });
    expect(colored).toMatch(COLOR);
    expect(plain).not.toMatch(COLOR);
    expect(linesOf(colored)).toEqual(linesOf(plain));
  });

  test.each(['', '0', 'false'])('ACCESSIBLE=%s is not set', async (ACCESSIBLE) => {
    const answer = await open({ ACCESSIBLE });
    await answer('esign webhooks create --event transaction_completed', /^\? Name/m);
    expect((await written()).replace(COLOR, '')).toMatch(MOVES);
  });
});
