// Every signing page in every language: nothing of it stays English, nothing from outside becomes markup or turns a sentence
// around, and a recipient keeps the language they have chosen.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { isLanguage, LANGUAGES, type Language, wordsOf } from '../../../src/service/web/sign/language.ts';
import { EN } from '../../../src/service/web/sign/words/en.ts';
import { detailOf, draftOf, endedAs, tokenOf, updateOf, upload } from '../../support/deal.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { everyField, GOOD_VALUES, PROXY, SIGNER, signable } from '../../support/signing.ts';
import { SLOW } from '../../support/tier.ts';
import { formsOf, type Page, type Visitor, visitorOf } from '../../support/visitor.ts';

const ALL = Object.keys(LANGUAGES).filter(isLanguage);

type Drawing = ReturnType<typeof createInProcessEngine>['drawPage'];

let world: Harness;
/** Draws pages instead of the engine. */
let drawing: Drawing | undefined;

beforeAll(async () => {
  const real = createInProcessEngine();
  const drawPage: Drawing = (...asked) => (drawing ?? real.drawPage)(...asked);
  world = await openHarness('in process', { documents: { ...real, drawPage } });
});
afterEach(() => {
  expect(world.errors.splice(0)).toEqual([]);
  expect(world.complaints.splice(0)).toEqual([]);
});
afterAll(() => world.close());

// ── a recipient at their pages ──────────────────────────────────────────────────────────────────────────────────────

type Values = Record<string, string>;

type Reader = {
  visitor: Visitor;
  /** `/sign/RECIPIENT` */
  home: string;
  get(page?: string): Promise<Page>;
  /** The form of a page, filled in. */
  send(from: string, action: string, fields: Values, hidden?: Values): Promise<Page>;
  speak(language: Language): Promise<Page>;
};

async function readerOf(token: string, acceptLanguage = 'en'): Promise<Reader> {
  const visitor = visitorOf(world);
  const headers = { 'accept-language': acceptLanguage };
  const home = (await visitor.get(`/sign?token=${token}`, headers)).location ?? '';
  const reader: Reader = {
    visitor,
    home,
    get: (page = '') => visitor.get(page === '' ? home : `${home}/${page}`, headers),
    send: async (from, action, fields, hidden = {}) =>
      visitor.send(await reader.get(from), `${home}/${action}`, fields, { hidden, headers }),
    async speak(language) {
      const from = (await reader.get()).status === 303 ? 'document' : '';
      return reader.send(from, 'language', { language });
    },
  };
  return reader;
}

/** Values by the labels of fields, and the box that has to be ticked. */
async function fillIn(reader: Reader, id: string, values: Values, ticked = true): Promise<Page> {
  const fields = (await detailOf(world, id)).template.fields.filter(({ recipient_id }) =>
    reader.home.endsWith(recipient_id),
  );
  const named = fields.flatMap(({ id: field, label = '', type }) => {
    if (type === 'checkbox') return ticked ? [[`value-${field}`, 'true']] : [];
    return values[label] === undefined ? [] : [[`value-${field}`, values[label]]];
  });
  return reader.send('document', 'values', Object.fromEntries(named));
}

/** Types this as the signature or the initials; browsers send an empty file with it. */
async function adopt(reader: Reader, mark: 'signature' | 'initials', text: string): Promise<Page> {
  const page = await reader.get(`signature?for=${mark}`);
  const form = formsOf(page).find(({ action }) => action === `${reader.home}/signature`);
  const data = new FormData();
  for (const [name, value] of Object.entries({ ...form?.hidden, text, face: 'hand-1' }))
    data.append(name, value);
  data.append('file', new File([], ''));
  const encoded = new Response(data);
  return reader.visitor.post(`${reader.home}/signature`, await encoded.text(), {
    'content-type': encoded.headers.get('content-type') ?? '',
    origin: new URL(world.baseUrl).origin,
    'sec-fetch-site': 'same-origin',
  });
}

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
type Album = Map<string, Map<Language, Page>>;

/** Every page is looked at in every language; `look` gives them their names. */
async function inEveryLanguage(
  album: Album,
  reader: Reader,
  look: (note: (name: string, page: Page | Promise<Page>) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const language of ALL) {
    await reader.speak(language);
    await look(async (name, page) => {
      const pages = album.get(name) ?? new Map<Language, Page>();
      album.set(name, pages.set(language, await page));
    });
  }
}

