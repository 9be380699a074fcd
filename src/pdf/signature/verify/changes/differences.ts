// Which objects differ between two saves of a file, and which bytes behind a save belong to none of the objects that later
// ones name. It must never call two objects the same that a reader could tell apart.
import type { FileSection, PdfFile, PdfObject, PdfView } from '../../../syntax/read-pdf.ts';
import { isSame, PdfStream } from '../../../syntax/values.ts';
import { saveEndAfter } from './save-syntax.ts';

export type Differences = {
  /** Numbers of objects that are new, changed or gone. */
  changed: ReadonlySet<number>;
  /** Of these, what cannot be read, or is read differently by different readers. */
  doubtful: number[];
  /** Those that are cross-reference streams and object streams, and were nothing else before: they need no permission. */
  containers: ReadonlySet<number>;
};

/** @param latest a version after `old` */
export function differencesBetween(file: PdfFile, old: PdfView, latest: PdfView): Differences {
  const { bytes } = file;
  const changed = new Set<number>();
  const doubtful: number[] = [];
  const containers = new Set<number>();
  for (const number of numbersTouched(file, old, latest)) {
    const isThere = (latest.place(number)?.kind ?? 'free') !== 'free';
    const wasThere = (old.place(number)?.kind ?? 'free') !== 'free';
    if (!isThere && !wasThere) continue;
    const [before, after] = [old.object(number), latest.object(number)];
    if (isSameObject(bytes, before, after) && (wasThere === isThere || before !== undefined)) continue;
    if (isThere && (!after || after.isDoubtful)) doubtful.push(number);
    if (wasThere && !before) doubtful.push(number);
    changed.add(number);
    if (isContainer(after) && (!wasThere || isContainer(before))) containers.add(number);
  }
  return { changed, doubtful, containers };
}

/** Numbers that later saves name, and those in object streams that they replace. */
function numbersTouched({ sections }: PdfFile, old: PdfView, latest: PdfView): Set<number> {
  const touched = new Set<number>();
  for (const { places } of sections.slice(old.index + 1, latest.index + 1))
    for (const number of places.keys()) touched.add(number);
  // What lies in an object stream that is replaced: few files replace one.
  const replaced = [...touched].filter((number) => isContainer(old.object(number)));
  if (replaced.length === 0) return touched;
  const streams = new Set(replaced);
  for (const { places } of sections.slice(0, old.index + 1))
    for (const [number, place] of places)
      if (place.kind === 'packed' && streams.has(place.container)) touched.add(number);
  return touched;
}

function isContainer(object: PdfObject | undefined): boolean {
  if (!(object?.value instanceof PdfStream)) return false;
  const type = object.value.dict.get('Type');
  return type === 'XRef' || type === 'ObjStm';
}

function isSameObject(bytes: Buffer, before: PdfObject | undefined, after: PdfObject | undefined): boolean {
  if (!before || !after) return before === after;
  if (before.generation !== after.generation) return false;
  if (before.start !== undefined && before.start === after.start) return true;
  const [one, other] = [before.value, after.value];
  if (!(one instanceof PdfStream) || !(other instanceof PdfStream)) return isSame(one, other);
  const isSameData = bytes.subarray(one.start, one.end).equals(bytes.subarray(other.start, other.end));
  return isSameData && isSame(one.dict, other.dict);
}

type Span = { start: number; end: number };

/** What each save wrote: asked for once for every signature before it. */
const spansOfSections = new WeakMap<FileSection, Span[]>();

/**
 * The first byte behind `end` that is part of nothing: of no object that a later save names, no section, no end of a save.
 * A reader that repairs files might take such bytes for objects.
 * @param signed the version that ends there: what it and earlier saves wrote lies before
 */
export function strayByteAfter(file: PdfFile, signed: PdfView, end: number): number | undefined {
  const { bytes, sections } = file;
  let at = end;
  const spans = sections
    .flatMap((section, index) => (index > signed.index ? spansOf(file, section, index) : []))
    .sort((one, other) => one.start - other.start);
  for (const span of spans) {
    if (span.end <= at || span.start < end) continue;
    const stray = strayByte(bytes, at, Math.max(at, span.start));
    if (stray !== undefined) return stray;
    at = Math.max(at, span.end);
  }
  return strayByte(bytes, at, bytes.length);
}

function spansOf(file: PdfFile, section: FileSection, index: number): Span[] {
  const known = spansOfSections.get(section);
  if (known) return known;
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

/** The first byte between two places that is no blank and no comment that could be anything else. */
function strayByte(bytes: Buffer, from: number, to: number): number | undefined {
  for (const line of bytes.toString('latin1', from, to).matchAll(/[^\r\n\0\t\f ][^\r\n]*/g)) {
    const isComment = line[0].startsWith('%') && line[0].length < TAIL_BYTES && !line[0].includes('obj');
    if (!isComment) return from + line.index;
  }
  return undefined;
}
