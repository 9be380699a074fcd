// The signing pages with their script in a real browser, on a desk and on a phone: nothing that is typed is lost, whatever happens to
// the connection, the page or the turn. Without the script: test/service/signing/.
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { SIGNER, startWithEveryField } from '../support/fixtures/signing-pages.ts';
import {
  createDraft,
  fieldFor,
  readDetail,
  startTransaction,
  tokenOf,
  updateBodyOf,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const need = needsCommand('chromium');
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

describe.skipIf(need.skip || !SLOW)(`in Chromium${need.why}`, () => {
  let browser: Browser;
  let harness: Harness;
  let context: BrowserContext;
  let page: Page;
  let violations: string[];

  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchChromium(), openHarness('over HTTP')]);
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

  async function open(options: BrowserContextOptions): Promise<void> {
    context = await browser.newContext({
      baseURL: harness.baseUrl,
      timezoneId: 'Asia/Tokyo',
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(30_000);
    page = await context.newPage();
    violations = [];
    page.on('pageerror', ({ message }) => violations.push(message));
    page.on('console', (message) => {
      // The browser itself reports refusals and a lost connection.
      const isOfNetwork = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isOfNetwork) violations.push(message.text());
    });
  }

  /** Up to the documents. */
  async function enter(token: string): Promise<void> {
    await page.goto(`/sign?token=${token}`);
    await page.getByLabel('I have read this').check();
    await button('Continue to the documents').click();
    // Before that, a link to sign leads to a page of its own.
    await page.locator('html.scripted').waitFor();
  }

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const control = (label: string): Locator => page.getByLabel(label, { exact: true });
  const current = (): Locator => page.locator('.field.current');
  const bar = (): Locator => page.locator('.guide');
  const heading = (): Promise<string> => page.locator('h1').innerText();

  /** The box of a field, which is what a person taps. */
  async function boxOf(label: string): Promise<Locator> {
    const field = page.locator('[data-control]', { has: page.getByText(label, { exact: true }) });
    return page.locator(`a.mark[data-field="${await field.first().getAttribute('data-control')}"]`);
  }

  async function valuesOf(id: string): Promise<Record<string, string | null>> {
    const { template } = await readDetail(harness, id);
    const fields = await harness.store.database.read((db) =>
      db.selectFrom('field').select(['label', 'value']).where('template_id', '=', template.id).execute(),
    );
    return Object.fromEntries(fields.map(({ label, value }) => [label, value]));
  }

  /** As another device sees it: a browser puts back what was typed in a page that is loaded again. */
  async function keptIn(label: string): Promise<string> {
    const other = await context.newPage();
    await other.goto(`${new URL(page.url()).pathname.split('/').slice(0, 3).join('/')}/document`);
    const value = await other.getByLabel(label).inputValue();
    await other.close();
    return value;
  }

  const handwriting = (): Promise<string[]> =>
    page.locator('#controls .written.handwriting').allTextContents();

  /** From now on the service's drawings of signatures arrive when they are released. */
  async function holdDrawings(): Promise<{ release(): void; mostAtOnce(): number }> {
    let [open, most] = [0, 0];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/fields', async (route) => {
      open += 1;
      most = Math.max(most, open);
      await released;
      open -= 1;
      await route.continue();
    });
    return { release, mostAtOnce: () => most };
  }

  const saved = () => bar().getByText('Saved', { exact: true }).waitFor();

  /** As people do, who keep the button of the mouse down for some frames. */
  async function clickSlowly(on: Locator): Promise<void> {
    const { x = 0, y = 0 } = (await on.boundingBox()) ?? {};
    await page.mouse.move(x + 10, y + 10);
    await page.mouse.down();
    for (let frame = 0; frame < 5; frame += 1)
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    await page.mouse.up();
  }

  /** Bottom of the first above top of the second. */
  async function isAbove(upper: Locator, lower: Locator): Promise<boolean> {
    const [first, second] = await Promise.all([upper.boundingBox(), lower.boundingBox()]);
    return first !== null && second !== null && first.y >= 0 && first.y + first.height <= second.y;
  }

  describe('on a desk', () => {
    test('leads from field to field, shows and keeps what is typed, and ends with "signed"', async () => {
      await open(DESK);
      const { token, id } = await startWithEveryField(harness);
      await enter(token);
      await bar().getByText('8 fields left').waitFor();
      expect(await page.locator('progress').getAttribute('value')).toBe('0');
      await expect.poll(() => button('Save').isVisible()).toBe(false);
      await button('Next field').click();
      await expect.poll(() => current().locator('label').innerText()).toBe('Start of work');
      await current().getByRole('button', { name: 'Today' }).click();
      // The day by the clock of the service, not by that of the browser.
      expect(await control('Start of work').inputValue()).toBe('2026-03-01');
      await button('Next field').click();
      await page.keyboard.type('12x');
      await expect
        .poll(async () => (await boxOf('Daily rate')).locator('.value').innerHTML())
        .toContain('<path');
      await page.getByText('Enter a number in').waitFor();
      await expect.poll(() => control('Daily rate').getAttribute('aria-invalid')).toBe('true');
      await expect.poll(async () => (await boxOf('Daily rate')).getAttribute('class')).toContain('wrong');
      await control('Daily rate').fill('1,200.50');
      await page.getByText('Enter a number in').waitFor({ state: 'hidden' });
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('SELECT');
      await page.keyboard.press('F');
      await (await boxOf('I have read the annex')).locator('rect').click();
      await expect.poll(() => control('I have read the annex').isChecked()).toBe(true);
      await control('Tax number').fill('DE123456789');
      await bar().getByText('3 fields left').waitFor();
      await page.reload();
      await expect.poll(() => control('Daily rate').inputValue()).toBe('1,200.50');
      await expect.poll(() => control('Country').inputValue()).toBe('France');
      await typeSignature();
      await bar().getByText('Ready to review').waitFor();
      await button('Remove').first().click();
      await bar().getByText('1 field left').waitFor();
      await (await boxOf('Signature')).locator('rect').click();
      await bar().getByText('Ready to review').waitFor();
      await expect.poll(handwriting).toEqual(['Ada L.', 'Ada L.', 'AL']);
      await bar().getByRole('button', { name: 'Review' }).click();
      await page.waitForURL(/\/review$/);
      await button('Sign now').click();
      await page.getByRole('heading', { name: 'Everyone has signed' }).waitFor();
      await expect.poll(() => page.locator('time').innerText()).toContain('6:00 PM');
      expect(await valuesOf(id)).toMatchObject({
        'Daily rate': '1200.50',
        Country: 'France',
        'I have read the annex': 'true',
        'Tax number': 'DE123456789',
        'Signature of the annex': 'Ada L.',
        Initials: 'AL',
      });
    });

    /** In the dialog, which gives the focus back. */
    async function typeSignature(): Promise<void> {
      await page.getByRole('link', { name: 'Sign here' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Your signature' });
      await dialog.getByLabel('Your name, as you sign it').fill('Ada');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.locator('a:focus', { hasText: /^Sign here$/ }).press('Enter');
      await dialog.getByLabel('Your name, as you sign it').fill('Ada L.');
      await expect
        .poll(() => dialog.locator('[data-sample]').allTextContents())
        .toEqual(['Ada L.', 'Ada L.']);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change');
    }

    test.runIf(SLOW)(
      'keeps a value that was typed just before the page was left, and the page of before is fresh',
      async () => {
        await open(DESK);
        const { token } = await startWithEveryField(harness);
        await enter(token);
        await page.getByLabel('Remarks').fill('Left at once');
        // Not by a click, which would end the typing first.
        await page.evaluate("location.assign(document.querySelector('.title a.button').href)");
        await page.getByRole('heading', { name: 'Reject' }).waitFor();
        expect(await keptIn('Remarks')).toBe('Left at once');
        await page.goBack();
        await expect.poll(() => page.getByLabel('Remarks').inputValue()).toBe('Left at once');
      },
    );

    test('puts a signature back that was taken away a moment ago, before the service has drawn that', async () => {
      await open(DESK);
      const { token } = await startWithEveryField(harness);
      await enter(token);
      await typeSignature();
      await bar().getByText('5 fields left').waitFor();
      const drawings = await holdDrawings();
      await button('Remove').first().click();
      await bar().getByText('6 fields left').waitFor();
      await (await boxOf('Signature')).locator('rect').click();
      await bar().getByText('5 fields left').waitFor();
      drawings.release();
      await expect.poll(handwriting).toEqual(['Ada L.', 'Ada L.', 'AL']);
      expect(drawings.mostAtOnce()).toBe(1);
    });

    test('takes two signatures away, though the connection is lost between them', async () => {
      await open(DESK);
      const { token } = await startWithEveryField(harness);
      await enter(token);
      await typeSignature();
      await bar().getByText('5 fields left').waitFor();
      const drawings = await holdDrawings();
      await button('Remove').nth(0).click();
      await bar().getByText('6 fields left').waitFor();
      await page.route('**/values*', (route) => route.abort());
      await button('Remove').nth(1).click();
      await bar().getByText('Not saved yet').waitFor();
      drawings.release();
      await expect.poll(() => button('Remove').count()).toBe(2);
      await page.unroute('**/values*');
      await saved();
      await expect.poll(handwriting).toEqual(['AL']);
      await page.reload();
      await expect.poll(handwriting).toEqual(['AL']);
    });

    test('keeps trying without a connection, warns who leaves, and saves when it is back', async () => {
      await open(DESK);
      const { token } = await startWithEveryField(harness);
      await enter(token);
      await context.setOffline(true);
      await page.getByLabel('Remarks').fill('Typed in a tunnel');
      await page.keyboard.press('Tab');
      await bar().getByText('Not saved yet').waitFor();
      await control('Tax number').fill('DE123456789');
      const asked = page.waitForEvent('dialog').then(async (dialog) => {
        await dialog.dismiss();
        return dialog.type();
      });
      await page.getByRole('link', { name: 'Reject' }).click({ noWaitAfter: true });
      expect(await asked).toBe('beforeunload');
      await button('Next field').click();
      await bar().getByRole('button', { name: 'Next field' }).waitFor();
      await context.setOffline(false);
      await saved();
      expect(await keptIn('Remarks')).toBe('Typed in a tunnel');
      expect(await keptIn('Tax number')).toBe('DE123456789');
    });

    test('leads to the page that tells how things stand when the turn has passed', async () => {
      await open(DESK);
      const { token, id } = await startTransaction(harness);
      await enter(token);
      await harness.client['transaction.cancel']({
        params: { transactionId: id },
        body: { cancelled_reason: 'Wrong contract' },
      });
      await clickSlowly(page.getByRole('link', { name: 'Sign here' }));
      await page.waitForURL(/\/sign\/[^/]+$/);
      await expect.poll(heading).toBe('This request was cancelled');
    });

    test.runIf(SLOW)('takes as many characters as the service does, and says what is too long', async () => {
      await open(DESK);
      const draft = await createDraft(harness, [SIGNER]);
      const params = { transactionId: draft.id };
      const short = fieldFor(draft, SIGNER.email, { type: 'text', label: 'Mood', max_length: 5 });
      await harness.client['transaction.update']({
        params,
        body: updateBodyOf(draft.detail, { fields: [short] }),
      });
      await enter(tokenOf((await harness.client['transaction.start']({ params })).url));
      await control('Mood').focus();
      await page.keyboard.insertText('😀'.repeat(5));
      await bar().getByText('Ready to review').waitFor();
      await expect.poll(() => control('Mood').inputValue()).toBe('😀'.repeat(5));
      await control('Mood').fill('');
      await page.keyboard.type('merrily');
      await page.getByText('must have at most 5 characters').waitFor();
      await expect.poll(() => control('Mood').inputValue()).toBe('merrily');
    });

    test.runIf(SLOW)(
      'does not ask for the review while something is left, and lists it with links to the fields',
      async () => {
        await open(DESK);
        const { token } = await startWithEveryField(harness);
        await enter(token);
        await page.locator('.panel').getByRole('button', { name: 'Review' }).click();
        await page.waitForURL(/check=1/);
        await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('problems');
        await page.getByRole('link', { name: /Fill in .*Tax number/ }).click();
        await expect
          .poll(() => page.evaluate('document.activeElement.labels?.[0].textContent'))
          .toBe('Tax number');
        await control('Tax number').fill('DE123456789');
        await page
          .locator('.panel')
          .getByText(/Fill in .*Tax number/)
          .waitFor({ state: 'hidden' });
      },
    );

    test.runIf(SLOW)(
      'loads the pages around a field, zooms with the middle held, and takes the sharp picture',
      async () => {
        await open(DESK);
        await enter(await createLongDraft());
        const shown = (): Promise<number[]> =>
          page.evaluate(
            "[...document.querySelectorAll('figure[data-page]:not([data-missing])')].map((one) => +one.dataset.page)",
          );
        await expect.poll(shown).toEqual([1, 2, 3]);
        await button('Next field').click();
        const box = page.locator('a.mark.current rect');
        await expect.poll(() => isAbove(box, bar())).toBe(true);
        await expect.poll(shown).toContain(26);
        expect(await shown()).not.toContain(12);
        const scrollToMissing = () =>
          page.evaluate("document.querySelector('figure[data-missing]')?.scrollIntoView()");
        await expect
          .poll(() => scrollToMissing().then(shown), { timeout: 60_000 })
          .toEqual(Array.from({ length: 36 }, (_, index) => index + 1));
        await expect.poll(() => page.locator('.document-heading').count()).toBe(12);
        await button('Next field').click();
        await expect.poll(() => isAbove(box, bar())).toBe(true);
        await page.evaluate("document.elementFromPoint(300, 400).closest('figure').classList.add('middle')");
        const picture = page.locator('.middle img');
        const before = await picture.boundingBox();

        await button('Zoom in').click();

        await button('Zoom in').click();

        const after = await picture.boundingBox();
        expect((after?.width ?? 0) / (before?.width ?? 1)).toBeCloseTo(1.5, 1);
        const middle = (at: typeof before) => (400 - (at?.y ?? 0)) / (at?.height ?? 1);
        expect(middle(after)).toBeCloseTo(middle(before), 2);
        await expect
          .poll(() => page.evaluate("document.querySelector('.middle img').currentSrc"), { timeout: 20_000 })
          .toContain('scale=2');
        await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
      },
    );
  });

  /** Twelve documents of three pages; the fields are on the last pages of the ninth. */
  async function createLongDraft(): Promise<string> {
    const draft = await createDraft(harness, [SIGNER]);
    const params = { transactionId: draft.id };
    for (let count = 2; count <= 12; count += 1)
      await harness.client['transaction.add_document']({
        params,
        body: { token: await uploadContract(harness) },
      });
    const detail = await readDetail(harness, draft.id);
    const { documents } = detail.template;
    const ninth = documents.find(({ index }) => index === documents.length - 4)?.id ?? '';
    const field = fieldFor({ ...draft, detail }, SIGNER.email, { document_id: ninth, page: 1 });
    const fields = [field, { ...field, page: 2, positionY: 700 }];
    await harness.client['transaction.update']({ params, body: updateBodyOf(detail, { fields }) });
    return tokenOf((await harness.client['transaction.start']({ params })).url);
  }

  describe('on a phone', () => {
    const touch = async (points: { x: number; y: number }[]) => {
      const session = await context.newCDPSession(page);
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints });
      await send('touchStart', points.slice(0, 1));
      for (const point of points.slice(1)) await send('touchMove', [point]);
      await send('touchEnd', []);
    };

    const width = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

    test('on its side, keeps the button that adopts a signature on the screen', async () => {
      await open({ ...PHONE, viewport: { width: 740, height: 390 } });
      const { token } = await startTransaction(harness);
      await enter(token);
      await bar().getByRole('button', { name: 'Next field' }).tap();
      await page.getByRole('link', { name: 'Sign here' }).tap();
      const dialog = page.getByRole('dialog', { name: 'Your signature' });
      for (const way of ['Draw', 'Type', 'Upload']) {
        await dialog.getByRole('tab', { name: new RegExp(way) }).tap();
        const box = await dialog.getByRole('button', { name: 'Use this signature' }).boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 999), way).toBeLessThanOrEqual(390);
      }
    });

    test('shows one control at a time above the bar and its box above that, and draws by touch', async () => {
      await open(PHONE);
      const { token, id } = await startWithEveryField(harness);
      await page.addInitScript(SEEN_DRAWING);
      await enter(token);
      await expect.poll(() => page.locator('.field:visible').count()).toBe(0);
      for (const [label, fill] of [
        ['Start of work', () => control('Start of work').fill('2026-04-01')],
        ['Daily rate', () => control('Daily rate').fill('200')],
        ['Country', () => control('Country').selectOption('France')],
        ['I have read the annex', () => control('I have read the annex').tap()],
        ['Tax number', () => control('Tax number').fill('DE123456789')],
      ] as const) {
        await bar().getByRole('button', { name: 'Next field' }).tap();
        await expect.poll(() => page.locator('.field:visible').count()).toBe(1);
        await expect.poll(async () => isAbove((await boxOf(label)).locator('rect'), current())).toBe(true);
        await fill();
      }
      await expect.poll(width).toBe(360);
      await button('Your fields').tap();
      await expect.poll(() => page.locator('.field:visible').count()).toBe(12);
      await bar().getByText('3 fields left').waitFor();
      await button('Next field').tap();
      await page.getByRole('link', { name: 'Sign here' }).tap();
      await draw();
      await bar().getByText('Ready to review').waitFor();
      await expect.poll(() => page.locator('a.mark.filled image').count()).toBe(3);
      await expect
        .poll(async () => isAbove((await boxOf('Signature')).locator('rect'), current()))
        .toBe(true);
      await bar().getByRole('button', { name: 'Review' }).tap();
      await button('Sign now').tap();
      await page.getByRole('heading', { name: 'Everyone has signed' }).waitFor();
      expect(await valuesOf(id)).toMatchObject({
        Country: 'France',
        'I have read the annex': 'true',
        Signature: expect.stringMatching(/^data:image\/png;base64,/),
        Initials: expect.stringMatching(/^data:image\/png;base64,/),
      });
    });

    async function draw(): Promise<void> {
      const dialog = page.getByRole('dialog', { name: 'Your signature' });
      await expect.poll(() => dialog.getByRole('tab').first().getAttribute('aria-selected')).toBe('true');
      const use = dialog.getByRole('button', { name: 'Use this signature' });
      await use.tap();
      await dialog.getByText('Draw your signature first').waitFor();
      const pad = await dialog.getByRole('img').boundingBox();
      if (!pad) throw new Error('There is no place to draw on.');
      const stroke = (count: number) =>
        Array.from({ length: count }, (_, index) => ({
          x: pad.x + 40 + index * 4,
          y: pad.y + 30 + (index % 8) * 6,
        }));
      await touch(stroke(3));
      await dialog.getByText('Draw your signature first').waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Clear' }).tap();
      await touch(stroke(40));
      await page.setViewportSize({ width: 740, height: 360 });
      await page.setViewportSize({ width: 360, height: 740 });
      // Chromium may lose a tap while it lays out the new size: a person then taps again. Lost strokes would be said.
      await expect
        .poll(
          async () => {
            if (await dialog.isVisible()) await use.tap({ timeout: 5_000 });
            return dialog.isVisible();
          },
          { timeout: 30_000, interval: 2_000 },
        )
        .toBe(false);
      const seen = await page.evaluate('seenDrawing');
      expect(seen).toMatchObject({ kind: 'drawn', type: 'image/png', colours: ['0,0,0'], isTrimmed: true });
      expect((seen as { width: number }).width).toBeGreaterThan(40 * 4 * 2.5);
    }

    test.runIf(SLOW)(
      'fits with text of twice the size, and keeps the control above the keyboard',
      async () => {
        await open(PHONE);
        const { token } = await startWithEveryField(harness);
        await page.addInitScript(SMALL_VIEW);
        await enter(token);
        await page.evaluate("document.documentElement.style.fontSize = '32px'");
        for (let count = 0; count < 3; count += 1) await button('Next field').tap();
        await expect.poll(width).toBe(360);
        await expect.poll(() => isAbove(current().locator('select'), bar())).toBe(true);
        await page.evaluate("document.documentElement.style.fontSize = ''");
        await button('Next field').tap();
        await button('Next field').tap();
        await page.evaluate('openKeyboard(420)');
        const field = await control('Tax number').boundingBox();
        const end = await bar().boundingBox();
        expect((field?.y ?? 999) + (field?.height ?? 0)).toBeLessThan(420);
        expect((end?.y ?? 999) + (end?.height ?? 0)).toBeLessThanOrEqual(420);
        await expect
          .poll(async () => isAbove((await boxOf('Tax number')).locator('rect'), current()))
          .toBe(true);
      },
    );
  });
});

