// Pictures of the dashboard's pages: `npm run screens -- DIR`. They are compared with nothing.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { EVENT_TYPES } from '../../src/api/contract/events.ts';
import { launchChromium } from '../support/chromium.ts';
import { PROXY, SIGNER, startWithEveryField } from '../support/fixtures/signing-pages.ts';
import { createDraft, ENDS, endTransaction } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { startWebhookReceiver } from '../support/servers/webhook-receiver.ts';

const FOLDER = process.env.ESIGN_SCREENS ?? '';
const WIDTHS = [360, 1280];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
const PASSWORD = 'correct horse battery';

describe.skipIf(FOLDER === '')('pictures of', () => {
  let browser: Browser;
  let harness: Harness;
  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  test('show the dashboard', { timeout: 240_000 }, async () => {
    for (const end of ENDS.filter((one) => one !== 'expired')) await endTransaction(harness, end);
    await harness.client['sandbox.add_user']({ body: SIGNER });
    const { id } = await startWithEveryField(harness, [SIGNER, PROXY]);
    const { email } = await harness.client['sandbox.set_password']({ body: { password: PASSWORD } });
    const template = await harness.client['sandbox.save_template']({
      params: { transactionId: id },
      body: { name: 'Maintenance agreement', description: 'For customers of the workshop' },
    });
    const webhook = await webhookWithDeliveries(harness);
    for (const colorScheme of SCHEMES)
      for (const width of WIDTHS) {
        const viewport = { width, height: HEIGHT };
        const context = await browser.newContext({ baseURL: harness.baseUrl, colorScheme, viewport });
        const page = await context.newPage();
        await page.goto('/sign-in');
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        for (const [name, path] of [
          ['home', '/'],
          ['list', '/transactions'],
          ['transaction', `/transactions/${id}`],
          ['cancel', `/transactions/${id}/cancel`],
          ['search', '/transactions?q=ada'],
          ['save-template', `/transactions/${id}/template`],
          ['templates', '/templates'],
          ['template', `/templates/${template.id}`],
          ['webhooks', '/webhooks'],
          ['webhook-new', '/webhooks/new'],
          ['webhook', `/webhooks/${webhook.id}`],
          ['webhook-rotate', `/webhooks/${webhook.id}/rotate`],
          ['mailbox', '/mailbox'],
          ['applications', '/applications'],
        ] as const) {
          await page.goto(path);
          const file = `20-dashboard-${name}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: join(FOLDER, file), fullPage: true });
        }
        if (width < 768) {
          await page.getByRole('button', { name: 'Menu' }).click();
          await page.screenshot({ path: join(FOLDER, `20-dashboard-menu-${width}-${colorScheme}.png`) });
        }
        await context.close();
      }
  });
});

/** One delivery each that arrived, that failed and that waits. */
async function webhookWithDeliveries(harness: Harness): Promise<{ id: string }> {
  const names = ['127.0.0.1'];
  const { certificate, key } = await harness.client['sandbox.issue_certificate']({ body: { names } });
  const receiver = await startWebhookReceiver({ tls: { cert: certificate, key } });
  const body = { name: 'Orders', endpoint: receiver.url, events: [...EVENT_TYPES] };
  const webhook = await harness.client['webhook.create']({ body });
  await createDraft(harness);
  await harness.service.deliver();
  receiver.answer = (_, response) => response.writeHead(500).end('no');
  await createDraft(harness);
  await harness.service.deliver();
  await createDraft(harness);
  await receiver.close();
  return webhook;
}
