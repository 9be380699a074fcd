// "Next field" on a long document, measured in a real browser: after each press the field is in view and has the focus, while pages
// and their pictures arrive late.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { pagesPdf } from '../support/documents/pdf.ts';
import { SIGNER } from '../support/fixtures/signing-pages.ts';
import {
  createDraft,
  fieldFor,
  readDetail,
  startTransaction,
  tokenOf,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW, shareOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const need = needsCommand('chromium');
const PAGES = 40;
const PICTURE_DELAY_MS = 400;
const PARTS_DELAY_MS = 150;

/** Pages in reading order, each with the distance of its field from the top. */
const FIELDS = [
  { page: 1, positionY: 700 },
  { page: 2, positionY: 90 },
  { page: 9, positionY: 400 },
  { page: 16, positionY: 740 },
  { page: 17, positionY: 60 },
  { page: 25, positionY: 300 },
  { page: 33, positionY: 540 },
  { page: 40, positionY: 560 },
];

describe.skipIf(need.skip || !SLOW)(`the way from field to field in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  let context: BrowserContext | undefined;
  let page: Page;

  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
  });
  afterEach(async () => {
    await context?.close();
    expect(harness.errors).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  async function open(width: number, isCalm: boolean): Promise<void> {
    context = await browser.newContext({
      baseURL: harness.baseUrl,
      locale: 'en',
      viewport: { width, height: 800 },
      hasTouch: width < 700,
      isMobile: width < 700,
      reducedMotion: isCalm ? 'reduce' : 'no-preference',
    });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
  }

  async function enter(token: string): Promise<void> {
    await page.goto(`/sign?token=${token}`);
    await page.getByLabel('I have read this').check();
    await page.getByRole('button', { name: 'Continue to the documents' }).click();
    await page.locator('html.scripted').waitFor();
  }

  const next = () => page.locator('.guide').getByRole('button', { name: 'Next field', exact: true });
  const look = () => page.evaluate(LOOK) as Promise<Seen>;

  /** Nothing moves any more, and everything that was asked for is there. */
  async function settled(): Promise<Seen> {
    await page.waitForLoadState('networkidle');
    await page.evaluate(UNMOVED);
    return look();
  }

  test.each(shareOf([1280, 768, 360], 3))(
    'the field is in view and focused after each press, at %d pixels',
    { timeout: 240_000 },
    async (width) => {
      const token = await startLong();
      for (const isCalm of [false, true]) {
        await open(width, isCalm);
        await page.route('**/pages/*.png*', (route) => later(PICTURE_DELAY_MS, () => route.continue()));
        await page.route('**/sheets?*', (route) => later(PARTS_DELAY_MS, () => route.continue()));
        await page.goto(`/sign?token=${token}`);
        if (!isCalm) await enter(token);
        await page.locator('html.scripted').waitFor();
        // Twice around: the second time the pages are there, and the pictures are not.
        for (const { page: number, positionY } of [...FIELDS, ...FIELDS]) {
          await next().click();
          const where = `page ${number}, ${positionY} (calm: ${isCalm})`;
          await expect.poll(look, { message: where, timeout: 20_000 }).toEqual(SEEN(number));
          expect(await settled(), where).toEqual(SEEN(number));
        }
        await context?.close();
      }
    },
  );

  test('a field comes into view where the script is held up while the page scrolls', {
    timeout: 120_000,
  }, async () => {
    const token = await startLong();
    await open(768, false);
    await page.addInitScript(HOLD_UP);
    await enter(token);
    const previous = page.locator('.guide button[data-previous]');
    await next().click();
    expect(await settled()).toEqual(SEEN(1));
    for (const number of [2, 1, 2, 1, 2, 1]) {
      await (number === 1 ? previous : next()).click();
      await expect.poll(look, { message: `page ${number}`, timeout: 20_000 }).toEqual(SEEN(number));
      expect(await settled()).toEqual(SEEN(number));
    }
  });

  test('nothing moves when pages and pictures arrive', { timeout: 120_000 }, async () => {
    const token = await startLong();
    await open(1280, true);
    await page.route('**/pages/*.png*', (route) => later(PICTURE_DELAY_MS, () => route.continue()));
    await enter(token);
    const places = () =>
      page.evaluate(
        "[...document.querySelectorAll('figure[data-page]')].map((one) => one.getBoundingClientRect().top + scrollY)",
      ) as Promise<number[]>;
    const before = await places();
    expect(before).toHaveLength(PAGES);
    for (const where of [0.3, 0.6, 0.9, 1, 0]) {
      await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${where})`);
      await settled();
    }
    expect(await page.locator('figure[data-missing]').count()).toBeLessThan(PAGES - 10);
    expect(await places()).toEqual(before);
  });

  test.each([
    ['with a wheel', () => page.mouse.wheel(0, 2600)],
    ['with a search in the page', () => page.evaluate('scrollBy(0, 2600)')],
  ])('a person who scrolls away %s is left there', async (_, scroll) => {
    const token = await startLong();
    await open(1280, true);
    await enter(token);
    await next().click();
    await settled();
    const before = (await page.evaluate('scrollY')) as number;
    await page.mouse.move(300, 400);
    await scroll();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(before + 500);
    await settled();
    const where = await page.evaluate('scrollY');
    await page.setViewportSize({ width: 1280, height: 780 });
    await settled();
    expect(await page.evaluate('scrollY')).toBe(where);
  });

  test('pressed again at the last open signature, it opens the dialog to sign', async () => {
    const { token } = await startTransaction(harness);
    await open(1280, true);
    await enter(token);
    await next().click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await next().click();
    await page.getByRole('dialog', { name: 'Your signature' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Sign here');
  });

  test('on a telephone it shows the field so large that the text around it can be read', async () => {
    const token = await startLong();
    await open(360, true);
    await enter(token);
    expect(await page.evaluate(SCALE)).toBeLessThan(0.6);
    await next().click();
    await settled();
    expect(await page.evaluate(SCALE)).toBeGreaterThan(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('button', { name: 'Zoom out' }).tap();
    const chosen = await page.evaluate(SCALE);
    await next().click();
    await settled();
    expect(await page.evaluate(SCALE)).toBe(chosen);
  });

  /** Forty pages of text, some of them landscape, and eight open fields. */
  async function startLong(): Promise<string> {
    const pages = Array.from({ length: PAGES }, (_, index) =>
      index % 7 === 4 ? '/MediaBox[0 0 842 595]' : '/MediaBox[0 0 595 842]',
    );
    const { token } = await harness.client['file.upload']({
      form: { name: 'long.pdf' },
      file: { name: 'long.pdf', content: new Blob([new Uint8Array(pagesPdf(pages))]) },
    });
    const draft = await createDraft(harness, [SIGNER]);
    const params = { transactionId: draft.id };
    await harness.client['transaction.add_document']({ params, body: { token } });
    const detail = await readDetail(harness, draft.id);
    const long = detail.template.documents.find(({ file }) => file.original_name === 'long.pdf');
    const fields = FIELDS.map(({ page: number, positionY }, index) =>
      fieldFor({ ...draft, detail }, SIGNER.email, {
        document_id: long?.id ?? '',
        page: number - 1,
        positionX: 72 + index * 30,
        positionY,
        width: 180,
        height: 24,
        type: 'text',
        label: `Page ${number}`,
      }),
    );
    const documents = [{ id: long?.id ?? '', index: 0, isLoading: false }];
    await harness.client['transaction.update']({ params, body: updateBodyOf(detail, { documents, fields }) });
    return tokenOf((await harness.client['transaction.start']({ params })).url);
  }
});

type Seen = { field: string; focused: string; isInView: boolean };

const SEEN = (number: number): Seen => ({
  field: `Page ${number}`,
  focused: `Page ${number}`,
  isInView: true,
});

const later = (ms: number, act: () => Promise<void>): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms)).then(act).catch(() => undefined);

