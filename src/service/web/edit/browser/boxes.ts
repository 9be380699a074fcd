// Computes boxes of fields: inside their page, moved, resized, aligned, and lined up with the text, with other fields and with the
// middle of the page. All lengths are points.
import { type EditedDraft, type EditedField, type EditedPage, findEditedPage } from './draft.ts';

/** A smaller field could neither be seen nor taken hold of. */
const LEAST = 8;

const hundredths = (points: number): number => Math.round(points * 100) / 100;
const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most));

/** Moves the field inside its page, and reduces one that is larger than the page. */
export function insidePage(field: EditedField, page: EditedPage): EditedField {
  const width = Math.min(Math.max(field.width, LEAST), page.width);
  const height = Math.min(Math.max(field.height, LEAST), page.height);
  return {
    ...field,
    width: hundredths(width),
    height: hundredths(height),
    positionX: hundredths(clamp(field.positionX, page.width - width)),
    positionY: hundredths(clamp(field.positionY, page.height - height)),
  };
}

export function moved(draft: EditedDraft, field: EditedField, dx: number, dy: number): EditedField {
  const page = findEditedPage(draft, field);
  const next = { ...field, positionX: field.positionX + dx, positionY: field.positionY + dy };
  return page ? insidePage(next, page) : field;
}

/** It tells which corner is pulled. */
export type Corner = { left: boolean; top: boolean };

/** Resizes a field: the corner opposite to the one that is pulled stays. */
export function resized(
  draft: EditedDraft,
  field: EditedField,
  corner: Corner,
  dx: number,
  dy: number,
): EditedField {
  const page = findEditedPage(draft, field);
  if (!page) return field;
  const [across, down] = [
    side(field.positionX, field.width, corner.left, dx, page.width),
    side(field.positionY, field.height, corner.top, dy, page.height),
  ];
  return {
    ...field,
    positionX: hundredths(across.from),
    width: hundredths(across.length),
    positionY: hundredths(down.from),
    height: hundredths(down.length),
  };
}

function side(from: number, length: number, isStart: boolean, change: number, most: number) {
  const end = from + length;
  if (isStart) {
    const start = clamp(Math.min(from + change, end - LEAST), most);
    return { from: start, length: end - start };
  }
  const stop = clamp(Math.max(end + change, from + LEAST), most);
  return { from, length: stop - from };
}

export type FieldAlignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom' | 'width';

/** Aligns fields with the outermost of them; `width` makes them as wide and high as the first. */
export function aligned(
  draft: EditedDraft,
  fields: readonly EditedField[],
  how: FieldAlignment,
): Map<string, EditedField> {
  const lefts = Math.min(...fields.map(({ positionX }) => positionX));
  const rights = Math.max(...fields.map(({ positionX, width }) => positionX + width));
  const tops = Math.min(...fields.map(({ positionY }) => positionY));
  const bottoms = Math.max(...fields.map(({ positionY, height }) => positionY + height));
  const [first] = fields;
  const change = (field: EditedField): Partial<EditedField> => {
    if (how === 'left') return { positionX: lefts };
    if (how === 'right') return { positionX: rights - field.width };
    if (how === 'center') return { positionX: (lefts + rights - field.width) / 2 };
    if (how === 'top') return { positionY: tops };
    if (how === 'middle') return { positionY: (tops + bottoms - field.height) / 2 };
    if (how === 'bottom') return { positionY: bottoms - field.height };
    return first ? { width: first.width, height: first.height } : {};
  };
  return new Map(
    fields.map((field) => {
      const page = findEditedPage(draft, field);
      const next = { ...field, ...change(field) };
      return [field.id, page ? insidePage(next, page) : next];
    }),
  );
}

