// Draws signatures and initials on a certificate exactly as they were adopted: a typed name in its face, a drawing or a picture with
// its own pixels, each with a word for how it came about. It must never draw what was not adopted.

import { CERTIFICATE_LIMITS } from '../../limits.ts';
import { showDrawing } from '../form-x-object.ts';
import { embedInk } from '../ink-picture.ts';
import type { CertifiedMark } from './content.ts';
import { type ColumnStyle, type Flow, INK, keepTogether, sheetOf, showable, writeRow } from './flow.ts';

/** In points: what is drawn, and from where to where it goes. */
const PICTURE = { width: 150, height: 32 };
const TYPED = { width: 190, size: 20, least: 9 };
const GAP = 12;

const SPACE = { above: 3, below: 3 };

/** Of one signature with the space around it. */
export const MARK_HEIGHT = SPACE.above + PICTURE.height + SPACE.below;

export const NAMES: Record<CertifiedMark['mark'], string> = { signature: 'Signature', initials: 'Initials' };

export const KINDS: Record<CertifiedMark['kind'], string> = {
  typed: 'Typed',
  drawn: 'Drawn',
  uploaded: 'Uploaded as an image',
};

export type MarkStyles = { label: ColumnStyle; note: ColumnStyle; x: number; labelWidth: number };

export async function writeMarks(
  flow: Flow,
  marks: readonly CertifiedMark[],
  styles: MarkStyles,
): Promise<void> {
  for (const mark of marks.slice(0, CERTIFICATE_LIMITS.marks)) await writeMark(flow, mark, styles);
  const left = marks.length - CERTIFICATE_LIMITS.marks;
  if (left <= 0) return;
  const more = left === 1 ? '1 more is shown' : `${left} more are shown`;
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
  const ink = { size, color: INK, typeface, step: PICTURE.height / TYPED.size };
  const beside = { step: ink.step * size };
  await writeRow(flow, [
    {
      ...styles.label,
      step: beside.step / styles.label.size,
      writeText: NAMES[mark],
      x: styles.x,
      width: styles.labelWidth,
    },
    // Wider by a point: what fits exactly stays on its line.
    { ...ink, writeText: value, x: inkAt(styles), width: TYPED.width + 1 },
    {
      ...styles.note,
      step: beside.step / styles.note.size,
      writeText: KINDS[kind],
      x: wordAt(styles),
      width: 150,
    },
  ]);
}

const wordAt = (styles: MarkStyles): number => inkAt(styles) + TYPED.width + GAP;

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
  const step = (style: ColumnStyle) => PICTURE.height / style.size;
  await writeRow(flow, [
    {
      ...styles.label,
      step: step(styles.label),
      writeText: NAMES[mark],
      x: styles.x,
      width: styles.labelWidth,
    },
    { ...styles.note, step: step(styles.note), writeText: KINDS[kind], x: wordAt(styles), width: 150 },
  ]);
}
