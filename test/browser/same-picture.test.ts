// What Chromium shows of the values on a signing page is what the sealed page shows: both as pictures, for a handful of types and scripts.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadWords } from '../../src/service/web/sign/words.ts';
import { follow, launchChromium } from '../support/chromium.ts';
import { pagesPdf } from '../support/documents/pdf.ts';
import { inkDifference, readPixels, shown } from '../support/documents/pixels.ts';
import { SIGNER } from '../support/fixtures/signing-pages.ts';
import { createDraft, fieldFor, readDetail, SENDER, tokenOf } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { needsCommand } from '../support/tools.ts';

const EN = await loadWords('en');

const need = needsCommand('chromium');

const SIDE = 300;
const PIXELS_PER_POINT = 4;

const VALUES = [
  { type: 'text', value: 'Jürgen Brückner-Öttinger', underline: true },
  {
    type: 'text',
    value: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
    width: 90,
    height: 30,
  },
  { type: 'person_name', value: 'علي بن محمد', font_family: 'Times' },
  { type: 'text', value: 'שלום עולם 12', bold: true },
  { type: 'text', value: 'नमस्ते दुनिया', font_color: '#a01040' },
  { type: 'date', value: '2026-11-29', date_format: 'D MMMM YYYY', date_language: 'pl' },
  { type: 'radio', value: 'By post', options: ['By email', 'By post'] },
  { type: 'checkbox', value: true, width: 16, height: 16 },
] as const;

/** Only values are left of the page. */
const VALUES_ALONE =
  '.paper { position: fixed !important; inset: 0 auto auto 0; width: 300px !important; z-index: 9 } .paper img, .mark > rect, .mark > svg, .top { display: none !important }';

describe.skipIf(need.skip)(`values in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  test('have the picture of the sealed page', async () => {
    const { client } = harness;
    const content = new Blob([new Uint8Array(pagesPdf([`/MediaBox[0 0 ${SIDE} ${SIDE}]`]))]);
    const { token: file } = await client['file.upload']({
      form: { name: 'x' },
      file: { name: 'x', content },
    });
    const draft = await createDraft(harness, [SIGNER], SENDER, file);
    const params = { transactionId: draft.id };
    const fields = VALUES.map(
      ({ options, ...properties }: (typeof VALUES)[number] & { options?: readonly string[] }, index) =>
        fieldFor(draft, SIGNER.email, {
          positionX: 20.5,
          positionY: 10 + 35 * index,
          width: 200,
          height: 20,
          label: `${index}`,
          readonly: true,
          options: [...(options ?? [])],
          ...properties,
        }),
    );
    await client['transaction.fields']({ params, body: { fields } });
    const token = tokenOf((await client['transaction.start']({ params })).url);
    const context = await browser.newContext({
      baseURL: harness.baseUrl,
      deviceScaleFactor: PIXELS_PER_POINT,
      bypassCSP: true,
      locale: 'en',
    });
    const page = await context.newPage();
    await page.goto(`/sign?token=${token}`);
    await page.getByRole('checkbox').check();
    await follow(page, page.getByRole('button', { name: EN.start, exact: true }));
    await page.waitForSelector('svg.over');
    await page.addStyleTag({ content: VALUES_ALONE });
    const png = await page.screenshot({ clip: { x: 0, y: 0, width: SIDE, height: SIDE } });
    await context.close();
    await client['signing.submit']({ query: { token }, body: { values: [] } });
    const { sealed_documents } = await readDetail(harness, draft.id);
    const { bytes } = await client['file.content']({ params: { fileId: sealed_documents[0]?.id ?? '' } });
    const sealed = await shown(bytes, 0, 72 * PIXELS_PER_POINT);
    const inBrowser = readPixels(png);
    expect([inBrowser.width, inBrowser.height]).toEqual([sealed.width, sealed.height]);
    expect(inkDifference(inBrowser, sealed, 4)).toBeLessThan(0.2);
  });
});
