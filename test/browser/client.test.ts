// The built client in a real browser, on a page of the origin of the service: an upload, a list, a download, an error, a redirect and
// the check of a webhook.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretOf, signedHeaders } from '../../src/api/standard-webhooks.ts';
import type * as published from '../../src/client/published.ts';
import { launchChromium } from '../support/chromium.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const need = needsCommand('chromium');
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PAGE = `<!doctype html><title>Client</title>
<script type="module">import * as esign from './index.js'; globalThis.esign = esign;</script>`;

describe.skipIf(need.skip || !SLOW)(`the client in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  test('calls the service as in Node', async () => {
    const page = await browser.newPage();
    const script = await readFile(join(ROOT, 'dist/index.js'), 'utf8');
    await page.route('**/client-test/**', (route) =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: script })
        : route.fulfill({ contentType: 'text/html', body: PAGE }),
    );
    await page.route('**/v1/user/me', (route) =>
      route.fulfill({ status: 302, headers: { location: '/elsewhere' } }),
    );
    await page.goto(`${harness.baseUrl}/client-test/page.html`);
    await page.waitForFunction(() => 'esign' in globalThis);
    const secret = secretOf(new Uint8Array(32).fill(9));
    const body = JSON.stringify({
      id: 'E',
      type: 'ping',
      created: '2026-03-01T09:00:00.000Z',
      data: { id: 'W' },
    });
    const headers = signedHeaders([secret], { id: 'E', timestamp: 1_700_000_000, body });
    const pdf = (await readFile(join(ROOT, 'test/fixtures/contract.pdf'))).toString('base64');
    const given = { baseUrl: harness.baseUrl, token: harness.service.ownToken, secret, body, headers, pdf };
    const seen = await page.evaluate(async ({ baseUrl, token, secret, body, headers, pdf }) => {
      const { createClient, verifyWebhook, EsignError } = (
        globalThis as unknown as { esign: typeof published }
      ).esign;
      const client = createClient({ baseUrl, token, idempotencyKeys: true });
      const bytes = Uint8Array.from(atob(pdf), (character) => character.charCodeAt(0));
      const uploaded = await client.files.upload(new File([bytes], 'contract.pdf'));
      const { id } = await client.transactions.create({ name: 'From a browser' });
      await client.transactions.addDocument(id, { token: uploaded.token });
      const { template } = await client.transactions.get(id);
      const [document] = template?.documents ?? [];
      const file = await client.files.download(document?.file?.id ?? '');
      const types: string[] = [];
      for await (const event of client.events.list({ limit: 1 })) types.push(event.type);
      const codeOf = (error: unknown) => (error instanceof EsignError ? error.code : String(error));
      return {
        name: document?.file?.original_name,
        start: (await file.text()).slice(0, 5),
        types,
        missing: await client.transactions.get('none').catch(codeOf),
        redirected: await client.users.me().catch(codeOf),
        event: (await verifyWebhook(body, headers, secret, { now: 1_700_000_000_000 })).type,
        forged: await verifyWebhook(`${body} `, headers, secret, { now: 1_700_000_000_000 }).catch(codeOf),
      };
    }, given);
    expect(seen).toEqual({
      name: 'contract.pdf',
      start: '%PDF-',
      types: ['transaction_created'],
      missing: 'transaction_not_found',
      redirected: 'redirected',
      event: 'ping',
      forged: 'webhook_signature_invalid',
    });
    expect(harness.errors).toEqual([]);
  });
});
