import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openKeyring } from '../../src/credentials/keyring.ts';
import { findPending, removePending, storePending } from '../../src/credentials/pending.ts';
import { createLoginStore, type Login, type LoginStore } from '../../src/credentials/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/keyring.js', import.meta.url));
const LOGIN: Login = {
  service: 'https://api.example.com',
  client_id: 'C-1',
  scopes: ['transaction:read'],
  linked_at: '2026-03-01T09:00:00.000Z',
  obtained_at: '2026-03-01T09:00:00.000Z',
  expires_in: 3600,
  access_token: 'ACCESS',
  refresh_token: 'REFRESH',
  client_secret: 'SECRET',
};

let root: string;
let dir: string;
beforeEach(async () => {
  root = await temporaryFolder();
  dir = join(root, 'deep', 'credentials');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const storeWith = (
  wish: 'keyring' | 'file' | undefined,
  variables: Record<string, string> = {},
  program = PROGRAM,
): LoginStore =>
  createLoginStore({ dir, preferredPlace: wish, keyring: { platform: 'linux', variables, program } });

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('a login in a file', () => {
  test('comes back as it was kept, and only its owner may read it', async () => {
    const store = storeWith('file');
    expect(await store.save('acme', LOGIN)).toMatchObject({ place: 'file', whyNotKeyring: undefined });
    expect(await store.find('acme')).toEqual(LOGIN);
    expect(await modeOf(store.fileOf('acme'))).toBe('600');
    expect(await modeOf(dir)).toBe('700');
    expect(await readdir(dir)).toEqual(['acme.json']);
  });

  test('closes a folder that was open', async () => {
    await mkdir(dir, { recursive: true });
    await chmod(dir, 0o755);
    await storeWith('file').save('acme', LOGIN);
    expect(await modeOf(dir)).toBe('700');
  });

  test('shows its facts without its secrets', async () => {
    const store = storeWith('file');
    await store.save('acme', LOGIN);
    const look = await store.inspect('acme');
    expect(look).toMatchObject({ place: 'file', details: { service: LOGIN.service, scopes: LOGIN.scopes } });
    expect(JSON.stringify(look)).not.toMatch(/ACCESS|REFRESH|SECRET/);
  });

  test('is one of each profile, whatever the profile is called', async () => {
    const store = storeWith('file');
    for (const profile of ['a', '../a', 'a/b', '..', 'ä'])
      await store.save(profile, { ...LOGIN, access_token: `T ${profile}` });
    for (const profile of ['a', '../a', 'a/b', '..', 'ä'])
      expect((await store.find(profile))?.access_token).toBe(`T ${profile}`);
    expect(await readdir(join(root, 'deep'))).toEqual(['credentials']);
  });

  test('is replaced as a whole, and removed', async () => {
    const store = storeWith('file');
    await store.save('acme', LOGIN);
    await store.save('acme', { ...LOGIN, refresh_token: undefined });
    expect((await store.find('acme'))?.refresh_token).toBeUndefined();
    expect(await store.remove('acme')).toBe(true);
    expect(await store.remove('acme')).toBe(false);
    expect(await store.find('acme')).toBeUndefined();
    expect(await readdir(dir)).toEqual([]);
  });

  test.each(
    sampleOf(
      [
        ['half a file', '{"version":1,"pla'],
        ['nothing', ''],
        ['another version', JSON.stringify({ version: 2 })],
        [
          'no tokens',
          JSON.stringify({ version: 1, place: 'file', service: 'x', linked_at: '', obtained_at: '' }),
        ],
        ['a list', '[]'],
      ],
      3,
    ),
  )('is refused when there is %s, and can be replaced and removed', async (_, text) => {
    const store = storeWith('file');
    await store.save('acme', LOGIN);
    await writeFile(store.fileOf('acme'), text);
    await expect(store.find('acme')).rejects.toMatchObject({ name: 'LoginUnreadableError' });
    await store.save('acme', LOGIN);
    expect(await store.find('acme')).toEqual(LOGIN);
    await writeFile(store.fileOf('acme'), text);
    expect(await store.remove('acme')).toBe(true);
  });

  test('survives that its process is killed while it is replaced', async () => {
    const store = storeWith('file');
    await store.save('acme', LOGIN);
    // A writer that was killed leaves what it had written so far.
    await writeFile(`${store.fileOf('acme')}.0123456789ab`, '{"version"');
    expect(await store.find('acme')).toEqual(LOGIN);
  });
});

describe('one at a time', () => {
  test('admits one process at a time, and the next one afterwards', async () => {
    const store = storeWith('file');
    const { signal } = new AbortController();
    const seen: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        store.withLock('acme', signal, async () => {
          seen.push(`${name} in`);
          await new Promise((resolve) => setTimeout(resolve, 15));
          seen.push(`${name} out`);
        }),
      ),
    );
    for (let at = 0; at < seen.length; at += 2) expect(seen[at + 1]).toBe(seen[at]?.replace('in', 'out'));
    expect(seen).toHaveLength(6);
  });

  test('lets go when what is done inside fails, and stops waiting with a signal', async () => {
    const store = storeWith('file');
    const controller = new AbortController();
    await expect(
      store.withLock('acme', controller.signal, () => Promise.reject(new Error('inside'))),
    ).rejects.toThrow('inside');
    await store.withLock('acme', controller.signal, async () => {
      const waiting = store.withLock('acme', controller.signal, async () => 'never');
      controller.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    });
  });
});

