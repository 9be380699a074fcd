// Pages that cannot be drawn: a remark for the sender, and no recipient is asked to sign them. The test's engine fails on
// demand, and passes other calls to the real one.
import { expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/api/contract/limits.ts';
import { startWhenChecked } from '../../src/cli/sending/start.ts';
import type { DocumentEngine, DrawAnswer } from '../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../src/pdf/engine/in-process.ts';
import { filesIn } from '../support/assert-unchanged.ts';
import {
  ADA,
  createDraft,
  fieldFor,
  readDetail,
  refusalOf,
  SENDER,
  startTransaction,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';

const TEN_MINUTES_MS = 10 * 60 * 1000;

/** `usedMs`: processor time that each page takes. */
type Told = { drawn: number[]; fail: Map<number, DrawAnswer>; isPlain: boolean; usedMs: number };

/** @returns a service, and what controls its engine and what was requested of it */
async function openScripted(): Promise<{ harness: Harness; told: Told }> {
  const told: Told = { drawn: [], fail: new Map(), isPlain: false, usedMs: 1 };
  const real = createInProcessEngine();
  const documents: DocumentEngine = {
    ...real,
    async inspect(...asked) {
      const facts = await real.inspect(...asked);
      return facts.ok ? { ...facts, isPlain: told.isPlain } : facts;
    },
    async drawPage(source, page, scale, owner) {
      told.drawn.push(page);
      const drawn = told.fail.get(page) ?? (await real.drawPage(source, page, { ...scale, dpi: 20 }, owner));
      return { ...drawn, usedMs: told.usedMs };
    },
  };
  return { harness: await openHarness('in process', { documents }), told };
}

async function withHarness(use: (harness: Harness, told: Told) => Promise<void>): Promise<void> {
  const { harness, told } = await openScripted();
  try {
    await use(harness, told);
    expect(harness.errors).toEqual([]);
    expect(harness.contractViolations).toEqual([]);
  } finally {
    await harness.close();
  }
}

const slow: DrawAnswer = { ok: false, reason: 'too_complex', limit: 'time', page: 2 };

async function ready(harness: Harness) {
  const draft = await createDraft(harness);
  const params = { transactionId: draft.id };
  const fields = [fieldFor(draft, ADA.email)];
  await harness.client['transaction.fields']({ params, body: { fields } });
  return { ...draft, start: () => harness.client['transaction.start']({ params }) };
}

const REMARK = {
  code: 'page_not_drawable',
  message: 'Page 2 cannot be displayed: it takes too long to process.',
  page: 1,
};

test('pages of a file that is not plain are drawn before the first start, and never again', () =>
  withHarness(async (harness, told) => {
    await (await ready(harness)).start();
    expect(told.drawn).toEqual([0, 1, 2]);
    const blobs = await filesIn(`${harness.folder}/blobs`);
    const second = await ready(harness);
    await second.start();
    const fileId = second.detail.template.documents[0]?.pages[1]?.file.id ?? '';
    await harness.client['file.content']({ params: { fileId } });
    expect(told.drawn).toEqual([0, 1, 2]);
    expect(await filesIn(`${harness.folder}/blobs`)).toEqual(blobs);
  }));

test('pages of a plain file are not', () =>
  withHarness(async (harness, told) => {
    told.isPlain = true;
    await (await ready(harness)).start();
    expect(told.drawn).toEqual([]);
  }));

test('a start checks pages for as much processor time as a request may take, and the next one continues where it stopped', () =>
  withHarness(async (harness, told) => {
    told.usedMs = LIMITS.drawBeforeStartMs;
    const { start } = await ready(harness);
    const refusal = await refusalOf(start());
    expect(refusal).toMatchObject({ status: 409, code: 'documents_not_checked' });
    expect(refusal.message).toContain(
      '2 pages have not been checked yet, starting with page 2 of "contract.pdf"',
    );
    expect((await refusalOf(start())).message).toContain('1 page has not been checked yet');
    await start();
    expect(told.drawn).toEqual([0, 1, 2]);
  }));

/** By the clock, each page takes so long to draw. */
async function withClock(told: Told, pageMs: number, use: () => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now');
  clock.mockImplementation(() => now() + told.drawn.length * pageMs);
  try {
    await use();
  } finally {
    clock.mockRestore();
  }
}

test.skipIf(!SLOW)('a start waits for a busy machine, which checks the same pages later', () =>
  withHarness((harness, told) =>
    withClock(told, 2 * LIMITS.drawBeforeStartMs, async () => {
      const { start } = await ready(harness);
      await start();
      expect(told.drawn).toEqual([0, 1, 2]);
    }),
  ),
);

test.skipIf(!SLOW)('a start does not wait for ever for a machine that stands still', () =>
  withHarness((harness, told) =>
    withClock(told, LIMITS.drawBeforeStartClockMs + 1, async () => {
      const { start } = await ready(harness);
      expect(await refusalOf(start())).toMatchObject({ code: 'documents_not_checked' });
      expect(told.drawn).toEqual([0]);
    }),
  ),
);

test('the command line requests the start again until every page has been checked', () =>
  withHarness(async (harness, told) => {
    told.usedMs = LIMITS.drawBeforeStartMs;
    const { id } = await ready(harness);
    const { url } = await startWhenChecked(harness, id);
    expect(url).toContain('/sign?token=');
    expect(told.drawn).toEqual([0, 1, 2]);
  }));

test.skipIf(!SLOW)('a draft that lacks something is refused without drawing anything', () =>
  withHarness(async (harness, told) => {
    const { id } = await createDraft(harness, []);
    const start = harness.client['transaction.start']({ params: { transactionId: id } });
    expect(await refusalOf(start)).toMatchObject({ code: 'transaction_incomplete' });
    expect(told.drawn).toEqual([]);
  }),
);

test('a page that cannot be drawn blocks the start, by name, and is a remark in detail and upload', () =>
  withHarness(async (harness, told) => {
    told.fail.set(1, slow);
    const { id, start } = await ready(harness);
    const refusal = await refusalOf(start());
    expect(refusal).toMatchObject({ status: 422, code: 'document_not_drawable' });
    expect(refusal.message).toContain('page 2 of "contract.pdf"');
    expect(refusal.message).toContain('it takes too long to process');
    const detail = await readDetail(harness, id);
    expect(detail.status).toBe('draft');
    expect(detail.template.documents[0]?.remarks).toEqual([REMARK]);
    const { contractPdf } = await import('../support/fixtures/transactions.ts');
    const again = await harness.client['file.upload']({
      form: {},
      file: { name: 'other.pdf', content: await contractPdf() },
    });
    expect(again.remarks).toEqual([REMARK]);
    // Looked at once: asking again draws nothing.
    const before = told.drawn.length;
    expect(await refusalOf(start())).toMatchObject({ code: 'document_not_drawable' });
    expect(told.drawn).toHaveLength(before);
  }));

test('starts without the document, and later with it when the page can be drawn after all', () =>
  withHarness(async (harness, told) => {
    told.fail.set(1, slow);
    const { id, start } = await ready(harness);
    await refusalOf(start());
    told.fail.clear();
    expect(await refusalOf(start())).toMatchObject({ code: 'document_not_drawable' });
    harness.clock.advance(TEN_MINUTES_MS);
    await start();
    expect((await readDetail(harness, id)).template.documents[0]?.remarks).toEqual([]);
    expect((await readDetail(harness, id)).status).toBe('started');
  }));

test.skipIf(!SLOW)('a page that was tried before the clock was set back is tried again', () =>
  withHarness(async (harness, told) => {
    told.fail.set(1, slow);
    const { start } = await ready(harness);
    await refusalOf(start());
    told.fail.clear();
    harness.clock.advance(-24 * 60 * TEN_MINUTES_MS);
    await start();
  }),
);

test('a page that fails for the recipient says so, and the sender sees it', () =>
  withHarness(async (harness, told) => {
    told.isPlain = true;
    told.fail.set(1, slow);
    const { id, token } = await startTransaction(harness);
    const view = await harness.client['signing.view']({ query: { token } });
    const read = () => harness.transport(new Request(view.documents[0]?.pages[1]?.picture ?? ''));
    const answer = await read();
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      code: 'document_too_complex',
      detail: expect.stringContaining('"contract.pdf" is too complex: it takes too long to process (page 2)'),
    });
    expect((await readDetail(harness, id)).template.documents[0]?.remarks).toEqual([REMARK]);
    await read();
    expect(told.drawn).toEqual([1]);
    expect(SENDER.email).toBeDefined();
  }));

test.skipIf(!SLOW)('an engine with too much to do says nothing of the file', () =>
  withHarness(async (harness, told) => {
    told.fail.set(0, { ok: false, reason: 'busy' });
    const { id, start } = await ready(harness);
    expect(await refusalOf(start())).toMatchObject({ status: 503, code: 'documents_busy' });
    expect((await readDetail(harness, id)).template.documents[0]?.remarks).toEqual([]);
    told.fail.clear();
    await start();
  }),
);

test.skipIf(!SLOW)('the same page for many at the same moment is drawn once', () =>
  withHarness(async (harness, told) => {
    const { harness: shared, told: asked } = { harness, told };
    const { detail } = await ready(shared);
    const fileId = detail.template.documents[0]?.pages[0]?.file.id ?? '';
    const read = () => shared.client['file.content']({ params: { fileId } });
    const pictures = await Promise.all([read(), read(), read()]);
    expect(new Set(pictures.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).size).toBe(1);
    await read();
    expect(asked.drawn.length).toBeLessThanOrEqual(3);
  }),
);
