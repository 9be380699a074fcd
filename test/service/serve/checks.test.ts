// Checks of a start that reach outside: a letter through a real mail server, and a request to the origin through a real reverse proxy.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createServerAuthority,
  type ServerAuthority,
} from '../../support/certificates/server-certificates.ts';
import { type MailServer, smtpError, startPlainMailServer } from '../../support/servers/mail-server.ts';
import { freePort } from '../../support/servers/ports.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { type ReverseProxy, startNginx } from '../../support/servers/reverse-proxies.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { prepareTeamDatabase, type TeamDatabase } from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../../support/stories/story.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsCommand('nginx'), needsCommand('openssl'));

type Finding = { name: string; state: string; message: string; hint: string | null };

describe.skipIf(skip)(`esign serve --check${why}`, () => {
  let team: TeamDatabase;
  let authority: ServerAuthority;
  let mail: MailServer;
  let fixture: StoryFixture;
  let port: number;
  let nodePort: number;
  let env: Record<string, string>;
  let proxy: ReverseProxy | undefined;
  let node: TeamNode | undefined;
  let other: TeamDatabase | undefined;

  beforeAll(async () => {
    [team, mail, fixture] = await Promise.all([
      prepareTeamDatabase(),
      startPlainMailServer(),
      createStoryFixture(),
    ]);
    authority = createServerAuthority();
    [port, nodePort] = [await freePort(), await freePort()];
    env = {
      ...fixture.env,
      ...team.env,
      ESIGN_SERVE_LISTEN: `127.0.0.1:${nodePort}`,
      ESIGN_SERVE_ORIGIN: `https://localhost:${port}`,
      ESIGN_SERVE_TRUSTED_PROXY: '127.0.0.1',
      ESIGN_SERVE_MAIL_SMTP: `127.0.0.1:${mail.port}`,
      ESIGN_SERVE_MAIL_TLS: 'none',
      ESIGN_SERVE_MAIL_FROM: 'no-reply@example.com',
      ESIGN_CA_CERT: authority.file,
    };
  });
  afterEach(async () => {
    await proxy?.close();
    await node?.kill();
    await other?.close();
    [proxy, node, other] = [undefined, undefined, undefined];
  });
  afterAll(async () => {
    await mail?.close();
    authority?.close();
    await fixture?.close();
    await team?.close();
  });

  /** @returns the exit code, and one finding */
  async function check(name: string, words = '', more: Record<string, string> = {}) {
    const command = `esign serve --check --json ${words}`;
    const { code, out } = await runCommand({ ...fixture, env: { ...env, ...more } }, command);
    const { checks = [] } = JSON.parse(out || '{}') as { checks?: Finding[] };
    return { code, ...checks.find((one) => one.name === name) };
  }

  const startProxy = (lines: readonly string[]): Promise<ReverseProxy> =>
    startNginx(
      `server {
        listen 127.0.0.1:${port} ssl;
        ssl_certificate cert.pem;
        ssl_certificate_key key.pem;
        location / { proxy_pass http://127.0.0.1:${nodePort}; ${lines.join(' ')} }
      }`,
      authority.certificateFor('localhost'),
    );

  const HOST = 'proxy_set_header Host $http_host;';
  const CLIENT = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;';

  test('sends a letter, and says who took it', async () => {
    const found = await check('mail', '--mail-to "Ada <ada@example.com>"');
    expect(found).toMatchObject({
      code: 0,
      state: 'ok',
      message: expect.stringContaining('ada@example.com'),
    });
    const [letter] = mail.taken;
    expect(letter).toMatchObject({ from: 'no-reply@example.com', to: ['ada@example.com'] });
    expect(letter?.message.toString()).toContain(`https://localhost:${port}`);
  });

  test('names the variables of a mail server that cannot be reached', async () => {
    const found = await check('mail', '', { ESIGN_SERVE_MAIL_SMTP: `127.0.0.1:${await freePort()}` });
    expect(found).toMatchObject({ state: 'warn', hint: expect.stringContaining('ESIGN_SERVE_MAIL_SMTP') });
  });

  test('fails when the mail server refuses the letter', async () => {
    const strict = await startPlainMailServer({
      onRcptTo: (_, __, done) => done(smtpError(550, 'No such user')),
    });
    const more = { ESIGN_SERVE_MAIL_SMTP: `127.0.0.1:${strict.port}` };
    const required = { ...more, ESIGN_SERVE_ALLOW: 'fonts' };
    const found = await check('mail', '--mail-to bob@example.com', required);
    expect(found).toMatchObject({ code: 1, state: 'fail', message: expect.stringContaining('550') });
    // As for a start, a check that is allowed to fail makes no failure of the command.
    const allowed = await check('mail', '--mail-to bob@example.com', more);
    expect(allowed).toMatchObject({ code: 0, state: 'warn', message: expect.stringContaining('550') });
    await strict.close();
  });

  test('makes the tables of an empty database, and changes none that are there', async () => {
    const server = sharedPostgres();
    const database = await server.createDatabase();
    const more = { ESIGN_SERVE_DATABASE: database };
    expect(await check('database', '', more)).toMatchObject({ code: 0, state: 'ok' });
    await server.run(`delete from schema_migration where name = '0003-cache-changes'`, database);
    expect(await check('migrations', '', more)).toMatchObject({
      code: 0,
      state: 'ok',
      message: expect.stringContaining('older version'),
    });
    const refused = await check('migrations', '--no-migrate', more);
    expect(refused).toMatchObject({ code: 2, state: 'fail', hint: expect.stringContaining('serve migrate') });
    const applied = await server.run(
      `select name from schema_migration where name = '0003-cache-changes'`,
      database,
    );
    expect(applied).toEqual([]);
    await server.dropDatabase(database);
  });

  test('refuses --mail-to without --check, and what is no address', async () => {
    const alone = await runCommand({ ...fixture, env }, 'esign serve --mail-to ada@example.com');
    expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('--check') });
    const wrong = await runCommand({ ...fixture, env }, 'esign serve --check --mail-to ada');
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('email_invalid') });
  });

  test('warns when the origin cannot be reached from here, and fails where that is required', async () => {
    expect(await check('proxy')).toMatchObject({
      code: 0,
      state: 'warn',
      message: expect.stringContaining('ECONNREFUSED'),
      hint: expect.stringContaining('--require proxy'),
    });
    const required = await check('proxy', '--require proxy');
    expect(required).toMatchObject({
      code: 1,
      state: 'fail',
      hint: expect.not.stringContaining('--require'),
    });
  });

  test.each([
    ['passes a proxy that reports host and client', [HOST, CLIENT], {}, 'ok', 'as 127.0.0.1'],
    [
      'warns of a proxy that is not trusted',
      [HOST, CLIENT],
      { ESIGN_SERVE_TRUSTED_PROXY: '198.51.100.1' },
      'warn',
      'not trusted',
    ],
    [
      'warns of a proxy that does not report its clients',
      [HOST, 'proxy_set_header X-Forwarded-For "";'],
      {},
      'warn',
      'does not report its clients',
    ],
    [
      'fails for a proxy that lets clients choose their address',
      [HOST],
      {},
      'fail',
      'a client chooses the address that is recorded for it',
    ],
    [
      'fails for a proxy that writes another header than the one that is believed',
      [HOST, 'proxy_set_header X-Real-IP $remote_addr;'],
      {},
      'fail',
      'passes on the header x-forwarded-for',
    ],
    [
      'passes the header that the proxy is said to write',
      [HOST, 'proxy_set_header X-Real-IP $remote_addr;'],
      { ESIGN_SERVE_CLIENT_HEADER: 'X-Real-IP' },
      'ok',
      'as 127.0.0.1',
    ],
    [
      'passes Forwarded, where the proxy is said to write it',
      [HOST, 'proxy_set_header Forwarded "for=$remote_addr;proto=https";'],
      { ESIGN_SERVE_CLIENT_HEADER: 'Forwarded' },
      'ok',
      'as 127.0.0.1',
    ],
    [
      'fails for another host',
      ['proxy_set_header Host backend;', CLIENT],
      {},
      'fail',
      '"backend" instead of "localhost"',
    ],
    [
      'warns of a proxy that drops the header',
      [HOST, CLIENT, 'proxy_set_header X-Esign-Probe "";'],
      {},
      'warn',
      'not that to this request',
    ],
  ])('%s', async (_, lines, more, state, message) => {
    proxy = await startProxy(lines);
    const found = await check('proxy', '', more);
    expect(found).toMatchObject({ state, message: expect.stringContaining(message) });
    expect(found.code).toBe(state === 'fail' ? 1 : 0);
  });

  test('fails when another installation answers, which learns and tells nothing', async () => {
    other = await prepareTeamDatabase();
    node = await startTeamNode(other.env, [], nodePort);
    proxy = await startProxy([HOST, CLIENT]);
    expect(await check('proxy')).toMatchObject({
      code: 1,
      state: 'fail',
      message: expect.stringContaining('does not lead'),
    });
    const health = await fetch(`${node.url}/healthz`, { headers: { 'x-esign-probe': 'a.b' } });
    expect(await health.json()).toEqual({ status: 'ok', installation: node.facts.installation });
  });

  test('finds a node that is already serving, and does not listen itself', async () => {
    node = await startTeamNode({ ...team.env, ESIGN_SERVE_TRUSTED_PROXY: '127.0.0.1' }, [], nodePort);
    proxy = await startProxy([HOST, CLIENT]);
    // A proxy would send it requests of clients.
    const ownPort = await freePort();
    let [isOver, wasListening] = [false, false];
    const looking = (async () => {
      while (!isOver) {
        wasListening ||= await canConnect(ownPort);
        await pause(2);
      }
    })();
    const found = await check('proxy', '', { ESIGN_SERVE_LISTEN: `127.0.0.1:${ownPort}` });
    isOver = true;
    await looking;
    expect(found).toMatchObject({ code: 0, state: 'ok' });
    expect(wasListening).toBe(false);
  });
});

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });
