// A transaction starts, and is completed, only with documents that show the same when they are sealed as on the signing page.
import { afterEach, describe, expect, test } from 'vitest';
import type { DocumentEngine } from '../../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import {
  ADA,
  createDraft,
  fieldFor,
  readDetail,
  refusalOf,
  SENDER,
  signWith,
  tokenOf,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

const CONTENT = '/OC/Layer BDC 1 0 0 rg 20 20 60 60 re f EMC';
/** A page stands in the place of the page tree, so that its copy has no layers: what the hidden one has becomes visible. */
const HIDDEN_LAYER = pdfOf([
  '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[4 0 R]/D<</OFF[4 0 R]>>>>>>',
  '<</Type/Page/MediaBox[0 0 300 300]/Resources<</Properties<</Layer 4 0 R>>>>/Contents 3 0 R>>',
  `<</Length ${CONTENT.length}>>\nstream\n${CONTENT}\nendstream`,
  '<</Type/OCG/Name(Layer)>>',
]);
const NOTE = pdfOf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 300 300]>>',
  '<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>',
  '<</Type/Annot/Subtype/Square/Rect[20 20 80 80]/C[1 0 0]/AP<</N 5 0 R>>>>',
  '<</Type/XObject/Subtype/Form/BBox[0 0 10 10]/Length 24>>\nstream\n1 0 0 rg 0 0 10 10 re f \nendstream',
]);

const MINUTE = 60 * 1000;

/** A letter with accents that are drawn one above the other, twice as high as a field and more. */
const TALL = `A${'\u0301'.repeat(31)}`;

let harness: Harness;
afterEach(() => harness.close());

async function open(more: (engine: DocumentEngine) => Partial<DocumentEngine> = () => ({})) {
  const engine = createInProcessEngine();
  harness = await openHarness('in process', { documents: { ...engine, ...more(engine) } });
}

async function draftOf(pdf: Uint8Array, place: { positionX?: number } = {}): Promise<string> {
  const { client } = harness;
  const name = 'contract.pdf';
  const content = new Blob([Buffer.from(pdf)]);
  const { token } = await client['file.upload']({ form: { name }, file: { name, content } });
  const draft = await createDraft(harness, [ADA], SENDER, token);
  const fields = [
    fieldFor(draft, ADA.email, { type: 'text', positionX: 100, positionY: 200, height: 20, ...place }),
  ];
  await client['transaction.fields']({ params: { transactionId: draft.id }, body: { fields } });
  return draft.id;
}

const start = async (id: string): Promise<string> =>
  tokenOf((await harness.client['transaction.start']({ params: { transactionId: id } })).url);

async function submit(token: string, value: string): Promise<void> {
  const { client } = harness;
  const { fields } = await client['signing.view']({ query: { token } });
  const values = fields.map(({ id }) => ({ field_id: id, value }));
  await client['signing.submit']({ query: { token }, body: { values } });
}

test('refuses to start with a document that would show something else when it is sealed', async () => {
  await open();
  const id = await draftOf(HIDDEN_LAYER);
  expect(await refusalOf(start(id))).toMatchObject({
    code: 'document_not_as_shown',
    status: 422,
    message: expect.stringContaining('page 1 would show something else'),
  });
  expect((await readDetail(harness, id)).status).toBe('draft');
});

test('refuses to start with a document that cannot be sealed', async () => {
  await open(() => ({
    compareStamped: async () => ({ ok: false, reason: 'not_sealable', why: 'unreadable' }),
  }));
  const id = await draftOf(NOTE);
  expect(await refusalOf(start(id))).toMatchObject({
    code: 'document_not_sealable',
    status: 422,
    message: expect.stringContaining('it cannot be rewritten without losing content'),
  });
  expect((await readDetail(harness, id)).status).toBe('draft');
});

test('compares a document once for all transactions with the same fields', async () => {
  let compared = 0;
  await open((engine) => ({
    compareStamped: async (...input) => {
      compared += 1;
      return engine.compareStamped(...input);
    },
  }));
  await start(await draftOf(NOTE));
  await start(await draftOf(NOTE));
  expect(compared).toBe(1);
  await start(await draftOf(NOTE, { positionX: 110 }));
  expect(compared).toBe(2);
});