/** That each page is in its language and nothing else differs. @param foreign texts from outside, which stay as they are */
async function expectTranslated(album: Album, foreign: readonly string[]): Promise<void> {
  const english = new Set([...foreign, ...Object.values(LANGUAGES)]);
  for (const language of ALL) {
    const words = await wordsOf(language);
    const sames = (Object.keys(EN) as (keyof typeof EN)[]).filter((key) => words[key] === EN[key]);
    const shared = new Set<unknown>([...english, ...sames.map((key) => EN[key])]);
    for (const number of [1, 2, 3])
      for (const key of ['face', 'pageCount'] as const)
        if (words[key](number) === EN[key](number)) shared.add(EN[key](number));
    if (words.error('') === EN.error('')) for (const text of foreign) shared.add(EN.error(text));
    for (const [name, pages] of album) {
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

it('every page is in the language that was chosen, from the first one to signed and rejected', async () => {
  const deal = await signable(world, [SIGNER, PROXY]);
  const album: Album = new Map();
  const signer = await readerOf(deal.token);

  await inEveryLanguage(album, signer, async (note) => {
    await note('start', signer.get());
    await note('start, not agreed', signer.send('', 'consent', {}));
    await note('reject', signer.get('reject'));
    await note('reject without a reason', signer.send('reject', 'reject', { reason: ' ' }));
    const reason = '1'.repeat(LIMITS.reasonLength + 1);
    await note('reject with too long a reason', signer.send('reject', 'reject', { reason }));
    await note('out of date', signer.send('', 'consent', { agree: 'yes' }, { form_token: 'x' }));
    await note('nothing here', signer.get('nowhere'));
    if (SLOW) await note('too much', signer.send('', 'consent', { more: 'x'.repeat(LIMITS.jsonBytes) }));
    await note(
      'foreign',
      signer.visitor.post(`${signer.home}/consent`, '', { origin: 'https://evil.example' }),
    );
  });

  expect((await signer.send('', 'consent', { agree: 'yes' })).status).toBe(303);
  await inEveryLanguage(album, signer, async (note) => {
    await note('document', signer.get('document'));
    await note('document, all told', signer.get('document?check=1'));
    await note('later pages', signer.get('document?page=3'));
    await note('signature', signer.get('signature'));
    await note('initials', signer.get('signature?for=initials'));
    await note('signature of nobody', adopt(signer, 'signature', ' '));
  });
  expect(album.get('document, all told')?.get('de')?.text).toContain('Füllen Sie „⁨Start of work⁩“ aus');

  const wrong = {
    'E-mail address': 'x',
    'Start of work': '2026-02-30',
    Country: 'x',
    'Tax number': 'x',
    'Full name': '',
  };
  for (const rate of ['x', '99.5', '5000.5']) {
    await fillIn(signer, deal.id, { ...wrong, 'Daily rate': rate }, false);
    await inEveryLanguage(album, signer, (note) => note(`wrong, ${rate}`, signer.get('document?check=1')));
  }
  expect(album.get('wrong, 99.5')?.get('pl')?.text).toContain(
    'Wartość pola „⁨Daily rate⁩” musi wynosić co najmniej 100',
  );

  await fillIn(signer, deal.id, GOOD_VALUES);
  await adopt(signer, 'signature', SIGNER.name);
  await inEveryLanguage(album, signer, async (note) => {
    await note('document, filled in', signer.get('document'));
    await note('review', signer.get('review'));
    await note('review, changed meanwhile', signer.get('review?changed=1'));
  });
  expect(album.get('review')?.get('fr')?.text.replaceAll(/\s/g, ' ')).toContain('1 200,50');
  expect(album.get('review')?.get('it')?.text).toContain('1 aprile 2026');

  expect((await signer.send('review', 'submit', {})).status).toBe(303);
  await inEveryLanguage(album, signer, (note) => note('signed', signer.get()));

  const { template } = await detailOf(world, deal.id);
  const proxy = await readerOf(template.recipients.find(({ is_current }) => is_current)?.token ?? '');
  await inEveryLanguage(album, proxy, (note) => note('start of a proxy', proxy.get()));
  expect((await proxy.send('reject', 'reject', { reason: 'Not what we agreed' })).status).toBe(303);
  await inEveryLanguage(album, proxy, (note) => note('rejected by the reader', proxy.get()));
  await inEveryLanguage(album, signer, (note) => note('rejected by somebody else', signer.get()));

  await expectTranslated(album, [
    ...leavesOf(await detailOf(world, deal.id)),
    ...Object.values(GOOD_VALUES),
    'AL',
    'x',
  ]);
});

it('every other end is in the language that was chosen', async () => {
  const album: Album = new Map();
  const foreign: string[] = [];
  for (const end of ['completed', 'cancelled', 'expired'] as const) {
    const { id, token } = await endedAs(world, end);
    const reader = await readerOf(token);
    await inEveryLanguage(album, reader, (note) => note(end, reader.get()));
    foreign.push(...leavesOf(await detailOf(world, id)));
  }
  expect(album.get('expired')?.get('es')?.text).toContain('Esta solicitud ha caducado');
  await expectTranslated(album, foreign);
});

it('a page for nobody in particular is in the language of the browser, and so is a failure', async () => {
  const { token, detail, id } = await signable(world, [SIGNER, PROXY]);
  const waiting = (await detailOf(world, id)).template.recipients.find(({ role }) => role === 'proxy');
  const [page] = detail.template.documents[0]?.pages ?? [];
  const album: Album = new Map();
  for (const language of ALL) {
    const headers = { 'accept-language': `ja,${language.toUpperCase()}-XX;q=0.8,*;q=0.1` };
    const reader = await readerOf(token, headers['accept-language']);
    const stranger = visitorOf(world);
    const note = (name: string, one: Page) =>
      album.set(name, (album.get(name) ?? new Map<Language, Page>()).set(language, one));
    note('unknown link', await stranger.get('/sign?token=unknown', headers));
    note('no cookie', await stranger.get(reader.home, headers));
    note('not yet', await stranger.get(`/sign/${waiting?.id}`, headers));
    note('start', await reader.get());
    drawing = async () => ({ ok: false, reason: 'busy' });
    note('busy', await reader.get(`pages/${page?.id}.png`));
    drawing = async () => {
      throw new Error('on purpose');
    };
    note('failed', await reader.get(`pages/${page?.id}.png`));
    drawing = undefined;
  }
  expect(world.errors.splice(0)).toHaveLength(ALL.length);
  expect(album.get('failed')?.get('de')).toMatchObject({ status: 500 });
  expect(album.get('busy')?.get('de')).toMatchObject({ status: 503 });
  expect(album.get('unknown link')?.get('nl')?.text).toContain('Deze link werkt niet');
  for (const pages of album.values())
    for (const one of pages.values()) expect(one.headers.get('vary')).toBe('Accept-Language');
  await expectTranslated(album, leavesOf(await detailOf(world, id)));
});

// ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────────

it('changing the language keeps the page, and the choice stays on every device and after agreeing', async () => {
  const { token } = await signable(world);
  const [phone, desk] = [await readerOf(token, 'it'), await readerOf(token, 'en')];
  expect((await desk.get()).html).toContain('<html lang="en">');
  expect(await phone.send('', 'language', { language: 'pl' })).toMatchObject({
    status: 303,
    location: phone.home,
  });
  for (const reader of [phone, desk]) expect((await reader.get()).html).toContain('<html lang="pl">');
  await desk.send('', 'consent', { agree: 'yes' });
  for (const path of ['document', 'signature', 'reject'])
    expect((await desk.send(path, 'language', { language: 'nl' })).location).toBe(`${desk.home}/${path}`);
  const page = await phone.get('document');
  expect(page.html).toContain('<html lang="nl">');
  expect(page.html).toMatch(/<option value="nl" lang="nl" selected>Nederlands<\/option>/);
  expect(page.html.match(/ selected>/g)).toHaveLength(1);
});

it('no other language, and no way to somewhere else, comes of changing it', async () => {
  const { token } = await signable(world);
  const reader = await readerOf(token, 'fr');
  for (const language of ['xx', '', 'constructor', 'DE', 'de-AT', '<b>'])
    expect((await reader.send('', 'language', { language })).status).toBe(303);
  expect((await reader.get()).html).toContain('<html lang="fr">');
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/',
    `${reader.home}/submit`,
    `${reader.home}/consent`,
    '',
  ])
    expect((await reader.send('', 'language', { language: 'de', next })).location).toBe(reader.home);
  const forged = await reader.send('', 'language', { language: 'it' }, { form_token: 'x' });
  expect(forged.status).toBe(403);
  expect((await reader.get()).html).toContain('<html lang="de">');
});

// ── numbers and days ────────────────────────────────────────────────────────────────────────────────────────────────

it('a number means what its page has shown, whatever language was chosen meanwhile', async () => {
  const { token, id } = await signable(world);
  const reader = await readerOf(token, 'de');
  await reader.send('', 'consent', { agree: 'yes' });
  const open = await reader.get('document');
  await reader.speak('en');
  const { template } = await detailOf(world, id);
  const rate = template.fields.find(({ label }) => label === 'Daily rate')?.id ?? '';
  const rated = async () =>
    /value="([^"]*)"[^>]*>/.exec(
      (await reader.get('document')).html.split(`name="value-${rate}"`)[1] ?? '',
    )?.[1];
  await reader.visitor.send(open, `${reader.home}/values`, { [`value-${rate}`]: '1.200' });
  expect(await rated()).toBe('1,200');
  await reader.send('document', 'values', { [`value-${rate}`]: '1.200' });
  expect(await rated()).toBe('1.200');
  await reader.send('document', 'values', { [`value-${rate}`]: '1.200,50' });
  expect(await rated()).toBe('1,200.50');
  await reader.speak('pl');
  expect(await rated()).toBe('1200,50');
  await reader.send('document', 'values', { [`value-${rate}`]: '1.200' });
  expect(await rated()).toBe('1.200 ');
  expect((await reader.get('document?check=1')).text).toContain('Proszę wpisać liczbę w polu „⁨Daily rate⁩”');
});

