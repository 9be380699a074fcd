// Secrets stay where they belong: a day's work with known ones, then everything that was printed and written is searched.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, openHarness } from '../support/harness.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { sharedPostgres } from '../support/servers/shared-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'bin', 'esign.js');
const CONTRACT = join(ROOT, 'test', 'fixtures', 'contract.pdf');
const TIMEOUT_MS = 240_000;

const postgres = needsPostgres();

let harness: Harness;
let home: string;
/** Everything that commands printed. */
let said: string[];

beforeEach(async () => {
  harness = await openHarness('over HTTP');
  home = await temporaryFolder();
  said = [];
});
afterEach(async () => {
  await harness.close();
  await rm(home, { recursive: true, force: true });
});

type Ran = { code: number | null; out: string; err: string };

async function esign(
  words: string[],
  { input = '', env = {} }: { input?: string; env?: object } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: home,
    env: { PATH: process.env.PATH, ESIGN_HOME: join(home, '.esign'), ...env },
  });
  const ran: Ran = { code: null, out: '', err: '' };
  child.stdout.on('data', (text) => {
    ran.out += text;
  });
  child.stderr.on('data', (text) => {
    ran.err += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  [ran.code] = (await once(child, 'close')) as [number | null];
  said.push(ran.out, ran.err);
  return ran;
}

/** Every file below, with its text. */
async function filesBelow(folder: string): Promise<[name: string, text: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path, await readFile(path, 'latin1')] as [string, string];
      }),
  );
}

async function application() {
  const { client_id, client_secret } = await harness.client['sandbox.add_client']({
    body: { name: 'CLI', callback_url: 'http://127.0.0.1:8976/callback' },
  });
  return { client_id, client_secret };
}

/** A code for the login that was begun with this output. */
async function codeFor(client_id: string, begun: string): Promise<string> {
  const code_challenge = /code_challenge=([\w-]+)/.exec(begun)?.[1] ?? '';
  const { code = '' } = await harness.client['sandbox.token']({
    body: { client_id, kind: 'code', code_challenge },
  });
  return code;
}

