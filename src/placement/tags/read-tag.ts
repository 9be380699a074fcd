// Reads a text in double braces as a tag. Two dialects are known, which their separators tell apart.

import type { Box, Size } from '../../pdf/geometry.ts';
import { sizeOfType } from '../sizes.ts';
import { readDocumensoTag } from './documenso-tags.ts';
import { readDocusealTag } from './docuseal-tags.ts';
import type { ReadTag, Tag } from './tag.ts';

export function readTag(text: string): ReadTag {
  const inner = text.replace(/^\{\s*\{/, '').replace(/\}\s*\}$/, '');
  const tag = readDocumensoTag(inner);
  return tag.kind === 'other' ? readDocusealTag(inner) : tag;
}

/** A tick in a wide box would be far from the words it belongs to. */
const NEVER_WIDER = new Set(['checkbox']);

/**
 * A tag on several lines has its field at the largest part: a box around all of them would cover other text.
 * @param boxes the parts of the tag on its lines. In points of the displayed page
 */
export function boxOfTag(
  { type, width, height }: Pick<Tag, 'type' | 'width' | 'height'>,
  boxes: readonly Box[],
  page: Size,
): Box {
  const place = boxes.reduce((largest, box) => (box.width > largest.width ? box : largest));
  const usual = sizeOfType(type);
  const least = NEVER_WIDER.has(type) ? { width: 0, height: 0 } : place;
  const size = {
    width: Math.min(width ?? Math.max(usual.width, least.width), page.width),
    height: Math.min(height ?? Math.max(usual.height, least.height), page.height),
  };
  return {
    x: within(place.x, size.width, page.width),
    y: within(place.y, size.height, page.height),
    ...size,
  };
}

const within = (start: number, length: number, most: number): number =>
  Math.max(0, Math.min(start, most - length));
