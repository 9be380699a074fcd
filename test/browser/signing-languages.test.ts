// The signing pages in each of their languages, in a real browser on a small telephone: what the browser asks for and what the
// reader chooses, with nothing left in English, no page wider than the screen, and no word of a button cut in two.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isLanguage, LANGUAGES, type Language } from '../../src/api/contract/languages.ts';
import { useSystemFontFolders } from '../../src/pdf/fonts/system-fonts.ts';
import { loadWords, type Words } from '../../src/service/web/sign/words.ts';
import { follow, launchChromium } from '../support/chromium.ts';
import {
  adoptSignature,
  fillInEverything,
  GOOD_VALUES,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
  startWithUnshownText,
} from '../support/fixtures/signing-pages.ts';
import {
  createDraft,
  endTransaction,
  readDetail,
  tokenOf,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW, shareOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const EN = await loadWords('en');

const need = needsCommand('chromium');
const OTHERS = Object.keys(LANGUAGES)
  .filter(isLanguage)
  .filter((language) => language !== 'en');
const UNSHOWN = '계약 금액 1,000원';
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** What a page says, by the name of the page. */
type Said = Map<string, string[]>;

describe.runIf(SLOW && !need.skip)(`signing pages in every language, in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  let english: Said;
  /** Names, values and whatever else comes from outside. */
  const foreign = new Set<string>([...Object.values(LANGUAGES), 'Sandbox', UNSHOWN]);
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    useSystemFontFolders([]);
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
    english = await wholeWay('en');
  }, 120_000);
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(harness.errors).toEqual([]);
  });
  afterAll(async () => {
    useSystemFontFolders(undefined);
    await browser?.close();
    await harness?.close();
  });

  async function open(locale: string, javaScriptEnabled = true): Promise<Page> {
    const context = await browser.newContext({
      ...PHONE,
      baseURL: harness.baseUrl,
      locale,
      javaScriptEnabled,
    });
    contexts.push(context);
    context.setDefaultTimeout(30_000);
    return context.newPage();
  }

  /** Through every step and state, with a browser that asks for this language. */
  async function wholeWay(language: Language): Promise<Said> {
    const words = await loadWords(language);
    const page = await open(`${language}-XX`);
    const said: Said = new Map();
    const look = async (name: string) => {
      expect(await page.locator('html').getAttribute('lang'), name).toBe(language);
      expect(await page.evaluate(TOO_WIDE), `${name} is wider than the screen`).toBe(false);
      expect(await page.evaluate(CUT_WORDS), `words that are cut on ${name}`).toEqual([]);
      expect(await page.evaluate(HEADER_ROWS), `rows of the header on ${name}`).toBe(1);
      said.set(name, (await page.evaluate(TEXTS)) as string[]);
    };
    const transaction = await startWithEveryField(harness, [SIGNER, PROXY]);
    const at = (rest: string) => page.goto(`/sign/${transaction.recipientId}/${rest}`);
    const button = (name: string) => page.getByRole('button', { name, exact: true }).first();

    await page.goto(`/sign?token=${transaction.token}`);
    await look('start');
    await follow(page, button(words.start));
    await look('start, not agreed');
    await page.getByLabel(words.agree).check();
    await follow(page, button(words.start));
    await page.waitForURL(/document$/);
    await page
      .locator('.guide')
      .getByText(words.fieldsLeft({ count: 8 }))
      .waitFor();
    await look('document');
    await button(words.next).click();
    await look('one field');
    await lookAtDialog(page, words, look);
    await at('document?check=1');
    await look('problems');
    await at('reject');
    await follow(page, button(words.rejectNow));
    await look('reject without a reason');
    await fillInEverything(harness, await openSigningPages(harness, transaction.token), transaction);
    await at('document');
    await page.locator('.guide').getByText(words.noFieldsLeft).waitFor();
    await button(words.yourFields).click();
    await look('all fields, filled in');
    await at('review');
    await look('review');
    await follow(page, button(words.submit));
    await page.getByRole('heading', { level: 1, name: words.signedTitle }).waitFor();
    await look('signed');
    const unshown = await startWithUnshownText(harness, [UNSHOWN]);
    const asking = { 'accept-language': language };
    await adoptSignature(await giveConsent(await openSigningPages(harness, unshown.token, asking)));
    await page.goto(`/sign?token=${unshown.token}`);
    await page.getByText(UNSHOWN, { exact: true }).first().waitFor();
    await look('document with text that is not shown');
    await page.goto(`/sign/${unshown.recipientId}/review`);
    await follow(page, button(words.submit));
    await look('review, not confirmed');
    for (const end of ['completed', 'rejected', 'expired', 'cancelled'] as const) {
      const ended = await endTransaction(harness, end);
      await page.goto(`/sign?token=${ended.token}`);
      await look(end);
      for (const text of textsIn(await readDetail(harness, ended.id))) foreign.add(text);
    }
    await page.goto('/sign?token=unknown');
    await look('unknown link');
    for (const text of [
      ...textsIn(await readDetail(harness, transaction.id)),
      ...Object.values(GOOD_VALUES),
      'AL',
    ])
      foreign.add(text);
    return said;
  }

  test.each(shareOf(OTHERS, 6))(
    '%s: the browser asks for it, and nothing stays English',
    { timeout: 240_000 },
    async (language) => {
      const words = await loadWords(language);
      const same = sharedBy(words);
      if (words.error({ title: '' }) === EN.error({ title: '' }))
        for (const title of foreign) same.add(EN.error({ title }));
      const said = await wholeWay(language);
      expect([...said.keys()]).toEqual([...english.keys()]);
      for (const [name, texts] of said) {
        const before = new Set(english.get(name));
        const left = texts.filter((text) => before.has(text) && !foreign.has(text) && !same.has(text));
        expect(left, `${name} in ${language}`).toEqual([]);
      }
    },
  );

  test('a message that is read from right to left has its line on the right', async () => {
    const draft = await createDraft(harness, [SIGNER]);
    const params = { transactionId: draft.id };
    const body = updateBodyOf(draft.detail, {
      email_body: 'שלום, נא לחתום',
      description: 'Work on the engine',
    });
    await harness.client['transaction.update']({ params, body });
    const page = await open('en');
    await page.goto(`/sign?token=${tokenOf((await harness.client['transaction.start']({ params })).url)}`);
    const lines = await page.evaluate(
      "[...document.querySelectorAll('blockquote')].map((one) => [getComputedStyle(one).borderRightWidth, getComputedStyle(one).borderLeftWidth])",
    );
    expect(lines).toEqual([
      ['3px', '0px'],
      ['0px', '3px'],
    ]);
  });

  test.each([true, false])(
    'each is chosen with the switch, and stays (script: %s)',
    { timeout: 240_000 },
    async (hasScript) => {
      const { token } = await startWithEveryField(harness);
      const page = await open('ja', hasScript);
      await page.goto(`/sign?token=${token}`);
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
      for (const language of OTHERS) {
        const words = await loadWords(language);
        await page.locator('#language').selectOption({ label: LANGUAGES[language] });
        if (!hasScript) await page.locator('form.language button').click();
        await page.getByRole('heading', { name: words.consentTitle }).waitFor();
        await page.reload();
        await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
        await expect.poll(() => page.locator('#language').inputValue()).toBe(language);
        await expect.poll(() => page.evaluate(TOO_WIDE)).toBe(false);
      }
    },
  );
});

async function lookAtDialog(page: Page, words: Words, look: (name: string) => Promise<void>): Promise<void> {
  await page.locator('html.scripted').waitFor();
  await page.locator('a[data-sign="signature"]').first().dispatchEvent('click');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  for (const way of ['draw', 'upload', 'type'] as const) {
    await dialog.getByRole('tab', { name: words[way] }).click();
    await look(`dialog, ${way}`);
  }
  await page.keyboard.press('Escape');
}

/** Words that this language shares with English. */
function sharedBy(words: Words): Set<string> {
  const shared = new Set<string>();
  for (const [key, text] of Object.entries(EN)) {
    const other = words[key as keyof Words];
    if (typeof text === 'string' && text === other) shared.add(text);
    if (key === 'face' || key === 'pageCount')
      for (const number of [1, 2, 3]) {
        const call = (from: unknown) => (from as (values: object) => string)({ number, count: number });
        if (call(text) === call(other)) shared.add(call(text));
      }
  }
  return shared;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...value.split('\n')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const TOO_WIDE = 'document.scrollingElement.scrollWidth > window.innerWidth';

/** Texts that are seen or read aloud, without those of the documents, and without what is around text from outside. */
const TEXTS = `(() => {
  const bare = (text) => text.replace(/[\\u2068\\u2069]/g, '').replace(/^[\\s(:,*·]+|[\\s):,*·]+$/g, '');
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (!parentElement.closest('script, style, .words')) texts.push(bare(data));
  }
  for (const element of document.querySelectorAll('*'))
    for (const name of ['aria-label', 'alt', 'title', 'placeholder'])
      texts.push(bare(element.getAttribute(name) ?? ''));
  texts.push(bare(document.title));
  return [...new Set(texts)].filter((text) => /\\p{L}/u.test(text));
})()`;

/** Parts of the header that begin below the end of another one stand in another row. */
const HEADER_ROWS = `(() => {
  const parts = [...document.querySelectorAll('.top > div > *')].filter((one) => one.checkVisibility());
  const boxes = parts.map((one) => one.getBoundingClientRect()).sort((one, other) => one.top - other.top);
  let [rows, end] = [1, Infinity];
  for (const { top, bottom } of boxes) {
    if (top >= end) rows += 1;
    end = top >= end ? bottom : Math.min(end, bottom);
  }
  return rows;
})()`;

/** Words of buttons and tabs that begin in one line and end in the next. */
const CUT_WORDS = `[...document.querySelectorAll('button, a.button, .steps li')].flatMap((button) => {
  if (!button.checkVisibility()) return [];
  const cut = [];
  const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    for (const { index, 0: word } of walker.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) cut.push(word);
    }
  return cut;
})`;
