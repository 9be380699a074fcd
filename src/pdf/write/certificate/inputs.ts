// Writes what a person put into the documents. Values stand with their field and its place; a long one is cut and stated with its SHA-256,
// so that a reader who has the whole value can check that it is the same. Signatures and initials are drawn exactly as they were adopted:
// a typed name in its face, a picture with its own pixels, each with a word for how it came about. What was not adopted is never drawn.
import { sha256Of } from '../../../common/sha256.ts';
import { CERTIFICATE_LIMITS } from '../../limits.ts';
import { showDrawing } from '../form-x-object.ts';
import { embedInk } from '../ink-picture.ts';
import type { CertifiedMark, CertifiedValue } from './content.ts';
import {
  type ColumnStyle,
  contentWidth,
  type Flow,
  INK,
  keepTogether,
  left,
  sheetOf,
  showable,
  writeRow,
} from './flow.ts';

type ValueStyles = {
  label: ColumnStyle;
  note: ColumnStyle;
  value: ColumnStyle;
  hash: ColumnStyle;
  x: number;
  labelWidth: number;
};

const NAME_WIDTH = 118;
const GAP = 6;

/** A value that is not cut takes about this height. */
export const VALUE_HEIGHT = 13;

export async function writeValues(
  flow: Flow,
  values: readonly CertifiedValue[],
  styles: ValueStyles,
): Promise<void> {
  for (const [index, value] of values.slice(0, CERTIFICATE_LIMITS.values).entries())
    await writeValue(flow, value, index === 0 ? 'Filled in' : '', styles);
  const hidden = values.length - CERTIFICATE_LIMITS.values;
  if (hidden <= 0) return;
  const more = hidden === 1 ? '1 more value is' : `${hidden} more values are`;
  const x = styles.x + styles.labelWidth;
  const words = `${more} listed in the record that is attached to this document.`;
  await writeRow(flow, [{ ...styles.note, writeText: words, x, width: left + contentWidth(flow) - x }]);
}

function sourceInWords({ filledInBy }: CertifiedValue): string | undefined {
  if (filledInBy === undefined) return undefined;
  if (filledInBy === 'sender') return 'Filled in by the sender';
  return `Date of signing (${filledInBy.timeZone}), filled in by the service`;
}

async function writeValue(
  flow: Flow,
  value: CertifiedValue,
  heading: string,
  styles: ValueStyles,
): Promise<void> {
  const { label, document, page } = value;
  const text = 'text' in value ? value.text : `${NAMES[value.mark]}, ${KINDS[value.kind].toLowerCase()}`;
  const characters = [...text];
  const isCut = characters.length > CERTIFICATE_LIMITS.valueCharacters;
  const shown = isCut ? `${characters.slice(0, CERTIFICATE_LIMITS.valueCharacters).join('')}…` : text;
  const nameAt = styles.x + styles.labelWidth;
  const valueAt = nameAt + NAME_WIDTH;
  const width = left + contentWidth(flow) - valueAt;
  const place = document === undefined ? `Page ${page}` : `Page ${page} of ${document}`;
  // The place comes first: a line is read in the direction in which it begins.
  const name = label === '' ? place : `${place}: ${label}`;
  await writeRow(flow, [
    { ...styles.label, writeText: heading, x: styles.x, width: styles.labelWidth - GAP },
    { ...styles.note, writeText: name, x: nameAt, width: NAME_WIDTH - GAP },
    { ...styles.value, writeText: shown, x: valueAt, width },
  ]);
  const source = sourceInWords(value);
  if (source !== undefined) await writeRow(flow, [{ ...styles.note, writeText: source, x: valueAt, width }]);
  if (!isCut) return;
  const digest = sha256Of(text);
  const count = `These are the first ${CERTIFICATE_LIMITS.valueCharacters} of ${characters.length} characters.`;
  await writeRow(flow, [
    { ...styles.note, writeText: `${count} SHA-256 of the whole value:`, x: valueAt, width },
  ]);
  await writeRow(flow, [{ ...styles.hash, writeText: digest, x: valueAt, width }]);
}

/** A picture is scaled into these points; a typed name has more room. */
const PICTURE = { width: 150, height: 32 };
const TYPED = { width: 190, size: 20, least: 9 };
const MARK_GAP = 12;

