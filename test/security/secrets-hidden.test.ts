// A program with a language model runs commands, and everything that they print is in its conversation. A session of all kinds of commands
// prints no secret that its sandbox stores, and `--reveal` shows that the search finds them.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HIDDEN } from '../../src/cli/terminal/hidden-secrets.ts';
import { ASSISTANTS } from '../../src/config/environment.ts';
import { runInProcess } from '../support/command-line/in-process.ts';
import { createStoryFixture, type StoryFixture } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

let fixture: StoryFixture;
let id: string;
let webhook: string;
let app: string;

/** The secrets, which commands without such a program print. */
const secrets = new Map<string, string>();
const CREATE = '--name W --endpoint https://hooks.example.com/x --event transaction_completed'.split(' ');

const plain = (...words: string[]) => runInProcess(fixture, words);
const assisted = (words: readonly string[], isTerminal = false, name = 'CLAUDECODE') =>
  runInProcess({ ...fixture, env: { ...fixture.env, [name]: '1' } }, words, { isTerminal });

async function json(...words: string[]) {
  return JSON.parse((await plain(...words, '--json')).out);
}

beforeAll(async () => {
  fixture = await createStoryFixture();
  ({ id } = await json('tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>'));
  const created = await json('webhooks', 'create', ...CREATE);
  webhook = created.id;
  const registered = await json(
    'sandbox',
    'apps',
    'create',
    'Orders',
    '--callback-url',
    'http://127.0.0.1:1/',
  );
  app = registered.id;
  const { url } = await json('tx', 'open', id);
  secrets.set('signing link', new URL(url).searchParams.get('token') ?? '');
  secrets.set('webhook', created.secret);
  secrets.set('client', registered.client_secret);
  secrets.set('notification', registered.notification_secret);
  secrets.set('control', (await json('sandbox', 'token', '--control')).control_secret);
  secrets.set('listen', (await json('events', 'listen', '--print-secret')).secret);
  secrets.set('access token', (await json('sandbox', 'token')).access_token);
  await writeFile(
    join(fixture.folder, 'seed.json'),
    '{"webhooks":[{"name":"S","endpoint":"https://hooks.example.com/s","events":["transaction_completed"]}]}',
  );
}, 60_000);

afterAll(() => fixture.close());

/** Lists what looks like a secret, whether it is known or was made by the command itself. */
function leaksIn(text: string): string[] {
  const known = [...secrets].flatMap(([name, value]) => (text.includes(value) ? [name] : []));
  return [
    ...known,
    ...(text.match(
      /whsec_[\w+/]{20,}|[?&](?:token|signature|code)=(?:3D)?[\w-]{16,}|"(?:\w*_)?(?:token|secret|password)":"[^("][^"]*"/g,
    ) ?? []),
  ];
}

/** Commands whose output has a secret. */
const leaky = (): [string, string[]][] => [
  ['tx send', ['tx', 'send', 'contract.pdf', '--to', 'Bob <bob@example.com>']],
  ['tx show', ['tx', 'show', id]],
  ['tx open', ['tx', 'open', id]],
  ['tx wait', ['tx', 'wait', id, '--timeout', '0s']],
  ['webhooks create', ['webhooks', 'create', ...CREATE]],
  ['webhooks rotate', ['webhooks', 'rotate', webhook]],
  ['apps create', ['sandbox', 'apps', 'create', 'P', '--callback-url', 'http://127.0.0.1:1/']],
  ['apps rotate', ['sandbox', 'apps', 'rotate', app]],
  ['users password', ['sandbox', 'users', 'password']],
  ['seed', ['sandbox', 'seed', 'seed.json']],
  ['sandbox open', ['sandbox', 'open']],
  ['mailbox open', ['sandbox', 'mailbox', 'open']],
  ['mailbox list', ['sandbox', 'mailbox', 'list']],
  ['api detail', ['api', 'transaction.detail', '-f', `transactionId=${id}`]],
  ['api token', ['api', 'sandbox.token']],
];

const harmless = (): string[][] => [
  ['tx', 'list'],
  ['tx', 'fields', id],
  ['tx', 'remind', id],
  ['webhooks', 'list'],
  ['webhooks', 'show', webhook],
  ['sandbox', 'apps', 'list'],
  ['sandbox', 'users', 'list'],
  ['sandbox', 'status'],
  ['events', 'list'],
  ['sandbox', 'export', 'all.zip', '--yes'],
  ['config', 'list'],
  ['doctor'],
  ['tx', 'show', 'nothing-like-it'],
];