/** `crypto.randomUUID` is missing on pages over plain HTTP of other machines. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Makes a field of a type as it is placed. */
export function newField(
  draft: EditedDraft,
  options: Pick<EditedField, 'type' | 'recipient_id' | 'document_id' | 'page'> & {
    x: number;
    y: number;
    width?: number;
    height?: number;
  },
): EditedField {
  const { type, recipient_id, document_id, page, x, y } = options;
  const kind = draft.types.find((item) => item.type === type);
  const width = options.width ?? kind?.width ?? 180;
  const height = options.height ?? kind?.height ?? 20;
  const field: EditedField = {
    id: newId(),
    document_id,
    recipient_id,
    page,
    positionX: x,
    positionY: y,
    width,
    height,
    type,
    label: type,
    is_required: type !== 'checkbox',
    font_size: 12,
    helper_text: '',
    options: type === 'select' || type === 'radio' ? ['Yes', 'No'] : [],
    value: null,
    readonly: false,
    min_length: null,
    max_length: null,
    min_value: null,
    max_value: null,
    date_format: draft.dateFormats[0] ?? '',
    date_language: draft.dateLanguages[0]?.[0] ?? '',
  };
  const size = findEditedPage(draft, field);
  return size ? insidePage(field, size) : field;
}

/** Copies a field to every other page of its document, except where an equal field is already. */
export function copiesOnAllPages(
  draft: EditedDraft,
  field: EditedField,
  fields: readonly EditedField[],
): EditedField[] {
  const document = draft.documents.find(({ id }) => id === field.document_id);
  return (document?.pages ?? []).flatMap((size, page) => {
    const copy = insidePage({ ...field, id: newId(), page }, size);
    const isThere = fields.some(
      (other) =>
        other.document_id === copy.document_id &&
        other.page === page &&
        other.type === copy.type &&
        other.recipient_id === copy.recipient_id &&
        other.positionX === copy.positionX &&
        other.positionY === copy.positionY,
    );
    return page === field.page || isThere ? [] : [copy];
  });
}

const COPY_OFFSET = 12;

/** The copy stands a little below and to the right, so that both are seen. */
export const copyOf = (draft: EditedDraft, field: EditedField): EditedField =>
  moved(draft, { ...field, id: newId() }, COPY_OFFSET, COPY_OFFSET);

/** A box of the given height is centered in what can be seen of a page; both in points. */
export const centeredIn = (visible: { top: number; bottom: number }, height: number): number =>
  Math.max(0, (visible.top + visible.bottom - height) / 2);

export type Line = { x: number; y: number; width: number; height: number };

/** It tells how far to move a box, and which lines show why, as positions on the page in points. */
type Snap = { dx: number; dy: number; across?: number; down?: number };

/** Letters of a font hang a fifth of their height below the line they stand on. */
const BASELINE = 0.8;

export type Targets = { xs: number[]; ys: number[] };

/** @param others fields of the page that stay where they are */
export function targetsOf(others: readonly EditedField[], lines: readonly Line[], page: EditedPage): Targets {
  return {
    xs: [
      page.width / 2,
      ...others.flatMap(({ positionX: x, width }) => [x, x + width]),
      ...lines.flatMap(({ x, width }) => [x, x + width]),
    ],
    ys: [
      page.height / 2,
      ...others.flatMap(({ positionY: y, height }) => [y, y + height]),
      ...lines.flatMap(({ y, height }) => [y + height * BASELINE, y]),
    ],
  };
}

/** @param reach how near, in points */
export function snap(box: EditedField, { xs, ys }: Targets, reach: number): Snap {
  const { positionX: x, positionY: y, width, height } = box;
  const across = nearest([x, x + width, x + width / 2], xs, reach);
  const down = nearest([y + height, y, y + height / 2], ys, reach);
  return {
    dx: across?.by ?? 0,
    dy: down?.by ?? 0,
    ...(across && { across: across.at }),
    ...(down && { down: down.at }),
  };
}

function nearest(edges: readonly number[], targets: readonly number[], reach: number) {
  let best: { by: number; at: number } | undefined;
  for (const at of targets)
    for (const edge of edges) {
      const by = at - edge;
      if (Math.abs(by) <= reach && (!best || Math.abs(by) < Math.abs(best.by))) best = { by, at };
    }
  return best;
}
