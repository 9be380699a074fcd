// What the record says of a person in a real browser, with the script of the signing pages and without it: each entry is there because it
// happened, and entries of what did not happen are missing.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signersIn } from '../../src/pdf/write/certificate/evidence.ts';
import { listAudit } from '../../src/service/store/transactions/signing.ts';
import { launchChromium } from '../support/chromium.ts';
import { wordsOnPage } from '../support/documents/certificate.ts';
import { readEvidence, sealedPdfOf } from '../support/documents/evidence-in.ts';
import { fillInByLabels, startWithEveryField } from '../support/fixtures/signing-pages.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const need = needsCommand('chromium');
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const ON_ITS_SIDE = { ...PHONE, viewport: { width: 740, height: 360 } };

/** Longer than a page has to be in view. */
const LONG_MS = 2500;

describe.skipIf(need.skip || !SLOW)(`the record of a person in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
  });
  afterEach(async () => {
    await context.close();
    expect(harness.errors).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  /** @param by the link is that of the email, or that of the API */
  async function enter(options: BrowserContextOptions, by: 'email' | 'api' = 'api'): Promise<string> {
    const { id, token } = await startWithEveryField(harness);
    const { items } = await harness.client['sandbox.mail']({ query: { transaction_id: id } });
    const params = { mailId: items[0]?.id ?? '' };
    const { body } = await harness.client['sandbox.mail_detail']({ params });
    const link = by === 'api' ? `/sign?token=${token}` : (/http\S+\/sign\?\S+/.exec(body)?.[0] ?? '');
    context = await browser.newContext({
      baseURL: harness.baseUrl,
      locale: 'en',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
    await page.goto(link);
    await page.getByLabel('I have read this').check();
    await page.getByRole('button', { name: 'Continue to the documents' }).click();
    await page.locator('figure img').first().waitFor();
    return id;
  }

  const entriesOf = (id: string) => harness.store.database.read((db) => listAudit(db, id));
  /** The numbers of the pages that have such an entry. */
  const pagesOf = async (id: string, type: 'page_delivered' | 'page_in_view') =>
    (await entriesOf(id))
      .filter((entry) => entry.type === type)
      .map(({ details }) => details.page)
      .sort();
  /** The types of entries in the evidence, each once. */
  const typesIn = async (id: string) => [
    ...new Set(readEvidence(await sealedPdfOf(harness, id)).entries.map(({ type }) => type)),
  ];
  /** The certificate, its box and the signature say one time to the second. */
  const expectOneTimeOfTheSeal = async (pdf: Uint8Array) => {
    const [, digits = ''] = /\/M\s*\(D:(\d{14})Z/.exec(Buffer.from(pdf).toString('latin1')) ?? [];
    const time = digits.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3 $4:$5:$6 UTC');
    expect(await wordsOnPage(pdf, 3)).toContain(`Sealed ${time}`);
  };
  const scrollTo = (number: number) =>
    page
      .locator(`figure[data-page="${number}"]`)
      .evaluate((figure) => figure.scrollIntoView({ block: 'start' }));

  test('has the pages in view, and no others, however many were delivered', {
    timeout: 120_000,
  }, async () => {
    const id = await enter(DESK);
    // The upper 40 % of the first page are above the fold.
    await page.waitForTimeout(LONG_MS);
    expect(await pagesOf(id, 'page_in_view')).toEqual([]);
    await scrollTo(1);
    await expect.poll(() => pagesOf(id, 'page_in_view')).toEqual(['1']);
    await page.waitForTimeout(LONG_MS);
    expect(await pagesOf(id, 'page_in_view')).toEqual(['1']);
    // Chromium loads pictures long before they are in view.
    expect(await pagesOf(id, 'page_delivered')).toContain('2');

    await scrollTo(3);
    await expect.poll(() => pagesOf(id, 'page_in_view')).toEqual(['1', '3']);
    harness.clock.advance(60_000);
    await page.goto('about:blank');
    const [first, third] = (await entriesOf(id)).filter(({ type }) => type === 'page_in_view');
    expect(first?.details.last_at).toBe(first?.created);
    await expect
      .poll(async () => (await entriesOf(id)).find((entry) => entry.id === third?.id)?.details.last_at)
      .toBe(new Date(Date.parse(third?.created ?? '') + 60_000).toISOString());
  });

  test('has a page that is larger than the screen when half of it was in view', {
    timeout: 120_000,
  }, async () => {
    const id = await enter(ON_ITS_SIDE);
    await page.waitForTimeout(LONG_MS);
    expect(await pagesOf(id, 'page_in_view')).toEqual([]);
    for (let step = 0; step < 8 && (await pagesOf(id, 'page_in_view')).length === 0; step += 1) {
      await page.mouse.wheel(0, 150);
      await page.waitForTimeout(1500);
    }
    expect(await pagesOf(id, 'page_in_view')).toEqual(['1']);
  });

  test('has no page that passed, was covered, or was in a hidden window', { timeout: 120_000 }, async () => {
    const id = await enter(PHONE);
    await page.evaluate(`
      const cover = document.createElement('div');
      cover.id = 'cover';
      cover.style.cssText = 'position: fixed; inset: 0; z-index: 9; background: white';
      document.body.append(cover);`);
    await scrollTo(2);
    await page.waitForTimeout(LONG_MS);
    expect(await pagesOf(id, 'page_in_view')).not.toContain('2');
    await page.evaluate(`document.getElementById('cover').remove()`);
    for (const number of [1, 3, 1]) {
      await scrollTo(number);
      await page.waitForTimeout(300);
    }
    await expect.poll(() => pagesOf(id, 'page_in_view')).toEqual(['1']);
  });

  test('has each entry of a walk with the script, in order, and no other', { timeout: 180_000 }, async () => {
    const id = await enter(DESK, 'email');
    await scrollTo(1);
    await expect.poll(() => pagesOf(id, 'page_in_view')).toEqual(['1']);
    await fillInByLabels(page);
    await page.getByRole('button', { name: 'Next field' }).click();
    await expect
      .poll(async () => (await entriesOf(id)).filter(({ type }) => type === 'filled').length)
      .toBe(7);
    const guest = await page.context().cookies();
    expect(guest.some(({ value }) => value.includes('.mailbox.'))).toBe(true);
    await page.goto(`${page.url().split('/document')[0]}/signature`);
    await page.getByRole('tab', { name: 'Type' }).click();
    await page.getByRole('button', { name: 'Use this signature' }).click();
    await page.locator('html.scripted').waitFor();
    await page.goto(`${page.url().split('/document')[0]}/signature?for=initials`);
    await page.getByRole('tab', { name: 'Type' }).click();
    await page.getByRole('button', { name: 'Use these initials' }).click();
    await page.locator('html.scripted').waitFor();
    await page.goto(`${page.url().split('/document')[0]}/review`);
    await page.getByRole('button', { name: 'Sign now' }).click();
    await page.getByRole('heading', { name: 'Everyone has signed' }).waitFor();
    const types = await typesIn(id);
    expect(types.filter((type) => !type.startsWith('page_'))).toEqual([
      'created',
      'started',
      'email_kept',
      'link_opened',
      'consented',
      'filled',
      'signed',
      'completed',
    ]);
    expect(types).toContain('page_in_view');
    expect(types).toContain('page_delivered');
    const pdf = await sealedPdfOf(harness, id);
    expect(signersIn(readEvidence(pdf))).toMatchObject([{ identified_by: 'mailbox_link' }]);
    await expectOneTimeOfTheSeal(pdf);
  });

  test('says without a script that pages were delivered, and nothing of views', {
    timeout: 120_000,
  }, async () => {
    const id = await enter({ ...DESK, javaScriptEnabled: false });
    await page.waitForTimeout(LONG_MS);
    await page.getByRole('link', { name: 'Read as text' }).first().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await pagesOf(id, 'page_delivered')).toContain('1');
    expect(await pagesOf(id, 'page_in_view')).toEqual([]);
    expect((await entriesOf(id)).map(({ type }) => type)).not.toContain('filled');
    await page.goto(`${page.url().split('/text/')[0]}/reject`);
    await page.getByLabel('Reason').fill('No');
    await page.locator('button[data-once]').click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    const types = new Set((await entriesOf(id)).map(({ type }) => type));
    expect([...types]).toEqual(['opened', 'consented', 'page_delivered', 'rejected']);
    for (const { type, details } of await entriesOf(id))
      if (type !== 'page_delivered') expect(details.link, type).toBeUndefined();
  });
});
