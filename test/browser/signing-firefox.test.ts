// The main way through the signing pages in Firefox: Debian's, driven by WebDriver BiDi.

import { spawnSync } from 'node:child_process';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadWords } from '../../src/service/web/sign/words.ts';
import {
  fillInEverything,
  openSigningPages,
  startWithEveryField,
} from '../support/fixtures/signing-pages.ts';
import { readDetail } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const EN = await loadWords('en');

const need = needsCommand('firefox-esr');

describe.skipIf(need.skip || !SLOW)(`signing pages in Firefox${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  beforeAll(async () => {
    const executablePath = spawnSync('which', ['firefox-esr'], { encoding: 'utf8' }).stdout.trim();
    const preferences = { 'intl.accept_languages': 'en', 'app.update.enabled': false };
    harness = await openHarness('over HTTP');
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      extraPrefsFirefox: preferences,
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  test('leads from the address to "signed"', { timeout: 240_000 }, async () => {
    const transaction = await startWithEveryField(harness);
    const page = await browser.newPage();
    page.setDefaultTimeout(30_000);
    const press = async (name: string) => {
      const moved = page.waitForNavigation();
      await page.locator(`::-p-xpath(//button[normalize-space()="${name}"])`).click();
      await moved;
    };
    await page.goto(`${harness.baseUrl}/sign?token=${transaction.token}`);
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.locator('input[name="agree"]').click();
    await press(EN.start);
    await page.waitForSelector('a.mark');
    // The text of the first page lies over its picture.
    await page.waitForSelector('g.words text');
    const [width, height] = (await page.evaluate(
      "(() => { const { width, height } = document.querySelector('.paper').getBoundingClientRect(); return [width, height]; })()",
    )) as [number, number];
    expect(height / width).toBeCloseTo(841.89 / 595.28, 1);
    await fillInEverything(harness, await openSigningPages(harness, transaction.token), transaction);
    await page.goto(`${harness.baseUrl}/sign/${transaction.recipientId}/review`);
    await press(EN.submit);
    await expect.poll(() => page.$eval('h1', (element) => element.textContent)).toBe(EN.completedTitle);
    expect(await readDetail(harness, transaction.id)).toMatchObject({ status: 'completed' });
    expect(harness.errors).toEqual([]);
  });
});
