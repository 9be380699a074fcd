// `esign login` as a person does it: a real terminal, a real browser, the service on a port.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PASSWORD, registerUser } from '../support/browser-client.ts';
import { launchChromium } from '../support/chromium.ts';
import { openTerminal, type Terminal } from '../support/command-line/terminal.ts';
import { createApplication } from '../support/describe-dashboard.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { freePort } from '../support/servers/ports.ts';
import { createStoryFixture, type StoryFixture } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const needsBrowser = needsCommand('chromium');
const needsTmux = needsCommand('tmux');
const { skip, why } = needsBrowser.skip ? needsBrowser : needsTmux;
const TIMEOUT_MS = 240_000;

describe.skipIf(skip || !SLOW)(`logging in${why}`, () => {
  let browser: Browser;
  let service: Harness;
  let ada: Awaited<ReturnType<typeof registerUser>>;
  let context: BrowserContext;
  let page: Page;
  let fixture: StoryFixture;
  let terminal: Terminal;
  let callback: string;
  let asked: { client_id: string; client_secret: string };

  beforeAll(async () => {
    [browser, service] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
    ada = await registerUser(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  beforeEach(async () => {
    fixture = await createStoryFixture();
    callback = `http://localhost:${await freePort()}/callback`;
    asked = await createApplication(ada, callback);
    const { client_id, client_secret } = asked;
    await writeFile(
      join(fixture.folder, 'open'),
      '#!/bin/sh\nprintf %s "$1" > link.part && mv link.part link\n',
      {
        mode: 0o755,
      },
    );
    const env = {
      ...fixture.env,
      ESIGN_BROWSER: join(fixture.folder, 'open'),
      ESIGN_CREDENTIAL_STORE: 'file',
      ESIGN_CLIENT_SECRET: client_secret,
      ESIGN_SENDER: `Ada <${ada.email}>`,
      LOGIN: `login --base-url ${service.baseUrl} --client-id ${client_id} --callback-url ${callback}`,
    };
    terminal = await openTerminal({ columns: 100, env, folder: fixture.folder });
    context = await browser.newContext();
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    await terminal.close();
    await rm(fixture.folder, { recursive: true, force: true });
    expect(service.errors).toEqual([]);
  });

  const signedIn = () =>
    context.addCookies([...ada.jar].map(([name, value]) => ({ name, value, url: service.baseUrl })));
  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });

  /** Consent is given, and the browser goes no further. @returns where it was sent */
  async function allowed(): Promise<URL> {
    const sentTo = new Promise<string>((resolve) => {
      void page.route('**/oauth/authorize*', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        const answer = await route.fetch({ maxRedirects: 0 });
        resolve(answer.headers().location ?? '');
        await route.fulfill({ status: 204 });
      });
    });
    await button('Allow').click({ noWaitAfter: true });
    return new URL(await sentTo);
  }

  /** Starts the login in the terminal. @returns the link that a browser was given */
  async function begin(flags = '', { doesNotEcho = false } = {}): Promise<string> {
    const setUp = doesNotEcho
      ? `esign profile create far --base-url ${service.baseUrl} -q; esign config set echoes_state false --profile far -q; clear; `
      : '';
    const login = `$LOGIN ${flags} ${doesNotEcho ? '--profile far' : ''}`;
    await terminal.type(`${setUp}esign ${login}; echo "exit $?"`);
    await terminal.press('Enter');
    return linkGiven();
  }

  /** What the browser was started with; it may be a moment behind. */
  async function linkGiven(): Promise<string> {
    await terminal.until(/Waiting for the browser/);
    return vi.waitFor(() => readFile(join(fixture.folder, 'link'), 'utf8'), { timeout: 10_000 });
  }

  test(
    'takes a stranger from the terminal through signing in, with a wrong password first, and back',
    async () => {
      await page.goto(await begin());
      await page.getByLabel('Email', { exact: true }).fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await button('Sign in').click();
      await expect.poll(() => page.locator('.summary').innerText()).toContain('the password is wrong');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await button('Sign in').click();
      await button('Allow').click();
      await page.waitForURL(`${callback}/done`);
      await expect.poll(() => page.getByRole('heading').innerText()).toBe('You are logged in.');
      // Its own policy lets its style be.
      await expect
        .poll(() => page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth"))
        .not.toBe('none');
      const shown = await terminal.until(/exit \d/);
      expect(shown).toContain('Logged in.');
      expect(shown).toMatch(/exit 0/);
      expect(shown).not.toMatch(/code=/);
      // The address with the code is not where going back leads.
      await page.goBack().catch(() => undefined);
      expect(page.url()).not.toContain('code=');
      await terminal.type('clear; unset ESIGN_CLIENT_SECRET; esign whoami --check');
      await terminal.press('Enter');
      expect(await terminal.until(/Accepted/)).toContain('yes, the service accepts the token');
    },
    TIMEOUT_MS,
  );

  test(
    'ends with exit 4 when consent is denied',
    async () => {
      await signedIn();
      // What the profile and the flags do not say is asked for; the secret is not shown.
      const { client_id, client_secret } = asked;
      await terminal.type(
        `unset ESIGN_CLIENT_SECRET ESIGN_SENDER; esign login --callback-url ${callback}; echo "exit $?"`,
      );
      await terminal.press('Enter');
      for (const [question, answer] of [
        [/URL of the service/, service.baseUrl],
        [/Client ID of the OAuth application/, client_id],
        [/Client secret/, client_secret],
      ] as const) {
        await terminal.until(question);
        await terminal.type(answer);
        await terminal.press('Enter');
      }
      const asking = await terminal.until(/Waiting for the browser/);
      expect(asking.replace(/\s+/g, ' ')).toContain(`Its callback URL is ${callback}`);
      expect(asking).not.toContain(client_secret);
      await page.goto(await linkGiven());
      await button('Deny').click();
      await page.waitForURL(`${callback}/done`);
      await expect.poll(() => page.getByRole('heading').innerText()).toBe('The login failed.');
      const shown = await terminal.until(/exit \d/);
      expect(shown).toContain('consent_denied');
      expect(shown).toMatch(/exit 4/);
    },
    TIMEOUT_MS,
  );

  test(
    'is not ended by another page; the embedded service always sends back the state',
    async () => {
      await signedIn();
      await page.goto(await begin());
      const other = await context.newPage();
      const answer = await other.goto(`${callback}?code=EVIL&state=${'x'.repeat(43)}`);
      expect(answer?.status()).toBe(400);
      // A page elsewhere that makes the browser ask without showing it: no navigation.
      await other.setContent(
        `<img src="${callback}?code=EVIL"><iframe src="${callback}?code=EVIL"></iframe>`,
      );
      await terminal.until(/belongs to another login/);
      expect((await other.goto(`${callback}?code=EVIL`))?.status()).toBe(400);
      await terminal.until(/without the state parameter of this login was refused/);
      await page.goto((await allowed()).href);
      await expect.poll(() => page.url()).toBe(`${callback}/done`);
      expect(await terminal.until(/exit \d/)).toMatch(/exit 0/);
      const { profiles } = JSON.parse(
        await readFile(join(fixture.folder, '.esign', 'config', 'config.json'), 'utf8').catch(() => '{}'),
      );
      expect(Object.values(profiles ?? {})).toEqual([expect.objectContaining({ echoes_state: true })]);
    },
    TIMEOUT_MS,
  );

  test(
    'asks the person when a service that never sent back the state sends none, and --yes does not answer',
    async () => {
      await signedIn();
      await page.goto(await begin('--yes', { doesNotEcho: true }));
      const redirected = await allowed();
      redirected.searchParams.delete('state');
      const coming = page.goto(redirected.href);
      const asking = await terminal.until(/Did you just consent in the browser, as yourself\?/);
      expect(asking.replace(/\s+/g, ' ')).toContain('to an account that is not yours');
      await terminal.type('y');
      await terminal.press('Enter');
      await coming;
      expect(await terminal.until(/exit \d/)).toMatch(/exit 0/);
    },
    TIMEOUT_MS,
  );

  test(
    'ends when a second answer comes back beside one without a state',
    async () => {
      await signedIn();
      await page.goto(await begin('', { doesNotEcho: true }));
      const other = await context.newPage();
      const strange = other.goto(`${callback}?code=EVIL`).catch(() => undefined);
      await terminal.until(/Did you just consent/);
      await page.goto((await allowed()).href).catch(() => undefined);
      const shown = await terminal.until(/exit \d/);
      expect(shown).toContain('login_contested');
      expect(shown).toMatch(/exit 4/);
      await strange;
    },
    TIMEOUT_MS,
  );

  test(
    'says so in both places when the code has expired',
    async () => {
      await page.goto(await begin());
      await page.getByLabel('Email', { exact: true }).fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await button('Sign in').click();
      const link = await allowed();
      service.clock.advance(10 * 60_000);
      await page.goto(link.href);
      await expect.poll(() => page.getByRole('main').innerText()).toContain('The code expired');
      const shown = await terminal.until(/exit \d/);
      expect(shown).toContain('invalid_grant');
      expect(shown).toMatch(/exit 4/);
    },
    TIMEOUT_MS,
  );

  test(
    'is done by the first of two tabs',
    async () => {
      await signedIn();
      const link = await begin();
      const second = await context.newPage();
      await Promise.all([page.goto(link), second.goto(link)]);
      await button('Allow', second).click();
      await second.waitForURL(`${callback}/done`);
      expect(await terminal.until(/exit \d/)).toMatch(/exit 0/);
      await button('Allow').click();
      await page.waitForURL(/chrome-error|callback/).catch(() => undefined);
      await terminal.type('clear; esign templates list --json; echo "again $?"');
      await terminal.press('Enter');
      expect(await terminal.until(/again \d/)).toMatch(/again 0/);
    },
    TIMEOUT_MS,
  );

  test(
    'over SSH takes what the browser elsewhere ended at',
    async () => {
      await signedIn();
      await terminal.type('esign $LOGIN --no-browser; echo "exit $?"');
      await terminal.press('Enter');
      const shown = await terminal.until(/Paste the URL/);
      expect(shown).toMatch(/ssh -L (\d+):127\.0\.0\.1:\1 THIS-MACHINE/);
      const link = /http\S+authorize[\s\S]*?(?=\n\n)/.exec(shown)?.[0].replace(/\s+/g, '') ?? '';
      await page.goto(link);
      await terminal.type((await allowed()).href);
      await terminal.press('Enter');
      expect(await terminal.until(/exit \d/)).toMatch(/exit 0/);
    },
    TIMEOUT_MS,
  );
});
