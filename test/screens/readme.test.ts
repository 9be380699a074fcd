// The pictures that README shows, but for that of `tx show` (terminal.test.ts): `npm run screens -- DIR`. They are compared with nothing.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { pngOfPage } from '../support/documents/pixels.ts';
import { createDraft, fieldFor, tokenOf, updateBodyOf } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { createStoryFixture, runCommand } from '../support/stories/story.ts';

const FOLDER = process.env.ESIGN_SCREENS ?? '';
const DPI = 110;
const PASSWORD = 'correct horse battery';

describe.skipIf(FOLDER === '')('pictures of README', () => {
  let browser: Browser;
  let fixture: Harness;
  beforeAll(async () => {
    [browser, fixture] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await fixture?.close();
  });

  test.each([
    ['signing-page', { width: 1280, height: 720 }, 1],
    ['signing-page-phone', { width: 360, height: 720 }, 2],
  ])('show %s', async (name, viewport, deviceScaleFactor) => {
    const context = await browser.newContext({
      baseURL: fixture.baseUrl,
      colorScheme: 'light',
      viewport,
      deviceScaleFactor,
    });
    const page = await context.newPage();
    await openWithSignature(page, await agreement(fixture));
    if (deviceScaleFactor === 1) await page.getByLabel('Place', { exact: true }).fill('Easterholm');
    await page.locator('[data-field]').first().scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    await context.close();
  });

  test('show the sealed document beside its certificate', async () => {
    const story = await createStoryFixture();
    const fields = '--field "signature@3:318,364,200x46" --field "text@3:318,444,116x24,label=Place"';
    for (const command of [
      `esign tx send contract.pdf --name "Software Maintenance Agreement" --to "Brennan Okafor <brennan@example.com>" ${fields} --quiet`,
      'esign sandbox sign @ --value Place=Easterholm',
      'esign tx download @ -o signed',
    ]) {
      const { code, err } = await runCommand(story, command);
      if (code !== 0) throw new Error(err);
    }
    const sealed = await readFile(join(story.folder, 'signed', 'contract.sealed.pdf'));
    await story.close();
    const pages = [await pictureOf(sealed, 2), await pictureOf(sealed, 3)];
    await pictureOfPages(browser, pages, join(FOLDER, 'sealed-document.png'));
  });

  test('show the editor of fields', async () => {
    await fixture.client['sandbox.set_password']({ body: { password: PASSWORD } });
    const people = [
      { name: 'Ada Merriweather', email: 'ada@example.com' },
      { name: 'Brennan Okafor', email: 'brennan@example.com' },
    ];
    const draft = await createDraft(fixture, people);
    const fields = people.flatMap(({ email }, index) => {
      const at = { page: 2, positionX: index === 0 ? 71 : 318 };
      return [
        fieldFor(draft, email, { ...at, positionY: 340, type: 'signature', width: 180, height: 48 }),
        fieldFor(draft, email, { ...at, positionY: 448, type: 'date', width: 90, height: 20 }),
      ];
    });
    await fixture.client['transaction.fields']({ params: { transactionId: draft.id }, body: { fields } });
    const context = await browser.newContext({
      baseURL: fixture.baseUrl,
      viewport: { width: 1100, height: 720 },
    });
    const page = await context.newPage();
    await page.goto(`/transactions/${draft.id}/edit`);
    await page.getByLabel('Email').fill('sender@esign.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('.field-lines button', { hasText: 'Signature for Brennan' }).click();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(FOLDER, 'editor.png') });
    await context.close();
  });
});

const pictureOf = (pdf: Uint8Array, page: number): Promise<Uint8Array> =>
  pngOfPage(pdf, page, { dpi: DPI, maxPixels: 4_000_000 });

/** Takes a picture of pages side by side, each with a shadow. */
async function pictureOfPages(browser: Browser, pages: readonly Uint8Array[], path: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 560 * pages.length + 24, height: 820 } });
  const images = pages.map(
    (png) => `<img src="data:image/png;base64,${Buffer.from(png).toString('base64')}">`,
  );
  await page.setContent(`<style>body { margin: 0; background: #e2e8f0 }
    main { display: inline-flex; gap: 24px; padding: 24px }
    img { width: 512px; background: #fff; box-shadow: 0 1px 6px #0005 }</style><main>${images.join('')}</main>`);
  await writeFile(path, await page.locator('main').screenshot());
  await page.close();
}

/** Agrees, adopts the suggested signature, and opens the document. */
async function openWithSignature(page: Page, token: string): Promise<void> {
  await page.goto(`/sign?token=${token}`);
  await page.getByLabel('I have read this').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  const start = page.url().replace(/document.*/, '');
  await page.goto(`${start}signature`);
  await page.getByRole('button', { name: 'Use this signature' }).click();
  await page.waitForURL(`${start}document`);
}

/** Fields where the contract has lines for them. @returns the token of the person who signs for the customer */
async function agreement(fixture: Harness): Promise<string> {
  const person = { name: 'Brennan Okafor', email: 'brennan@example.com' };
  const draft = await createDraft(fixture, [person]);
  const params = { transactionId: draft.id };
  const at = (positionX: number, positionY: number, more: Partial<ReturnType<typeof fieldFor>>) =>
    fieldFor(draft, person.email, { page: 2, positionX, positionY, height: 24, ...more });
  const fields = [
    at(318, 364, { type: 'signature', label: 'Signature', width: 200, height: 46 }),
    at(318, 444, { type: 'text', label: 'Place', width: 116 }),
    at(440, 444, { type: 'date', label: 'Date', width: 78 }),
  ];
  const body = updateBodyOf(draft.detail, {
    name: 'Software Maintenance Agreement',
    expiration_days: 14,
    fields,
  });
  await fixture.client['transaction.update']({ params, body });
  return tokenOf((await fixture.client['transaction.start']({ params })).url);
}
