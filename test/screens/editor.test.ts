// Pictures of the editor of fields, as large as a screen shows it: `npm run screens -- DIR`. They are compared with nothing.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { everyField, PROXY, SIGNER } from '../support/fixtures/signing-pages.ts';
import { createDraft } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';

const FOLDER = process.env.ESIGN_SCREENS ?? '';
const SCREENS = [
  { width: 360, height: 740, hasTouch: true, isMobile: true },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
] as const;
const SCHEMES = ['light', 'dark'] as const;
const PASSWORD = 'correct horse battery';

describe.skipIf(FOLDER === '')('pictures of', () => {
  let browser: Browser;
  let harness: Harness;
  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
    await harness.client['sandbox.set_password']({ body: { password: PASSWORD } });
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  describe.each(SCHEMES)('the editor, %s', (colorScheme) => {
    test.each(SCREENS)('$width pixels wide', { timeout: 240_000 }, async ({ width, height, ...device }) => {
      const context = await browser.newContext({
        baseURL: harness.baseUrl,
        colorScheme,
        viewport: { width, height },
        ...device,
      });
      const page = await context.newPage();
      const shoot = (name: string) =>
        page.screenshot({ path: join(FOLDER, `30-editor-${name}-${width}-${colorScheme}.png`) });
      const draft = await createDraft(harness, [SIGNER, PROXY]);
      await page.goto(`/transactions/${draft.id}/edit`);
      await page.getByLabel('Email').fill('sender@esign.test');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.locator('.editor.scripted').waitFor();
      await shoot('1-empty');
      await page.getByRole('button', { name: 'Signature', exact: true }).click();
      await shoot('2-placing');
      await page
        .locator('svg.over')
        .first()
        .click({ position: { x: 150, y: 300 } });
      await shoot('3-selected');
      await harness.client['transaction.fields']({
        params: { transactionId: draft.id },
        body: { fields: everyField(draft, SIGNER.email) },
      });
      await page.reload();
      await page.locator('.editor.scripted').waitFor();
      await shoot('4-many-fields');
      await page.mouse.wheel(0, 2000);
      await page.waitForTimeout(300);
      await shoot('5-scrolled');
      await context.close();
    });
  });
});
