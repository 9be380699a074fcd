// Pictures at two resolutions and texts of pages: made once for a content, kept, and distinguished when one of them fails. The
// test's engine fails on demand, and passes other calls to the real one.
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/api/contract/limits.ts';
import { instantOf } from '../../src/common/instant.ts';
import type { DocumentEngine } from '../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../src/pdf/engine/in-process.ts';
import type { RequestContext } from '../../src/service/context.ts';
import { loadPageText, loadPicture } from '../../src/service/documents/pages.ts';
import { findPage, type StoredPage } from '../../src/service/store/documents/files.ts';
import { readPixels } from '../support/documents/pixels.ts';
import { ADA, createDraft, fieldFor, readDetail } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';

const TEN_MINUTES_MS = 10 * 60 * 1000;
const TOO_SLOW = { ok: false, reason: 'too_complex', limit: 'time', page: 1 } as const;

type Told = { asked: string[]; failSharp: boolean; failText: boolean };

async function withHarness(use: (harness: Harness, told: Told, context: RequestContext) => Promise<void>) {
  const told: Told = { asked: [], failSharp: false, failText: false };
  const real = createInProcessEngine();
  const documents: DocumentEngine = {
    ...real,
    inspect: async (...asked) => {
      const facts = await real.inspect(...asked);
      return facts.ok ? { ...facts, isPlain: false } : facts;
    },
    drawPage: async (source, page, how, owner) => {
      told.asked.push(`${page} at ${how.dpi}`);
      const fails = told.failSharp && how.dpi === LIMITS.sharpPngDpi;
      return fails ? TOO_SLOW : real.drawPage(source, page, how, owner);
    },
    readText: async (source, page, owner) => {
      told.asked.push(`text of ${page}`);
      return told.failText ? TOO_SLOW : real.readText(source, page, owner);
    },
  };
  const harness = await openHarness('in process', { documents });
  const { database } = harness.store;
  // What a handler is given, as far as these functions use it.
  const context = {
    documents,
    store: harness.store,
    read: database.read,
    get now() {
      return instantOf(harness.clock.now);
    },
  } as unknown as RequestContext;
  try {
    await use(harness, told, context);
  } finally {
    await harness.close();
  }
}

async function pageOf(harness: Harness, id: string, index = 0): Promise<StoredPage> {
  const { template } = await readDetail(harness, id);
  const page = await harness.store.database.read((db) =>
    findPage(db, { id: template.documents[0]?.pages[index]?.id ?? '' }),
  );
  return page as StoredPage;
}

async function widthOf(picture: Awaited<ReturnType<typeof loadPicture>>): Promise<number> {
  if (!picture.ok) throw new Error(picture.refusal.code);
  return readPixels(picture.output.bytes).width;
}

test.skipIf(!SLOW)('a page is drawn at each resolution when it is first asked for, and kept', () =>
  withHarness(async (harness, told, context) => {
    const page = await pageOf(harness, (await createDraft(harness)).id);
    const first = await widthOf(await loadPicture(context, page));
    const sharp = await widthOf(await loadPicture(context, page, 2));
    expect(sharp / first).toBeCloseTo(2, 2);
    const again = await pageOf(harness, (await createDraft(harness)).id);
    expect(await widthOf(await loadPicture(context, again, 2))).toBe(sharp);
    expect(await widthOf(await loadPicture(context, again, 1))).toBe(first);
    expect(told.asked).toEqual(['0 at 110', '0 at 220']);
  }),
);

test.skipIf(!SLOW)(
  'one that is too much for twice the resolution comes as at first, and can be started',
  () =>
    withHarness(async (harness, told, context) => {
      told.failSharp = true;
      const draft = await createDraft(harness);
      const page = await pageOf(harness, draft.id);
      const first = await widthOf(await loadPicture(context, page));
      expect(await widthOf(await loadPicture(context, page, 2))).toBe(first);
      expect(await widthOf(await loadPicture(context, page, 2))).toBe(first);
      expect(told.asked).toEqual(['0 at 110', '0 at 220']);
      const params = { transactionId: draft.id };
      expect((await readDetail(harness, draft.id)).template.documents[0]?.remarks).toEqual([]);
      await harness.client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
      await harness.client['transaction.start']({ params });
      // The other pages, at the resolution that decides; the first is drawn already.
      expect(told.asked.slice(2)).toEqual(['1 at 110', '2 at 110']);
    }),
);

test.skipIf(!SLOW)('a sharp picture alone does not count as drawn for start', () =>
  withHarness(async (harness, told, context) => {
    const draft = await createDraft(harness);
    await loadPicture(context, await pageOf(harness, draft.id), 2);
    const params = { transactionId: draft.id };
    await harness.client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
    await harness.client['transaction.start']({ params });
    expect(told.asked).toEqual(['0 at 220', '0 at 110', '1 at 110', '2 at 110']);
  }),
);

test('the text of a page is read once for a content', () =>
  withHarness(async (harness, told, context) => {
    const text = await loadPageText(context, await pageOf(harness, (await createDraft(harness)).id));
    expect(text).toMatchObject({ ok: true, output: { isCut: false } });
    const runs = text.ok ? text.output.runs : [];
    expect(runs.length).toBeGreaterThan(5);
    expect(
      runs.every(({ x, y, width, height }) => x >= 0 && y >= 0 && x + width <= 596 && y + height <= 842),
    ).toBe(true);
    expect(await loadPageText(context, await pageOf(harness, (await createDraft(harness)).id))).toEqual(text);
    expect(told.asked).toEqual(['text of 0']);
  }));

test('text that cannot be read is tried again after ten minutes', () =>
  withHarness(async (harness, told, context) => {
    told.failText = true;
    const page = await pageOf(harness, (await createDraft(harness)).id);
    const refused = { ok: false, refusal: { code: 'document_too_complex' } };
    expect(await loadPageText(context, page)).toMatchObject(refused);
    expect(await loadPageText(context, page)).toMatchObject(refused);
    expect(told.asked).toEqual(['text of 0']);
    told.failText = false;
    harness.clock.advance(TEN_MINUTES_MS);
    expect(await loadPageText(context, page)).toMatchObject({ ok: true });
    expect(told.asked).toEqual(['text of 0', 'text of 0']);
  }));

test.skipIf(!SLOW)('the text of a document that is swept goes with it', () =>
  withHarness(async (harness, _, context) => {
    await loadPageText(context, await pageOf(harness, (await createDraft(harness)).id));
    const { database } = harness.store;
    const count = () => database.read((db) => db.selectFrom('page_text').select('page').execute());
    await harness.service.sweep();
    expect(await count()).toHaveLength(1);
    await database.write(async (db) => {
      await db.deleteFrom('file').execute();
    });
    await harness.service.sweep();
    expect(await count()).toEqual([]);
  }),
);
