// Reads a text in double braces as a tag. Two dialects are known, which their separators tell apart.
import { readDocumensoTag } from './documenso-tags.ts';
import { readDocusealTag } from './docuseal-tags.ts';
import type { ReadTag } from './tag.ts';

/** @param text with its braces */
export function readTag(text: string): ReadTag {
  const inner = text.replace(/^\{\s*\{/, '').replace(/\}\s*\}$/, '');
  const tag = readDocumensoTag(inner);
  return tag.kind === 'other' ? readDocusealTag(inner) : tag;
}
