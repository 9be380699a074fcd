// The certificate shows signatures and initials exactly as they were adopted, and nothing that was not: what is drawn is compared
// with the adopted picture, or with the glyphs of the face as another program's layout sets them.

import { PNG } from 'pngjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { CERTIFICATE_LIMITS } from '../../../../src/pdf/limits.ts';
import { certifyPdf } from '../../../../src/pdf/write/certificate/certify-pdf.ts';
import type { CertifiedMark } from '../../../../src/pdf/write/certificate/content.ts';
import { certificateContent, certificateParty } from '../../../support/documents/certificate.ts';
import { inkDifference, inkOfPng, inkOfText, marksOnCertificate } from '../../../support/documents/ink.ts';
import { pagesPdf } from '../../../support/documents/pdf.ts';
import { stampedPdf } from '../../../support/documents/stamped-pdf.ts';
import { SLOW, sampleOf } from '../../../support/tier.ts';

/** Nothing else is as alike: another drawing and the other face are at least twice as far away. */
const ALIKE = 0.25;
const UNLIKE = 0.4;

type Stroke = (x: number) => number;
const WAVE: Stroke = (x) => 40 + 30 * Math.sin(x / 18);
const RISING: Stroke = (x) => 75 - (x * 70) / 240 + 6 * Math.sin(x / 5);

/** A stroke on nothing, trimmed as a signature is. */
function drawing(stroke: Stroke): Buffer {
  const png = new PNG({ width: 240, height: 80 });
  for (let x = 0; x < 240; x += 1)
    for (let y = 0; y < 80; y += 1)
      if (Math.abs(y - stroke(x)) < 4) png.data.set([20, 30, 90, 255], (y * 240 + x) * 4);
  return PNG.sync.write(png);
}

const asValue = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;

let base: Uint8Array;
beforeAll(async () => {
  base = (await stampedPdf(pagesPdf(['/MediaBox[0 0 595 842]']))).pdf;
});

async function shownFor(...marks: CertifiedMark[]) {
  const parties = [certificateParty({ name: 'Augusta Byron', marks, steps: [] })];
  const { pdf } = await certifyPdf(base, certificateContent({ parties }), '{}');
  return marksOnCertificate(pdf, 1);
}

describe('a signature on the certificate', () => {
  const NAME = 'Ada King-Noel';

  test.each(
    sampleOf(
      [
        ['handwriting', 'script'],
        ['script', 'handwriting'],
      ] as const,
      2,
    ),
  )('that was typed is the text in its face: %s, and not %s', async (face, other) => {
    const [mark, ...more] = await shownFor({ mark: 'signature', kind: 'typed', face, value: NAME });
    expect([mark?.mark, mark?.kind, more]).toEqual(['Signature', 'Typed', []]);
    expect(inkDifference(mark!.ink, await inkOfText(NAME, face))).toBeLessThan(ALIKE);
    expect(inkDifference(mark!.ink, await inkOfText(NAME, other))).toBeGreaterThan(UNLIKE);
    expect(inkDifference(mark!.ink, await inkOfText('Augusta Byron', face))).toBeGreaterThan(UNLIKE);
  });

  test.each(
    sampleOf(
      [
        ['drawn', 'Drawn'],
        ['uploaded', 'Uploaded as an image'],
      ] as const,
      2,
    ),
  )('that was %s is the picture, and nothing beside it', async (kind, word) => {
    const [wave, rising] = [drawing(WAVE), drawing(RISING)];
    const [mark, ...more] = await shownFor({ mark: 'signature', kind, value: asValue(wave) });
    expect([mark?.mark, mark?.kind, more]).toEqual(['Signature', word, []]);
    expect(inkDifference(mark!.ink, inkOfPng(wave))).toBeLessThan(ALIKE);
    expect(inkDifference(mark!.ink, inkOfPng(rising))).toBeGreaterThan(UNLIKE);
  });

  test('stands apart from initials, each as it was adopted', async () => {
    const [wave, rising] = [drawing(WAVE), drawing(RISING)];
    const drawn = { mark: 'signature', kind: 'drawn', value: asValue(wave) } as const;
    const uploaded = { mark: 'initials', kind: 'uploaded', value: asValue(rising) } as const;
    const typed = { mark: 'initials', kind: 'typed', face: 'script', value: 'AK' } as const;
    const [signature, first, second] = await shownFor(drawn, uploaded, typed);
    expect([signature, first, second].map((item) => [item?.mark, item?.kind])).toEqual([
      ['Signature', 'Drawn'],
      ['Initials', 'Uploaded as an image'],
      ['Initials', 'Typed'],
    ]);
    expect(inkDifference(signature!.ink, inkOfPng(wave))).toBeLessThan(ALIKE);
    expect(inkDifference(first!.ink, inkOfPng(rising))).toBeLessThan(ALIKE);
    expect(inkDifference(second!.ink, await inkOfText('AK', 'script'))).toBeLessThan(ALIKE);
  });

  test('is not there where none was adopted', async () => {
    expect(await shownFor()).toEqual([]);
  });

  test.skipIf(!SLOW)('has no more entries than a certificate shows', async () => {
    const marks = Array.from(
      { length: CERTIFICATE_LIMITS.marks + 3 },
      (_, index): CertifiedMark => ({
        mark: 'signature',
        kind: 'typed',
        face: 'script',
        value: `Ada ${index}`,
      }),
    );
    expect(await shownFor(...marks)).toHaveLength(CERTIFICATE_LIMITS.marks);
  });
});
