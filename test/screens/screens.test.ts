// Pictures of every signing page, for people to look at: `npm run screens -- DIR`. They are compared with nothing.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { useSystemFontFolders } from '../../src/pdf/fonts/system-fonts.ts';
import { loadWords } from '../../src/service/web/sign/words.ts';
import { launchChromium } from '../support/chromium.ts';
import {
  adoptSignature,
  fillInEverything,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
  startWithUnshownText,
} from '../support/fixtures/signing-pages.ts';
import { endTransaction } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';

const EN = await loadWords('en');

const FOLDER = process.env.ESIGN_SCREENS;
const WIDTHS = [360, 768, 1280];
/** Loads pictures at once that are loaded lazily, so that the page waits for them. */
const LOAD_PICTURES = `Promise.all([...document.images].map((image) => {
  image.loading = 'eager';
  return image.decode().catch(() => undefined);
}))`;
const UNSHOWN = ['계약 금액 1,000원', '김철수', '본 계약은 서명한'];
const SCHEMES = ['light', 'dark'] as const;

describe.skipIf(!FOLDER)('pictures of every signing page', () => {
  let browser: Browser;
  let harness: Harness;
  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
    await mkdir(FOLDER as string, { recursive: true });
    useSystemFontFolders([]);
  });
  afterAll(async () => {
    useSystemFontFolders(undefined);
    await browser?.close();
    await harness?.close();
  });

  describe.each(SCHEMES)('%s', (colorScheme) => {
    test.each(WIDTHS)('%d pixels wide', { timeout: 240_000 }, async (width) => {
      const context = await browser.newContext({
        baseURL: harness.baseUrl,
        colorScheme,
        viewport: { width, height: 900 },
        hasTouch: width < 700,
      });
      const page = await context.newPage();
      const shoot = async (name: string) => {
        await page.evaluate(LOAD_PICTURES);
        await page.screenshot({
          path: join(FOLDER as string, `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      };
      const transaction = await startWithEveryField(harness, [SIGNER, PROXY]);
      const { token, recipientId } = transaction;
      const at = (path: string) => page.goto(`/sign/${recipientId}/${path}`);
      await page.goto(`/sign?token=${token}`);
      await shoot('01-start');
      await page.getByRole('button', { name: EN.start }).click();
      await shoot('02-start-not-agreed');
      await page.getByLabel(EN.agree).check();
      await page.getByRole('button', { name: EN.start }).click();
      await shoot('03-document');
      await at('review');
      await shoot('04-document-problems');
      await at('signature');
      await shoot('05-signature');
      await fillInEverything(harness, await openSigningPages(harness, token), transaction);
      await at('document');
      await shoot('06-document-filled');
      await at('reject');
      await shoot('07-reject');
      await at('review');
      await shoot('08-review');
      const unshown = await startWithUnshownText(harness, UNSHOWN);
      const reader = await openSigningPages(harness, unshown.token);
      await giveConsent(reader);
      await adoptSignature(reader);
      await page.goto(`/sign?token=${unshown.token}`);
      await shoot('12-document-unshown-text');
      await page.goto(`/sign/${unshown.recipientId}/review`);
      await shoot('13-review-unshown-text');
      await page.getByRole('button', { name: EN.submit }).click();
      await shoot('14-review-not-confirmed');
      await at('review');
      await page.getByRole('button', { name: EN.submit }).click();
      await shoot('09-signed');
      for (const end of ['completed', 'rejected', 'expired', 'cancelled'] as const) {
        const ended = await endTransaction(harness, end);
        await page.goto(`/sign?token=${ended.token}`);
        await shoot(`10-${end}`);
      }
      await page.goto('/sign?token=unknown');
      await shoot('11-unknown-link');
      await context.close();
    });
  });
});
