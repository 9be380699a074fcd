// The pool of child processes, with the built program: limits, replacement, turns, and its end.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startChild } from '../../../src/pdf/engine/child.ts';
import type { DocumentEngine } from '../../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { createPool, type Pool, type PoolOptions } from '../../../src/pdf/engine/pool.ts';
import type { FieldOverlay } from '../../../src/pdf/render/field-overlays.ts';
import { ENGINE_PROGRAM, isRunning, slowPdf, sourceOf } from '../../support/documents/engine.ts';
import { fontWith } from '../../support/documents/font.ts';
import { deepPng } from '../../support/documents/hostile/index.mjs';
import { pagesPdf } from '../../support/documents/pdf.ts';
import { bmp, gif, lossyWebp, lzw, tiff } from '../../support/documents/picture-kinds.ts';
import { photograph, pngOf } from '../../support/documents/pictures.ts';
import { byGlyphName, byGlyphNumber, linesPdf } from '../../support/documents/unembedded-fonts.ts';
import { SLOW } from '../../support/tier.ts';

const path = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));
const contract = sourceOf(readFileSync(path), path);
const OWNER = 'a company';
const MIB = 1024 * 1024;
/** More than anything here takes that is not built to: the machine may be busy. */
const PATIENT_MS = 20_000;
const SCALE = { dpi: 50, maxPixels: 1_000_000 };
const PAGE_SCALE = { dpi: 110, maxPixels: 8_000_000 };
/** It takes some hundred megabytes, which PDFium does not get. */
const LARGE = { dpi: 1200, maxPixels: 100_000_000 };

const interlacedPng = () =>
  pngOf({ width: 9, height: 9, bits: 8, colorType: 0, isInterlaced: true, pixel: (x, y) => [x * y] });

/** 20 megapixels of 64 bits: more than a child for quick work may have, and some seconds for the other one. */
const largePng = () => sourceOf(deepPng(5000, 4000));

/** The font is not in the file. */
const cyrillic = sourceOf(linesPdf([byGlyphName('Жук')]));

/** Half a minute of work. */
const endless = sourceOf(slowPdf(300));

const open: DocumentEngine[] = [];
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

function pool(options: PoolOptions = {}): Pool {
  const created = createPool({ program: ENGINE_PROGRAM, ...options });
  open.push(created);
  return created;
}

const draw = (engine: DocumentEngine, page = 0, scale = SCALE, owner = OWNER) =>
  engine.drawPage(contract, page, scale, owner);

const MARK: FieldOverlay = {
  ...{ x: 72, y: 72, width: 200, height: 40 },
  ...{ color: [29, 78, 216], title: 'Ada', subtitle: 'signature', isRequired: true },
};

const drawEndless = (engine: DocumentEngine) => engine.drawPage(endless, 0, PAGE_SCALE, OWNER);

