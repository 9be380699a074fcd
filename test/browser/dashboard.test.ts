// The dashboard in a real browser, with scripts and without: what headers promise, a browser has to keep.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, registerUser } from '../support/browser-client.ts';
import { follow, launchChromium } from '../support/chromium.ts';
import { createApplication } from '../support/describe-dashboard.ts';
import { refusalOf } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const need = needsCommand('chromium');

describe.skipIf(need.skip || !SLOW)(`in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  let callbacks: { url: string; server: Server; asked: URL[] };
  let ada: Awaited<ReturnType<typeof registerUser>>;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    [browser, harness, callbacks] = await Promise.all([
      launchChromium(),
      openHarness('over HTTP'),
      listenForCallbacks(),
    ]);
    ada = await registerUser(harness);
  });
  afterEach(async () => {
    await context.close();
    expect(harness.errors).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    callbacks?.server.close();
    await harness?.close();
  });

  async function open(javaScriptEnabled: boolean): Promise<void> {
    context = await browser.newContext({ javaScriptEnabled, baseURL: harness.baseUrl });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
  }

  /** Ada, who has signed in already. */
  async function openAsAda(javaScriptEnabled = true): Promise<void> {
    await open(javaScriptEnabled);
    await context.addCookies([...ada.jar].map(([name, value]) => ({ name, value, url: harness.baseUrl })));
  }

  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });

  /** Fills in what stands on the page by its labels. */
  async function fill(entries: Record<string, string>): Promise<void> {
    for (const [label, text] of Object.entries(entries))
      await page.getByLabel(label, { exact: true }).fill(text);
  }

  const linkTo = (client_id: string, state: string): string =>
    `/oauth/authorize?client_id=${client_id}&scopes=transaction:read%20file:create&state=${state}`;

  const codeOfLast = (): string => callbacks.asked.at(-1)?.searchParams.get('code') ?? '';

  const exchange = (application: { client_id: string; client_secret: string }, code = codeOfLast()) =>
    harness.clientWith(undefined)['oauth.exchange_code']({ body: { ...application, code } });

  describe.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('%s', (mode, javaScriptEnabled) => {
    beforeEach(() => open(javaScriptEnabled));

    test('leads from registering to an application, consent, and a code that the application can use', async () => {
      await page.goto('/register');
      const email = `grace-${javaScriptEnabled}@example.com`;
      await fill({ 'Your name': 'Grace', Company: `Navy ${mode}`, Email: email, Password: PASSWORD });
      await button('Register').click();
      await page.getByRole('navigation').getByRole('link', { name: 'Applications' }).click();
      await fill({ Name: 'Orders', 'Callback URL': `${callbacks.url}/callback` });
      await button('Create').click();
      const application = {
        client_id: await page.locator('#client-id').innerText(),
        client_secret: await page.locator('#client-secret').innerText(),
      };
      await page.goto(linkTo(application.client_id, 's%20t+%FF'));
      await expect
        .poll(() => page.getByRole('heading', { level: 1 }).innerText())
        .toBe('Orders asks for your consent');
      await button('Allow').click();
      await page.waitForURL(/\/callback/);
      expect(callbacks.asked.at(-1)?.search).toMatch(/^\?code=[\w-]{43}&state=s%20t\+%FF$/);
      expect((await exchange(application)).expires_in).toBe(3600);
      expect((await refusalOf(exchange(application))).message).toContain('already used');
    });

    test('leads a stranger through signing in back to the consent, and from Deny to the application', async () => {
      const { client_id } = await createApplication(ada, `${callbacks.url}/denied`);
      await page.goto(linkTo(client_id, 'S'));
      await fill({ Email: ada.email, Password: 'not the password' });
      await button('Sign in').click();
      await expect.poll(() => page.locator('.summary').innerText()).toContain('the password is wrong');
      await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('summary');
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(ada.email);
      await fill({ Password: PASSWORD });
      await page.keyboard.press('Enter');
      await button('Deny').click();
      await page.waitForURL(/\/denied/);
      expect(callbacks.asked.at(-1)?.search).toBe('?error=access_denied&state=S');
    });
  });

  test('keeps two tabs apart; a code expires, and a page of a user who has signed out does nothing', async () => {
    const bob = await registerUser(harness);
    const application = await createApplication(bob, `${callbacks.url}/callback`);
    await open(true);
    await context.addCookies([...bob.jar].map(([name, value]) => ({ name, value, url: harness.baseUrl })));
    const second = await context.newPage();
    await page.goto(linkTo(application.client_id, 'first'));
    await second.goto(linkTo(application.client_id, 'second'));
    await button('Allow').click();
    await page.waitForURL(/state=first$/);
    const early = codeOfLast();
    await button('Allow', second).click();
    await second.waitForURL(/state=second$/);
    await exchange(application, early);
    harness.clock.advance(10 * 60_000);
    expect((await refusalOf(exchange(application))).message).toContain('expired');
    await page.goto(linkTo(application.client_id, 'late'));
    await second.goto('/');
    await follow(second, button('Sign out', second));
    await button('Allow').click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/sign-in');
  });

  test('shows nothing of before after signing out, not with the back button either', async () => {
    const eve = await registerUser(harness);
    await open(true);
    await context.addCookies([...eve.jar].map(([name, value]) => ({ name, value, url: harness.baseUrl })));
    await page.goto('/');
    await page.goto('/applications');
    await fill({ Name: 'Orders', 'Callback URL': 'https://orders.example.com/' });
    await button('Create').click();
    const secret = await page.locator('#client-secret').innerText();
    await page.goto('/consents');
    await follow(page, button('Sign out'));
    // One gives no access: it tells this browser from one that guesses.
    const cookies = await context.cookies();
    expect(cookies.map(({ name }) => name.replace(/\d+/, 'PORT')).sort()).toEqual([
      'esign-PORT',
      'esign-PORT-known',
    ]);
    for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    for (let step = 0; step < 4; step += 1) {
      await page.goBack().catch(() => null);
      const shown = await whenSettled(page);
      for (const hidden of [secret, eve.email, eve.company, 'Orders']) expect(shown).not.toContain(hidden);
    }
  });

  test('reaches a callback under any name of this machine, from a page under another one', async () => {
    await openAsAda(false);
    const { port, family } = callbacks.server.address() as AddressInfo;
    for (const host of family === 'IPv6' ? ['localhost', '[::1]'] : ['localhost']) {
      const origin = `http://${host}:${port}`;
      const { client_id } = await createApplication(ada, `${origin}/named`);
      await page.goto(linkTo(client_id, 'x'));
      await button('Allow').click();
      await page.waitForURL(`${origin}/named?*`);
    }
  });

  test('is shown in no frame, runs no script, and its form leads nowhere else', async () => {
    const { client_id } = await createApplication(ada, `${callbacks.url}/callback`);
    await openAsAda();
    const violations: string[] = [];
    page.on('console', (message) => violations.push(message.text()));
    await page.goto(linkTo(client_id, 'x'));
    await page.evaluate(`
      document.body.insertAdjacentHTML('beforeend', '<img src="/icon.svg" onload="window.ran = true">');
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
    `);
    const before = callbacks.asked.length;
    await page.evaluate(`
      const form = document.querySelector('main form');
      form.action = '${callbacks.url.replace('127.0.0.1', 'localhost')}/stolen';
      form.submit();
    `);
    await expect.poll(() => violations.join('\n')).toContain('form-action');
    expect(violations.join('\n')).toContain('inline event handler');
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(callbacks.asked).toHaveLength(before);
    await page.goto(`${callbacks.url}/frame?${encodeURIComponent(`${harness.baseUrl}/sign-in`)}`);
    await expect.poll(() => violations.join('\n')).toContain('frame-ancestors');
  });

  test('refuses a form from a foreign page, though the cookie is sent with it', async () => {
    await openAsAda();
    const before = (await harness.client['sandbox.list_clients']()).items.length;
    await page.goto(`${callbacks.url}/attack?${encodeURIComponent(harness.baseUrl)}`);
    await button('Win').click();
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).innerText())
      .toBe('This form did not come from this site');
    expect((await harness.client['sandbox.list_clients']()).items).toHaveLength(before);
  });

  test('fits into 320 pixels and has a name for every control', async () => {
    const { client_id } = await createApplication(ada);
    await openAsAda(false);
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of ['/', '/company', '/applications', linkTo(client_id, 'x'), '/nothing']) {
      await page.goto(path);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 320]);
      const nameless = await page.evaluate(`
        [...document.querySelectorAll('input:not([type=hidden]), button, a')]
          .filter((one) => !(one.labels?.length || one.textContent.trim()))
          .map((one) => one.outerHTML)`);
      expect(nameless).toEqual([]);
    }
  });
});

/** What a page shows once it stays; going back may lead to one that is asked for anew. */
async function whenSettled(page: Page): Promise<string> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await page.waitForLoadState('load');
      return await page.content();
    } catch (error) {
      if (attempt === 5) throw error;
    }
}

/** Plays the application that gets the code, and a foreign page. */
async function listenForCallbacks() {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://callback');
    const given = decodeURIComponent(url.search.slice(1).split('&')[0] ?? '');
    response.setHeader('content-type', 'text/html');
    if (url.pathname === '/favicon.ico') return response.writeHead(404).end();
    if (url.pathname === '/frame') return response.end(`<iframe src="${given}"></iframe>`);
    if (url.pathname === '/attack')
      return response.end(
        `<form method="post" action="${given}/applications"><input name="name" value="Evil"><input name="callback_url" value="https://evil.example/"><button>Win</button></form>`,
      );
    asked.push(url);
    return response.end('<p>Linked.</p>');
  });
  // Every name of this machine, IPv4 and IPv6.
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, asked };
}
