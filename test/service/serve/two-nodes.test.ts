// A team as it works: two nodes on one PostgreSQL, behind nginx with TLS, used with the command line, a browser and a mail server.
import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadWords } from '../../../src/service/web/sign/words.ts';
import {
  createServerAuthority,
  type ServerAuthority,
} from '../../support/certificates/server-certificates.ts';
import { follow, launchChromium } from '../../support/chromium.ts';
import { openTerminal } from '../../support/command-line/terminal.ts';
import { type MailServer, startPlainMailServer } from '../../support/servers/mail-server.ts';
import { freePort } from '../../support/servers/ports.ts';
import {
  needsPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../../support/servers/postgres-server.ts';
import { type ReverseProxy, startNginx } from '../../support/servers/reverse-proxies.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { codeBlocks } from '../../support/stories/code-blocks.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../../support/stories/story.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

const EN = await loadWords('en');

const { skip, why } = unmet(
  needsPostgres(),
  needsCommand('nginx'),
  needsCommand('chromium'),
  needsCommand('openssl'),
  needsCommand('tmux'),
);

const readPage = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe.skipIf(skip)(`two nodes behind a reverse proxy${why}`, () => {
  let postgres: PostgresServer;
  let authority: ServerAuthority;
  let mail: MailServer;
  let receiver: WebhookReceiver;
  let proxy: ReverseProxy;
  let nodes: TeamNode[];
  let fixture: StoryFixture;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let origin: string;
  let settings: Record<string, string>;

  beforeAll(async () => {
    [postgres, browser, mail, fixture] = await Promise.all([
      startPostgresServer(),
      launchChromium(),
      startPlainMailServer(),
      createStoryFixture(),
    ]);
    authority = createServerAuthority();
    const certificate = authority.certificateFor('localhost');
    receiver = await startWebhookReceiver({ tls: certificate });
    const port = await freePort();
    origin = `https://localhost:${port}`;
    const key = join(fixture.folder, 'esign.key');
    settings = {
      ESIGN_SERVE_DATABASE: await postgres.createDatabase(),
      ESIGN_SERVE_KEY_FILE: key,
      ESIGN_SERVE_ORIGIN: origin,
      ESIGN_SERVE_TRUSTED_PROXY: '127.0.0.1',
      ESIGN_SERVE_MAIL_SMTP: `127.0.0.1:${mail.port}`,
      ESIGN_SERVE_MAIL_TLS: 'none',
      ESIGN_SERVE_MAIL_FROM: 'no-reply@example.com',
      ESIGN_SERVE_LOCAL_RECEIVERS: '1',
      ESIGN_CA_CERT: authority.file,
    };
    await prepare(settings);
    nodes = await Promise.all([startTeamNode(settings), startTeamNode(settings)]);
    const [nginx] = codeBlocks(await readPage('docs/self-hosting.md'), 'The proxy');
    const servers = (nginx?.code ?? '')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('sign.example.com', 'localhost')
      .replace('127.0.0.1:8081', `127.0.0.1:${nodes[0]?.port}`)
      .replace('127.0.0.1:8082', `127.0.0.1:${nodes[1]?.port}`);
    proxy = await startNginx(servers, certificate);
    Object.assign(fixture.env, settings, {
      ESIGN_CREDENTIAL_STORE: 'file',
    });
    context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en' });
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    for (const node of nodes ?? []) await node.kill();
    await postgres?.close();
    await mail?.close();
    await receiver?.close();
    authority?.close();
    await fixture?.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });

  /** Runs a command that must succeed. @returns what it printed as JSON */
  async function esign<T>(words: string): Promise<T> {
    const { code, out, err } = await runCommand(fixture, `esign ${words} --json`);
    expect([words, code, err.includes('"error"') ? err : '']).toEqual([words, 0, '']);
    return JSON.parse(out.trim().split('\n').at(-1) ?? '') as T;
  }

  /** Runs the lines of the README that lead to the first start, with the addresses of this test. */
  async function prepare(env: Record<string, string>): Promise<void> {
    const [block] = codeBlocks(await readPage('README.md'), 'For a team');
    const lines = (block?.code ?? '').split('\n').filter((line) => !line.includes('--listen'));
    const code = ['set -e', ...lines]
      .join('\n')
      .replace('postgres://esign@db.example.com:5432/esign', env.ESIGN_SERVE_DATABASE ?? '')
      .replace('https://sign.example.com', origin)
      .replace('mail.example.com:587', `127.0.0.1:${mail.port}`);
    const {
      code: exit,
      out,
      err,
    } = await runCommand({ ...fixture, env: { ...fixture.env, ESIGN_SERVE_MAIL_TLS: 'none' } }, code);
    expect([exit, err]).toEqual([0, '']);
    expect(out).toMatch(/warn\tsealing\tDocuments are sealed/);
    expect(out).toContain('ada@example.com');
  }

  const mailTo = (address: string) =>
    vi.waitFor(
      () => {
        const found = mail.taken.findLast(({ to }) => to.includes(address));
        if (!found) throw new Error(`No mail to ${address} yet.`);
        return found.message.toString().replace(/=\r\n/g, '').replaceAll('=3D', '=');
      },
      { timeout: 60_000, interval: 100 },
    );

  let id: string;

  test('the first user was added in the database, and registration is closed', async () => {
    const again = await runCommand(
      fixture,
      'esign serve user add "Ada <ada@example.com>" --company Engines --password-file password',
    );
    expect(again).toMatchObject({ code: 6, err: expect.stringContaining('exists already') });
    await page.goto(`${origin}/register`);
    await page.getByText('esign serve user add').waitFor();
    const control = await page.request.post(`${origin}/_sandbox/reset`, { data: {} });
    expect(control.status()).toBe(404);
  });

  test('a user signs in, creates an application, and logs in from the terminal', async () => {
    await page.goto(`${origin}/sign-in`);
    await field('Email').fill('ada@example.com');
    const password = await readFile(join(fixture.folder, 'password'), 'utf8');
    await field('Password').fill(password.trim());
    await follow(page, button('Sign in'));
    const cookies = await context.cookies(origin);
    expect(cookies.map(({ name, secure, httpOnly }) => [name, secure, httpOnly])).toContainEqual([
      '__Host-esign',
      true,
      true,
    ]);
    await page.goto(`${origin}/applications`);
    const callback = `http://localhost:${await freePort()}/callback`;
    await field('Name').fill('Orders');
    await field('Callback URL').fill(callback);
    await follow(page, button('Create'));
    const [client_id, client_secret] = await Promise.all([
      page.locator('#client-id').innerText(),
      page.locator('#client-secret').innerText(),
    ]);
    const opened = join(fixture.folder, 'open');
    await writeFile(opened, '#!/bin/sh\nprintf %s "$1" > link.part && mv link.part link\n', { mode: 0o755 });
    const terminal = await openTerminal({
      columns: 100,
      env: {
        ...fixture.env,
        ESIGN_BROWSER: opened,
        ESIGN_CLIENT_SECRET: client_secret,
        ESIGN_SENDER: 'Ada <ada@example.com>',
      },
      folder: fixture.folder,
    });
    // The service says where the dashboard and the signing pages are.
    await terminal.type(
      `esign login --base-url ${origin} --client-id ${client_id} --callback-url ${callback}; echo "exit $?"`,
    );
    await terminal.press('Enter');
    await terminal.until(/Waiting for the browser/);
    const link = await vi.waitFor(() => readFile(join(fixture.folder, 'link'), 'utf8'), { timeout: 30_000 });
    await page.goto(link);
    await button('Allow').click();
    await page.waitForURL(`${callback}/done`);
    expect(await terminal.until(/exit \d/)).toMatch(/exit 0/);
    await terminal.close();
    expect(await esign('whoami')).toMatchObject({ service: origin });
    const stored = await readFile(join(`${fixture.env.ESIGN_HOME}`, 'config', 'config.json'), 'utf8');
    expect(Object.values(JSON.parse(stored).profiles)).toEqual([
      expect.objectContaining({
        base_url: origin,
        dashboard_url: origin,
        app_url: origin,
        idempotency: true,
        field_values: true,
        preparations: true,
        recipient_ids: 'generate',
      }),
    ]);
  });

  test('a document that is sent reaches the recipient by email, with a link that works on every node', async () => {
    const webhook = await esign<{ id: string }>(
      `webhooks create --endpoint https://localhost:${receiver.port}/hook --name Orders --event transaction_completed --event recipient_submitted`,
    );
    expect(webhook.id).toBeTruthy();
    const sent = await esign<{ id: string }>(
      `tx send contract.pdf --to 'Bob <bob@example.com>' --sender 'Ada <ada@example.com>'`,
    );
    id = sent.id;
    const text = await mailTo('bob@example.com');
    const link = new RegExp(`${origin}/sign\\?token=[\\w-]+`).exec(text)?.[0];
    expect(text).toContain(origin);
    await context.close();
    context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en', javaScriptEnabled: false });
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
    await page.goto(link ?? '');
    await page.getByRole('checkbox').check();
    await follow(page, button(EN.start));
  });

  test('the pages of the document are drawn by whichever node is asked', async () => {
    const picture = new URL((await page.locator('figure img').first().getAttribute('src')) ?? '', origin)
      .href;
    for (let count = 0; count < 4; count += 1) {
      const response = await page.request.get(picture);
      expect([response.status(), response.headers()['content-type']]).toEqual([200, 'image/png']);
    }
  });

  test('the recipient signs in the browser, the transaction is completed, and each event is delivered once', async () => {
    await page.getByRole('link', { name: EN.signHere }).first().click();
    await button(EN.adopt).click();
    await button(EN.toReview).click();
    await button(EN.submit).click();
    const done = await esign<{ status: string }>(`tx wait ${id} --timeout 120s`);
    expect(done.status).toBe('completed');
    await vi.waitFor(
      () => {
        const types = receiver.received.map(({ body }) => JSON.parse(body).type);
        if (!types.includes('transaction_completed')) throw new Error(`Only ${types.join()} so far.`);
      },
      { timeout: 60_000, interval: 100 },
    );
    const ids = receiver.received.map((event) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the sealed document is downloaded and verified', async () => {
    await esign(`tx download ${id} --output out`);
    const stranger = await runCommand(fixture, 'esign verify out/*.pdf');
    expect(stranger.code).toBe(11);
    const verified = await runCommand(
      fixture,
      'esign serve ca > root.pem && esign verify --trust root.pem out/*.pdf',
    );
    expect([verified.code, verified.err]).toEqual([0, '']);
    expect(verified.out).toContain('valid');
    // Nothing of it says that it is a test.
    const root = new X509Certificate(await readFile(join(fixture.folder, 'root.pem')));
    expect(root.subject).toContain('CN=esign server root');
    const read = await runCommand(fixture, 'esign tx text out/*.pdf');
    const words = read.out.replaceAll(/^.*\t(?=\S+$)/gm, '').replaceAll('\n', ' ');
    expect(words).toContain('Certificate of the service itself');
    expect(verified.out + words).not.toMatch(/sandbox/i);
  });

  test.each([
    ['The proxy', 'ok\tproxy'],
    ['Upgrades', 'installation\t'],
  ])('the commands in the section "%s" of docs/self-hosting.md succeed', async (heading, printed) => {
    const block = codeBlocks(await readPage('docs/self-hosting.md'), heading).findLast(
      ({ language }) => language === 'sh',
    );
    const { code, out, err } = await runCommand(fixture, block?.code ?? '');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(printed);
  });

  test('one node is killed, and the other one answers', async () => {
    await nodes[0]?.kill();
    for (let count = 0; count < 6; count += 1) await esign(`tx show ${id}`);
    const sent = await esign<{ id: string }>(
      `tx send contract.pdf --to 'Bob <bob@example.com>' --sender 'Ada <ada@example.com>'`,
    );
    expect(sent.id).not.toBe(id);
  });

  test('a node that gets SIGTERM says that it is not ready, and ends in order', async () => {
    const node = nodes[1] as TeamNode;
    const stopping = node.stop();
    await vi.waitFor(
      async () => {
        const response = await fetch(`${node.url}/readyz`);
        expect(response.status).toBe(503);
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(await stopping).toBe(143);
    const lines = node.log().trim().split('\n');
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(node.log()).not.toContain('token=');
  });
});