/** The field that is current, what has the focus, and whether nothing lies over the box, and all of it is on the screen. */
const LOOK = `(() => {
  const field = document.querySelector('.field.current label')?.textContent ?? '';
  const focused = document.activeElement?.labels?.[0]?.textContent ?? '';
  const box = document.querySelector('a.mark.current rect')?.getBoundingClientRect();
  if (!box) return { field, focused, isInView: false };
  const points = [[box.left + 2, box.top + 2], [box.right - 2, box.top + 2], [box.left + 2, box.bottom - 2], [box.right - 2, box.bottom - 2]];
  const isInView = points.every(([x, y]) => document.elementFromPoint(x, y)?.closest('a.mark.current'));
  return { field, focused, isInView };
})()`;

/** Keeps the script from running for a while once a smooth scroll has begun, which continues meanwhile. */
const HOLD_UP = `(() => {
  const scroll = Element.prototype.scrollIntoView;
  const block = () => {
    const end = performance.now() + 250;
    while (performance.now() < end);
  };
  Element.prototype.scrollIntoView = function (options) {
    scroll.call(this, options);
    if (options?.behavior === 'smooth') requestAnimationFrame(() => setTimeout(block));
  };
})()`;

const UNMOVED = `new Promise((resolve) => {
  let [before, frames] = [-1, 0];
  const look = () => {
    frames = scrollY === before ? frames + 1 : 0;
    before = scrollY;
    if (frames > 15) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Pixels for a point of the page. */
const SCALE = `(() => {
  const page = document.querySelector('svg.over');
  return page.getBoundingClientRect().width / page.viewBox.baseVal.width;
})()`;
