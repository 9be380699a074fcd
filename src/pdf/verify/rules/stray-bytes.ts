// Between the objects of later saves stands nothing but blanks and comments. The known attack puts objects there that no table names: a reader that repairs
// files finds them.

import type { PdfFile } from '../../read/read-pdf.ts';
import type { FileSection } from '../../read/sections.ts';
import { defineSaveRule, type LaterSaves } from './rule.ts';
import { saveEndAfter } from './save-syntax.ts';

export const strayBytes = defineSaveRule({
  name: 'stray-bytes',
  allows: 'Behind the signed part, every byte belongs to an object, a table or a comment of a later save.',
  source: 'ISO 32000-2, 7.5.6',
  codes: ['bytes_after'],
  judge(saves) {
    const at = strayByteAfter(saves);
    return at === undefined ? undefined : { code: 'bytes_after', at };
  },
});

type Span = { start: number; end: number };

/** The bytes that each save wrote are looked up for every signature before it. */
const spansOfSections = new WeakMap<FileSection, Span[]>();

/**
 * Finds the first byte behind `end` that is part of nothing: of no object that a later save names, no section, no end of a save. A reader
 * that repairs files might take such bytes for objects.
 */
function strayByteAfter({ file, signed, end }: LaterSaves): number | undefined {
  const { bytes, sections } = file;
  let at = end;
  const spans = sections
    .flatMap((section, index) => (index > signed.index ? spansOf(file, section, index) : []))
    .sort((span, other) => span.start - other.start);
  for (const span of spans) {
    if (span.end <= at || span.start < end) continue;
    const stray = strayByte(bytes, at, Math.max(at, span.start));
    if (stray !== undefined) return stray;
    at = Math.max(at, span.end);
  }
  return strayByte(bytes, at, bytes.length);
}

function spansOf(file: PdfFile, section: FileSection, index: number): Span[] {
  const stored = spansOfSections.get(section);
  if (stored) return stored;
  const end = saveEndAfter(file.bytes, section.end)?.end ?? section.end;
  const spans: Span[] = [{ start: section.start, end }];
  const view = file.view(index);
  for (const number of section.places.keys()) {
    const object = view.object(number);
    if (object?.start !== undefined && object.end !== undefined)
      spans.push({ start: object.start, end: object.end });
  }
  spansOfSections.set(section, spans);
  return spans;
}

const TAIL_BYTES = 128;

/** Finds the first byte between two places that is no blank and no comment that could be anything else. */
function strayByte(bytes: Buffer, from: number, to: number): number | undefined {
  for (const line of bytes.toString('latin1', from, to).matchAll(/[^\r\n\0\t\f ][^\r\n]*/g)) {
    const isComment = line[0].startsWith('%') && line[0].length < TAIL_BYTES && !line[0].includes('obj');
    if (!isComment) return from + line.index;
  }
  return undefined;
}
