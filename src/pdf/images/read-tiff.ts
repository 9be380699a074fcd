// Reads every page of a TIFF 6.0. Which pages there are, and how each is coded, is read here, so that a library only ever
// gets one strip or tile whose place and size were checked. A page that is one fax or one JPEG goes into the PDF as it is.
import { faxStream, isFax } from './fax.ts';
import {
  type NotRead,
  type PagePicture,
  type PictureLimits,
  type PicturesReading,
  refuseTooLarge,
  UNKNOWN_CODING,
  UNREADABLE,
} from './picture.ts';
import { openTiff, readDirectory, type TiffValues } from './tiff-directory.ts';
import { JPEG, jpegInTiff, segmentsOf, type TiffPage, tiffPage } from './tiff-page.ts';
import { tiffPicture } from './tiff-pixels.ts';
import { TIFF_TAG, TIFF_TAGS } from './tiff-tags.ts';

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
  const found: TiffValues[] = [];
  for (let at = block.first; at !== 0; ) {
    // In a circle there is no last page, and no first one either.
    if (places.has(at)) return UNREADABLE;
    places.add(at);
    if (found.length === mostPages) return { ok: false, reason: 'too_many_pages', pageCount: mostPages + 1 };
    const directory = readDirectory(block, at, TIFF_TAGS);
    if (!directory) return UNREADABLE;
    found.push(directory.values);
    at = directory.next;
  }
  return found;
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
