// Writes content again without some of its glyphs. Everything else keeps its bytes and its place.

import { type Dict, PdfString, type Value } from '../syntax/values.ts';
import { writeHex, writeName, writeValue } from '../syntax/write-value.ts';
import type { Draw, FollowedContent, Glyph, MarkedSpan, Show } from './follow-text.ts';

export type Rewriting = {
  removed: ReadonlySet<Glyph>;
  /** Other names of drawings, for those that have changed in one place only. */
  renamed: ReadonlyMap<Draw, string>;
  /** Marks whose text was removed with their glyphs. */
  emptied: ReadonlySet<MarkedSpan>;
  dictOf(value: Value): Dict | undefined;
};

export function rewriteContent(
  { content, shows, draws, spans }: FollowedContent,
  { removed, renamed, emptied, dictOf }: Rewriting,
): Buffer {
  const pieces: { start: number; end: number; text: string }[] = [];
  for (const show of shows)
    if (show.glyphs.some((glyph) => removed.has(glyph)))
      pieces.push({ ...show, text: rewriteShow(show, removed) });
  for (const draw of draws) {
    const name = renamed.get(draw);
    if (name !== undefined) pieces.push({ ...draw, text: `${writeName(name)} Do` });
  }
  for (const span of spans) if (emptied.has(span)) pieces.push({ ...span, text: rewriteMark(span, dictOf) });
  pieces.sort((one, other) => one.start - other.start);
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of pieces) {
    parts.push(content.subarray(at, start), Buffer.from(` ${text} `, 'latin1'));
    at = end;
  }
  return Buffer.concat([...parts, content.subarray(at)]);
}

function rewriteMark({ tag, properties }: MarkedSpan, dictOf: Rewriting['dictOf']): string {
  const kept = [...(dictOf(properties) ?? [])].filter(([key]) => key !== 'ActualText');
  return `${writeName(tag)} ${writeValue(new Map(kept))} BDC`;
}

/** Puts an offset of the same width in the place of each glyph that is removed. */
function rewriteShow({ operator, operands, glyphs }: Show, removed: ReadonlySet<Glyph>): string {
  const items = operator === 'TJ' ? (operands[0] as Value[]) : operands.slice(operator === '"' ? 2 : 0);
  const written: (string | number)[] = [];
  const add = (offset: number) => {
    const last = written.at(-1);
    if (typeof last === 'number') written[written.length - 1] = last + offset;
    else written.push(offset);
  };
  for (const [index, item] of items.entries()) {
    if (typeof item === 'number') add(item);
    if (!(item instanceof PdfString)) continue;
    const { bytes } = item;
    let kept = 0;
    for (const glyph of glyphs) {
      if (glyph.item !== index || !removed.has(glyph)) continue;
      if (glyph.at > kept) written.push(writeHex(bytes.subarray(kept, glyph.at)));
      add(glyph.offset);
      kept = glyph.at + glyph.length;
    }
    if (kept < bytes.length) written.push(writeHex(bytes.subarray(kept)));
  }
  const array = `[${written.map((one) => (typeof one === 'string' ? one : precise(one))).join(' ')}] TJ`;
  return `${beforeShow(operator, operands)}${array}`;
}

/** What the short operators do before they show text. */
function beforeShow(operator: string, [wordSpace, characterSpace]: readonly Value[]): string {
  if (operator === "'") return 'T* ';
  if (operator !== '"') return '';
  return `${precise(Number(wordSpace))} Tw ${precise(Number(characterSpace))} Tc T* `;
}

const precise = (value: number): string => String(Number(value.toFixed(5)));
