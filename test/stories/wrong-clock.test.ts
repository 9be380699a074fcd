// The built program under a clock that jumps by ten days: what was sealed, sent, claimed, issued or begun before the jump keeps
// no process waiting after it. `faketime` sets the clock of each run; time that passes (monotonic) is real.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { shareOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const ESIGN = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

const { skip, why } = needsCommand('faketime');

let home: string;
let receiver: WebhookReceiver;
const running: ChildProcess[] = [];

beforeEach(async () => {
  home = await temporaryFolder();
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  for (const child of running.splice(0)) await end(child, 'SIGKILL');
  await receiver.close();
  await rm(home, { recursive: true, force: true });
});

/**
 * `faketime` makes a semaphore and shared memory named after its process ID, and fails where they exist. A process that was killed
 * leaves both, and a later process can get its ID.
 */
const FAKETIME = [
  ...['/bin/sh', '-c'],
  'rm -f "/dev/shm/sem.faketime_sem_$$" "/dev/shm/faketime_shm_$$"; exec faketime "$@"',
  'faketime',
];

/** Starts the program while the clock is off by so many days. */
function start(days: number, words: readonly string[], more: Record<string, string> = {}): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ESIGN_HOME: home,
    ESIGN_SOFFICE: 'off',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    ...more,
  };
  const program = [process.execPath, ESIGN, ...words];
  const [command, ...args] =
    days === 0 ? program : [...FAKETIME, '-f', `${days > 0 ? '+' : ''}${days}d`, ...program];
  // `faketime` waits for the program as its parent: a signal goes to both, as to a process group.
  const child = spawn(command!, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.push(child);
  return child;
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (isOver(child)) return;
  const closed = once(child, 'close');
  process.kill(-child.pid!, signal);
  await closed;
}

type Said = { code: number | null; out: string; err: string };

async function esign(days: number, words: readonly string[], more?: Record<string, string>): Promise<Said> {
  const child = start(days, words, more);
  const said: Said = { code: null, out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said.err += chunk;
  });
  [said.code] = await once(child, 'close');
  return said;
}

async function json(days: number, ...words: string[]) {
  const said = await esign(days, [...words, '--json']);
  expect(said, said.err).toMatchObject({ code: 0 });
  return JSON.parse(said.out);
}

const send = (days: number, ...more: string[]) =>
  json(days, 'tx', 'send', CONTRACT, '--to', 'Ada <ada@example.com>', ...more);

// Each is what the clock is off by, in days: at first, then, and at last.
const JUMPS: [number, number, number][] = [
  [10, 0, -10],
  [4, 0, 0],
  [-10, 0, 10],
  [0, -10, 0],
  [0, 10, -10],
];
describe.skipIf(skip).each(shareOf(JUMPS, 3))(
  `a clock that is off by %i, then %i, then %i days${why}`,
  (...jumps) => {
    const [first, second, third] = jumps;

    test('keeps no document from being sealed, and each seal is valid', async () => {
      for (const [index, days] of jumps.entries()) {
        const { id } = await send(days);
        await json(days, 'sandbox', 'sign', id);
        expect(await json(days, 'tx', 'show', id)).toMatchObject({ outcome: 'completed' });
        await json(days, 'tx', 'download', id, '-o', `${index}`);
        const verified = await esign(days, [
          'verify',
          join(home, `${index}`, 'contract.sealed.pdf'),
          '--level',
          'LTA',
        ]);
        expect(verified, verified.out).toMatchObject({ code: 0 });
        const doctor = await json(days, 'doctor');
        expect(doctor.checks).toContainEqual(expect.objectContaining({ name: 'sealing', state: 'ok' }));
      }
    });

    test('keeps no signer waiting who had begun before the jump', async () => {
      const { id } = await json(
        first,
        ...['tx', 'send', CONTRACT, '--to', 'Ada <ada@example.com>', '--to', 'Bob <bob@example.com>'],
      );
      await json(second, 'sandbox', 'sign', id);
      await json(third, 'sandbox', 'sign', id);
      expect(await json(third, 'tx', 'show', id)).toMatchObject({ outcome: 'completed' });
    });

    test('keeps no delivery waiting, and a command that only reads sends it', async () => {
      receiver.answer = (_, response) => response.writeHead(500).end();
      const { id } = await send(first, '--notify', receiver.url);
      const before = receiver.received.length;
      expect(before).toBeGreaterThan(0);
      receiver.answer = (_, response) => response.writeHead(204).end();
      await json(second, 'tx', 'show', id);
      await json(third, 'tx', 'show', id);
      // From the first jump of the clock on nothing is left of the schedule of before, where the clock is behind; where it is ahead
      // everything is due.
      expect(new Set(receiver.received.slice(before).map((one) => one.id))).toEqual(
        new Set(receiver.received.slice(0, before).map((one) => one.id)),
      );
    });

    test('lets no killed server keep others from delivering', async () => {
      const server = start(first, ['sandbox', 'serve', '--port', '0', '--json', '--quiet']);
      await once(server.stdout!, 'data');
      receiver.answer = () => undefined;
      const { id } = await send(first, '--notify', receiver.url);
      while (receiver.received.length === 0) await new Promise((done) => setTimeout(done, 20));
      await end(server, 'SIGKILL');
      const before = receiver.received.length;
      receiver.answer = (_, response) => response.writeHead(204).end();
      await json(second, 'tx', 'show', id);
      expect(receiver.received.length).toBeGreaterThan(before);
      expect((await json(second, 'events', 'list', '--undelivered')).items).toEqual([]);
    });

    test('leaves a login usable, and codes and tokens can be issued', async () => {
      let refresh: { client_id: string; client_secret: string; refresh_token: string } | undefined;
      const app = await json(
        first,
        'sandbox',
        'apps',
        'create',
        'App',
        '--callback-url',
        'http://127.0.0.1:9/callback',
      );
      for (const days of jumps) {
        const server = start(days, ['sandbox', 'serve', '--port', '0', '--json', '--quiet']);
        const [line] = await once(server.stdout!, 'data');
        const { base_url } = JSON.parse(String(line));
        const post = async (path: string, body: object) => {
          const response = await fetch(base_url + path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          expect(response.status, path).toBe(200);
          return response.json() as Promise<{ access_token: string; refresh_token: string }>;
        };
        const { client_id, client_secret } = app;
        const tokens = refresh ? [await post('/v1/oauth/refresh/token', refresh)] : [];
        const { code } = await json(days, 'sandbox', 'token', '--code', '--client', client_id);
        tokens.push(await post('/v1/oauth/exchange/code', { client_id, client_secret, code }));
        for (const { access_token } of tokens) {
          const answer = await fetch(`${base_url}/v1/webhook?limit=1&page=1`, {
            headers: { authorization: `Bearer ${access_token}` },
          });
          expect(answer.status).toBe(200);
        }
        refresh = { client_id, client_secret, refresh_token: tokens.at(-1)!.refresh_token };
        await end(server, 'SIGTERM');
      }
    });

    test('an interrupted plan can be resumed', async () => {
      const cut = await esign(first, ['tx', 'send', CONTRACT, '--to', 'Ada <ada@example.com>', '--json'], {
        ESIGN_FAULTS: 'refuse_connection:3',
      });
      expect(cut.code).not.toBe(0);
      const { plan } = JSON.parse(cut.err.split('\n')[0]!);
      expect(await json(second, 'tx', 'send', '--resume', plan)).toMatchObject({ outcome: 'started' });
    });
  },
);
