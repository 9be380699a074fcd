// Reads every page of a TIFF 6.0. Which pages there are, and how each is coded, is read here, so that a library only ever
// gets one strip or tile whose place and size were checked. A page that is one fax or one JPEG goes into the PDF as it is.

import type { PictureStream } from './picture.ts';
import {
  GRAY,
  type NotRead,
  type PagePicture,
  type PictureLimits,
  type PicturesReading,
  pictureEntries,
  refuseTooLarge,
  UNKNOWN_CODING,
  UNREADABLE,
} from './picture.ts';
import {
  COMPRESSION,
  openTiff,
  PHOTOMETRIC,
  readDirectory,
  TIFF_TAG,
  TIFF_TAGS,
  type TiffValues,
} from './tiff-directory.ts';
import { JPEG, jpegInTiff, segmentsOf, type TiffPage, tiffPage, tiffPicture } from './tiff-page.ts';

// Bits of NewSubfileType: a smaller copy of another page, and the transparency of one.
const COPY = 1;
const MASK = 4;

export async function readTiff(file: Buffer, limits: PictureLimits): Promise<PicturesReading> {
  const directories = directoriesOf(file, limits.imagePages);
  if ('ok' in directories) return directories;
  const pictures: PagePicture[] = [];
  for (const values of directories) {
    if (((values.get(TIFF_TAG.subfileType)?.[0] ?? 0) & (COPY | MASK)) !== 0) continue;
    const page = tiffPage(values);
    if ('ok' in page) return page;
    const picture = await pictureOf(file, page, limits);
    if ('ok' in picture) return picture;
    pictures.push(picture);
  }
  return pictures.length > 0 ? { ok: true, pictures } : UNREADABLE;
}

function directoriesOf(file: Buffer, mostPages: number): TiffValues[] | NotRead {
  const block = openTiff(file);
  if (!block) return UNREADABLE;
  const places = new Set<number>();
  const pages: TiffValues[] = [];
  for (let at = block.first; at !== 0; ) {
    // In a circle there is no last page, and no first one either.
    if (places.has(at)) return UNREADABLE;
    places.add(at);
    if (pages.length === mostPages) return { ok: false, reason: 'too_many_pages', pageCount: mostPages + 1 };
    const directory = readDirectory(block, at, TIFF_TAGS);
    if (!directory) return UNREADABLE;
    pages.push(directory.values);
    at = directory.next;
  }
  return pages;
}

async function pictureOf(
  file: Buffer,
  page: TiffPage,
  limits: PictureLimits,
): Promise<PagePicture | NotRead> {
  const { width, height, layout } = page;
  const refused =
    refuseTooLarge('image_pixels', width * height, limits.imagePixels) ??
    refuseTooLarge('image_bytes', page.rowBytes * height, limits.pixelBytes);
  if (refused) return refused;
  const segments = segmentsOf(file, page);
  if (!segments) return UNREADABLE;
  const [only, ...others] = segments;
  if (only && others.length === 0) {
    const isAll = only.width === page.width && only.height === page.height;
    if (isFax(page) && isAll) return { ...layout, stream: faxStream(page, only.data) };
    const whole = page.compression === JPEG ? jpegInTiff(page, only.data) : undefined;
    if (whole) return { ...layout, stream: whole };
  }
  if (page.compression === JPEG && page.samples !== 1 && page.samples !== 3) return UNKNOWN_CODING;
  return (await tiffPicture(file, page, segments)) ?? UNREADABLE;
}

const LAST_BIT_FIRST = 2;
// Bits of the options of Group 3.
const TWO_DIMENSIONS = 1;

function isFax({ compression }: TiffPage): boolean {
  const { faxRuns, fax3, fax4 } = COMPRESSION;
  return compression === faxRuns || compression === fax3 || compression === fax4;
}

function faxStream(page: TiffPage, data: Buffer): PictureStream {
  const { width, height } = page;
  const isReversed = page.values.get(TIFF_TAG.fillOrder)?.[0] === LAST_BIT_FIRST;
  const bytes = isReversed ? withBitsReversed(data) : data;
  // In a PDF black runs are bits of 0. Where black is zero in the TIFF, a black run stands for 1, which is white: this turns them round.
  const isBlackZero = page.photometric === PHOTOMETRIC.blackIsZero;
  const parameters = `/Columns ${width}/Rows ${height}${schemeOf(page)}${isBlackZero ? '/BlackIs1 true' : ''}`;
  const entries = pictureEntries({ width, height, bits: 1, colors: GRAY });
  return { entries: `${entries}/Filter/CCITTFaxDecode/DecodeParms<<${parameters}>>`, data: bytes };
}

/** K is below zero for Group 4, zero for lines on their own, above zero for lines that build on another (ISO 32000-1, table 11). */
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
