// Finds the characters of a value that no font has, before the recipient signs: such a value cannot be drawn, and is never drawn
// without them. It is fast enough to run while the recipient types: only the character maps of the fonts are read.
import { substituteOf, type Typeface } from '../fonts/faces.ts';
import { missingCharacters } from '../fonts/runs.ts';
import type { StampField } from './plan.ts';

/** These properties say which font a value is drawn in. */
export type ValueStyle = Pick<StampField, 'type' | 'face' | 'font_family' | 'is_bold' | 'is_italic'>;

/** Lists each character once; none for ink and ticks, which are no text. */
export function missingFor(value: string, style: ValueStyle): string[] {
  if (style.type === 'checkbox' || (isHand(style.type) && value.startsWith('data:'))) return [];
  return missingCharacters(value, typefaceOf(style));
}

export function typefaceOf({ type, face, font_family, is_bold, is_italic }: ValueStyle): Typeface {
  if (isHand(type)) return { family: face ?? 'handwriting' };
  return { family: substituteOf(font_family).family, isBold: is_bold, isItalic: is_italic };
}

export const isHand = (type: StampField['type']): boolean => type === 'signature' || type === 'initials';
