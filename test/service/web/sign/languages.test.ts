// Every signing page in every language: nothing of it stays English, nothing from outside becomes markup or turns a sentence
// around, and a recipient keeps the language they have chosen.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isLanguage, LANGUAGES, type Language } from '../../../../src/api/contract/languages.ts';
import { LIMITS } from '../../../../src/api/contract/limits.ts';
import { createInProcessEngine } from '../../../../src/pdf/engine/in-process.ts';
import { loadWords } from '../../../../src/service/web/sign/words.ts';
import { type HtmlPage, openBrowserClient } from '../../../support/browser-client.ts';
import {
  controlNamesOf,
  everyField,
  fillInEverything,
  GOOD_VALUES,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  type SigningBrowser,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import {
  createDraft,
  currentToken,
  endTransaction,
  readDetail,
  tokenOf,
  updateBodyOf,
  uploadContract,
} from '../../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../../support/harness.ts';
import { SLOW } from '../../../support/tier.ts';

const EN = await loadWords('en');

const ALL = Object.keys(LANGUAGES).filter(isLanguage);

type Drawing = ReturnType<typeof createInProcessEngine>['drawPage'];

let harness: Harness;
/** Draws pages instead of the engine. */
let drawing: Drawing | undefined;

beforeAll(async () => {
  const real = createInProcessEngine();
  const drawPage: Drawing = (...asked) => (drawing ?? real.drawPage)(...asked);
  harness = await openHarness('in process', { documents: { ...real, drawPage } });
});
afterEach(() => {
  expect(harness.errors.splice(0)).toEqual([]);
  expect(harness.contractViolations.splice(0)).toEqual([]);
});
afterAll(() => harness.close());

// ── a recipient at their pages ──────────────────────────────────────────────────────────────────────────────────────

const asking = (language: string) => ({ 'accept-language': language });

const guestIn = (token: string, language: string): Promise<SigningBrowser> =>
  openSigningPages(harness, token, asking(language));

/** Chosen on the page, and kept. */
async function speak(guest: SigningBrowser, language: Language): Promise<SigningBrowser> {
  const from = (await guest.open()).status === 303 ? 'document' : '';
  await guest.submitForm(from, 'language', { language });
  return guest;
}

type StartedTransaction = { id: string; recipientId: string };

/** Values by the labels of fields. */
async function fillIn(
  guest: SigningBrowser,
  transaction: StartedTransaction,
  values: Record<string, string>,
): Promise<HtmlPage> {
  const names = await controlNamesOf(harness, transaction);
  const given = Object.entries(values).map(([label, value]) => [names[label], value]);
  return guest.submitForm('document', 'values', Object.fromEntries(given));
}

const adopt = async (guest: SigningBrowser, text: string): Promise<HtmlPage> =>
  guest.sendFile(await guest.open('signature'), `${guest.base}/signature`, { text, face: 'handwriting' });

// ── what a page says ────────────────────────────────────────────────────────────────────────────────────────────────

/** Texts of a page and of the attributes that are read, as they stand in the markup. */
const textsOf = (html: string): string[] =>
  [
    ...html.replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, '').matchAll(/>([^<]+)</g),
    ...html.matchAll(/\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g),
  ].map(([, text = '']) => bare(text));

/** Without what we put around text from outside, and around words that stand for themselves. */
const bare = (text: string): string =>
  text
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/^[\s(:,*]+|[\s):,*]+$/g, '');

const tagsOf = (html: string): string[] => [...html.matchAll(/<(\/?[a-z]\w*)/g)].map(([, tag = '']) => tag);

/** Every text in what the API tells. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [bare(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** By what it is, then by language. */
type Album = Map<string, Map<Language, HtmlPage>>;

type Note = (name: string, page: HtmlPage | Promise<HtmlPage>) => Promise<void>;

let turn = 0;

/** All of them in the slow tier; otherwise English, those named, and one by turns, so that each is met by some pages. */
function languagesNow(named: readonly Language[]): Language[] {
  if (SLOW) return ALL;
  const others = ALL.filter((language) => language !== 'en');
  turn += 1;
  return [...new Set<Language>(['en', ...named, others[turn % others.length] ?? 'en'])];
}

/**
 * `look` gives the pages of a language their names.
 * @param named are looked at in the short tier too
 */
async function inEveryLanguage(
  album: Album,
  look: (language: Language, note: Note) => Promise<void>,
  named: readonly Language[] = [],
): Promise<void> {
  for (const language of languagesNow(named))
    await look(language, async (name, page) => {
      const pages = album.get(name) ?? new Map<Language, HtmlPage>();
      album.set(name, pages.set(language, await page));
    });
}

/** The sender's; its name stands on every page. */
const COMPANY = 'Sandbox';

/** That each page is in its language and nothing else differs. @param foreign texts from outside, which stay as they are */
async function expectTranslated(album: Album, foreign: readonly string[]): Promise<void> {
  const english = new Set([...foreign, ...Object.values(LANGUAGES), COMPANY]);
  for (const language of ALL) {
    const words = await loadWords(language);
    const sames = (Object.keys(EN) as (keyof typeof EN)[]).filter((key) => words[key] === EN[key]);
    const shared = new Set<unknown>([...english, ...sames.map((key) => EN[key])]);
    for (const number of [1, 2, 3]) {
      const [counts, styles] = [EN.pageCount({ count: number }), EN.face({ number })];
      if (words.pageCount({ count: number }) === counts) shared.add(counts);
      if (words.face({ number }) === styles) shared.add(styles);
    }
    if (words.error({ title: '' }) === EN.error({ title: '' }))
      for (const title of foreign) shared.add(EN.error({ title }));
    for (const [name, pages] of album) {
      if (!SLOW && !pages.has(language)) continue;
      const [first, page] = [pages.get('en'), pages.get(language)];
      const where = `${name} in ${language}`;
      expect(page?.html, where).toContain(`<html lang="${language}">`);
      expect(page?.status, where).toBe(first?.status);
      expect(tagsOf(page?.html ?? ''), where).toEqual(tagsOf(first?.html ?? ''));
      if (language === 'en') continue;
      const said = new Set(textsOf(first?.html ?? ''));
      const left = textsOf(page?.html ?? '').filter(
        (text) => /\p{L}/u.test(text) && said.has(text) && !shared.has(text),
      );
      expect(left, where).toEqual([]);
    }
  }
}

// ── every page ──────────────────────────────────────────────────────────────────────────────────────────────────────