describe('a session that a program with a language model runs', () => {
  test.each(SLOW ? ['pipe', 'terminal', '--json', '--jq', '--debug'] : ['pipe'])(
    'prints no secret: %s',
    async (way) => {
      const more = way === '--jq' ? ['--jq', '.'] : way.startsWith('--') ? [way] : [];
      const leaks: Record<string, string[]> = {};
      for (const words of [...leaky().map(([, words]) => words), ...harmless()]) {
        await rm(join(fixture.folder, 'all.zip'), { force: true });
        const { out, err } = await assisted([...words, ...more], way === 'terminal');
        const found = leaksIn(out + err);
        if (found.length > 0) leaks[words.join(' ')] = found;
      }
      const { out } = await assisted(['sandbox', 'mailbox', 'list', '--json']);
      for (const mail of JSON.parse(out).items.slice(0, 2))
        for (const form of [[], ['--html'], ['--eml'], ['--json']]) {
          const shown = await assisted(['sandbox', 'mailbox', 'show', mail.id, ...form], way === 'terminal');
          expect(shown.out).toContain(HIDDEN);
          const found = leaksIn(shown.out + shown.err);
          if (found.length > 0) leaks[`mail ${form}`] = found;
        }
      expect(leaks).toEqual({});
    },
    60_000,
  );

  test.skipIf(!SLOW)(
    'the same with --reveal, and without such a program, prints them',
    async () => {
      for (const [name, words] of leaky().filter(([name]) => name !== 'seed')) {
        const revealed = await assisted([...words, '--reveal', '--json']);
        expect([name, leaksIn(revealed.out).length > 0]).toEqual([name, true]);
        const { out } = await plain(...words, '--json');
        expect([name, leaksIn(out).length > 0]).toEqual([name, true]);
      }
    },
    60_000,
  );

  test.each([
    [['sandbox', 'token']],
    [['sandbox', 'token', '--raw']],
    [['sandbox', 'token', '--code']],
    [['sandbox', 'token', '--control', '--json']],
    [['events', 'listen', '--print-secret']],
    [['token']],
  ])('refuses %j, and names the ways out', async (words) => {
    const { code, out, err } = await assisted(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const { error } = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({
      code: 'secret_hidden',
      hint: expect.stringMatching(/--env-path.*--reveal/),
    });
  });

  test('refuses to make what has a secret that is shown once, and makes nothing', async () => {
    const counts = async () => {
      const { items: webhooks } = await json('webhooks', 'list');
      const { items: apps } = await json('sandbox', 'apps', 'list');
      return [webhooks.length, apps.length];
    };
    const before = await counts();
    const makers = leaky().filter(([name]) => /^(webhooks|apps|users) /.test(name));
    for (const [name, words] of makers) {
      const { code, err } = await assisted(words);
      expect([name, code, err]).toEqual([name, 2, expect.stringContaining('secret_hidden')]);
    }
    expect(makers).toHaveLength(5);
    expect(await counts()).toEqual(before);
    const { code, out } = await assisted(['webhooks', 'create', ...CREATE, '--env-path', 'webhook.env']);
    expect({ code, leaks: leaksIn(out) }).toEqual({ code: 0, leaks: [] });
  });

  test('writes them to a file', async () => {
    const { code, out, err } = await assisted(['sandbox', 'token', '--raw', '--env-path', 'token.env']);
    expect({ code, leaks: leaksIn(out + err) }).toEqual({ code: 0, leaks: [] });
    expect(await readFile(join(fixture.folder, 'token.env'), 'utf8')).toMatch(
      /^ESIGN_ACCESS_TOKEN=[\w-]{20,}\n$/,
    );
  });
});

describe('what it reads in a pipe', () => {
  test.each(Object.values(ASSISTANTS).flat())('is JSON with %s', async (name) => {
    const { out } = await assisted(['webhooks', 'show', webhook], false, name);
    expect(JSON.parse(out)).toMatchObject({ id: webhook });
  });

  test.each(['', '0', 'false'])('is no JSON where the variable is %j', async (value) => {
    const run = (env: Record<string, string>) =>
      runInProcess({ ...fixture, env: { ...fixture.env, ...env } }, ['webhooks', 'show', webhook]);
    expect(await run({ AGENT: value })).toEqual(await run({}));
  });

  test('is the text of help, and JSON of errors', async () => {
    expect((await assisted(['help', 'jq'])).out.startsWith('{')).toBe(false);
    expect((await assisted(['tx', '--help'])).out).toBe((await plain('tx', '--help')).out);
    expect(JSON.parse((await assisted(['txx'])).err)).toMatchObject({ error: { code: 'command_unknown' } });
  });

  test('is a table at a terminal, where no browser is opened', async () => {
    const { out } = await assisted(['sandbox', 'open'], true);
    expect(out).toMatch(/Sign-in URL/);
    expect(out).toContain(HIDDEN);
    expect(out).not.toContain('{');
  });
});
