// A value is drawn where the preview and the signing page show its field, for every turn, cut and unit of a page.
import { describe, expect, test } from 'vitest';
import { type Box, displayedPage } from '../../../src/pdf/geometry.ts';
import { STAMP_LIMITS } from '../../../src/pdf/limits.ts';
import { encodePng } from '../../../src/pdf/render/render.ts';
import { shown } from '../../support/documents/pixels.ts';
import { stampedPdf, stampField } from '../../support/documents/stamped-pdf.ts';
import { boundsOf, farthest, type TurnedPage, turnedPages } from '../../support/documents/turned-pages.ts';
import { SLOW } from '../../support/tier.ts';

const DPI = 300;
/** Pixels: pictures that are turned are drawn to whole ones, at each side. */
const NEAR = 2;
const INSET = STAMP_LIMITS.insetPicture;
const isRed = (r: number, g: number, b: number) => r > 128 && g < 128 && b < 128;
const isGreen = (r: number, g: number, b: number) => r < 128 && g > 128 && b < 128;

/** Red, its upper left quarter green; as wide as two of its heights. */
async function flag(): Promise<string> {
  const [width, height] = [40, 20];
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      pixels.set(x < 20 && y < 10 ? [0, 255, 0, 255] : [255, 0, 0, 255], (y * width + x) * 4);
  const png = await encodePng(pixels, width, height, { hasAlpha: true });
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}

/** So that the picture fills it, but for the inset. */
function placeOn({ geometry }: TurnedPage): Box {
  const page = displayedPage(geometry);
  const height = page.height * 0.2;
  return {
    x: page.width * 0.107,
    y: page.height * 0.053,
    width: 2 * (height - 2 * INSET) + 2 * INSET,
    height,
  };
}

const scaled = ({ x, y, width, height }: Box): Box => {
  const pixels = DPI / 72;
  return { x: x * pixels, y: y * pixels, width: width * pixels, height: height * pixels };
};

const pages = turnedPages().filter((_, index) => SLOW || index % 17 === 0);

describe('every turn, cut and unit of a page', () => {
  test.each(pages.map((page) => [page.name, page] as const))(
    'draws a value in its field: %s',
    async (_, page) => {
      const box = placeOn(page);
      const { pdf } = await stampedPdf(page.pdf, [
        stampField({ ...box, type: 'signature', value: await flag() }),
      ]);
      const picture = await shown(pdf, 0, DPI);
      const inner = {
        x: box.x + INSET,
        y: box.y + INSET,
        width: box.width - 2 * INSET,
        height: box.height - 2 * INSET,
      };
      const quarter = { ...inner, width: inner.width / 2, height: inner.height / 2 };
      const drawn = boundsOf(picture, (r, g, b) => isRed(r, g, b) || isGreen(r, g, b));
      expect(farthest(drawn, scaled(inner))).toBeLessThanOrEqual(NEAR);
      expect(farthest(boundsOf(picture, isGreen), scaled(quarter))).toBeLessThanOrEqual(NEAR);
    },
  );
});