test.skipIf(!SLOW)(
  'every page is in the language of its reader, from the first one to signed and rejected',
  async () => {
    const transaction = await startWithEveryField(harness, [SIGNER, PROXY]);
    const album: Album = new Map();

    await inEveryLanguage(album, async (language, note) => {
      const guest = await guestIn(transaction.token, language);
      const start = await guest.open();
      await note('start', start);
      await note('start, not agreed', guest.send(start, `${guest.base}/consent`, {}));
      await note('reject', guest.open('reject'));
      await note('reject without a reason', guest.submitForm('reject', 'reject', { reason: ' ' }));
      const reason = '1'.repeat(LIMITS.reasonLength + 1);
      await note('reject with too long a reason', guest.submitForm('reject', 'reject', { reason }));
      const forged = { hidden: { form_token: 'x' } };
      await note('out of date', guest.send(start, `${guest.base}/consent`, { agree: 'yes' }, forged));
      await note('nothing here', guest.open('nowhere'));
      const foreign = { headers: { origin: 'https://evil.example' } };
      await note('foreign', guest.send(start, `${guest.base}/consent`, { agree: 'yes' }, foreign));
      const more = 'x'.repeat(LIMITS.jsonBytes);
      if (SLOW) await note('too much', guest.send(start, `${guest.base}/consent`, { more }));
    });

    const signer = await giveConsent(await guestIn(transaction.token, 'en'));
    const pageId = transaction.detail.template.documents[0]?.pages[1]?.id;
    await inEveryLanguage(
      album,
      async (language, note) => {
        await speak(signer, language);
        await note('document', signer.open('document'));
        await note('document, all told', signer.open('document?check=1'));
        await note('later pages', signer.open('document?page=3'));
        await note('page as text', signer.open(`text/${pageId}`));
        await note('signature', signer.open('signature'));
        await note('initials', signer.open('signature?for=initials'));
        await note('signature of nobody', adopt(signer, ' '));
      },
      ['de'],
    );
    expect(album.get('document, all told')?.get('de')?.text).toContain('Füllen Sie „Start of work“ aus');

    const wrong = {
      'E-mail address': 'x',
      'Start of work': '2026-02-30',
      'Tax number': 'x',
      'Full name': '',
    };
    for (const rate of SLOW ? ['99.5', 'x', '5000.5'] : ['99.5']) {
      await fillIn(signer, transaction, { ...wrong, 'Daily rate': rate });
      await inEveryLanguage(
        album,
        async (language, note) =>
          note(`wrong, ${rate}`, (await speak(signer, language)).open('document?check=1')),
        ['pl'],
      );
    }
    expect(album.get('wrong, 99.5')?.get('pl')?.text).toContain(
      'Wartość pola „Daily rate” musi wynosić co najmniej 100',
    );

    await fillInEverything(harness, signer, transaction);
    await inEveryLanguage(
      album,
      async (language, note) => {
        await speak(signer, language);
        await note('document, filled in', signer.open('document'));
        await note('review', signer.open('review'));
        await note('review, changed meanwhile', signer.open('review?changed=1'));
      },
      ['fr', 'it'],
    );
    expect(album.get('review')?.get('fr')?.text).toContain('1200.50');
    expect(album.get('review')?.get('it')?.text).toContain('2026-04-01');

    expect((await signer.submitForm('review', 'submit', {})).status).toBe(303);
    await inEveryLanguage(album, async (language, note) =>
      note('signed', (await speak(signer, language)).open()),
    );
    const token = await currentToken(harness, transaction.id);
    const proxy = (language: string) => guestIn(token, language);
    await inEveryLanguage(album, async (language, note) =>
      note('start of a proxy', (await proxy(language)).open()),
    );
    const reason = 'Not what we agreed';
    expect((await (await proxy('en')).submitForm('reject', 'reject', { reason })).status).toBe(303);
    await inEveryLanguage(album, async (language, note) => {
      await note('rejected by the reader', (await proxy(language)).open());
      await note('rejected by somebody else', (await speak(signer, language)).open());
    });

    const typed = [...Object.values(GOOD_VALUES), 'AL', 'x'];
    const read = textsOf(album.get('page as text')?.get('en')?.html ?? '').filter((text) =>
      text.includes('\n'),
    );
    await expectTranslated(album, [
      ...leavesOf(await readDetail(harness, transaction.id)),
      ...typed,
      ...read,
    ]);
  },
);

test.skipIf(!SLOW)('every other end is in the language of its reader', async () => {
  const album: Album = new Map();
  const foreign: string[] = [];
  for (const end of ['completed', 'cancelled', 'expired'] as const) {
    const { id, token } = await endTransaction(harness, end);
    await inEveryLanguage(album, async (language, note) =>
      note(end, (await guestIn(token, language)).open()),
    );
    foreign.push(...leavesOf(await readDetail(harness, id)));
  }
  expect(album.get('expired')?.get('es')?.text).toContain('Esta solicitud ha caducado');
  await expectTranslated(album, foreign);
});

test('a page without a recipient is in the language of the browser, and so is a failure', async () => {
  const { token, detail, id } = await startWithEveryField(harness, [SIGNER, PROXY]);
  const waiting = detail.template.recipients.find(({ role }) => role === 'proxy');
  // The first page is drawn with the document page around it.
  const [, page] = detail.template.documents[0]?.pages ?? [];
  const album: Album = new Map();
  await inEveryLanguage(
    album,
    async (language, note) => {
      const wish = `ja,${language.toUpperCase()}-XX;q=0.8,*;q=0.1`;
      const guest = await guestIn(token, wish);
      const stranger = openBrowserClient(harness, harness.baseUrl, asking(wish));
      await note('unknown link', stranger.get('/sign?token=unknown'));
      await note('no cookie', stranger.get(guest.base));
      await note('not yet', stranger.get(`/sign/${waiting?.id}`));
      drawing = async () => ({ ok: false, reason: 'busy' });
      await note('busy', guest.open(`pages/${page?.id}.png`));
      drawing = async () => {
        throw new Error('on purpose');
      };
      await note('failed', guest.open(`pages/${page?.id}.png`));
      drawing = undefined;
    },
    ALL,
  );
  expect(harness.errors.splice(0)).toHaveLength(ALL.length);
  expect(album.get('failed')?.get('de')).toMatchObject({ status: 500 });
  expect(album.get('busy')?.get('de')).toMatchObject({ status: 503 });
  expect(album.get('unknown link')?.get('nl')?.text).toContain('Deze link werkt niet');
  for (const pages of album.values())
    for (const one of pages.values()) expect(one.headers.get('vary')).toBe('Accept-Language');
  await expectTranslated(album, leavesOf(await readDetail(harness, id)));
});

// ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────────

const languageOf = ({ html }: HtmlPage) => /<html lang="(\w+)">/.exec(html)?.[1];

test('changing the language keeps the page, and the choice stays on every device and after agreeing', async () => {
  const { token, detail } = await startWithEveryField(harness);
  const [phone, desk] = [await guestIn(token, 'it'), await guestIn(token, 'en')];
  expect([languageOf(await phone.open()), languageOf(await desk.open())]).toEqual(['it', 'en']);
  const changed = await phone.submitForm('', 'language', { language: 'pl' });
  expect(changed).toMatchObject({ status: 303, location: phone.base });
  expect([languageOf(await phone.open()), languageOf(await desk.open())]).toEqual(['pl', 'pl']);
  await giveConsent(desk);
  for (const path of [
    'document',
    'signature',
    'signature?for=initials',
    'document?check=1',
    'reject',
    `text/${detail.template.documents[0]?.pages[0]?.id}`,
  ])
    expect((await desk.submitForm(path, 'language', { language: 'nl' })).location).toBe(
      `${desk.base}/${path}`,
    );
  const page = await phone.open('document');
  expect(languageOf(page)).toBe('nl');
  expect(page.html).toMatch(/<option value="nl" lang="nl" selected>Nederlands<\/option>/);
  expect(page.html.match(/ selected>/g)).toHaveLength(1);
});

test('no other language, and no way to somewhere else, comes of changing it', async () => {
  const { token, recipientId } = await startWithEveryField(harness);
  const guest = await guestIn(token, 'fr');
  for (const language of ['xx', '', 'constructor', 'DE', 'de-AT', '<b>'])
    expect((await guest.submitForm('', 'language', { language })).status).toBe(303);
  expect(languageOf(await guest.open())).toBe('fr');
  const kept = await harness.store.database.read((db) =>
    db.selectFrom('signing').select('language').where('recipient_id', '=', recipientId).execute(),
  );
  expect(kept.filter(({ language }) => language !== null)).toEqual([]);
  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/',
    `${guest.base}/submit`,
    `${guest.base}/text/a/b`,
    'https://',
    '?for=initials',
    '',
  ];
  for (const next of elsewhere)
    expect((await guest.submitForm('', 'language', { language: 'de', next })).location).toBe(guest.base);
  const forged = { hidden: { form_token: 'x' } };
  const refused = await guest.send(await guest.open(), `${guest.base}/language`, { language: 'it' }, forged);
  expect(refused.status).toBe(403);
  expect(languageOf(await guest.open())).toBe('de');
});

// ── numbers and days ────────────────────────────────────────────────────────────────────────────────────────────────

