// Finds which objects differ between two saves of a file. It must never call two objects the same that a reader could tell apart.
import type { PdfFile, PdfObject, PdfView } from '../../read/read-pdf.ts';
import { isSame, PdfStream } from '../../read/values.ts';

export type Differences = {
  /** These objects are new, changed or gone. */
  changed: ReadonlySet<number>;
  /** These objects among them cannot be read, or readers read them differently. */
  doubtful: number[];
  /** Cross-reference streams and object streams among them that were nothing else before need no permission. */
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

/** Later saves name these numbers, or replace object streams that hold them. */
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
  const [was, is] = [before.value, after.value];
  if (!(was instanceof PdfStream) || !(is instanceof PdfStream)) return isSame(was, is);
  const isSameData = bytes.subarray(was.start, was.end).equals(bytes.subarray(is.start, is.end));
  return isSameData && isSame(was.dict, is.dict);
}

/** Counts the reads of the entries of all sections. @returns whether more may be read */
export function spendOnSections(file: PdfFile, reads: number): boolean {
  for (const { places } of file.sections) file.spend(reads * (1 + places.size));
  return !file.isExhausted();
}
