// The signing pages in a real browser: without a script, by keyboard alone, for a screen reader, and in whatever size.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useSystemFontFolders } from '../../src/pdf/fonts/system-fonts.ts';
import { loadWords } from '../../src/service/web/sign/words.ts';
import { follow, launchChromium } from '../support/chromium.ts';
import {
  adoptSignature,
  fillInByLabels,
  fillInEverything,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
  startWithUnshownText,
} from '../support/fixtures/signing-pages.ts';
import { currentToken, endTransaction, readDetail } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW, shareOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const EN = await loadWords('en');

const need = needsCommand('chromium');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(need.skip)(`signing pages in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    useSystemFontFolders([]);
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
  });
  afterEach(async () => {
    await context.close();
    expect(harness.errors).toEqual([]);
  });
  afterAll(async () => {
    useSystemFontFolders(undefined);
    await browser?.close();
    await harness?.close();
  });

  async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
    context = await browser.newContext({ baseURL: harness.baseUrl, locale: 'en', ...options });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const path = () => new URL(page.url()).pathname;

  async function agree(token: string): Promise<void> {
    await page.goto(`/sign?token=${token}`);
    await page.getByRole('checkbox').check();
    await follow(page, button(EN.start));
  }

  test('without a script: two people sign one after another, and are led from page to page', async () => {
    await open({ javaScriptEnabled: false });
    const transaction = await startWithEveryField(harness, [SIGNER, PROXY]);
    for (const token of [transaction.token, undefined]) {
      await agree(token ?? (await currentToken(harness, transaction.id)));
      await button(EN.toReview).click();
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('“');
      await page.getByRole('link', { name: EN.signHere }).first().click();
      await button(EN.adopt).click();
      await fillInByLabels(page);
      await button(EN.toReview).click();
      await button(EN.submit).click();
      await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toMatch(/signed/);
    }
    expect(await readDetail(harness, transaction.id)).toMatchObject({ status: 'completed' });
  });

  test('the token is in no address that the browser keeps', async () => {
    await open();
    const { token, recipientId } = await startWithEveryField(harness);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.headers().referer ?? ''));
    await agree(token);
    await page.waitForURL(/document/);
    await page.goBack();
    await expect.poll(path).toMatch(new RegExp(`^/sign/${recipientId}(/document)?$`));
    expect(asked.join()).not.toContain(token);
    expect(await page.evaluate('location.href + document.title + document.referrer')).not.toContain(token);
  });

  test('without a script: text that no font has is confirmed before anything is signed', async () => {
    await open({ javaScriptEnabled: false });
    const { id, token, recipientId } = await startWithUnshownText(harness, ['계약 금액 1,000원']);
    await agree(token);
    const region = page.getByRole('region', { name: EN.unshownTitle });
    await region.getByText('계약 금액 1,000원', { exact: true }).waitFor();
    await adoptSignature(await openSigningPages(harness, token));
    await page.goto(`/sign/${recipientId}/review`);
    await region.getByText('계약 금액 1,000원', { exact: true }).waitFor();
    await button(EN.submit).click();
    await page.getByRole('alert').getByRole('link', { name: EN.unshownFirst }).click();
    const box = page.getByRole('checkbox', { name: EN.unshownConfirm, description: EN.unshownFirst });
    await box.and(page.locator(':focus')).waitFor();
    expect((await readDetail(harness, id)).status).toBe('started');
    await page.keyboard.press('Space');
    await button(EN.submit).click();
    await expect.poll(async () => (await readDetail(harness, id)).status).toBe('completed');
  });

  test('can be signed by keyboard alone', async () => {
    await open({ javaScriptEnabled: false });
    const { id, token } = await startWithEveryField(harness);
    await page.goto(`/sign?token=${token}`);
    await press(page, EN.agree, 'Space');
    await press(page, EN.start, 'Enter');
    await press(page, EN.signHere, 'Enter');
    await press(page, EN.adopt, 'Enter');
    await fillInByLabels(page);
    await press(page, EN.toReview, 'Enter');
    await press(page, EN.submit, 'Enter');
    await expect.poll(async () => (await readDetail(harness, id)).status).toBe('completed');
  });

  test.skipIf(!SLOW).each([
    ['long words', 'W'.repeat(250)],
    ['text from right to left', '\u0627\u0644\u0639\u0642\u062f '.repeat(40).trim()],
    ['markup', '"><style>*{display:none}</style><dialog open>'],
  ])('%s of a sender make no page wider than a telephone, and hide no button', async (_, text) => {
    await open({ viewport: { width: 360, height: 740 } });
    const { token, recipientId } = await startWithEveryField(harness, [{ ...SIGNER, name: text }], text);
    const found: string[] = [];
    const look = async (name: string, label: string) => {
      if (await overflows(page)) found.push(`${name} is wider than the screen`);
      const place = button(label).first();
      await place.scrollIntoViewIfNeeded();
      // Playwright presses nothing that something else lies over.
      await place.click({ trial: true });
    };
    await page.goto(`/sign?token=${token}`);
    await look('start', EN.start);
    await agree(token);
    await page.waitForURL(/document/);
    if (await overflows(page)) found.push('document is wider than the screen');
    await page.goto(`/sign/${recipientId}/signature`);
    await look('signature', EN.adopt);
    await page.goto(`/sign/${recipientId}/reject`);
    await look('reject', EN.rejectNow);
    expect(found).toEqual([]);
  });

  const [TELEPHONE, DESK] = [
    { width: 360, height: 740 },
    { width: 1280, height: 900 },
  ];

  const places = [
    ['a telephone in the dark', { viewport: TELEPHONE, colorScheme: 'dark' }],
    ['a telephone by day', { viewport: TELEPHONE, colorScheme: 'light' }],
    ['a desk', { viewport: DESK, colorScheme: 'light' }],
    ['a desk in the dark', { viewport: DESK, colorScheme: 'dark' }],
  ] as const;
  describe.skipIf(!SLOW).each(shareOf(places, 4))('on %s', (_, options) => {
    test('every page and state is accessible, and fits', { timeout: 240_000 }, async () => {
      await open(options);
      const found: string[] = [];
      const look = async (name: string) => {
        found.push(...(await violationsOf(page)).map((one) => `${name}: ${one}`));
        if (await overflows(page)) found.push(`${name}: is wider than the screen`);
      };
      const transaction = await startWithEveryField(harness, [SIGNER, PROXY]);
      const { token, recipientId } = transaction;
      const at = (rest: string) => page.goto(`/sign/${recipientId}/${rest}`);
      await page.goto(`/sign?token=${token}`);
      await look('start');
      await agree(token);
      await look('document');
      await page.locator('html.scripted').waitFor();
      await page.locator('a[data-sign]').first().dispatchEvent('click');
      await page.getByRole('dialog').waitFor();
      for (const way of [EN.draw, EN.upload, EN.type]) {
        await page.getByRole('tab', { name: way }).click();
        await look(`dialog, ${way}`);
      }
      await page.keyboard.press('Escape');
      await at('review');
      await look('problems');
      await at('signature');
      await look('signature');
      await fillInEverything(harness, await openSigningPages(harness, token), transaction);
      await at('document');
      await look('document, filled in');
      await at('review');
      await look('review');
      await at('reject');
      await look('reject');
      await follow(page, button(EN.rejectNow));
      await look('reject without a reason');
      await at('review');
      await follow(page, button(EN.submit));
      await look('signed');
      const unshown = await startWithUnshownText(harness, ['계약 금액 1,000원', '김철수']);
      await agree(unshown.token);
      await look('document with text that is not shown');
      await adoptSignature(await openSigningPages(harness, unshown.token));
      await page.goto(`/sign/${unshown.recipientId}/review`);
      await look('review with text that is not shown');
      await follow(page, button(EN.submit));
      await look('review, not confirmed');
      await page.getByRole('checkbox').check();
      await follow(page, button(EN.submit));
      await page.getByRole('heading', { level: 1, name: EN.completedTitle }).waitFor();
      for (const end of ['completed', 'rejected', 'expired', 'cancelled'] as const) {
        await page.goto(`/sign?token=${(await endTransaction(harness, end)).token}`);
        await look(end);
      }
      await page.goto('/sign?token=unknown');
      await look('unknown link');
      expect(found).toEqual([]);
    });

    test('fits with text of twice the size', async () => {
      await open({ ...options, javaScriptEnabled: true });
      const { token, recipientId } = await startWithEveryField(harness);
      const wide: string[] = [];
      await agree(token);
      for (const rest of ['document', 'signature', 'reject', 'document?check=1']) {
        await page.goto(`/sign/${recipientId}/${rest}`);
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        if (await overflows(page)) wide.push(rest);
      }
      expect(wide).toEqual([]);
    });
  });
});

/** Moves the focus on until it is on what has this name, and presses the key. Enter leads to the next page. */
async function press(page: Page, name: string, key: 'Enter' | 'Space'): Promise<void> {
  for (let count = 0; count < 80; count += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 0) continue;
    const label = await focused.evaluate(
      (element) =>
        `${element.textContent ?? ''} ${(element as { labels?: { textContent: string }[] }).labels?.[0]?.textContent ?? ''}`,
    );
    if (!label.includes(name)) continue;
    const arrived = key === 'Enter' ? page.waitForEvent('load') : undefined;
    await page.keyboard.press(key);
    await arrived;
    return;
  }
  throw new Error(`The keyboard does not reach "${name}".`);
}

/** What axe-core finds, in one line each. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  )) as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] };
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

const overflows = (page: Page): Promise<boolean> =>
  page.evaluate('document.scrollingElement.scrollWidth > window.innerWidth') as Promise<boolean>;
