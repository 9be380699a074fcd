// Reads values of attributes as WordprocessingML writes them. Lengths become points; what is no length, or far too long for any page, is
// undefined or cut: a file must not be able to name a number that layout cannot work with.
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';

const POINTS: Record<string, number> = { pt: 1, in: 72, cm: 72 / 2.54, mm: 72 / 25.4, pc: 12, pi: 12 };
const WITH_UNIT = /^(-?\d+(?:\.\d+)?)(pt|in|cm|mm|pc|pi)$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

const within = (points: number): number =>
  Math.max(-DOCUMENT_LIMITS.docxLength, Math.min(DOCUMENT_LIMITS.docxLength, points));

function measure(text: string | undefined, unitsInPoint: number): number | undefined {
  if (text === undefined) return undefined;
  // Strict files may say the unit (ISO 29500, part 1, 22.9.2.15).
  const [, amount, unit] = WITH_UNIT.exec(text) ?? [];
  if (unit !== undefined) return within(Number(amount) * POINTS[unit]!);
  return NUMBER.test(text) ? within(Number(text) / unitsInPoint) : undefined;
}

/** A twip is the twentieth of a point. */
export const twips = (text: string | undefined) => measure(text, 20);
export const halfPoints = (text: string | undefined) => measure(text, 2);
export const eighths = (text: string | undefined) => measure(text, 8);
/** An EMU is an English metric unit, 12,700 of which are a point. */
export const emus = (text: string | undefined) => measure(text, 12_700);
/** VML writes a length of CSS, where a bare number counts points. */
export const cssLength = (text: string | undefined) =>
  text?.endsWith('px') ? measure(text.slice(0, -2), 96 / 72) : measure(text, 1);

export const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;

const COLOR = /^[0-9A-Fa-f]{6}$/;

/** Reads RRGGBB; undefined for `auto` and for what is no color. */
export const color = (text: string | undefined): string | undefined =>
  text !== undefined && COLOR.test(text) ? text.toUpperCase() : undefined;

/** A property that is present counts as true unless its value says otherwise. */
export const isOn = (text: string | undefined): boolean => !/^(0|false|off|none)$/.test(text ?? '');

/** Looks up what a document names in a table of ours. A document may name anything, `constructor` for example. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
