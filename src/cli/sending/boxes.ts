// Computes the boxes of fields: percentages, `last` and the default boxes at the foot become points from the top
// left corner of the page as a reader shows it (assumed: A18).

import { LIMITS } from '../../api/contract/limits.ts';
import type { ReceivedDocument } from '../../api/contract/transactions.ts';
import { isInside } from '../../pdf/geometry.ts';
import { inPoints, roundPoints } from '../../placement/sizes.ts';
import { type CliError, cliError } from '../command/errors.ts';
import type { PageSize } from '../input/documents.ts';
import type { PlacedField } from '../input/field-spec.ts';

export type FieldBox = { page: number; positionX: number; positionY: number; width: number; height: number };

/** What is known of a document's pages: all sizes, only how many there are, or nothing. */
export type Pages = { sizes: readonly PageSize[] } | { count: number } | undefined;

/** So that rounding to hundredths does not push a box off its page. */
const TOLERANCE = 0.02;

/** The size of an unknown page. The service checks the field then. */
const ENDLESS: PageSize = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

/** Whether a field can be placed only when the pages are known: on the last one, or by a percentage. */
export const needsPages = ({ page, x, y, width, height }: PlacedField): boolean =>
  page === 'last' || [x, y, width, height].some((length) => 'percent' in length);

/** Computes the box of a field. @throws CliError exit 2 when it is off its page or too small, or the size of its page is needed and unknown */
export function resolveBox(field: PlacedField, pages: Pages, documentName: string): FieldBox {
  const count = pages === undefined ? undefined : 'sizes' in pages ? pages.sizes.length : pages.count;
  const page = field.page === 'last' ? lastOf(count, field, documentName) : field.page;
  if (count !== undefined && page >= count)
    throw pageMissing(field.source, { document: documentName, page, count });
  const size = pages && 'sizes' in pages ? pages.sizes[page] : undefined;
  const isRelative = [field.x, field.y, field.width, field.height].some((length) => 'percent' in length);
  if (!size && isRelative) throw sizeUnknown(field, documentName);
  const { width: wide, height: high } = size ?? { width: 0, height: 0 };
  const box = {
    page,
    positionX: inPoints(field.x, wide),
    positionY: inPoints(field.y, high),
    width: inPoints(field.width, wide),
    height: inPoints(field.height, high),
  };
  if (!isOnPage(box, size)) throw offPage(field, documentName, page, size);
  if (isTooSmall(box))
    throw cliError('field_too_small', {
      sentence: `The field "${field.source}" is ${box.width} x ${box.height} pt, which is too small.`,
      hint: `A field is at least ${LIMITS.fieldSideMin} pt wide and ${LIMITS.fieldSideMin} pt high.`,
    });
  return box;
}

const isTooSmall = ({ width, height }: FieldBox): boolean => Math.min(width, height) < LIMITS.fieldSideMin;

function isOnPage(box: FieldBox, size: PageSize | undefined): boolean {
  const { positionX: x, positionY: y, width, height } = box;
  return isInside({ x, y, width, height }, size ?? ENDLESS, TOLERANCE);
}

function lastOf(count: number | undefined, field: PlacedField, documentName: string): number {
  if (count === undefined) throw sizeUnknown(field, documentName);
  return count - 1;
}

const sizeUnknown = (field: PlacedField, documentName: string) =>
  cliError('page_size_unknown', {
    sentence: `The field "${field.source}" cannot be placed: esign does not know the page sizes of "${documentName}".`,
    hint: 'Use a page number instead of "last", and points (pt) for position and size.',
  });

/** Makes the error for a field on a page that the document does not have. @param page counts from 0 */
export const pageMissing = (
  field: string,
  { document, page, count }: { document: string; page: number; count: number },
): CliError =>
  cliError('field_off_page', {
    sentence: `The field "${field}" is on page ${page + 1}, but "${document}" has ${count} ${count === 1 ? 'page' : 'pages'}.`,
    hint: 'Page numbers start at 1. Use "last" for the last page.',
  });

const offPage = (field: PlacedField, documentName: string, page: number, size: PageSize | undefined) =>
  cliError('field_off_page', {
    sentence: size
      ? `The field "${field.source}" does not fit on page ${page + 1} of "${documentName}", which is ${size.width} x ${size.height} pt.`
      : `The field "${field.source}" has no size, or begins outside the page.`,
    hint: 'Positions are measured from the top left corner of the page. The whole field must be on the page.',
  });

/** The box of a signature without a field, in points. */
export const DEFAULT_BOX = { width: 180, height: 48, gap: 12, margin: 36 };
const SMALLER = 0.9;

/** What stays free at the edges of a page, less on a small one. */
export const edgeMargin = ({ width, height }: PageSize): number =>
  Math.min(DEFAULT_BOX.margin, width * 0.06, height * 0.06);

/**
 * Computes one signature box for each signer at the foot of the page, in rows, without overlaps, all on the page.
 * @throws CliError exit 2 when the page has no room for as many fields of the smallest size
 */
export function boxesAtFoot(size: PageSize, page: number, count: number, documentName: string): FieldBox[] {
  for (let scale = 1; ; scale *= SMALLER) {
    const width = DEFAULT_BOX.width * scale;
    const height = DEFAULT_BOX.height * scale;
    if (height < LIMITS.fieldSideMin)
      throw cliError('page_too_small', {
        sentence: `The last page of "${documentName}" is ${roundPoints(size.width)} x ${roundPoints(size.height)} pt, which is too small for ${count} signature ${count === 1 ? 'field' : 'fields'}.`,
        hint:
          count === 1
            ? 'Send the document with a larger page.'
            : 'Send the document with a larger page, or place the fields on other pages with --field.',
      });
    const gap = DEFAULT_BOX.gap * scale;
    const margin = edgeMargin(size);
    const columns = Math.floor((size.width - 2 * margin + gap) / (width + gap));
    if (columns < 1) continue;
    const rows = Math.ceil(count / columns);
    if (rows * (height + gap) - gap > size.height - 2 * margin) continue;
    return Array.from({ length: count }, (_, index) => ({
      page,
      positionX: roundPoints(margin + (index % columns) * (width + gap)),
      positionY: roundPoints(
        size.height - margin - (rows - Math.floor(index / columns)) * (height + gap) + gap,
      ),
      width: roundPoints(width),
      height: roundPoints(height),
    }));
  }
}

/** Reads the pages of a document from the service: their sizes (extension, assumed: A18), or only how many there are. */
export function pagesOfDocument(document: ReceivedDocument | undefined): Pages {
  if (!document?.pages) return undefined;
  const sizes = document.pages.flatMap(({ width, height }) =>
    width && height && width > 0 && height > 0 ? [{ width, height }] : [],
  );
  return sizes.length === document.pages.length ? { sizes } : { count: document.pages.length };
}