describe('without a keyring', () => {
  test('keeps the login in a file, and says why', async () => {
    const store = storeWith(undefined);
    const { place, whyNotKeyring } = await store.save('acme', LOGIN);
    expect(place).toBe('file');
    expect(whyNotKeyring).toContain('DBUS_SESSION_BUS_ADDRESS');
  });

  test('refuses when the keyring was insisted on, and keeps nothing', async () => {
    const store = storeWith('keyring');
    await expect(store.save('acme', LOGIN)).rejects.toMatchObject({ name: 'KeyringError' });
    expect(await store.find('acme')).toBeUndefined();
  });

  test('can be told before a login is made', async () => {
    await expect(storeWith('keyring').check()).rejects.toMatchObject({ name: 'KeyringError' });
    await storeWith('file').check();
    await storeWith(undefined).check();
    expect(await readdir(dir)).toEqual([]);
    await rm(dir, { recursive: true });
    await writeFile(dir, 'a file in the way');
    await expect(storeWith('file').check()).rejects.toMatchObject({ code: expect.any(String) });
  });

  test.skipIf(!SLOW)('gives up on one that does not answer', async () => {
    const socket = join(root, 'bus');
    const guests: Socket[] = [];
    const silent = createServer((guest) => guests.push(guest));
    await new Promise<void>((resolve) => {
      silent.listen(socket, resolve);
    });
    const variables = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
    const keyring = openKeyring({ platform: 'linux', variables, program: PROGRAM, answerWithinMs: 8000 });
    await expect(keyring.read('x')).rejects.toMatchObject({
      name: 'KeyringError',
      message: 'it did not respond within 8 seconds',
    });
    expect(guests).toHaveLength(1);
    // Its process is gone, and the connection with it.
    await new Promise((resolve) => guests[0]?.resume().once('close', resolve));
    for (const guest of guests) guest.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  test.each(
    sampleOf(
      [
        ['ends without a word', 'process.exit(1)'],
        ['says no JSON', 'process.stdout.write("Segmentation fault")'],
        ['is not there', undefined],
      ],
      3,
    ),
  )('works without a keyring whose process %s', async (_, program) => {
    const path = join(root, 'program.mjs');
    if (program !== undefined) await writeFile(path, program);
    const store = storeWith(undefined, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/none' }, path);
    expect((await store.save('acme', LOGIN)).place).toBe('file');
    expect(await store.find('acme')).toEqual(LOGIN);
  });
});

const needsKeyring = needsCommand('gnome-keyring-daemon');
const needsBus = needsCommand('dbus-run-session');
const { skip, why } = needsKeyring.skip ? needsKeyring : needsBus;

describe('the keyring of a desktop', () => {
  test.skipIf(skip)(
    `keeps the secrets, and the file only the facts${why}`,
    async () => {
      const script = join(root, 'in-session.mjs');
      await writeFile(script, SESSION);
      const ran = spawnSync(
        'dbus-run-session',
        [
          '--',
          'sh',
          '-c',
          `printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$0" "$@"`,
          process.execPath,
          script,
          PROGRAM,
        ],
        {
          encoding: 'utf8',
          timeout: 60_000,
          env: { ...process.env, HOME: root, XDG_DATA_HOME: join(root, 'xdg'), XDG_RUNTIME_DIR: root },
        },
      );
      expect(JSON.parse(ran.stdout)).toEqual([
        { ok: true, secret: null },
        { ok: true, secret: '{"access_token":"CANARY \\" ü"}' },
        { ok: true, secret: null },
        { ok: true, secret: null },
      ]);
    },
    90_000,
  );
});

/** Uses the built program of the keyring inside a session: writes, reads, removes, reads. */
const SESSION = `
import { spawnSync } from 'node:child_process';
const ask = (request) => JSON.parse(spawnSync(process.execPath, [process.argv[2]], { input: JSON.stringify(request), encoding: 'utf8' }).stdout);
const secret = JSON.stringify({ access_token: 'CANARY " ü' });
console.log(JSON.stringify([
  ask({ action: 'write', account: 'a', secret }), ask({ action: 'read', account: 'a' }),
  ask({ action: 'remove', account: 'a' }), ask({ action: 'read', account: 'a' }),
]));
`;

describe('a login that was begun', () => {
  test('is found by its profile, or as the last of all', async () => {
    await storePending(dir, { profile: 'acme', begunMs: 1, content: { a: 1 } });
    await storePending(dir, { profile: 'beta', begunMs: 2, content: { b: 1 } });
    expect((await findPending(dir, 'acme'))?.content).toEqual({ a: 1 });
    expect((await findPending(dir, undefined))?.profile).toBe('beta');
    expect(await modeOf(join(dir, 'acme.begun'))).toBe('600');
    await removePending(dir, 'beta');
    expect((await findPending(dir, undefined))?.profile).toBe('acme');
    await writeFile(join(dir, 'acme.begun'), '{"pro');
    expect(await findPending(dir, undefined)).toBeUndefined();
  });
});
