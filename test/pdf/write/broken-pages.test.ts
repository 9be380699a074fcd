// Values are drawn whatever the content of their page does: viewers of others show them, qpdf finds nothing that was not wrong before,
// and the page shows what PDFium showed of it.
import { describe, expect, test } from 'vitest';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { BROKEN_PAGES, OPEN_PAGES } from '../../support/documents/broken-pages.ts';
import { expectNoWorse } from '../../support/documents/foreign-verifiers.ts';
import {
  type ExpectedDrawing,
  findUndrawn,
  needsForeignViewers,
} from '../../support/documents/foreign-viewers.ts';
import { colorName, shown } from '../../support/documents/pixels.ts';
import { stampedPdf, stampField } from '../../support/documents/stamped-pdf.ts';
import { sampleOf, shareOf } from '../../support/tier.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

const SIZE = { width: 300, height: 400 };
const BOX = { x: 30, y: 200, width: 240, height: 40 };
const FIELD = stampField({ ...BOX, value: 'Zürich', font_size: 30, font_color: '#e100c3', is_bold: true });
const DRAWN: ExpectedDrawing[] = [{ what: 'value', box: BOX, color: [0xe1, 0x00, 0xc3] }];

/** Keeps a document as the service keeps it that was uploaded. */
async function accepted(bytes: Uint8Array): Promise<Uint8Array> {
  const inspected = await inspectPdf(bytes, { maxPages: 9 });
  if (!inspected.ok) throw new Error(inspected.reason);
  return inspected.repaired ?? bytes;
}

const stamped = async (bytes: Uint8Array) => stampedPdf(await accepted(bytes), [FIELD]);

const viewers = unmet(needsForeignViewers(), needsCommand('qpdf'));

describe.skipIf(viewers.skip)(`every viewer draws the value${viewers.why}`, () => {
  test.each(shareOf([...OPEN_PAGES, ...BROKEN_PAGES], 6))(
    'over %s',
    { timeout: 60_000 },
    async (_, bytes) => {
      const { pdf } = await stamped(bytes);
      expect(await findUndrawn(pdf, SIZE, DRAWN)).toEqual([]);
      await expectNoWorse(pdf, bytes);
    },
  );
});

const redrawn = (removed: { code: string }[]) => removed.some(({ code }) => code === 'pages_redrawn');

describe('a page', () => {
  test.each(sampleOf(OPEN_PAGES, 4))('keeps its content: %s', async (_, bytes) => {
    const { removed } = await stamped(bytes);
    expect(redrawn(removed)).toBe(false);
  });

  test.each(sampleOf(BROKEN_PAGES, 4))('becomes a picture, with a remark: %s', async (_, bytes) => {
    const { removed } = await stamped(bytes);
    expect(removed).toEqual([{ code: 'pages_redrawn', count: 1, names: ['1'] }]);
  });

  test('becomes a picture of what PDFium shows', async () => {
    const named = new Map(BROKEN_PAGES);
    const bytes = await accepted(named.get('many unknown operators')!);
    const [before, after] = [await shown(bytes), await shown((await stampedPdf(bytes, [FIELD])).pdf)];
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    for (const [x, y, color] of [
      [50, 350, 'blue'],
      [150, 350, 'white'],
      [50, 300, 'white'],
    ] as const) {
      expect(colorName(before.at(x, y))).toBe(color);
      expect(colorName(after.at(x, y))).toBe(color);
    }
  });

  test('stays as it is where no value is on it', async () => {
    const named = new Map(BROKEN_PAGES);
    const { removed } = await stampedPdf(await accepted(named.get('many unknown operators')!));
    expect(removed).toEqual([]);
  });
});
