// Reloading a signing page at every step, without a script: nothing that was said, filled in or decided is lost, and nothing
// happens twice.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '../../src/service/store/transactions/signing.ts';
import { loadWords } from '../../src/service/web/sign/words.ts';
import { follow, launchChromium } from '../support/chromium.ts';
import { GOOD_VALUES, PROXY, SIGNER, startWithEveryField } from '../support/fixtures/signing-pages.ts';
import { eventTypesOf, readDetail } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const EN = await loadWords('en');

const need = needsCommand('chromium');

describe.runIf(SLOW && !need.skip)(`reloading without a script, in Chromium${need.why}`, () => {
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

  async function open(token: string): Promise<void> {
    context = await browser.newContext({ baseURL: harness.baseUrl, locale: 'en', javaScriptEnabled: false });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
    await page.goto(`/sign?token=${token}`);
  }

  const press = (name: string, role: 'button' | 'link' = 'button') =>
    follow(page, page.getByRole(role, { name, exact: true }).first());

  const heading = () => page.getByRole('heading', { level: 1 }).innerText();
  const address = () => `${new URL(page.url()).pathname}${new URL(page.url()).search}`;

  /** Loads the page again, as it was got or as it was sent. @returns what it says */
  async function reload(): Promise<string> {
    const before = address();
    await page.reload();
    expect(address()).toBe(before);
    return page.locator('main').innerText();
  }

  /** What was written down, without the fields that were filled in. */
  const trailOf = async (id: string): Promise<string[]> =>
    (await harness.store.database.read((db) => listAudit(db, id)))
      .map(({ type }) => type)
      .filter((type) => type !== 'page_delivered' && type !== 'filled');

  /** Consent and what stands in each field. */
  async function fillInAndReload(): Promise<void> {
    expect(await reload()).toContain(EN.consentTitle);
    await press(EN.start);
    // The answer to a form that was sent: it is sent again, and refused again.
    expect(await reload()).toContain(EN.agreeFirst);
    await page.getByLabel(EN.agree).check();
    await press(EN.start);
    expect(await reload()).toContain(EN.fieldsLeft({ count: 8 }));
    for (const [label, value] of Object.entries(GOOD_VALUES)) {
      const control = page.getByLabel(label, { exact: true });
      if (label === 'Country') await control.selectOption(value);
      else await control.fill(value);
      await press(EN.save);
      await reload();
      await expect.poll(() => control.inputValue(), { message: label }).toBe(value);
    }
    await page.getByLabel('I have read the annex').check();
    await page.getByLabel('Post').check();
    await press(EN.save);
    expect(await reload()).toContain(EN.fieldsLeft({ count: 3 }));
    await expect.poll(() => page.getByLabel('I have read the annex').isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel('Post').isChecked()).toBe(true);
  }

  test('keeps every step from the consent to the signature', { timeout: 240_000 }, async () => {
    const { id, token } = await startWithEveryField(harness, [SIGNER, PROXY]);
    await open(token);
    await fillInAndReload();
    await press(EN.toReview);
    expect(await reload()).toContain(EN.wrongSignature({ label: '\u2068Signature\u2069' }));
    await press(EN.signHere, 'link');
    await page.getByLabel(EN.typeLabel).fill(' ');
    await press(EN.adopt);
    expect(await reload()).toContain(EN.signatureMissing);
    await page.getByLabel(EN.typeLabel).fill('Ada L.');
    await press(EN.adopt);
    expect(await reload()).toContain(EN.noFieldsLeft);
    await press(EN.toReview);
    expect(await reload()).toContain('1200.50');
    await expect
      .poll(() => page.locator('.signature-shown svg').evaluateAll(namesOf))
      .toEqual(['Ada L.', 'Ada L.', 'AL']);
    await press(EN.submit);
    for (let count = 0; count < 2; count += 1) expect(await reload()).toContain(EN.signedLead);
    expect(await trailOf(id)).toEqual(['opened', 'consented', 'signed']);
    expect((await eventTypesOf(harness, id)).filter((type) => type === 'recipient_submitted')).toHaveLength(
      1,
    );
  });

  test('keeps a rejection', async () => {
    const { id, token } = await startWithEveryField(harness);
    await open(token);
    await press(EN.reject, 'link');
    expect(await reload()).toContain(EN.rejectTitle);
    await press(EN.rejectNow);
    expect(await reload()).toContain(EN.reasonMissing);
    await page.getByLabel(EN.reason).fill('Not what we agreed');
    await press(EN.rejectNow);
    for (let count = 0; count < 2; count += 1) expect(await reload()).toContain('Not what we agreed');
    await expect.poll(heading).toBe(EN.rejectedTitle);
    expect(await trailOf(id)).toEqual(['opened', 'rejected']);
    expect((await readDetail(harness, id)).status).toBe('rejected');
  });
});

const namesOf = (elements: { getAttribute(name: string): string | null }[]): (string | null)[] =>
  elements.map((element) => element.getAttribute('aria-label')?.replace(/[\u2068\u2069]/g, '') ?? null);