test('a number means what its page has shown, whatever language was chosen meanwhile', async () => {
  const transaction = await startWithEveryField(harness);
  const guest = await giveConsent(await guestIn(transaction.token, 'de'));
  const open = await guest.open('document');
  await speak(guest, 'en');
  const rate = (await controlNamesOf(harness, transaction))['Daily rate'] ?? '';
  const type = (value: string, page?: HtmlPage) =>
    page
      ? guest.send(page, `${guest.base}/values`, { [rate]: value })
      : fillIn(guest, transaction, { 'Daily rate': value });
  const shown = async () =>
    /^"[^>]* value="([^"]*)"/.exec((await guest.open('document')).html.split(`name="${rate}`)[1] ?? '')?.[1];
  await type('1.200', open);
  expect(await shown()).toBe('1,200');
  await type('1.200');
  expect(await shown()).toBe('1.200');
  await type('1.200,50');
  expect(await shown()).toBe('1,200.50');
  await speak(guest, 'pl');
  expect(await shown()).toBe('1200,50');
  await type('1.200');
  expect(await shown()).toBe('1.200 ');
  expect((await guest.open('document?check=1')).text).toContain('Proszę wpisać liczbę w polu „Daily rate”');
});

test('what is no number and no day stays as it was typed, and every page still opens', async () => {
  const transaction = await startWithEveryField(harness);
  const guest = await giveConsent(await guestIn(transaction.token, 'de'));
  const rate = `1.${'1'.repeat(40)}`;
  await fillIn(guest, transaction, { 'Daily rate': rate, 'Start of work': '2026-13-45' });
  const page = await guest.open('document');
  expect(page.status).toBe(200);
  expect(page.html).toContain('2026-13-45');
  expect(page.html).toContain(rate);
});

// ── text from outside ───────────────────────────────────────────────────────────────────────────────────────────────

/** Written from the right, with what would be markup if it were not escaped. */
const hostile = (what: string): string => `שלום <b onclick="x" class='y'>${what}</b>&amp;`;

/** What stands directly before a text from outside: an isolate, an element that finds out its direction, or a line of a drawing. */
const ISOLATES =
  /(?:\u2068|<bdi>|<title>|<(?:p|option|dd|blockquote|textarea|span)\b[^>]*\sdir="auto"[^>]*>\s*|<text (?!class="label")[^>]*>|\svalue=")$/;

function expectKeptApart(page: HtmlPage, where: string): void {
  const { html } = page;
  expect(html.includes('<b '), where).toBe(false);
  const before = [...html.matchAll(/שלום/g)].map(({ index }) => html.slice(Math.max(0, index - 300), index));
  expect(
    before.filter((text) => !ISOLATES.test(text)),
    where,
  ).toEqual([]);
}

test('text from outside is never markup, and turns no sentence around', async () => {
  const draft = await createDraft(harness, [{ ...SIGNER, name: hostile('signer') }]);
  const params = { transactionId: draft.id };
  const token = await uploadContract(harness, `${hostile('file').replaceAll('/', '')}.pdf`);
  await harness.client['transaction.add_document']({ params, body: { token } });
  const detail = await readDetail(harness, draft.id);
  const fields = everyField({ ...draft, detail }, SIGNER.email).map(({ regex: _, ...field }) => ({
    ...field,
    label: hostile(field.label ?? ''),
    helper_text: hostile('help'),
    ...(field.options && { options: field.options.map(hostile) }),
  }));
  const texts = {
    name: hostile('name'),
    email_alias: hostile('alias'),
    email_body: hostile('body'),
    description: hostile('why'),
  };
  await harness.client['transaction.update']({ params, body: updateBodyOf(detail, { ...texts, fields }) });
  const { url } = await harness.client['transaction.start']({ params });
  const recipientId = fields[0]?.recipient_id ?? '';
  const guest = await guestIn(tokenOf(url), 'en');
  const look = async (...paths: string[]) => {
    for (const language of languagesNow([])) {
      await speak(guest, language);
      for (const path of paths) {
        const page = await guest.open(path);
        expect([path, page.status]).toEqual([path, 200]);
        expect(page.text).toContain('שלום');
        expectKeptApart(page, `${path} in ${language}`);
      }
    }
  };
  await look('', 'reject');
  await giveConsent(guest);
  await look('document', 'document?check=1', 'signature');
  const values = {
    ...GOOD_VALUES,
    Country: hostile('France'),
    'Tax number': hostile('typed'),
    'I have read the annex': 'true',
  };
  const typed = Object.entries(values).map(([label, value]) => [hostile(label), value]);
  await fillIn(guest, { id: draft.id, recipientId }, Object.fromEntries(typed));
  await adopt(guest, hostile('signed'));
  await look('document', 'review');
  await guest.submitForm('reject', 'reject', { reason: hostile('reason') });
  await look('');
});
