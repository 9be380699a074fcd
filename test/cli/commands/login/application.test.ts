// What a login asks about its application before the browser opens, with every way that a profile comes to be: the service says
// whether there is a client secret and whether it knows PKCE, and what it has said once is kept.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runInProcess } from '../../../support/command-line/in-process.ts';
import { type ScriptedService, startScriptedService } from '../../../support/servers/scripted-service.ts';
import { createStoryFixture, type StoryFixture } from '../../../support/stories/story.ts';

const ADDRESSES = {
  dashboard_url: 'https://dashboard.example.com',
  app_url: 'https://sign.example.com',
  extensions: ['pkce'],
};
const PUBLIC = { ...ADDRESSES, application: { is_public: true } };
const ANN = { id: 'U', name: 'Ann', email: 'ann@example.com', company: { id: 'C', name: 'Ann Ltd' } };

let service: ScriptedService;
let document: { status: number; body: object };
beforeAll(async () => {
  service = await startScriptedService((response, { path }) => {
    if (path === '/v1/oauth/exchange/code') return response.end('{"access_token":"A","refresh_token":"R"}');
    if (path === '/v1/user/me') return response.end(JSON.stringify(ANN));
    return response.writeHead(document.status).end(JSON.stringify(document.body));
  });
});
afterAll(() => service.close());

let fixture: StoryFixture;
beforeEach(async () => {
  fixture = await createStoryFixture();
  document = { status: 200, body: PUBLIC };
});
afterEach(() => fixture.close());

const run = (line: string, env: Record<string, string> = {}) =>
  runInProcess(
    { ...fixture, env: { ...fixture.env, ESIGN_CREDENTIAL_STORE: 'file', ...env } },
    line.split(' '),
  );

const start = (env: Record<string, string> = {}) => run('login --start --client-id C-1 --json', env);
const create = () =>
  run(`profile create acme --base-url ${service.origin} --dashboard-url https://dashboard.example.com`);
const challenge = (out: string) => JSON.parse(out).authorize_url.includes('code_challenge=');
const stored = async () =>
  JSON.parse(await readFile(join(fixture.env.ESIGN_HOME ?? '', 'config', 'config.json'), 'utf8')).profiles
    .acme;

test('a profile that was created with its addresses needs no secret for a public application, and keeps the answer', async () => {
  await create();
  await run('profile use acme');
  const { code, out, err } = await start();
  expect([code, err]).toEqual([0, '']);
  expect(challenge(out)).toBe(true);
  expect(await run('login --complete CODE --json')).toMatchObject({ code: 0 });
  expect(await stored()).toMatchObject({ pkce: true });
});

test('the addresses of the environment need no secret for a public application', async () => {
  const { code, out } = await start({
    ESIGN_BASE_URL: service.origin,
    ESIGN_DASHBOARD_URL: 'https://dashboard.example.com',
  });
  expect([code, challenge(out)]).toEqual([0, true]);
});

test('a profile whose pkce is false asks the service nothing', async () => {
  await create();
  await run('profile use acme');
  await run('config set pkce false --profile acme');
  service.asked.length = 0;
  const { code, out } = await start({ ESIGN_CLIENT_SECRET: 's3cret' });
  expect([code, challenge(out), service.asked.length]).toEqual([0, false, 0]);
});

test.each([404, 503])(
  'a service that has never named PKCE and answers %i needs the secret',
  async (status) => {
    await create();
    await run('profile use acme');
    document = { status, body: {} };
    const { code, out } = await start({ ESIGN_CLIENT_SECRET: 's3cret' });
    expect([code, challenge(out)]).toEqual([0, false]);
    expect(await start()).toMatchObject({ code: 2, err: expect.stringContaining('--client-secret-file') });
  },
);

test.each<[string, number, object]>([
  ['fails', 503, {}],
  ['lacks the page', 404, {}],
  ['answers something else', 200, {}],
  ['names PKCE no longer', 200, { ...ADDRESSES, extensions: [] }],
])('a challenge is sent to a service that has named PKCE, even where it %s', async (_, status, body) => {
  await create();
  await run('profile use acme');
  await run('config set pkce true --profile acme');
  document = { status, body };
  const { code, out } = await start({ ESIGN_CLIENT_SECRET: 's3cret' });
  expect([code, challenge(out)]).toEqual([0, true]);
});

test('a profile that gets the address of another service has not heard of its PKCE', async () => {
  await run('profile create acme --base-url https://api.example.com');
  await run('profile use acme');
  await run('config set pkce true --profile acme');
  document = { status: 404, body: {} };
  const { code, out } = await run(
    `login --start --profile acme --base-url ${service.origin} --client-id C-1 --json`,
    { ESIGN_CLIENT_SECRET: 's3cret' },
  );
  expect([code, challenge(out)]).toEqual([0, false]);
  await run('login --complete CODE --json');
  const { base_url, pkce } = await stored();
  expect([base_url, pkce]).toEqual([service.origin, undefined]);
});

test('no secret is requested where a service that has named PKCE fails', async () => {
  await create();
  await run('profile use acme');
  await run('config set pkce true --profile acme');
  document = { status: 503, body: {} };
  const { code, err } = await start();
  expect([code, JSON.parse(err).error]).toEqual([
    7,
    expect.objectContaining({ code: 'application_unknown', retryable: true }),
  ]);
});

test.each([
  ['another user', 'Bob <bob@example.com>', 'Ann <ann@example.com>'],
  ['the user by another name', 'A. Smith <ANN@example.com>', 'A. Smith <ANN@example.com>'],
])(
  'a stored sender who is %s becomes the user only then, with ESIGN_SENDER set',
  async (_, before, after) => {
    await create();
    await run('profile use acme');
    await runInProcess(fixture, ['config', 'set', 'sender', before, '--profile', 'acme']);
    const env = { ESIGN_SENDER: 'Ann <ann@example.com>' };
    expect(await start(env)).toMatchObject({ code: 0 });
    const { code, out } = await run('login --complete CODE --json', env);
    expect([code, JSON.parse(out).sender, (await stored()).sender]).toEqual([0, after, after]);
  },
);