/** A view like that of a phone whose keyboard covers a part of the page. */
const SMALL_VIEW = `{
  const view = new EventTarget();
  Object.assign(view, { scale: 1, offsetTop: 0, height: innerHeight });
  Object.defineProperty(window, 'visualViewport', { value: view });
  window.openKeyboard = (height) => {
    view.height = height;
    view.dispatchEvent(new Event('resize'));
  };
}`;

/** Looks at the picture that is sent. */
const SEEN_DRAWING = `{
  const ask = window.fetch;
  window.fetch = async (address, init) => {
    if (init?.body instanceof FormData) {
      const [file, kind] = [init.body.get('file'), init.body.get('kind')];
      if (kind !== 'drawn') return ask(address, init);
      const picture = await createImageBitmap(file);
      const { width, height } = picture;
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const pen = canvas.getContext('2d');
      pen.drawImage(picture, 0, 0);
      const { data } = pen.getImageData(0, 0, width, height);
      const colours = new Set();
      let [left, right, top, bottom] = [width, 0, height, 0];
      for (let index = 0; index < data.length; index += 4) {
        if (data[index + 3] < 128) continue;
        colours.add(data.slice(index, index + 3).join());
        const [x, y] = [(index / 4) % width, Math.floor(index / 4 / width)];
        [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
      }
      const isTrimmed = left < 12 && top < 12 && width - right < 12 && height - bottom < 12;
      window.seenDrawing = { kind, type: file.type, width, colours: [...colours], isTrimmed };
    }
    return ask(address, init);
  };
}`;
