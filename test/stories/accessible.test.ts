// A terminal with ACCESSIBLE=1: questions are lines, progress is words, and nothing is written that moves the cursor or erases.
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTerminal, type Terminal } from '../support/command-line/terminal.ts';
import { createStoryFixture, type StoryFixture } from '../support/stories/story.ts';
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

const written = () => readFile(recording(), 'utf8');

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

  test.each(['', '0', 'false'])('ACCESSIBLE=%s is not set', async (ACCESSIBLE) => {
    const answer = await open({ ACCESSIBLE });
    await answer('esign webhooks create --event transaction_completed', /^\? Name/m);
    expect((await written()).replace(COLOR, '')).toMatch(MOVES);
  });
});