describe.skipIf(!SLOW)('a child process answers what this process would', () => {
  const local = createInProcessEngine();
  let theirs: Pool;
  beforeAll(() => {
    theirs = createPool({ program: ENGINE_PROGRAM, quickMs: PATIENT_MS });
  });
  afterAll(() => theirs.close());

  type Ask = [string, (engine: DocumentEngine) => Promise<unknown>];
  /** One kind is asked each time of those that go the same way, and all are in the slow tier. */
  const others: Ask[] = [
    ['the text of a page', (engine) => engine.readText(contract, 1, OWNER)],
    ['a GIF', (engine) => engine.toPdf(sourceOf(gif()), 'gif', OWNER)],
    ['a BMP', (engine) => engine.toPdf(sourceOf(bmp()), 'bmp', OWNER)],
    ['the pages of a TIFF', (engine) => engine.toPdf(sourceOf(tiff({}, lzw())), 'tiff', OWNER)],
    ['an interlaced PNG', (engine) => engine.toPdf(sourceOf(interlacedPng()), 'png', OWNER)],
    ['a damaged WebP', (engine) => engine.toPdf(sourceOf(lossyWebp().subarray(0, 150)), 'webp', OWNER)],
  ];

  test.each<Ask>([
    ['pages', (engine) => engine.inspect(contract, { maxPages: 9 }, OWNER)],
    ['a refusal', (engine) => engine.inspect(contract, { maxPages: 2 }, OWNER)],
    ['no document', (engine) => engine.inspect(sourceOf(Buffer.from('%PDF-')), { maxPages: 9 }, OWNER)],
    [
      'bytes without a path',
      (engine) => engine.inspect(sourceOf(pagesPdf(['', ''])), { maxPages: 9 }, OWNER),
    ],
    ['a picture of a page', (engine) => draw(engine, 2)],
    [
      'a page with boxes over it',
      (engine) => engine.drawPage(contract, 0, { ...SCALE, marks: [MARK] }, OWNER),
    ],
    ['a page with fonts of ours', (engine) => engine.drawPage(cyrillic, 0, SCALE, OWNER)],
    ['a photograph', (engine) => engine.toPdf(sourceOf(photograph()), 'jpeg', OWNER)],
    ['a WebP with loss', (engine) => engine.toPdf(sourceOf(lossyWebp()), 'webp', OWNER)],
    ...(SLOW ? others : []),
  ])('answers %s', async (_, ask) => {
    const [answer, ours] = [(await ask(theirs)) as object, (await ask(local)) as object];
    expect(asPlain(answer)).toEqual(asPlain(ours));
  });

  test.skipIf(!SLOW)('a folder of fonts is known to the child', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'esign-fonts-'));
    writeFileSync(join(folder, 'made.ttf'), fontWith(0xfdd0));
    const lacking = sourceOf(linesPdf([byGlyphNumber('\ufdd0')]));
    const remarks = async () => {
      const inspected = await pool().inspect(lacking, { maxPages: 9 }, OWNER);
      return inspected.ok && inspected.remarks.map(({ code }) => code);
    };
    expect(await remarks()).toEqual(['fonts_missing']);
    vi.stubEnv('ESIGN_FONTS', relative(process.cwd(), folder));
    expect(await remarks()).toEqual([]);
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  test('answers a rewritten file', async () => {
    const whole = pagesPdf(['', '']);
    const damaged = sourceOf(whole.subarray(0, whole.lastIndexOf('endobj') + 6));
    const inspected = await theirs.inspect(damaged, { maxPages: 9 }, OWNER);
    expect(inspected).toMatchObject({ ok: true, repaired: expect.any(Uint8Array) });
    expect(asPlain(inspected)).toEqual(asPlain(await local.inspect(damaged, { maxPages: 9 }, OWNER)));
  });

  test('a bug is thrown here as it would be there, and the child continues', async () => {
    await expect(draw(theirs, 7)).rejects.toThrow('no page 7');
    const before = theirs.pids();
    expect(await draw(theirs)).toMatchObject({ ok: true });
    expect(theirs.pids()).toEqual(before);
  });

  test('a file that is gone is a fault of the disk, not of the file', async () => {
    const gone = { ...contract, path: `${path}.gone` };
    await expect(theirs.inspect(gone, { maxPages: 9 }, OWNER)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

/** Buffers and arrays hold the same bytes. What it took differs each time. */
const asPlain = (result: object) =>
  Object.fromEntries(
    Object.entries<unknown>({ ...result, usedMs: undefined }).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ]),
  );

describe('limits', () => {
  test.skipIf(!SLOW)(
    'what takes too long is refused with its page, and a new child draws the next',
    async () => {
      const engine = pool({ quickMs: 3000, timeMs: 4000 });
      await draw(engine);
      const before = engine.pids();
      const refused = await drawEndless(engine);
      expect(refused).toMatchObject({ ok: false, reason: 'too_complex', limit: 'time', page: 1 });
      expect(refused.usedMs).toBe(4000);
      await expect.poll(() => before.some(isRunning)).toBe(false);
      expect(await draw(engine, 2)).toMatchObject({ ok: true });
      expect(engine.pids()).not.toEqual(before);
    },
  );

  test.skipIf(!SLOW)('what is only slow is done in the child for that, which then ends', async () => {
    const engine = pool({ quickMs: 100, timeMs: 25_000 });
    const drawn = await engine.drawPage(sourceOf(slowPdf(4)), 0, PAGE_SCALE, OWNER);
    expect(drawn).toMatchObject({ ok: true });
    expect(drawn.usedMs).toBeGreaterThan(200);
    await expect.poll(() => engine.pids()).toEqual([]);
  });

  test.skipIf(!SLOW)(
    'a page for which PDFium has no memory is not shown without what did not fit',
    async () => {
      expect(await draw(pool(), 0, LARGE)).toMatchObject({ reason: 'too_complex', limit: 'memory' });
    },
  );

  test.skipIf(!SLOW)('a child that takes more memory than it may ends itself', async () => {
    const child = startChild({ memoryBytes: MIB, program: ENGINE_PROGRAM });
    const job = { do: 'draw', pageIndex: 0, dpi: 300, maxPixels: 20_000_000 } as const;
    const { result } = await child.run(job, contract, 20_000);
    expect(result).toEqual({ ok: false, reason: 'too_complex', limit: 'memory' });
    expect(child.hasEnded).toBe(true);
  });

  test.skipIf(!SLOW)(
    'a child whose objects fill its heap ends itself, however much memory it may take',
    async () => {
      const child = startChild({ memoryBytes: 8192 * MIB, program: ENGINE_PROGRAM });
      const marks = [{ ...MARK, title: 'x'.repeat(420 * MIB) }];
      const { result } = await child.run({ do: 'draw', pageIndex: 0, ...SCALE, marks }, contract, PATIENT_MS);
      expect(result).toEqual({ ok: false, reason: 'too_complex', limit: 'memory' });
      expect(child.hasEnded).toBe(true);
    },
  );

  test.skipIf(!SLOW)(
    'a child that grew ends after its answer, so that the memory is there for others',
    async () => {
      const child = startChild({ memoryBytes: 600 * MIB, program: ENGINE_PROGRAM });
      const draws = async (dpi: number) => {
        const job = { do: 'draw', pageIndex: 0, dpi, maxPixels: 20_000_000 } as const;
        return (await child.run(job, contract, 20_000)).result;
      };
      expect(await draws(20)).toEqual({ ok: true });
      expect(child.hasEnded).toBe(false);
      expect(await draws(270)).toEqual({ ok: true });
      expect(child.hasEnded).toBe(true);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'a child that gets no processor is waited for: only its own processor time counts',
    async () => {
      const child = startChild({ memoryBytes: 600 * MIB, program: ENGINE_PROGRAM });
      const drawing = (timeMs: number) => child.run({ do: 'draw', pageIndex: 0, ...SCALE }, contract, timeMs);
      await drawing(PATIENT_MS);
      process.kill(child.pid!, 'SIGSTOP');
      const drawn = drawing(1000);
      await new Promise((resolve) => setTimeout(resolve, 2500));
      process.kill(child.pid!, 'SIGCONT');
      expect((await drawn).result).toEqual({ ok: true });
      child.end();
    },
  );

  test('a child that cannot be started is said to be the reason', async () => {
    await expect(draw(pool({ program: `${ENGINE_PROGRAM}.gone` }))).rejects.toThrow('did not start');
  });
});

describe('turns', () => {
  test('an upload does not wait for a page', async () => {
    const engine = pool({ quickMs: 20_000 });
    const slow = drawEndless(engine);
    const first = await Promise.race([slow, engine.inspect(contract, { maxPages: 9 }, OWNER)]);
    expect(first).toHaveProperty('pages');
  });

  test.skipIf(!SLOW)('an upload does not wait for a picture that takes long to become a page', async () => {
    const engine = pool({ quickMs: 20_000, timeMs: 60_000 });
    const slow = engine.toPdf(largePng(), 'png', OWNER);
    await expect.poll(() => engine.pids().length).toBe(1);
    const [quick] = engine.pids();
    // The job ended the child by its memory, and is started again in the child for slow work.
    await vi.waitFor(() => expect(engine.pids().filter((pid) => pid !== quick)).toHaveLength(1), 20_000);
    const others = [
      engine.inspect(contract, { maxPages: 9 }, OWNER),
      engine.toPdf(sourceOf(gif()), 'gif', OWNER),
    ];
    const first = await Promise.race([slow, Promise.all(others)]);
    expect(first).toEqual([expect.objectContaining({ ok: true }), expect.objectContaining({ ok: true })]);
  });

  test.skipIf(!SLOW)('an owner with one job does not wait for all jobs of another owner', async () => {
    const engine = pool({ quickMs: 30_000 });
    const order: string[] = [];
    const noting = (owner: string, dpi: number) =>
      draw(engine, 0, { ...SCALE, dpi }, owner).then(() => order.push(owner));
    const many = Array.from({ length: 6 }, (_, index) => noting('many', 60 + index));
    await Promise.all([...many, noting('one', 50)]);
    expect(order.indexOf('one')).toBeLessThanOrEqual(2);
  });

  test.skipIf(!SLOW)('the same page at the same moment is drawn once, and every caller gets it', async () => {
    const engine = pool();
    const [answer, other] = await Promise.all([draw(engine), draw(engine, 0, SCALE, 'another company')]);
    expect(answer.ok && other.ok && answer.png === other.png).toBe(true);
  });

  test('a job that waits too long is answered with busy, which says nothing of the file', async () => {
    const engine = pool({ quickMs: 30_000, waitMs: 300 });
    const [slow, late] = [drawEndless(engine), draw(engine, 1)];
    expect(await late).toEqual({ ok: false, reason: 'busy' });
    void slow;
  });
});

describe('its end', () => {
  test('in the middle: every job is answered, and no child is left', async () => {
    const engine = pool({ quickMs: 30_000 });
    const waiting = [drawEndless(engine), draw(engine, 1), engine.inspect(contract, { maxPages: 9 }, OWNER)];
    await expect.poll(() => engine.pids().length).toBe(2);
    const pids = engine.pids();
    await engine.close();
    for (const answer of await Promise.all(waiting.slice(0, 2)))
      expect(answer).toEqual({ ok: false, reason: 'busy' });
    await expect.poll(() => pids.some(isRunning)).toBe(false);
    expect(await draw(engine)).toEqual({ ok: false, reason: 'busy' });
  });

  test('with a reason: that is what those who wait get', async () => {
    const engine = pool({ quickMs: 30_000 });
    const waiting = drawEndless(engine);
    const reason = new Error('a signal');
    void engine.close(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
