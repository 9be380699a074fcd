// The proxies of docs/self-hosting.md, as they are configured there: a node knows the client of each request, whatever headers the client sends.
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createServerAuthority,
  type ServerAuthority,
} from '../../support/certificates/server-certificates.ts';
import { freePort } from '../../support/servers/ports.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import {
  type ReverseProxy,
  startCaddy,
  startHaproxy,
  startNginx,
} from '../../support/servers/reverse-proxies.ts';
import { prepareTeamDatabase, type TeamDatabase } from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { codeBlocks } from '../../support/stories/code-blocks.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../../support/stories/story.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

const { skip, why } = unmet(
  needsPostgres(),
  needsCommand('nginx'),
  needsCommand('haproxy'),
  needsCommand('caddy'),
  needsCommand('openssl'),
);

const FORGED = '198.51.100.77';

/** Every header by which some proxy or service names the client of a request. */
const FORGED_HEADERS = {
  forwarded: `for=${FORGED}`,
  'x-forwarded-for': FORGED,
  'x-real-ip': FORGED,
  'x-client-ip': FORGED,
  'x-cluster-client-ip': FORGED,
  'true-client-ip': FORGED,
  'cf-connecting-ip': FORGED,
  'fastly-client-ip': FORGED,
};

/** The documents have a name and the usual port. */
const STARTS = {
  nginx: (text: string, port: number) => text.replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`),
  caddyfile: (text: string, port: number) => text.replace('sign.example.com', `https://localhost:${port}`),
  haproxy: (text: string, port: number) => text.replace('bind :443', `bind 127.0.0.1:${port}`),
};
const PROGRAMS = { nginx: startNginx, caddyfile: startCaddy, haproxy: startHaproxy };

describe.skipIf(skip)(`behind a proxy that the documents configure${why}`, () => {
  let team: TeamDatabase;
  let authority: ServerAuthority;
  let fixture: StoryFixture;
  let port: number;
  let node: TeamNode;
  let proxy: ReverseProxy | undefined;
  let env: Record<string, string>;
  beforeAll(async () => {
    [team, fixture, port] = await Promise.all([prepareTeamDatabase(), createStoryFixture(), freePort()]);
    authority = createServerAuthority();
    env = {
      ...team.env,
      ESIGN_SERVE_ORIGIN: `https://localhost:${port}`,
      ESIGN_SERVE_TRUSTED_PROXY: '127.0.0.1',
      ESIGN_CA_CERT: authority.file,
    };
    node = await startTeamNode(env);
  });
  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
  });
  afterAll(async () => {
    await node?.kill();
    authority?.close();
    await fixture?.close();
    await team?.close();
  });

  async function startAsDocumented(language: keyof typeof STARTS): Promise<void> {
    const page = await readFile(new URL('../../../docs/self-hosting.md', import.meta.url), 'utf8');
    const block = codeBlocks(page, 'The proxy').find((each) => each.language === language);
    const text = STARTS[language](block?.code ?? '', port).replaceAll(
      /127\.0\.0\.1:808[12]/g,
      `127.0.0.1:${node.port}`,
    );
    proxy = await PROGRAMS[language](text, authority.certificateFor('localhost'));
    await vi.waitFor(() => ask('127.0.0.1', {}), { timeout: 60_000, interval: 100 });
  }

  /** @param from an address of this machine; only 127.0.0.1 is one of the proxies */
  const ask = (from: string, headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { port, host: 'localhost', family: 4, localAddress: from, path: '/sign-in' };
      request({ ...options, headers, rejectUnauthorized: false, agent: false }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      })
        .once('error', reject)
        .end();
    });

  const clientsSince = (length: number): unknown[] =>
    node
      .log()
      .slice(length)
      .split('\n')
      .filter((line) => line.includes('/sign-in'))
      .map((line) => JSON.parse(line).client);

  test.each(Object.keys(STARTS) as (keyof typeof STARTS)[])(
    '%s: the address of a client is the one that connected, and the check passes',
    async (language) => {
      await startAsDocumented(language);
      const { code, out } = await runCommand(
        { ...fixture, env: { ...fixture.env, ...env } },
        'esign serve --check --json',
      );
      const { checks } = JSON.parse(out) as { checks: { name: string; state: string; message: string }[] };
      expect([code, checks.find(({ name }) => name === 'proxy')]).toMatchObject([0, { state: 'ok' }]);
      const length = node.log().length;
      const cases = Object.entries(FORGED_HEADERS).map(([name, value]) => ({ [name]: value }));
      for (const headers of [...cases, FORGED_HEADERS, {}]) expect(await ask('127.0.0.2', headers)).toBe(200);
      await vi.waitFor(() => expect(clientsSince(length)).toHaveLength(cases.length + 2), {
        timeout: 30_000,
      });
      expect(new Set(clientsSince(length))).toEqual(new Set(['127.0.0.2']));
    },
  );
});
