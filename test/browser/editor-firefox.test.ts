// The editor of fields in Firefox: Debian's, driven by WebDriver BiDi. What it does in detail: editor.test.ts.
import { spawnSync } from 'node:child_process';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADA, createDraft, readDetail } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const need = needsCommand('firefox-esr');
const PASSWORD = 'correct horse battery';

describe.skipIf(need.skip || !SLOW)(`the editor in Firefox${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  beforeAll(async () => {
    const executablePath = spawnSync('which', ['firefox-esr'], { encoding: 'utf8' }).stdout.trim();
    harness = await openHarness('over HTTP');
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      extraPrefsFirefox: { 'intl.accept_languages': 'en', 'app.update.enabled': false },
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  test('places a field by the mouse, moves it by keys and by the mouse, and saves', {
    timeout: 240_000,
  }, async () => {
    await harness.client['sandbox.set_password']({ body: { password: PASSWORD } });
    const { id } = await createDraft(harness, [ADA]);
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    page.setDefaultTimeout(30_000);
    await page.goto(`${harness.baseUrl}/transactions/${id}/edit`);
    await page.locator('input[name="email"]').fill('sender@esign.test');
    await page.locator('input[name="password"]').fill(PASSWORD);
    const signedIn = page.waitForNavigation();
    await page.locator('::-p-xpath(//button[normalize-space()="Sign in"])').click();
    await signedIn;
    await page.waitForSelector('.editor.scripted');
    const isSaved = () =>
      expect
        .poll(() => page.$eval('.saving', (element) => element.textContent), { timeout: 30_000 })
        .toBe('Saved');
    const fields = async () => (await readDetail(harness, id)).template.fields;

    await page.locator('[data-type="signature"]').click();
    await page.mouse.click(300, 400);
    await isSaved();
    const [placed] = await fields();
    expect(placed).toMatchObject({ type: 'signature', page: 0, width: 180 });

    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await isSaved();
    const [moved] = await fields();
    expect([moved?.positionX, moved?.positionY]).toEqual([
      (placed?.positionX ?? 0) + 1,
      (placed?.positionY ?? 0) + 1,
    ]);

    const box = await (await page.$('[data-field] .box'))?.boundingBox();
    if (!box) throw new Error('The field is not on the page.');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 120, { steps: 5 });
    await page.mouse.up();
    await isSaved();
    const [dragged] = await fields();
    expect((dragged?.positionX ?? 0) - (moved?.positionX ?? 0)).toBeGreaterThan(30);
    expect((dragged?.positionY ?? 0) - (moved?.positionY ?? 0)).toBeGreaterThan(50);
    expect(harness.errors).toEqual([]);
  });
});
