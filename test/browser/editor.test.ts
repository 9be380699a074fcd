// The editor of fields in a real browser: placing and changing by mouse, by keyboard and by finger, on a desk and on a phone, and two
// people at once. Without its script: test/service/web/edit/.
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { everyField } from '../support/fixtures/signing-pages.ts';
import { ADA, BOB, createDraft, readDetail } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const need = needsCommand('chromium');
const PASSWORD = 'correct horse battery';
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const DESK = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** The names of what has a vertical scroll bar, besides the window. */
const SCROLLING = `[...document.querySelectorAll('main *')]
  .filter((element) => element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY))
  .map((element) => element.className)`;
const WIDTHS = `({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })`;

describe.skipIf(need.skip || !SLOW)(`in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  let context: BrowserContext;
  let page: Page;
  let violations: string[];

  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
    await harness.client['sandbox.set_password']({ body: { password: PASSWORD } });
  });
  afterEach(async () => {
    await context.close();
    expect(violations).toEqual([]);
    expect(harness.errors).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.close();
  });

  /** Signs in, and opens the editor of a new draft with two signers. @returns the id of the draft */
  async function open(options: BrowserContextOptions = DESK): Promise<string> {
    context = await browser.newContext({ baseURL: harness.baseUrl, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(30_000);
    violations = [];
    page = await context.newPage();
    watch(page);
    const { id } = await createDraft(harness, [ADA, BOB]);
    await page.goto(`/transactions/${id}/edit`);
    await page.getByLabel('Email').fill('sender@esign.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('.editor.scripted').waitFor();
    return id;
  }

  function watch(one: Page): void {
    one.on('pageerror', ({ message }) => violations.push(message));
    one.on('console', (message) => {
      const isOfNetwork = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isOfNetwork) violations.push(message.text());
    });
  }

  const button = (name: string, inside: Page = page): Locator =>
    inside.getByRole('button', { name, exact: true });
  const sheet = (at: number, inside: Page = page): Locator => inside.locator('svg.over').nth(at);
  const boxes = (inside: Page = page): Locator => inside.locator('[data-field]');
  const saved = (inside: Page = page) =>
    expect.poll(() => inside.locator('.saving').innerText()).toBe('Saved');
  const fieldsOf = async (id: string) => (await readDetail(harness, id)).template.fields;

  async function place(type: string, x: number, y: number, inside: Page = page): Promise<void> {
    await button(type, inside).click();
    await sheet(0, inside).click({ position: { x, y } });
  }

  test('places a field by a click, moves it by the mouse, and takes a label', async () => {
    const id = await open();
    await place('Signature', 200, 300);
    await saved();
    const [placed] = await fieldsOf(id);
    const { template } = await readDetail(harness, id);
    const ada = template.recipients.find(({ email }) => email === ADA.email);
    expect(placed).toMatchObject({
      type: 'signature',
      page: 0,
      recipient_id: ada?.id,
      width: 180,
      height: 48,
    });
    const box = await boxes().first().boundingBox();
    if (!box || !placed) throw new Error('The field is not on the page.');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.keyboard.down('Alt');
    await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2 + 90, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Alt');
    await page.getByLabel('Label').fill('Tenant');
    await saved();
    const scale = 595 / ((await sheet(0).boundingBox())?.width ?? 1);
    const [moved] = await fieldsOf(id);
    expect(moved?.label).toBe('Tenant');
    expect(Math.abs((moved?.positionX ?? 0) - placed.positionX - 60 * scale)).toBeLessThan(1);
    expect(Math.abs((moved?.positionY ?? 0) - placed.positionY - 90 * scale)).toBeLessThan(1);
  });

  test('draws a field as large as its box, and resizes it by a corner', async () => {
    const id = await open();
    const area = await sheet(0).boundingBox();
    if (!area) throw new Error('There is no page.');
    const scale = 595 / area.width;
    const drag = async (from: [number, number], to: [number, number]) => {
      await page.mouse.move(from[0], from[1]);
      await page.mouse.down();
      await page.mouse.move(to[0], to[1], { steps: 4 });
      await page.mouse.up();
    };
    await button('Text').click();
    await drag([area.x + 100, area.y + 200], [area.x + 260, area.y + 230]);
    await saved();
    const [drawn] = await fieldsOf(id);
    expect(Math.abs((drawn?.width ?? 0) - 160 * scale)).toBeLessThan(1.5);
    const handle = await page.locator('.handle.bottom-right').boundingBox();
    if (!handle) throw new Error('There is no handle.');
    const corner: [number, number] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
    await page.keyboard.down('Alt');
    await drag(corner, [corner[0] + 80, corner[1] + 40]);
    await page.keyboard.up('Alt');
    await saved();
    const [resized] = await fieldsOf(id);
    expect(Math.abs((resized?.width ?? 0) - (drawn?.width ?? 0) - 80 * scale)).toBeLessThan(1.5);
    expect(resized?.positionX).toBe(drawn?.positionX);
  });

  test('is complete by keyboard alone', async () => {
    const id = await open();
    await page.getByRole('radio', { name: 'Bob' }).focus();
    await page.keyboard.press('Space');
    await button('Date').focus();
    await page.keyboard.press('Enter');
    await saved();
    const [placed] = await fieldsOf(id);
    if (!placed) throw new Error('Nothing was placed.');
    const { template } = await readDetail(harness, id);
    expect(template.recipients.find((one) => one.id === placed.recipient_id)?.email).toBe(BOB.email);
    await expect
      .poll(() => page.evaluate(`document.activeElement?.getAttribute('data-field')`))
      .toBe(placed.id);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Alt+ArrowDown');
    await saved();
    const [moved] = await fieldsOf(id);
    expect(moved).toMatchObject({
      positionX: placed.positionX + 1,
      positionY: placed.positionY - 10,
      height: placed.height + 1,
    });
    await page.keyboard.press('Control+d');
    await saved();
    expect(await fieldsOf(id)).toHaveLength(2);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await saved();
    expect(await fieldsOf(id)).toEqual([]);
    for (let steps = 0; steps < 5; steps++) await page.keyboard.press('Control+z');
    await saved();
    expect(await fieldsOf(id)).toEqual([]);
    await page.keyboard.press('Control+y');
    await saved();
    expect(await fieldsOf(id)).toEqual([placed]);
    await page.keyboard.press('Tab');
    await page.locator('.field-lines button').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.properties h2').innerText()).toBe('This field');
  });

  test('aligns several, and copies one to all pages', async () => {
    const id = await open();
    await place('Signature', 150, 200);
    await place('Signature', 300, 400);
    await page.keyboard.press('Control+a');
    await button('Left edges').click();
    await saved();
    const [one, other] = await fieldsOf(id);
    expect(one?.positionX).toBe(other?.positionX);
    await page.locator('.field-lines button').first().click();
    await button('Copy to all pages').click();
    await saved();
    expect((await fieldsOf(id)).map((field) => field.page).toSorted()).toEqual([0, 0, 1, 2]);
  });

  test('offers fields at the lines of the document, and takes one or all of them', async () => {
    const id = await open();
    const suggestions = page.locator('.suggestions li button');
    await expect
      .poll(() => suggestions.allInnerTexts())
      .toEqual([
        'Signature “Signature” for Ada, page 3',
        'Signature “Signature” for Bob, page 3 (guessed by order)',
        'Text “Place and date” for Ada, page 3',
        'Text “Place and date” for Bob, page 3 (guessed by order)',
      ]);
    await page.locator('[data-suggestion]').nth(1).click();
    await expect.poll(() => suggestions.count()).toBe(3);
    await suggestions.first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => suggestions.count()).toBe(2);
    expect(await page.evaluate('document.activeElement.textContent')).toBe(
      'Text “Place and date” for Ada, page 3',
    );
    await button('Add all 2').click();
    await saved();
    expect(await page.locator('[data-suggestion]').count()).toBe(0);
    expect(await button('Add all 0').isVisible()).toBe(false);
    const { template } = await readDetail(harness, id);
    const emailOf = new Map(template.recipients.map((one) => [one.id, one.email]));
    expect(
      template.fields.map(({ type, recipient_id }) => `${type} ${emailOf.get(recipient_id)}`).toSorted(),
    ).toEqual([ADA, BOB].flatMap(({ email }) => [`signature ${email}`, `text ${email}`]).toSorted());
    await button('Undo').click();
    await expect.poll(() => suggestions.count()).toBe(2);
  });

  test('puts a field at words that it finds', async () => {
    const id = await open();
    await page.getByRole('radio', { name: 'Bob' }).check();
    await page.getByLabel('Words in the documents').fill('place and date');
    await button('Find').click();
    const found = page.locator('.suggestions li button', { hasText: /^Signature for Bob, page 3$/ });
    await expect.poll(() => found.count()).toBe(2);
    await found.first().click();
    await saved();
    const [field] = await fieldsOf(id);
    expect(field).toMatchObject({ type: 'signature', page: 2, positionX: 71 });
    await page.getByLabel('Words in the documents').fill('no such words');
    await page.keyboard.press('Enter');
    await page.getByText('“no such words” is not in the text of the documents.').waitFor();
  });

  test('keeps what two people change, and tells the later one', async () => {
    const id = await open();
    await place('Signature', 150, 200);
    await saved();
    const other = await context.newPage();
    watch(other);
    await other.goto(`/transactions/${id}/edit`);
    await other.locator('.editor.scripted').waitFor();
    await other.locator('.field-lines button').first().click();
    await other.getByLabel('Label').fill('Theirs');
    await place('Date', 300, 500, other);
    await saved(other);
    await page.getByLabel('Label').fill('Mine');
    await place('Text', 300, 650);
    await expect.poll(() => page.locator('.notice').innerText()).toContain('You see theirs.');
    await saved();
    const after = await fieldsOf(id);
    expect(after.map(({ type }) => type).toSorted()).toEqual(['date', 'signature', 'text']);
    expect(after.find(({ type }) => type === 'signature')?.label).toBe('Theirs');
    await button('Put mine back').click();
    await saved();
    expect((await fieldsOf(id)).find(({ type }) => type === 'signature')?.label).toBe('Mine');
  });

  test('saves when the connection is back, and before it is left', async () => {
    const id = await open();
    await context.setOffline(true);
    await place('Signature', 150, 200);
    await expect.poll(() => page.locator('.saving').innerText()).toContain('trying again');
    await context.setOffline(false);
    await saved();
    expect(await fieldsOf(id)).toHaveLength(1);
    await place('Date', 150, 500);
    await page.getByRole('link', { name: 'Done' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/transactions/${id}`);
    expect(await fieldsOf(id)).toHaveLength(2);
  });

  test('has the date of signing filled in, with months in a language, and gives the date back', async () => {
    const id = await open();
    await place('Date', 200, 300);
    const value = page.getByLabel('Value that you know already');
    const isReadOnly = page.getByLabel('Read-only: the recipient cannot change the value');
    await page.getByLabel('Date format').selectOption('D. MMMM YYYY');
    await page.getByLabel('Language of the month').selectOption('Deutsch');
    await page.getByLabel('Date of signing, filled in automatically').check();
    await saved();
    expect(await fieldsOf(id)).toMatchObject([
      { value: 'today', readonly: true, date_format: 'D. MMMM YYYY', date_language: 'de' },
    ]);
    expect(await value.inputValue()).toBe('');
    expect([await value.isDisabled(), await isReadOnly.isDisabled()]).toEqual([true, true]);
    await page.getByLabel('Date of signing, filled in automatically').uncheck();
    await value.fill('2026-03-05');
    await saved();
    const [field] = await fieldsOf(id);
    expect(field?.value).toBe('2026-03-05');
    expect(field?.readonly).toBe(false);
  });

  test('drops a known value that a date cannot have when its field becomes one, and the date of signing afterwards', async () => {
    const id = await open();
    await place('Text', 150, 200);
    const value = page.getByLabel('Value that you know already');
    const type = page.getByLabel('Type', { exact: true });
    const stored = async () => {
      const [field] = await fieldsOf(id);
      return [field?.type, field?.value];
    };
    const expectAfterChange = async (text: string, other: string, kept: string | undefined) => {
      await value.fill(text);
      await type.selectOption(other);
      await expect.poll(stored).toEqual([other, kept]);
      expect(await value.inputValue()).toBe(kept ?? '');
    };
    await expectAfterChange('Berlin', 'date', undefined);
    await expectAfterChange('2026-03-05', 'text', '2026-03-05');
    await expectAfterChange('today', 'date', undefined);
    const isOfSigning = page.getByLabel('Date of signing, filled in automatically');
    expect(await isOfSigning.isChecked()).toBe(false);
    await isOfSigning.check();
    await expect.poll(stored).toEqual(['date', 'today']);
    await type.selectOption('text');
    await expect.poll(stored).toEqual(['text', undefined]);
    expect(await value.inputValue()).toBe('');
    await expectAfterChange('2026-03-05', 'date', '2026-03-05');
  });

  test('marks a field that is refused, and saves when it is corrected', async () => {
    const id = await open();
    await place('Text', 150, 200);
    await saved();
    await page.getByLabel('Least characters').fill('9');
    await page.getByLabel('Most characters').fill('3');
    await expect.poll(() => page.locator('.saving').innerText()).toContain('Not saved');
    await expect.poll(() => page.locator('.properties .wrong').innerText()).not.toBe('');
    expect(await page.locator('.field-box.wrong').count()).toBe(1);
    await page.getByLabel('Most characters').fill('30');
    await saved();
    expect(await page.locator('.field-box.wrong').count()).toBe(0);
    expect((await fieldsOf(id))[0]).toMatchObject({ min_length: 9, max_length: 30 });
  });

  test('works by finger on a small screen, without scrolling sideways', async () => {
    const id = await open(PHONE);
    await button('Signature').tap();
    await sheet(0).tap({ position: { x: 120, y: 200 } });
    await saved();
    expect(await fieldsOf(id)).toHaveLength(1);
    await expect.poll(() => page.getByLabel('Label').isVisible()).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  test.each([
    ['a desk', { viewport: { width: 1280, height: 800 } }, ['pages', 'side']],
    ['a phone', PHONE, ['sheet properties of-field']],
  ] as const)(
    'keeps its bar in view on %s, with one place to scroll and no more than a panel beside it',
    async (_, size, scrolling) => {
      const id = await open(size);
      const detail = await readDetail(harness, id);
      await harness.client['transaction.fields']({
        params: { transactionId: id },
        body: { fields: everyField({ id, detail }, ADA.email) },
      });
      await page.reload();
      await page.locator('.editor.scripted').waitFor();
      await page.locator('.field-lines button').last().press('Enter');
      await page.mouse.move(size.viewport.width / 2, 300);
      await page.mouse.wheel(0, 1500);
      const done = page.getByRole('link', { name: 'Done' });
      const top = async () => (await done.boundingBox())?.y ?? -1;
      await expect.poll(top).toBeGreaterThanOrEqual(0);
      expect(await top()).toBeLessThan(140);
      expect(await page.evaluate(SCROLLING)).toEqual(scrolling);
      const { scrollWidth, clientWidth } = (await page.evaluate(WIDTHS)) as Record<string, number>;
      expect(scrollWidth).toBe(clientWidth);
    },
  );

  test.each([
    ['light', DESK],
    ['dark', DESK],
    ['light', PHONE],
  ] as const)('has no fault that axe finds: %s, %o', async (colorScheme, size) => {
    await open({ ...size, colorScheme, bypassCSP: true });
    await place('Signature', 120, 150);
    await page.keyboard.press('Escape');
    await place('Text', 120, 250);
    await saved();
    await page.addScriptTag({ path: AXE });
    const found = await page.evaluate('axe.run().then(({ violations }) => violations)');
    expect(found).toEqual([]);
  });
});
