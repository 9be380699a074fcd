// One refresh at a time across processes: an access token that has expired is refreshed by one, and used by all.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLoginStore, type Login, type LoginStore } from '../../src/credentials/store.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const PROCESSES = SLOW ? 20 : 2;
const TIMEOUT_MS = 240_000;
const PROGRAM = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));
const REFRESH = '/v1/oauth/refresh/token';

let harness: Harness;
let front: Front;
let home: string;
let store: LoginStore;

/** What stands before the service: counts, and does with a refresh what a test wants. */
type Front = {
  url: string;
  refreshes: number;
  /** Resolves to true when the request is to be passed on, to a status to answer with instead. */
  onRefresh: () => Promise<true | number>;
  close(): Promise<void>;
};

async function openFront(target: string): Promise<Front> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === REFRESH) {
      opened.refreshes += 1;
      const how = await opened.onRefresh();
      if (how !== true) {
        response.writeHead(how).end();
        return;
      }
    }
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const opened: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refreshes: 0,
    onRefresh: async () => true,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return opened;
}

beforeEach(async () => {
  harness = await openHarness('over HTTP');
  front = await openFront(harness.baseUrl);
  home = await temporaryFolder();
  await mkdir(join(home, 'config'), { recursive: true });
  await writeFile(
    join(home, 'config', 'config.json'),
    JSON.stringify({ profile: 'acme', profiles: { acme: { base_url: front.url } } }),
  );
  const dir = join(home, 'data', 'credentials');
  store = createLoginStore({ dir, preferredPlace: 'file', keyring: { platform: 'linux', variables: {} } });
  await store.save('acme', await loginOf());
  harness.clock.advance(2 * 3600 * 1000);
});

afterEach(async () => {
  await front.close();
  await harness.close();
  await rm(home, { recursive: true, force: true });
});

async function loginOf(): Promise<Login> {
  const { client } = harness;
  const made = await client['sandbox.add_client']({
    body: { name: 'CLI', callback_url: 'http://127.0.0.1:8976/callback' },
  });
  const { client_id, client_secret } = made;
  const tokens = await client['sandbox.token']({ body: { client_id } });
  const at = new Date(harness.clock.now).toISOString();
  return {
    service: front.url,
    client_id,
    client_secret,
    linked_at: at,
    obtained_at: at,
    access_token: tokens.access_token ?? '',
    refresh_token: tokens.refresh_token,
  };
}

type Run = { process: ChildProcess; ended: Promise<{ code: number | null; out: string; err: string }> };

function run(...extra: string[]): Run {
  const child = spawn(process.execPath, [PROGRAM, 'templates', 'list', '--json', ...extra], {
    env: { PATH: process.env.PATH, ESIGN_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  return {
    process: child,
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...said })),
  };
}

const several = (count: number): Run[] => Array.from({ length: count }, () => run());
const endsOf = (runs: Run[]) => Promise.all(runs.map(({ ended }) => ended));
const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

describe('an access token that has expired', () => {
  test.skipIf(!SLOW)(
    `is refreshed once by ${PROCESSES} processes, and all of them go on`,
    async () => {
      const before = await store.find('acme');
      front.onRefresh = async () => {
        await pause(300);
        return true;
      };
      const ends = await endsOf(several(PROCESSES));
      expect(ends.map(({ code, err }) => [code, err])).toEqual(ends.map(() => [0, '']));
      for (const { out } of ends) expect(JSON.parse(out)).toHaveProperty('items');
      expect(front.refreshes).toBe(1);
      const after = await store.find('acme');
      expect(after?.access_token).not.toBe(before?.access_token);
      expect(after?.refresh_token).toBe(before?.refresh_token); // assumed: A22
    },
    TIMEOUT_MS,
  );

  test.skipIf(!SLOW)(
    'is refreshed by another when the one who did it is killed',
    async () => {
      let arrived: () => void = () => undefined;
      const arrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      let release: () => void = () => undefined;
      const held = new Promise<number>((resolve) => {
        release = () => resolve(503);
      });
      front.onRefresh = () => {
        arrived();
        return front.refreshes === 1 ? held : Promise.resolve(true);
      };
      const first = run();
      await arrival;
      const others = several(PROCESSES - 1);
      await pause(400);
      first.process.kill('SIGKILL');
      const ends = await endsOf(others);
      release();
      expect((await first.ended).code).toBeNull();
      expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
      expect(front.refreshes).toBe(2);
    },
    TIMEOUT_MS,
  );
});

describe('a refresh that fails', () => {
  test.skipIf(!SLOW)('ends no login when the service is in trouble', async () => {
    const before = await store.find('acme');
    front.onRefresh = async () => 400;
    const { code } = await run().ended;
    expect(code).not.toBe(0);
    expect(await store.find('acme')).toEqual(before);
  });

  test('ends the login when the service says so, and only then', async () => {
    const login = await store.find('acme');
    await store.save('acme', { ...login, refresh_token: 'unknown' } as Login);
    const { code, err, out } = await run().ended;
    expect([code, out]).toEqual([4, '']);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'login_ended', exit: 4 } });
    expect(await store.find('acme')).toBeUndefined();
  });

  test.skipIf(!SLOW)('leaves a login alone that was made anew meanwhile', async () => {
    const fresh = await harness.client['sandbox.token']({ body: {} });
    const login = await store.find('acme');
    const { signal } = new AbortController();
    const waiting = await store.withLock('acme', signal, async () => {
      const started = run();
      await pause(1200);
      await store.save('acme', { ...login, access_token: fresh.access_token } as Login);
      return started;
    });
    expect((await waiting.ended).code).toBe(0);
    expect(front.refreshes).toBe(0);
    expect((await store.find('acme'))?.access_token).toBe(fresh.access_token);
  });

  test.skipIf(!SLOW)('asks for another login when there is nothing to refresh with', async () => {
    const login = await store.find('acme');
    await store.save('acme', { ...login, refresh_token: undefined } as Login);
    const { code, err } = await run().ended;
    expect(code).toBe(4);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'not_logged_in' } });
    expect(front.refreshes).toBe(0);
  });
});

describe('credentials of the environment', () => {
  test.skipIf(!SLOW)('are refreshed in memory, and never written down', async () => {
    const login = await store.find('acme');
    await store.remove('acme');
    const { code } = await new Promise<{ code: number | null }>((resolve) => {
      const child = spawn(process.execPath, [PROGRAM, 'templates', 'list', '--json'], {
        env: {
          PATH: process.env.PATH,
          ESIGN_HOME: home,
          ESIGN_CLIENT_ID: login?.client_id,
          ESIGN_CLIENT_SECRET: login?.client_secret,
          ESIGN_REFRESH_TOKEN: login?.refresh_token,
        },
        stdio: 'ignore',
      });
      child.once('close', (code) => resolve({ code }));
    });
    expect(code).toBe(0);
    expect(front.refreshes).toBe(1);
    expect(await store.find('acme')).toBeUndefined();
  });
});
