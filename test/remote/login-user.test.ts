// A login where the service tells whose the access token is, and where it does not: most services lack the operation.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { type ScriptedService, startScriptedService } from '../support/servers/scripted-service.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

type Answer = Parameters<typeof startScriptedService>[0];

let runs: BuiltProgram;
let service: ScriptedService;
let answerOfUser: Answer;
let home: string;

beforeAll(async () => {
  runs = await openBuiltProgram();
  service = await startScriptedService((response, asked, count) =>
    asked.path === '/v1/oauth/exchange/code'
      ? response.end('{"access_token":"of-ann","refresh_token":"more"}')
      : answerOfUser(response, asked, count),
  );
});

beforeEach(() => {
  service.asked.length = 0;
  home = join(runs.folder, 'home-of-login');
});

afterEach(() => rm(home, { recursive: true, force: true }));

afterAll(async () => {
  await runs.close();
  await service.close();
});

const tells =
  (user: object): Answer =>
  (response) =>
    response.end(JSON.stringify(user));

const ANN = { id: 'U', name: 'Ann', email: 'ann@example.com', company: { id: 'C', name: 'Ann Ltd' } };

/** The login from its link to its code. */
async function logIn(flags: string[] = [], more: Record<string, string> = {}) {
  const env = { ESIGN_HOME: home, ESIGN_CREDENTIAL_STORE: 'file', ESIGN_CLIENT_SECRET: 'secret', ...more };
  const begun = await runs.run(
    ['login', '--start', '--base-url', service.origin, '--client-id', 'orders', ...flags, '--json'],
    env,
  );
  expect([begun.code, begun.err]).toEqual([0, '']);
  return runs.run(['login', '--complete', 'CODE', '--json'], env);
}

const kept = (file: string): Promise<string> =>
  readFile(join(home, file), 'utf8').catch((error: NodeJS.ErrnoException) => error.code ?? '');
const login = () => kept('data/credentials/default.json');
const profile = async () => JSON.parse(await kept('config/config.json')).profiles.default;

const askedForUser = () => service.asked.filter(({ path }) => path === '/v1/user/me');

describe('a login', () => {
  test('makes the user of the token the sender of a profile that has none', async () => {
    answerOfUser = tells(ANN);
    const { code, out } = await logIn();
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      user: { name: 'Ann', email: 'ann@example.com' },
      sender: 'Ann <ann@example.com>',
    });
    expect(await profile()).toMatchObject({ sender: 'Ann <ann@example.com>' });
    expect(askedForUser().map(({ headers }) => headers.authorization)).toEqual(['Bearer of-ann']);
  });

  test('keeps the sender it was given, in any case of letters', async () => {
    answerOfUser = tells(ANN);
    expect((await logIn(['--sender', 'A. Smith <ANN@example.com>'])).code).toBe(0);
    expect(await profile()).toMatchObject({ sender: 'A. Smith <ANN@example.com>' });
  });

  test('is refused with a sender who is another user, and nothing is stored', async () => {
    answerOfUser = tells(ANN);
    const { code, err } = await logIn(['--sender', 'Bob <bob@example.com>']);
    expect(code).toBe(2);
    expect(JSON.parse(err).error).toMatchObject({
      code: 'login_of_another_user',
      message: 'The access token belongs to Ann <ann@example.com>, not to bob@example.com.',
      hint: 'Nothing was stored. Log in as bob@example.com, or use --sender ann@example.com.',
    });
    expect(await login()).toBe('ENOENT');
    expect(await kept('config/config.json')).toBe('ENOENT');
    // The code is used up, so the login that was begun is over as well.
    expect(await kept('data/credentials/default.begun')).toBe('ENOENT');
  });

  test.skipIf(!SLOW)('is refused with an ESIGN_SENDER who is another user, and says so', async () => {
    answerOfUser = tells(ANN);
    const { code, err } = await logIn([], { ESIGN_SENDER: 'bob@example.com' });
    expect(code).toBe(2);
    expect(JSON.parse(err).error.hint).toContain('or set ESIGN_SENDER to ann@example.com.');
    expect(await login()).toBe('ENOENT');
  });

  const ANSWERS: [string, Answer][] = [
    ['lacks the operation', (response) => response.writeHead(404).end('{"message":"Not found"}')],
    ['knows the path for something else', (response) => response.writeHead(405).end()],
    ['wants a scope for it', (response) => response.writeHead(403).end('{}')],
    ['does not accept the token yet', (response) => response.writeHead(401).end('{}')],
    ['fails', (response) => response.writeHead(503, { 'retry-after': '1' }).end()],
    ['redirects', (response) => response.writeHead(302, { location: '/login' }).end()],
    ['answers with a page', (response) => response.end('<!doctype html><p>Hello')],
    ['names no email', tells({ id: 'U', name: 'Ann' })],
    ['names what is no email', tells({ ...ANN, email: 'ann>\u001b[2J' })],
    ['hangs up', (response) => response.destroy()],
    ['never answers', () => undefined],
  ];

  test.each(sampleOf(ANSWERS, 12))(
    'continues with the given sender where the service %s',
    async (_, answer) => {
      answerOfUser = answer;
      const { code, out, err } = await logIn(['--sender', 'Bob <bob@example.com>']);
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ user: null, sender: 'Bob <bob@example.com>' });
      expect(await login()).toContain('of-ann');
      expect(askedForUser()).toHaveLength(1);
    },
  );

  test.skipIf(!SLOW)('takes nothing from a name but what a sender may be called', async () => {
    answerOfUser = tells({ ...ANN, name: 'Ann\u001b]0;x\u0007 <eve@example.com>' });
    const { code, out } = await logIn();
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ sender: 'ann@example.com' });
  });
});

describe('whoami --check', () => {
  const check = async (answer: Answer) => {
    answerOfUser = (response, asked, count) =>
      asked.path === '/v1/user/me' ? answer(response, asked, count) : response.end('{"items":[],"meta":{}}');
    const env = { ESIGN_HOME: home, ESIGN_BASE_URL: service.origin, ESIGN_ACCESS_TOKEN: 'of-ann' };
    const { code, out } = await runs.run(['whoami', '--check', '--json'], env);
    expect(code).toBe(0);
    return JSON.parse(out);
  };

  test('shows the user of the token where the service states it, and no user where it does not', async () => {
    expect(await check(tells(ANN))).toMatchObject({
      is_accepted: true,
      user: { name: 'Ann', email: 'ann@example.com' },
    });
    expect(await check((response) => response.writeHead(404).end())).toMatchObject({
      is_accepted: true,
      user: null,
    });
  });
});
