// Which files a one-shot command looks at itself, and that a child does the rest.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DocumentEngine } from '../../../src/pdf/engine/engine.ts';
import { createOneShotEngine } from '../../../src/pdf/engine/one-shot.ts';
import { isPlain } from '../../../src/pdf/read/plain.ts';
import { ENGINE_PROGRAM, slowPdf, sourceOf } from '../../support/documents/engine.ts';
import { contentPdf, pagesPdf, pdfOf } from '../../support/documents/pdf.ts';
import { gif } from '../../support/documents/picture-kinds.ts';
import { photograph } from '../../support/documents/pictures.ts';
import { SLOW } from '../../support/tier.ts';

const contract = readFileSync(new URL('../../fixtures/contract.pdf', import.meta.url));
const OWNER = 'own';
const SCALE = { dpi: 50, maxPixels: 1_000_000 };
const PAGE = { dpi: 110, maxPixels: 8_000_000 };

const open: DocumentEngine[] = [];
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

function engineWith(program: string): DocumentEngine {
  const created = createOneShotEngine({ program });
  open.push(created);
  return created;
}

const withoutChild = () => engineWith(`${ENGINE_PROGRAM}.gone`);

describe('a plain file', () => {
  test('is counted in this process', async () => {
    const inspected = await withoutChild().inspect(sourceOf(contract), { maxPages: 9 }, OWNER);
    expect(inspected).toMatchObject({ ok: true, isPlain: true });
  });

  test('is counted once, however often it is asked for', async () => {
    const engine = withoutChild();
    let reads = 0;
    const source = {
      ...sourceOf(contract),
      bytes: async () => {
        reads += 1;
        return contract;
      },
    };
    for (let round = 0; round < 3; round += 1) await engine.inspect(source, { maxPages: 9 }, OWNER);
    expect(reads).toBe(1);
  });

  test('a small photograph becomes a page in this process', async () => {
    const page = await withoutChild().toPdf(sourceOf(photograph()), 'jpeg', OWNER);
    expect(page).toMatchObject({ ok: true });
  });
});

describe('a child that was started before the first job', () => {
  test('is started by that', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'esign-one-shot-'));
    const [program, log] = [join(folder, 'program.cjs'), join(folder, 'log')];
    writeFileSync(program, `require('fs').writeFileSync(${JSON.stringify(log)}, '');process.stdin.resume();`);
    try {
      await engineWith(program).prepare();
      await vi.waitUntil(() => existsSync(log), { timeout: 20_000 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('is not started once the engine is closed', async () => {
    let wasStarted = false;
    const engine = createOneShotEngine({
      program: ENGINE_PROGRAM,
      onChild: () => {
        wasStarted = true;
      },
    });
    await engine.close();
    await engine.prepare();
    expect(wasStarted).toBe(false);
  });

  test.skipIf(!SLOW)('carries the first job out', async () => {
    const engine = engineWith(ENGINE_PROGRAM);
    await engine.prepare();
    expect(await engine.drawPage(sourceOf(contract), 0, SCALE, OWNER)).toMatchObject({ ok: true });
  });
});

describe('anything else goes to a child', () => {
  test('a picture that a library decodes, however small', async () => {
    await expect(withoutChild().toPdf(sourceOf(gif()), 'gif', OWNER)).rejects.toThrow('start');
    if (!SLOW) return;
    expect(await engineWith(ENGINE_PROGRAM).toPdf(sourceOf(gif()), 'gif', OWNER)).toMatchObject({ ok: true });
  });

  const whole = pagesPdf(['', '']);
  const damaged = whole.subarray(0, whole.lastIndexOf('endobj') + 6);

  test('a damaged file goes to a child', async () => {
    await expect(withoutChild().inspect(sourceOf(damaged), { maxPages: 9 }, OWNER)).rejects.toThrow('start');
    if (!SLOW) return;
    const inspected = await engineWith(ENGINE_PROGRAM).inspect(sourceOf(damaged), { maxPages: 9 }, OWNER);
    expect(inspected).toMatchObject({ ok: true, repaired: expect.any(Uint8Array) });
  });

  test.skipIf(!SLOW)('a page that is drawn goes to a child', async () => {
    expect(await engineWith(ENGINE_PROGRAM).drawPage(sourceOf(contract), 0, SCALE, OWNER)).toMatchObject({
      ok: true,
    });
  });

  test.skipIf(!SLOW)('what takes too long is refused with its page', async () => {
    const engine = createOneShotEngine({ program: ENGINE_PROGRAM, timeMs: 500 });
    open.push(engine);
    const refused = await engine.drawPage(sourceOf(slowPdf(300)), 0, PAGE, OWNER);
    expect(refused).toMatchObject({ ok: false, reason: 'too_complex', limit: 'time', page: 1 });
  });

  test('and a signal ends it at once, with its own reason', async () => {
    const engine = engineWith(ENGINE_PROGRAM);
    const waiting = engine.drawPage(sourceOf(slowPdf(300)), 0, PAGE, OWNER);
    const reason = new Error('interrupted');
    setTimeout(() => void engine.close(reason), 300);
    await expect(waiting).rejects.toBe(reason);
    await expect(engine.inspect(sourceOf(contract), { maxPages: 9 }, OWNER)).rejects.toBe(reason);
  });
});

describe('what is plain', () => {
  const page = (resources: string, content = '0 0 9 9 re f', more: string[] = []) =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]/Contents 4 0 R/Resources<<${resources}>>>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ...more,
    ]);

  test.each([
    ['a page of lines', contentPdf('0 0 m 9 9 l S [] 0 d 0 0 m 9 9 l S')],
    ['the contract', contract],
    ['pages that turn', pagesPdf(['/Rotate 90', ''])],
  ])('%s is plain', (_, pdf) => expect(isPlain(pdf)).toBe(true));

  test.each([
    ['a pattern', page('/Pattern<</P 5 0 R>>', '0 0 9 9 re f', ['<</PatternType 1/XStep 0.01>>'])],
    ['a pattern whose name is written in another way', page('', '', ['<</Pattern#54ype 1/XStep 0.01>>'])],
    ['a drawing inside a drawing', page('', '', ['<</Subtype /Form/Length 0>>stream\n\nendstream'])],
    ['a form', page('', '', ['<</AcroForm 5 0 R>>'])],
    ['a long line of short dashes', page('', '[.01 .01] 0 d 0 0 m 999 999 l S')],
    [
      'a stream packed in a way not looked into',
      page('', '', ['<</Filter/LZWDecode/Length 1>>stream\n1\nendstream']),
    ],
    ['a file without an end', contract.subarray(0, contract.length - 200)],
    ['nothing', Buffer.alloc(0)],
  ])('%s is not plain', (_, pdf) => expect(isPlain(pdf)).toBe(false));
});
