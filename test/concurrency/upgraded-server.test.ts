// `esign sandbox serve` runs while a newer version upgrades its store: it says so, ends, and has written nothing after that.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Migration } from '../../src/database/database.ts';
import { openSqlite } from '../../src/database/sqlite.ts';
import { migrations } from '../../src/service/store/migrations.ts';
import type { Tables } from '../../src/service/store/schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ESIGN = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));

const NEWER: Migration = {
  name: '9999-newer',
  up: (db) => db.schema.alterTable('transaction').addColumn('mood', 'text').execute(),
};

let home: string;
let server: ChildProcess;
let ended: Promise<[code: number | null, said: string]>;
let url: string;

beforeEach(async () => {
  home = await temporaryFolder();
  const env = { PATH: process.env.PATH, HOME: home, ESIGN_HOME: home, ESIGN_SOFFICE: 'off' };
  const words = ['sandbox', 'serve', '--port', '0', '--json', '--quiet'];
  server = spawn(process.execPath, [ESIGN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  server.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  ended = once(server, 'close').then(([code]) => [code, said]);
  const [line] = await once(server.stdout!, 'data');
  url = JSON.parse(String(line)).base_url;
});

afterEach(async () => {
  server.kill('SIGKILL');
  await ended;
  await rm(home, { recursive: true, force: true });
});

describe('a server whose store is upgraded by a newer version', () => {
  test('ends by itself and names the reason', async () => {
    const file = join(home, 'data', 'sandbox', 'store.db');
    const newer = await openSqlite<Tables>({ file, migrations: [...migrations('sqlite'), NEWER] });
    const rows = () => newer.read((db) => db.selectFrom('user').select('email').execute());
    const before = await rows();
    // Refused while it still answers.
    const headers = { authorization: 'Bearer nothing' };
    const answer = await fetch(`${url}/v1/user/me`, { headers }).catch(() => undefined);
    expect([503, undefined]).toContain(answer?.status);
    const [code, said] = await ended;
    expect(code).toBe(1);
    const { error } = JSON.parse(said.trim().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({ code: 'store_newer' });
    expect(error.message).toContain('was upgraded by a newer version of esign');
    expect(await rows()).toEqual(before);
    await newer.close();
  });
});
