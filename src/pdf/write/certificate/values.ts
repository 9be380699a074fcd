// Lists what a person filled in: the field, where it is, and its value. A long value is cut and stated with its SHA-256, so that
// a reader who has the whole value can check that it is the same.
import { sha256Of } from '../../../common/sha256.ts';
import { CERTIFICATE_LIMITS } from '../../limits.ts';
import type { CertifiedValue } from './content.ts';
import { type ColumnStyle, contentWidth, type Flow, left, writeRow } from './flow.ts';
import { KINDS, NAMES } from './marks.ts';

export type ValueStyles = {
  label: ColumnStyle;
  note: ColumnStyle;
  value: ColumnStyle;
  hash: ColumnStyle;
  x: number;
  labelWidth: number;
};

const NAME_WIDTH = 118;
const GAP = 6;

/** About the height of a value that is not cut. */
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