it('what is no number and no day stays as it was typed, and every page still opens', async () => {
  const { token, id } = await signable(world);
  const reader = await readerOf(token, 'de');
  await reader.send('', 'consent', { agree: 'yes' });
  const rate = `1.${'1'.repeat(40)}`;
  await fillIn(reader, id, { 'Daily rate': rate, 'Start of work': '2026-13-45' });
  const page = await reader.get('document');
  expect(page.status).toBe(200);
  expect(page.html).toContain('2026-13-45');
  expect(page.html).toContain(rate);
});

// ── text from outside ───────────────────────────────────────────────────────────────────────────────────────────────

/** Written from the right, with what would be markup if it were not escaped. */
const hostile = (what: string): string => `שלום <b onclick="x" class='y'>${what}</b>&amp;`;

/** What stands directly before a text from outside: an isolate, an element that finds out its direction, or a line of a drawing. */
const ISOLATES =
  /(?:\u2068|<bdi>|<title>|<(?:p|option|dd|blockquote|textarea|span)\b[^>]*\sdir="auto"[^>]*>\s*|<text [^>]*>|\svalue=")$/;

function expectKeptApart(page: Page, where: string): void {
  const { html } = page;
  expect(html.includes('<b '), where).toBe(false);
  const before = [...html.matchAll(/שלום/g)].map(({ index }) => html.slice(Math.max(0, index - 300), index));
  expect(
    before.filter((text) => !ISOLATES.test(text)),
    where,
  ).toEqual([]);
}

it('text from outside is never markup, and turns no sentence around', async () => {
  const draft = await draftOf(world, [{ ...SIGNER, name: hostile('signer') }]);
  const params = { transactionId: draft.id };
  const token = await upload(world, `${hostile('file').replaceAll('/', '')}.pdf`);
  await world.client['transaction.add_document']({ params, body: { token } });
  const detail = await detailOf(world, draft.id);
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
  await world.client['transaction.update']({ params, body: updateOf(detail, { ...texts, fields }) });
  const reader = await readerOf(tokenOf((await world.client['transaction.start']({ params })).url));
  const look = async (...paths: string[]) => {
    for (const language of ALL) {
      await reader.speak(language);
      for (const path of paths) {
        const page = await reader.get(path);
        expect([path, page.status]).toEqual([path, 200]);
        expect(page.text).toContain('שלום');
        expectKeptApart(page, `${path} in ${language}`);
      }
    }
  };
  await look('', 'reject');
  await reader.send('', 'consent', { agree: 'yes' });
  await look('document', 'document?check=1', 'signature');
  const values = Object.fromEntries(
    Object.entries(GOOD_VALUES).map(([label, value]) => [
      hostile(label),
      label === 'Country' ? hostile(value) : value,
    ]),
  );
  await fillIn(reader, draft.id, { ...values, [hostile('Tax number')]: hostile('typed') });
  await adopt(reader, 'signature', hostile('signed'));
  await look('document', 'review');
  await reader.send('reject', 'reject', { reason: hostile('reason') });
  await look('');
});