describe.skipIf(!SLOW)('secrets', () => {
  test(
    'stand in the login of the profile, and nowhere else',
    async () => {
      const { client_id, client_secret = '' } = await application();
      const remote = ['--base-url', harness.baseUrl, '--client-id', client_id];
      const begin = ['login', '--start', '--json', '--debug', ...remote, '--client-secret-file', '-'];
      const begun = await esign(begin, { input: client_secret });
      expect(begun.code).toBe(0);
      const code = await codeFor(client_id, begun.out);
      expect((await esign(['login', '--complete', '-', '--debug'], { input: code })).code).toBe(0);
      const file = join(home, '.esign', 'data', 'credentials', 'default.json');
      const { secrets } = JSON.parse(await readFile(file, 'utf8'));
      const { access_token, refresh_token } = secrets;
      expect(secrets.client_secret).toBe(client_secret);

      const to = ['--to', 'Ada <ada@example.com>', '--sender', 'Sandbox Sender <sender@esign.test>'];
      const sent = await esign(['tx', 'send', CONTRACT, ...to, '--json', '--debug']);
      expect(sent.code).toBe(0);
      const signingToken = new URL(JSON.parse(sent.out).url).searchParams.get('token') ?? '';
      expect(signingToken).not.toBe('');
      // What commands print when asked for the address is the address.
      said.splice(said.indexOf(sent.out), 1);

      const others = [
        ['whoami', '--json', '--check'],
        ['whoami', '--debug'],
        ['config', 'list'],
        ['profile', 'list', '--json'],
        ['templates', 'list', '--debug'],
        ['templates', 'show', 'unknown', '--debug', '--json'],
        ['tx', 'create', '--name', 'x'.repeat(300), '--debug'],
        ['webhooks', 'create', '--name', 'x', '--endpoint', 'https://x.example', '--event', 'y', '--debug'],
      ];
      for (const words of others.filter((_, index) => SLOW || index % 3 === 0)) await esign(words);
      // A service in trouble, and one that is not there.
      harness.clock.advance(2 * 3600 * 1000);
      await esign(['templates', 'list', '--debug', '--json']);
      const nowhere = { ESIGN_BASE_URL: 'http://127.0.0.1:9', ESIGN_ACCESS_TOKEN: access_token };
      expect((await esign(['templates', 'list', '--debug'], { env: nowhere })).code).toBe(7);
      const spoiled = {
        ESIGN_BASE_URL: harness.baseUrl,
        ESIGN_ACCESS_TOKEN: `${access_token} ${refresh_token}`,
      };
      expect((await esign(['templates', 'list', '--debug'], { env: spoiled })).code).toBe(2);

      const fresh = JSON.parse(await readFile(file, 'utf8')).secrets.access_token;
      expect(fresh).not.toBe(access_token);
      const secretMarkers = { client_secret, code, access_token, refresh_token, fresh, signingToken };
      for (const [name, secretMarker] of Object.entries(secretMarkers)) {
        for (const text of said) expect.soft(text, name).not.toContain(secretMarker);
        for (const [path, text] of await filesBelow(join(home, '.esign'))) {
          if (path !== file) expect.soft(text, `${name} in ${path}`).not.toContain(secretMarker);
        }
      }
    },
    TIMEOUT_MS,
  );

  test.skipIf(!SLOW)(
    'of the environment are written nowhere',
    async () => {
      const { client_id, client_secret } = await application();
      const { access_token = '', refresh_token = '' } = await harness.client['sandbox.token']({
        body: { client_id },
      });
      await mkdir(join(home, 'secrets'));
      await writeFile(join(home, 'secrets', 'refresh'), `${refresh_token}\n`);
      const env = {
        ESIGN_BASE_URL: harness.baseUrl,
        ESIGN_CLIENT_ID: client_id,
        ESIGN_CLIENT_SECRET: client_secret,
        ESIGN_REFRESH_TOKEN_FILE: join(home, 'secrets', 'refresh'),
        ESIGN_ACCESS_TOKEN: access_token,
      };
      harness.clock.advance(2 * 3600 * 1000);
      expect((await esign(['templates', 'list', '--debug', '--json'], { env })).code).toBe(0);
      expect((await esign(['tx', 'create', '--json'], { env })).code).toBe(0);
      expect((await esign(['whoami', '--json'], { env })).out).toContain('ESIGN_ACCESS_TOKEN');
      const secretMarkers = [client_secret, access_token, refresh_token];
      for (const secretMarker of secretMarkers) {
        for (const text of said) expect(text).not.toContain(secretMarker);
        for (const [path, text] of await filesBelow(join(home, '.esign')))
          expect(text, path).not.toContain(secretMarker);
      }
    },
    TIMEOUT_MS,
  );
});

const needsKeyring = needsCommand('gnome-keyring-daemon');
const needsBus = needsCommand('dbus-run-session');
const { skip, why } = needsKeyring.skip ? needsKeyring : needsBus;

describe('a login in the keyring', () => {
  test.skipIf(skip)(
    `works, and leaves no secret in a file${why}`,
    async () => {
      const { access_token = '' } = await harness.client['sandbox.token']({ body: {} });
      const script = [
        'printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null',
        'printf "%s" "$TOKEN" | "$NODE" "$PROGRAM" login --with-token --base-url "$BASE" --json',
        '"$NODE" "$PROGRAM" templates list --json',
        '"$NODE" "$PROGRAM" whoami --json',
        'cat "$ESIGN_HOME"/data/credentials/default.json >&2',
        '"$NODE" "$PROGRAM" logout --json',
      ];
      const child = spawn('dbus-run-session', ['--', 'sh', '-ec', script.join('\n')], {
        env: {
          PATH: process.env.PATH,
          HOME: home,
          XDG_RUNTIME_DIR: home,
          ESIGN_HOME: join(home, '.esign'),
          ESIGN_CREDENTIAL_STORE: 'keyring',
          TOKEN: access_token,
          BASE: harness.baseUrl,
          NODE: process.execPath,
          PROGRAM,
        },
      });
      const ran = { out: '', err: '' };
      child.stdout.on('data', (text) => {
        ran.out += text;
      });
      child.stderr.on('data', (text) => {
        ran.err += text;
      });
      const [code] = await once(child, 'close');
      expect([code, ran.err], ran.err).toEqual([0, expect.stringContaining('"place": "keyring"')]);
      const [login, templates, who, logout] = ran.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(login).toMatchObject({ stored_in: 'keyring' });
      expect(templates).toHaveProperty('items');
      expect(who).toMatchObject({ source: 'keyring' });
      expect(logout).toMatchObject({ logged_out: true });
      expect(ran.out + ran.err).not.toContain(access_token);
      for (const [path, text] of await filesBelow(join(home, '.esign')))
        expect(text, path).not.toContain(access_token);
    },
    TIMEOUT_MS,
  );
});

