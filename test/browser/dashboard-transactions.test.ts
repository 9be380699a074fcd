// Transactions in the dashboard, in a real browser and without scripts: from the list to a signing page, and to an end.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import {
  ADA,
  addAccount,
  type Draft,
  readDetail,
  startTransaction,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const need = needsCommand('chromium');
const PASSWORD = 'correct horse battery';
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe.skipIf(need.skip || !SLOW)(`in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  let context: BrowserContext;
  let page: Page;
  let agreement: Draft;

  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
    await addAccount(harness, undefined, 'grace@esign.test');
    await harness.client['sandbox.set_password']({ body: { password: PASSWORD } });
    agreement = await startTransaction(harness, [{ name: 'Grace', email: 'grace@esign.test' }, ADA]);
  });
  beforeEach(async () => {
    context = await browser.newContext({ javaScriptEnabled: false, baseURL: harness.baseUrl });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
  });
  afterEach(async () => {
    await context.close();
    expect(harness.errors).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  /** By the address of the page that a user wanted to see. */
  async function signInAt(path: string): Promise<void> {
    await page.goto(path);
    await page.getByLabel('Email').fill('sender@esign.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  test('lead from the list to the signing page of a colleague, and tell that it was opened', async () => {
    await signInAt('/transactions?state=started');
    await expect.poll(() => new URL(page.url()).search).toBe('?state=started');
    await page.getByRole('link', { name: 'Agreement' }).click();
    const address = page.getByLabel('Signing URL of Grace');
    await expect.poll(() => address.isEditable()).toBe(false);
    const colleague = await (await browser.newContext()).newPage();
    await colleague.goto(await address.inputValue());
    expect(new URL(colleague.url()).pathname).toMatch(/^\/sign\/[0-9a-f-]{36}$/);
    await colleague.context().close();
    await page.reload();
    await expect
      .poll(() => page.getByRole('listitem').filter({ hasText: 'Grace' }).first().innerText())
      .toMatch(/Asked to sign now · link opened \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'contract.pdf' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('contract.pdf');
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('are cancelled with a reason, which is asked for', async () => {
    await signInAt(`/transactions/${agreement.id}`);
    await page.getByRole('link', { name: 'Cancel the transaction' }).click();
    await page.getByRole('button', { name: 'Cancel the transaction' }).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('Enter a reason');
    await page.getByLabel('Reason').fill('Wrong contract');
    await page.getByRole('button', { name: 'Cancel the transaction' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/transactions/${agreement.id}`);
    await expect.poll(() => page.getByRole('main').innerText()).toContain('Wrong contract');
    expect((await readDetail(harness, agreement.id)).cancelled_reason).toBe('Wrong contract');
  });

  test('are left for other pages by the keyboard, through a menu on a small screen', async () => {
    await signInAt('/transactions');
    await page.setViewportSize({ width: 360, height: 640 });
    const link = page.getByRole('navigation').getByRole('link', { name: 'Webhooks' });
    expect(await link.isVisible()).toBe(false);
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => link.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => link.isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await link.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/webhooks');
    await page.setViewportSize({ width: 1280, height: 640 });
    await expect.poll(() => link.isVisible()).toBe(true);
    expect(await menu.isVisible()).toBe(false);
  });

  test('have webhooks beside them, created and deleted with the keyboard alone', async () => {
    await signInAt('/webhooks');
    await page.getByRole('link', { name: 'Create a webhook' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.type('https://127.0.0.1:8443/hook');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#webhook-secret').innerText()).toMatch(/^whsec_/);
    await page.getByRole('link', { name: 'View the webhook' }).click();
    await page.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the webhook' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/webhooks');
    expect(await page.getByRole('main').innerText()).not.toContain('By keyboard');
  });

  test('fit into 320 pixels, and nothing stands in the way of a screen reader', async () => {
    const { id } = await startTransaction(harness, [{ name: 'Grace', email: 'grace@esign.test' }]);
    await signInAt('/transactions');
    const { cookies } = await context.storageState();
    await context.close();
    context = await browser.newContext({
      bypassCSP: true,
      baseURL: harness.baseUrl,
      storageState: { cookies, origins: [] },
    });
    page = await context.newPage();
    await page.setViewportSize({ width: 320, height: 640 });
    const template = await harness.client['sandbox.save_template']({
      params: { transactionId: id },
      body: { name: 'Maintenance', description: 'For customers' },
    });
    const webhook = await harness.client['webhook.create']({
      body: { name: 'Orders', endpoint: 'https://127.0.0.1:8443/hook', events: ['transaction_created'] },
    });
    await startTransaction(harness);
    for (const path of [
      '/',
      '/transactions?q=grace',
      '/transactions?q=nothing',
      `/transactions/${id}`,
      `/transactions/${id}/cancel`,
      `/transactions/${id}/template`,
      '/templates',
      `/templates/${template.id}`,
      '/webhooks',
      '/webhooks/new',
      `/webhooks/${webhook.id}`,
      `/webhooks/${webhook.id}/rotate`,
      `/webhooks/${webhook.id}/delete`,
      '/mailbox',
      '/applications',
      '/applications/rotate?client_id=esign-sandbox',
    ]) {
      await page.goto(path);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 320]);
      await page.addScriptTag({ path: AXE });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const found = await page.evaluate(
          'axe.run().then(({ violations }) => violations.map((one) => [one.id, one.nodes.map(({ html }) => html)]))',
        );
        expect([path, colorScheme, found]).toEqual([path, colorScheme, []]);
      }
    }
  });
});
