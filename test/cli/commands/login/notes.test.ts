// What `login` and `whoami` note: that other credentials are used than those just stored, or that none are needed. A pipe gets them
// on stderr, a terminal below the answer.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunOptions, runInProcess } from '../../../support/command-line/in-process.ts';
import { type ScriptedService, startScriptedService } from '../../../support/servers/scripted-service.ts';
import { createStoryFixture, type StoryFixture } from '../../../support/stories/story.ts';

let service: ScriptedService;
beforeAll(async () => {
  service = await startScriptedService((response) => response.writeHead(404).end('{}'));
});
afterAll(() => service.close());

let fixture: StoryFixture;
beforeEach(async () => {
  fixture = await createStoryFixture();
});
afterEach(() => fixture.close());

type Given = RunOptions & { env?: Record<string, string> };

const run = (line: string, { env = {}, ...surroundings }: Given = {}) =>
  runInProcess(
    { ...fixture, env: { ...fixture.env, ESIGN_CREDENTIAL_STORE: 'file', ...env } },
    line.split(' '),
    surroundings,
  );

const logIn = (flags = '', more: Given = {}) =>
  run(`login --with-token --base-url ${service.origin}${flags}`, { input: 'TOKEN\n', ...more });

describe.each([
  ['in a pipe', false],
  ['at a terminal', true],
])('%s', (_, isTerminal) => {
  test('login notes nothing where what it stored is used', async () => {
    expect(await logIn('', { isTerminal })).toMatchObject({ code: 0, err: expect.not.stringMatching(/use/) });
  });

  test('login notes that a token of the environment is used instead', async () => {
    const env = { ESIGN_ACCESS_TOKEN: 'OTHER' };
    const { code, err } = await logIn(' --profile acme', { env, isTerminal });
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('ESIGN_ACCESS_TOKEN is set, so commands use it instead of this login.'),
    ]);
  });

  test('login notes how the profile is used where another one is the current one', async () => {
    await logIn(' --profile first');
    const { code, err } = await logIn(' --profile second', { isTerminal });
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(
        'To use this profile, add --profile second. To use it by default, run `esign profile use second`.',
      ),
    ]);
  });

  test('whoami notes that the sandbox needs no login', async () => {
    const { code, err } = await run('whoami', { isTerminal });
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('No login is needed. To use a real service, run `esign login`.'),
    ]);
  });
});

test('with --json nothing is noted', async () => {
  expect(await run('whoami --json')).toMatchObject({ code: 0, err: '' });
});