describe('the keys', () => {
  test.skipIf(postgres.skip)(
    `of a bucket are printed and written nowhere, whatever its server answers${postgres.why}`,
    async () => {
      const secretMarkers = { secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCY', token: 'FwoGZXIvYXdzEBYaDH+X/wE=' };
      const answers = [200, 301, 400, 403, 404, 500];
      let status = 0;
      // It repeats all that it gets, as an error of Amazon repeats what was signed.
      const server = createServer(async (request, response) => {
        request.resume();
        await once(request, 'end');
        const got = JSON.stringify([request.url, request.headers, secretMarkers]);
        response.writeHead(status, { 'x-amz-bucket-region': secretMarkers.token });
        response.end(`<Error><Code>${secretMarkers.secret}</Code><Message>${got}</Message></Error>`);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = await sharedPostgres().createDatabase();
      const env = {
        ESIGN_SERVE_DATABASE: url,
        ESIGN_SERVE_KEY: 'ab'.repeat(32),
        ESIGN_SERVE_BLOBS: 's3://documents/team',
        ESIGN_SERVE_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        ESIGN_SERVE_S3_PATH_STYLE: '1',
        ESIGN_SERVE_S3_ACCESS_KEY_ID: 'an-id',
        ESIGN_SERVE_S3_SECRET_ACCESS_KEY: secretMarkers.secret,
        ESIGN_SERVE_S3_SESSION_TOKEN: secretMarkers.token,
      };
      const check = ['serve', '--check', '--json', '--debug'];
      for (status of answers) expect((await esign(check, { env })).code).not.toBe(0);
      status = 403;
      const wrong: Record<string, string>[] = [
        { ESIGN_SERVE_S3_SECRET_ACCESS_KEY: `${secretMarkers.secret} x` },
        { ESIGN_SERVE_S3_SESSION_TOKEN: `${secretMarkers.token}\nx` },
        { ESIGN_SERVE_S3_ACCESS_KEY_ID: '' },
        { ESIGN_SERVE_BLOBS: '' },
        { ESIGN_SERVE_S3_ENDPOINT: `https://user:${secretMarkers.secret}@s3.example.com` },
        { ESIGN_SERVE_S3_ENDPOINT: 'https://127.0.0.1:9' },
      ];
      for (const one of wrong) expect((await esign(check, { env: { ...env, ...one } })).code).not.toBe(0);
      for (const words of [
        ['serve'],
        ['serve', 'migrate', '--debug'],
        ['store', 'copy', '--to', url, '--to-blobs', 's3://documents/copy', '--debug'],
      ])
        expect((await esign(words, { env })).code).not.toBe(0);
      await esign(['config', 'list', '--json'], { env });
      await esign(['doctor', '--json'], { env });
      expect(said.join('')).toContain('refuses the keys');
      for (const [name, secretMarker] of Object.entries(secretMarkers)) {
        for (const text of said) expect.soft(text, name).not.toContain(secretMarker);
        for (const [path, text] of await filesBelow(home))
          expect.soft(text, `${name} in ${path}`).not.toContain(secretMarker);
      }
      server.close();
      server.closeAllConnections();
      await sharedPostgres().dropDatabase(url);
    },
    TIMEOUT_MS,
  );
});