const SPACE = { above: 3, below: 3 };

/** A signature takes this height with the space around it. */
export const MARK_HEIGHT = SPACE.above + PICTURE.height + SPACE.below;

const NAMES: Record<CertifiedMark['mark'], string> = { signature: 'Signature', initials: 'Initials' };

const KINDS: Record<CertifiedMark['kind'], string> = {
  typed: 'Typed',
  drawn: 'Drawn',
  uploaded: 'Uploaded as an image',
};

type MarkStyles = { label: ColumnStyle; note: ColumnStyle; x: number; labelWidth: number };

export async function writeMarks(
  flow: Flow,
  marks: readonly CertifiedMark[],
  styles: MarkStyles,
): Promise<void> {
  for (const mark of marks.slice(0, CERTIFICATE_LIMITS.marks)) await writeMark(flow, mark, styles);
  const remaining = marks.length - CERTIFICATE_LIMITS.marks;
  if (remaining <= 0) return;
  const more = remaining === 1 ? '1 more is shown' : `${remaining} more are shown`;
  await writeRow(flow, [
    { ...styles.note, writeText: `${more} in the documents only.`, x: inkAt(styles), width: 300 },
  ]);
}

const inkAt = ({ x, labelWidth }: MarkStyles): number => x + labelWidth;

async function writeMark(flow: Flow, mark: CertifiedMark, styles: MarkStyles): Promise<void> {
  keepTogether(flow, MARK_HEIGHT);
  flow.y += SPACE.above;
  await (mark.kind === 'typed' ? writeTyped(flow, mark, styles) : drawPicture(flow, mark, styles));
  flow.y += SPACE.below;
}

/** Writes a typed signature on one line where it stays legible, otherwise on several. */
async function writeTyped(
  flow: Flow,
  { mark, kind, face, value }: Extract<CertifiedMark, { kind: 'typed' }>,
  styles: MarkStyles,
): Promise<void> {
  const typeface = { family: face } as const;
  const { width } = flow.typesetting.measure(showable(value, typeface), typeface);
  const size = Math.max(TYPED.least, Math.min(TYPED.size, TYPED.width / Math.max(width, 0.01)));
  const ink = { size, color: INK, typeface, lineHeight: PICTURE.height / TYPED.size };
  // The words beside it stand on the same line, so their lines are as high.
  const height = ink.lineHeight * size;
  await writeRow(flow, [
    {
      ...styles.label,
      lineHeight: height / styles.label.size,
      writeText: NAMES[mark],
      x: styles.x,
      width: styles.labelWidth,
    },
    // It is wider by a point, so that what fits exactly stays on its line.
    { ...ink, writeText: value, x: inkAt(styles), width: TYPED.width + 1 },
    {
      ...styles.note,
      lineHeight: height / styles.note.size,
      writeText: KINDS[kind],
      x: wordAt(styles),
      width: 150,
    },
  ]);
}

const wordAt = (styles: MarkStyles): number => inkAt(styles) + TYPED.width + MARK_GAP;

/** @throws Error for a picture that cannot be read: the document was stamped with it before */
async function drawPicture(
  flow: Flow,
  { mark, kind, value }: CertifiedMark,
  styles: MarkStyles,
): Promise<void> {
  const picture = await embedInk(value, flow.fonts.document.context);
  if (!picture) throw new Error('A signature on the certificate cannot be read.');
  const scale = Math.min(PICTURE.width / picture.width, PICTURE.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const sheet = sheetOf(flow);
  const bottom = sheet.size.height - flow.y - (PICTURE.height + height) / 2;
  showDrawing(sheet, picture.ref, [width, 0, 0, height, inkAt(styles), bottom]);
  const lineHeight = (style: ColumnStyle) => PICTURE.height / style.size;
  await writeRow(flow, [
    {
      ...styles.label,
      lineHeight: lineHeight(styles.label),
      writeText: NAMES[mark],
      x: styles.x,
      width: styles.labelWidth,
    },
    {
      ...styles.note,
      lineHeight: lineHeight(styles.note),
      writeText: KINDS[kind],
      x: wordAt(styles),
      width: 150,
    },
  ]);
}
