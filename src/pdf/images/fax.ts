// Embeds faxes: black and white pixels coded in runs (ITU-T T.4 and T.6). PDF has the same coding, so a fax that is one piece goes
// into a page unchanged. It must never decode.
import { GRAY, pictureEntries } from './picture-stream.ts';
import type { PictureStream } from './pictures-pdf.ts';
import type { TiffPage } from './tiff-page.ts';
import { COMPRESSION, PHOTOMETRIC, TIFF_TAG } from './tiff-tags.ts';

const LAST_BIT_FIRST = 2;
// Bits of the options of Group 3.
const TWO_DIMENSIONS = 1;

export function isFax({ compression }: TiffPage): boolean {
  const { faxRuns, fax3, fax4 } = COMPRESSION;
  return compression === faxRuns || compression === fax3 || compression === fax4;
}

export function faxStream(page: TiffPage, data: Buffer): PictureStream {
  const { width, height } = page;
  const isReversed = page.values.get(TIFF_TAG.fillOrder)?.[0] === LAST_BIT_FIRST;
  const bytes = isReversed ? withBitsReversed(data) : data;
  // In a PDF black runs are bits of 0. Where black is zero in the TIFF, a black run stands for 1, which is white: this turns them round.
  const isBlackZero = page.photometric === PHOTOMETRIC.blackIsZero;
  const parameters = `/Columns ${width}/Rows ${height}${schemeOf(page)}${isBlackZero ? '/BlackIs1 true' : ''}`;
  const entries = pictureEntries({ width, height, bits: 1, colors: GRAY });
  return { entries: `${entries}/Filter/CCITTFaxDecode/DecodeParms<<${parameters}>>`, data: bytes };
}

/** ISO 32000-1, table 11: K is below zero for Group 4, zero for lines on their own, above zero for lines that build on another. */
function schemeOf({ compression, values }: TiffPage): string {
  if (compression === COMPRESSION.fax4) return '/K -1/EndOfBlock false';
  if (compression === COMPRESSION.faxRuns) return '/K 0/EncodedByteAlign true/EndOfBlock false';
  const options = values.get(TIFF_TAG.faxOptions)?.[0] ?? 0;
  return `/K ${options & TWO_DIMENSIONS ? 1 : 0}/EndOfBlock false`;
}

function withBitsReversed(data: Buffer): Buffer {
  const reversed = Uint8Array.from({ length: 256 }, (_, byte) => {
    let value = 0;
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) value |= 128 >> bit;
    return value;
  });
  return Buffer.from(data.map((byte) => reversed[byte]!));
}
