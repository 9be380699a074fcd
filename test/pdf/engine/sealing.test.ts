// Stamping and certifying behind the engine: a child answers what this process would, one at a time, and what cannot be done
// is an answer. Needs the built program.
import { afterEach, describe, expect, test } from 'vitest';
import type { CertificateContent, DocumentEngine, StampField } from '../../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { createOneShotEngine } from '../../../src/pdf/engine/one-shot.ts';
import { createPool, timeLimitOf } from '../../../src/pdf/engine/pool.ts';
import { ENGINE_LIMITS } from '../../../src/pdf/limits.ts';
import { ENGINE_PROGRAM, slowPdf, sourceOf } from '../../support/documents/engine.ts';
import { contentPdf, pdfOf } from '../../support/documents/pdf.ts';
import { stampField } from '../../support/documents/stamped-pdf.ts';
import { SLOW } from '../../support/tier.ts';

const OWNER = 'a company';
const plain = sourceOf(contentPdf('1 0 0 rg 0 0 9 9 re f'));
const withForm = sourceOf(
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 200]>>',
    '<</Type/Page/Parent 2 0 R>>',
  ]),
);
const fields: StampField[] = [stampField({ x: 5, y: 5, width: 80, value: 'Ada' })];

const content: CertificateContent = {
  transaction: {
    id: 'id',
    name: 'Mutual NDA',
    company: 'Analytical Engines',
    createdAt: '2026-11-20T09:00:00.000Z',
    sentAt: null,
    completedAt: '2026-11-21T17:42:10.000Z',
    sealedAt: '2026-11-21T17:42:11.000Z',
    service: 'http://127.0.0.1:4010',
  },
  documentId: 'd1',
  documents: [],
  parties: [],
  link: 'http://127.0.0.1:4010/t',
};

const open: DocumentEngine[] = [];
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});
const opened = <E extends DocumentEngine>(engine: E): E => {
  open.push(engine);
  return engine;
};

async function sealedBy(engine: DocumentEngine, source = plain) {
  const stamped = await engine.stamp(source, { fields }, OWNER);
  if (!stamped.ok) throw new Error(stamped.reason);
  const certified = await engine.certify(sourceOf(stamped.pdf), content, '{}', OWNER);
  if (!certified.ok) throw new Error(certified.reason);
  return { stamped, certified };
}

describe('a pool', () => {
  test.skipIf(!SLOW)('seals while a document is compared before a start', async () => {
    const pool = opened(createPool({ program: ENGINE_PROGRAM }));
    const note = '<</Type/Annot/Subtype/Square/Rect[20 20 80 80]/C[1 0 0]>>';
    const slow = sourceOf(slowPdf(300, note));
    const compared = pool.compareStamped(slow, { fields }, 'another company');
    const first = await Promise.race([compared, pool.stamp(plain, { fields }, OWNER)]);
    expect(first).toHaveProperty('pdf');
    // It is stopped before slow pages of others, which wait for it, are given up.
    expect(timeLimitOf({ do: 'compare_stamped', plan: { fields } })).toBeLessThan(ENGINE_LIMITS.waitMs);
  });

  test.skipIf(!SLOW)('answers what this process would, from one child that is kept', async () => {
    const pool = opened(createPool({ program: ENGINE_PROGRAM }));
    const expected = await sealedBy(createInProcessEngine());
    const { stamped, certified } = await sealedBy(pool);
    expect(Buffer.compare(stamped.pdf, expected.stamped.pdf)).toBe(0);
    expect(Buffer.compare(certified.pdf, expected.certified.pdf)).toBe(0);
    expect(certified.contentBytes).toBe(stamped.pdf.length);
    expect(pool.pids()).toHaveLength(1);
    const refused = [stampField({ value: '\u{10FFFD}', label: 'Name' })];
    expect(await pool.stamp(plain, { fields: refused }, OWNER)).toMatchObject({
      ok: false,
      why: 'characters',
    });
    expect(await pool.stamp(plain, { fields: [stampField({ page: 7, value: 'x' })] }, OWNER)).toMatchObject({
      reason: 'not_sealable',
      why: 'page',
    });
  });

  test.skipIf(!SLOW)('keeps its child for many small documents, whose memory does not add up', async () => {
    const pool = opened(createPool({ program: ENGINE_PROGRAM }));
    await sealedBy(pool);
    const before = pool.pids();
    for (let count = 0; count < 60; count += 1) await sealedBy(pool, withForm);
    expect(pool.pids()).toEqual(before);
  });

  test.skipIf(!SLOW)('seals as many documents at a time as it is told to, in as many children', async () => {
    const pool = opened(createPool({ program: ENGINE_PROGRAM, sealsAtOnce: 2 }));
    await sealedBy(pool);
    expect(pool.pids()).toHaveLength(1);
    await Promise.all([sealedBy(pool), sealedBy(pool), sealedBy(pool)]);
    expect(pool.pids()).toHaveLength(2);
  });

  test.skipIf(!SLOW)('takes one after the other, and gives up on what takes too long', async () => {
    const pool = opened(createPool({ program: ENGINE_PROGRAM, timeMs: 1 }));
    // A second of work on a fast machine: one field is stamped before anything looks at the processor time.
    const many = Array.from({ length: 20_000 }, (_, at) =>
      stampField({ x: 5, y: 5, width: 80, value: `Ada ${at}` }),
    );
    const requests = [1, 2].map(() => pool.stamp(plain, { fields: many }, OWNER));
    for (const answer of await Promise.all(requests))
      expect(answer).toEqual({ ok: false, reason: 'too_complex', limit: 'time' });
  });

  test('answers that it is busy when it closes', async () => {
    const pool = createPool({ program: ENGINE_PROGRAM });
    await pool.close();
    expect(await pool.stamp(plain, { fields }, OWNER)).toEqual({ ok: false, reason: 'busy' });
  });
});

describe('a one-shot command', () => {
  const withoutChild = () => opened(createOneShotEngine({ program: `${ENGINE_PROGRAM}.gone` }));

  test('seals a small plain file itself', async () => {
    await expect(sealedBy(withoutChild())).resolves.toMatchObject({ certified: { ok: true } });
  });

  test.skipIf(!SLOW)('gives a form to a child', async () => {
    await expect(withoutChild().stamp(withForm, { fields }, OWNER)).rejects.toThrow('start');
    const engine = opened(createOneShotEngine({ program: ENGINE_PROGRAM }));
    expect(await engine.stamp(withForm, { fields }, OWNER)).toMatchObject({ ok: true });
  });
});
