// The users of a team server: who can sign in, new passwords, and a user who leaves the team, while a node serves.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { instantOf } from '../../../src/common/instant.ts';
import type { PostgresDatabase } from '../../../src/database/postgres.ts';
import { openTeamStore } from '../../../src/service/serve/team-store.ts';
import {
  findRefreshToken,
  findUser,
  insertToken,
  isVerified,
  listClients,
} from '../../../src/service/store/accounts/accounts.ts';
import { endAccess } from '../../../src/service/store/accounts/sessions.ts';
import { timeOrderedIds } from '../../../src/service/store/rows.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { SENDER } from '../../support/fixtures/transactions.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { prepareTeamDatabase, type TeamDatabase } from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { codeBlocks } from '../../support/stories/code-blocks.ts';
import { createStoryFixture, runCommand } from '../../support/stories/story.ts';

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`the users of a team server${why}`, () => {
  let prepared: TeamDatabase;
  let node: TeamNode;
  beforeAll(async () => {
    prepared = await prepareTeamDatabase();
    node = await startTeamNode(prepared.env);
  });
  afterAll(async () => {
    await node?.kill();
    await prepared?.close();
  });

  async function run(words: string[], input = '') {
    const { env, folder } = prepared;
    const variables = { HOME: folder, ESIGN_HOME: folder, ESIGN_SOFFICE: 'off', ...env };
    const { code, out, err } = await runInProcess({ env: variables, folder }, [...words, '--json'], {
      input,
    });
    return { code, out: JSON.parse(out || 'null'), error: err === '' ? undefined : JSON.parse(err).error };
  }

  const setPassword = (password: string, email = SENDER.email) =>
    run(['serve', 'user', 'password', email, '--password-file', '-'], password);

  const canSignIn = async (email = SENDER.email) => {
    const { out } = await run(['serve', 'user', 'list']);
    return out.items.find((user: { email: string }) => user.email === email)?.can_sign_in;
  };

  const cookiesOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');

  /** @returns the cookies of a session, or the status of the refusal */
  async function signIn(password: string): Promise<string | number> {
    const page = await fetch(`${node.url}/sign-in`, { headers: { accept: 'text/html' } });
    const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
    const response = await fetch(`${node.url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: node.url, accept: 'text/html', cookie: cookiesOf(page) },
      body: new URLSearchParams({ form_token, email: SENDER.email, password }),
    });
    return response.status === 303 ? cookiesOf(response) : response.status;
  }

  /** @returns 200 where the session is valid, otherwise 303 to the page for signing in */
  const dashboardStatus = async (cookie: string | number) =>
    (await fetch(`${node.url}/applications`, { redirect: 'manual', headers: { cookie: `${cookie}` } }))
      .status;

  const apiStatus = async () =>
    (
      await fetch(`${node.url}/v1/webhook?limit=1&page=1`, {
        headers: { authorization: `Bearer ${prepared.token}` },
      })
    ).status;

  test('a user who was added without a password is listed, and can sign in once one is set', async () => {
    expect(await canSignIn()).toBe(false);
    const made = await run(['serve', 'user', 'password', SENDER.email.toUpperCase()]);
    expect(made).toMatchObject({ code: 0, out: { email: SENDER.email, password: expect.any(String) } });
    expect(await canSignIn()).toBe(true);
    expect(await signIn(`${made.out.password}x`)).toBe(422);
    const cookie = await signIn(made.out.password);
    expect(await dashboardStatus(cookie)).toBe(200);
  });

  test('a new password ends the sessions, and no tokens', async () => {
    await setPassword('correct horse battery');
    const cookie = await signIn('correct horse battery');
    expect(await dashboardStatus(cookie)).toBe(200);
    expect(await setPassword('staple horse battery')).toEqual({ code: 0, out: { email: SENDER.email } });
    expect(await dashboardStatus(cookie)).toBe(303);
    expect(await signIn('correct horse battery')).toBe(422);
    expect(await dashboardStatus(await signIn('staple horse battery'))).toBe(200);
    expect(await apiStatus()).toBe(200);
  });

  test('a company whose name is similar to that of another one needs an option', async () => {
    const add = (person: string, ...more: string[]) =>
      run(['serve', 'user', 'add', person, '--password-file', '-', ...more], 'a long password');
    expect(await add('Lin <lin@example.com>', '--company', 'Harbours')).toMatchObject({ code: 0 });
    const refused = await add('Joe <joe@example.com>', '--company', 'harbours');
    expect(refused).toMatchObject({ code: 2, error: { code: 'company_unknown' } });
    expect(refused.error.hint).toContain('--company Harbours');
    expect(await canSignIn('joe@example.com')).toBeUndefined();
    expect(await add('Joe <joe@example.com>', '--company', 'Harbours')).toMatchObject({
      code: 0,
      out: { is_new_company: false },
    });
    const meant = await add('Ida <ida@example.com>', '--company', 'Harbour', '--new-company');
    expect(meant).toMatchObject({ code: 0, out: { company: 'Harbour', is_new_company: true } });
  });

  test('a password that is too short is refused with its least length and no other hint', async () => {
    const words = [
      'serve',
      'user',
      'add',
      'Kim <kim@example.com>',
      '--company',
      'Kim',
      '--password-file',
      '-',
    ];
    expect((await run(words, 'short')).error).toMatchObject({
      message: 'The password in --password-file must have at least 8 characters.',
      hint: null,
    });
  });

  test('a user who is disabled has no access until a password is set, and others keep theirs', async () => {
    const added = ['serve', 'user', 'add', 'Grace <grace@example.com>', '--company', 'Engines'];
    expect(await run([...added, '--password-file', '-'], 'a password of Grace')).toMatchObject({
      code: 0,
      out: { company: 'Engines', is_new_company: false },
    });
    await setPassword('correct horse battery');
    const cookie = await signIn('correct horse battery');
    expect(await apiStatus()).toBe(200);
    const unsure = await run(['serve', 'user', 'disable', SENDER.email]);
    expect([unsure.code, await apiStatus()]).toEqual([2, 200]);
    const disabled = await run(['serve', 'user', 'disable', SENDER.email, '--yes']);
    expect(disabled).toMatchObject({ code: 0, out: { email: SENDER.email, sessions: 1, tokens: 1 } });
    expect([await dashboardStatus(cookie), await apiStatus()]).toEqual([303, 401]);
    expect(await signIn('correct horse battery')).toBe(422);
    expect([await canSignIn(), await canSignIn('grace@example.com')]).toEqual([false, true]);
    const again = await run(['serve', 'user', 'disable', SENDER.email, '--yes']);
    expect(again.out).toMatchObject({ sessions: 0, tokens: 0 });
    await setPassword('correct horse battery');
    expect(await dashboardStatus(await signIn('correct horse battery'))).toBe(200);
    expect(await apiStatus()).toBe(401);
  });

  test('a new password lets a user in whose account was locked by wrong ones', async () => {
    await setPassword('correct horse battery');
    for (let attempt = 0; attempt < LIMITS.signInsPerEmail; attempt += 1)
      expect(await signIn('wrong horse battery')).toBe(422);
    expect(await signIn('correct horse battery')).toBe(429);
    await setPassword('staple horse battery');
    expect(await dashboardStatus(await signIn('staple horse battery'))).toBe(200);
  });

  test('no token that is refreshed meanwhile survives', async () => {
    const { url, key, folder } = prepared;
    const newId = timeOrderedIds(Date.now);
    const now = instantOf(Date.now());
    const facts = { now: () => now, newId, random: randomBytes };
    const options = { url, key, folder: join(folder, 'copies'), migrates: false };
    // Each has connections of its own, as each node has.
    const [database, ...others] = (await Promise.all(
      [1, 2, 3, 4].map(async () => (await openTeamStore(options, facts)).database),
    )) as [PostgresDatabase<Tables>, ...PostgresDatabase<Tables>[]];
    const user = await database.read((db) => findUser(db, SENDER.email));
    const [client] = await database.read((db) => listClients(db));
    const grant = {
      client_id: `${client?.id}`,
      user_id: `${user?.id}`,
      scopes: '',
      code_hash: null,
      expires_at: null,
    };
    const insert = (kind: 'access' | 'refresh', token: string) =>
      database.write((db) => insertToken(db, token, { ...grant, kind }, now));
    for (let round = 0; round < 20; round += 1) {
      const refresh = `refresh ${round}`;
      await insert('refresh', refresh);
      const refreshing = others.map((node, number) =>
        node.write(async (db) => {
          const known = await findRefreshToken(db, refresh, grant.client_id);
          if (known?.revoked_at !== null) return;
          await insertToken(db, `access ${round} ${number}`, { ...grant, kind: 'access' }, now);
        }),
      );
      await Promise.all([...refreshing, database.write((db) => endAccess(db, grant.user_id, now))]);
      const left = await database.read((db) =>
        db
          .selectFrom('token')
          .select('kind')
          .where('user_id', '=', grant.user_id)
          .where('revoked_at', 'is', null)
          .execute(),
      );
      expect([round, left]).toEqual([round, []]);
    }
    for (const one of [database, ...others]) await one.close();
  });

  test('a new password verifies a user who came without having been verified', async () => {
    const { url, key, folder } = prepared;
    const facts = { now: () => instantOf(Date.now()), newId: timeOrderedIds(Date.now), random: randomBytes };
    const options = { url, key, folder: join(folder, 'copies'), migrates: false };
    const { database } = await openTeamStore(options, facts);
    const user = await database.read((db) => findUser(db, SENDER.email));
    const id = `${user?.id}`;
    await database.write((db) => db.deleteFrom('verified_user').where('user_id', '=', id).execute());
    expect(await database.read((db) => isVerified(db, id))).toBe(false);
    await setPassword('correct horse battery');
    expect(await database.read((db) => isVerified(db, id))).toBe(true);
    await database.close();
  });

  test('each command of the page for administrators succeeds', async () => {
    const page = await readFile(new URL('../../../docs/self-hosting.md', import.meta.url), 'utf8');
    const code = codeBlocks(page, 'Users').map((block) => block.code.replaceAll('grace@', 'linus@'));
    expect(code.join('').trim().split('\n')).toHaveLength(5);
    const fixture = await createStoryFixture();
    const env = { ...fixture.env, ...prepared.env };
    const said = await runCommand({ ...fixture, env }, ['set -e', ...code].join('\n'));
    await fixture.close();
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('linus@example.com') });
    expect(await canSignIn('linus@example.com')).toBe(false);
  });

  test.each([
    ['password', 'nobody@example.com', 5, 'user_unknown'],
    ['disable', 'nobody@example.com', 5, 'user_unknown'],
    ['disable', 'nobody', 2, 'value_invalid'],
  ])('%s refuses %s', async (command, email, code, name) => {
    const refused = await run(['serve', 'user', command, email, '--yes']);
    expect([refused.code, refused.error.code]).toEqual([code, name]);
    expect(refused.error.message).toContain(email);
  });
});