test('compares a document that showed something else again, because a later version may stamp it correctly', async () => {
  let differs = true;
  await open((engine) => ({
    compareStamped: async (...input) =>
      differs ? { ok: true, differingPage: 0 } : engine.compareStamped(...input),
  }));
  const id = await draftOf(NOTE);
  expect(await refusalOf(start(id))).toMatchObject({ code: 'document_not_as_shown' });
  differs = false;
  await start(id);
  expect((await readDetail(harness, id)).status).toBe('started');
});

test('compares a document again some minutes after the machine had no time or memory for it', async () => {
  let isBusy = true;
  let compared = 0;
  await open((engine) => ({
    compareStamped: async (...input) => {
      compared += 1;
      return isBusy ? { ok: false, reason: 'too_complex', limit: 'memory' } : engine.compareStamped(...input);
    },
  }));
  await start(await draftOf(HIDDEN_LAYER));
  isBusy = false;
  await start(await draftOf(HIDDEN_LAYER));
  expect(compared).toBe(1);
  harness.clock.advance(11 * MINUTE);
  expect(await refusalOf(start(await draftOf(HIDDEN_LAYER)))).toMatchObject({
    code: 'document_not_as_shown',
  });
});

describe('a transaction that has started', () => {
  test.each([
    ['a usual value', 'Ada'],
    ['a high value', TALL],
  ])('is not completed with such a document and %s, and waits for its last signature', async (_, value) => {
    // As a version started it that did not compare.
    await open(() => ({ compareStamped: async () => ({ ok: true }) }));
    const id = await draftOf(HIDDEN_LAYER);
    const token = await start(id);
    expect(await refusalOf(submit(token, value))).toMatchObject({ code: 'document_not_as_shown' });
    const { status, sealing_failed_reason } = await readDetail(harness, id);
    expect(status).toBe('started');
    expect(sealing_failed_reason).toContain('page 1 would show something else than its recipients see');
  });

  test('is completed with a value that is far higher than its box', async () => {
    await open();
    const id = await draftOf(NOTE);
    await submit(await start(id), TALL);
    expect((await readDetail(harness, id)).status).toBe('completed');
  });

  test('waits where the engine is busy, and is completed later', async () => {
    let isBusy = true;
    await open((engine) => ({
      stamp: async (...given) => (isBusy ? { ok: false, reason: 'busy' } : engine.stamp(...given)),
    }));
    const id = await draftOf(NOTE);
    const token = await start(id);
    expect(await refusalOf(signWith(harness, token))).toMatchObject({ code: 'documents_busy' });
    expect((await readDetail(harness, id)).sealing_failed_reason).toBeNull();
    isBusy = false;
    await signWith(harness, token);
    expect((await readDetail(harness, id)).status).toBe('completed');
  });

  test('is completed where pictures take too long, and its certificate says that they were not compared', async () => {
    await open((engine) => ({
      compareStamped: async () => ({ ok: false, reason: 'too_complex', limit: 'time' }),
      stamp: async (source, plan, owner) =>
        plan.isCompared
          ? { ok: false, reason: 'too_complex', limit: 'time' }
          : engine.stamp(source, plan, owner),
    }));
    const id = await draftOf(NOTE);
    await signWith(harness, await start(id));
    const { status, sealed_documents } = await readDetail(harness, id);
    expect(status).toBe('completed');
    const { bytes } = await harness.client['file.content']({ params: { fileId: sealed_documents[0]!.id } });
    const source = { sha256: '', bytes: async () => bytes };
    const certificate = await createInProcessEngine().listWords(source, { from: 1, to: 2 }, 'test');
    const words = certificate.ok ? certificate.words.map(({ text }) => text).join(' ') : '';
    expect(words).toContain('were not compared with what the recipients saw');
  });
});

test.each([
  ['that is plain', undefined],
  ['with a note', NOTE],
])('completes a document %s', async (_, pdf) => {
  await open();
  const id = pdf ? await draftOf(pdf) : (await createDraft(harness)).id;
  await signWith(harness, await start(id));
  expect((await readDetail(harness, id)).status).toBe('completed');
});
