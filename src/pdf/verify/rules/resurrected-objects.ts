// Readers that rebuild a file search it for objects: in the signed part they must not find another object than the signed one. The known attack hides a copy
// there, in a stream, behind a comment or under a free number, and a later save makes some readers search, or stop searching.
import { firstBehindBlanks, isBlank, isDigit } from '../../read/characters.ts';
import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import type { ObjectPlace } from '../../read/sections.ts';
import { PdfStream, Ref, type Value } from '../../read/values.ts';
import { referencesIn } from './dangling-references.ts';
import { defineSaveRule, type Irregularity, irregular } from './rule.ts';
import { packedPairsIn } from './save-syntax.ts';

export const resurrectedObjects = defineSaveRule({
  name: 'resurrected-objects',
  allows:
    'Nothing in the file looks like an object unless a table names it, and the signed part holds no second copy of an object.',
  source: 'ISO 32000-2, 7.5.4 and 7.5.7',
  codes: ['update_irregular'],
  judge: ({ file, signed, end }) =>
    irregular(signedPartFault(file, signed, end) ?? hiddenObjectFault(file, signed, end)),
});

/**
 * Readers that search for objects may find something in the signed part in the place of what was signed: an object that no section names,
 * or a copy behind the one that the signed version has. As long as nothing is saved later, readers show what they showed when it was
 * signed; a later save can make them search, or stop searching. The same holds for numbers of which some of them keep a part.
 */
function signedPartFault(file: PdfFile, old: PdfView, end: number): Irregularity | undefined {
  const { sections } = file;
  const { firstNaming, huge, repacked } = indexOf(file);
  for (const { index, number, place, start } of huge)
    if (index <= old.index && old.place(number) === place)
      return { at: start, part: 'number', object: number };
  for (const { index, number, start } of repacked)
    if (index <= old.index && old.object(number)?.hasHugeNumber)
      return { at: start, part: 'number', object: number };
  const used = usedByContainers(file, old);
  if (used.size > 0)
    for (const { start, places } of sections.slice(old.index + 1))
      for (const object of places.keys()) if (used.has(object)) return { at: start, part: 'ObjStm', object };
  const freed = new Map<number, number>();
  for (const { head, number, obj } of headsIn(file)) {
    if (obj >= end) break;
    const isKnown = (firstNaming.get(head) ?? Number.POSITIVE_INFINITY) <= old.index;
    if (!isKnown ? isTakenFor(old, number) : isBehindItsCopy(old, number, head))
      return { at: head, part: 'object', object: number };
    if (old.place(number)?.kind === 'free') freed.set(number, head);
  }
  return unnamedPackedFault(file, old, freed) ?? namedFreeFault(file, old, freed);
}

/** Each signature of a file needs these answers, and they are found once. Sections are named by their index. */
type FileIndex = {
  /** It gives the first section that names an object or a section at a place. */
  firstNaming: ReadonlyMap<number, number>;
  /** It gives the last section that does so, by where the number of the object stands. */
  lastNaming: ReadonlyMap<number, number>;
  huge: { index: number; number: number; place: ObjectPlace; start: number }[];
  /** Several sections wrote these objects of object streams. */
  repacked: { index: number; number: number; start: number }[];
  /** They are object streams, or may become some. */
  objectStreams: ReadonlyMap<number, number>;
  /** They hold what each section names. */
  containers: ReadonlySet<number>[];
};

const indexes = new WeakMap<PdfFile, FileIndex>();

function indexOf(file: PdfFile): FileIndex {
  const index = indexes.get(file) ?? createIndex(file);
  indexes.set(file, index);
  return index;
}

function createIndex(file: PdfFile): FileIndex {
  const { bytes, sections } = file;
  const firstNaming = new Map<number, number>();
  const lastNaming = new Map<number, number>();
  const objectStreams = new Map<number, number>();
  const containers = sections.map(() => new Set<number>());
  const [huge, packed]: [FileIndex['huge'], (FileIndex['repacked'][number] & { container: number })[]] = [
    [],
    [],
  ];
  const writes = new Map<number, number>();
  const name = (index: number, first: number, last = first) => {
    if (!firstNaming.has(first)) firstNaming.set(first, index);
    lastNaming.set(last, index);
  };
  for (const [index, { start, number: sectionNumber, places }] of sections.entries()) {
    const view = file.view(index);
    name(index, start);
    if (sectionNumber !== undefined) name(index, firstBehindBlanks(bytes, start));
    for (const [number, place] of places) {
      if (place.kind === 'free') continue;
      if (file.isExhausted()) break;
      const object = view.object(number);
      if (place.kind === 'packed') {
        containers[index]!.add(place.container);
        packed.push({ index, number, start, container: place.container });
      } else {
        const at = firstBehindBlanks(bytes, place.start);
        name(index, at, object?.start ?? at);
        writes.set(number, (writes.get(number) ?? 0) + 1);
      }
      if (object?.hasHugeNumber) huge.push({ index, number, place, start: object.start ?? start });
      if (object?.value instanceof PdfStream && isObjectStream(view, object.value.dict.get('Type')))
        objectStreams.set(number, Math.min(index, objectStreams.get(number) ?? index));
    }
  }
  const repacked = packed.filter(({ container }) => (writes.get(container) ?? 0) > 1);
  return { firstNaming, lastNaming, huge, repacked, objectStreams, containers };
}

const isObjectStream = (view: PdfView, type: Value | undefined): boolean =>
  type instanceof Ref || view.resolve(type) === 'ObjStm';

/** Readers that search for objects bring back an object that is free, still stands in the file, and is named by another one. */
function namedFreeFault(
  { sections }: PdfFile,
  old: PdfView,
  freed: ReadonlyMap<number, number>,
): Irregularity | undefined {
  if (freed.size === 0) return undefined;
  for (const { places } of sections.slice(0, old.index + 1))
    for (const number of places.keys()) {
      const references = referencesIn(old.object(number)?.value ?? null);
      const freedReference = references.find((reference) => freed.has(reference.number));
      if (freedReference) {
        const { number: object } = freedReference;
        return { at: freed.get(object)!, part: 'object', object };
      }
    }
  return undefined;
}

/**
 * Ghostscript takes an object in an object stream that no section names for one of the file when it repairs it. Adds those that are free.
 */
function unnamedPackedFault(
  file: PdfFile,
  old: PdfView,
  freed: Map<number, number>,
): Irregularity | undefined {
  for (const [number, first] of indexOf(file).objectStreams) {
    const object = first <= old.index ? old.object(number) : undefined;
    if (!(object?.value instanceof PdfStream)) continue;
    if (old.resolve(object.value.dict.get('Type')) !== 'ObjStm') continue;
    const at = object.start ?? 0;
    const packed = packedPairsIn(old, object.value);
    file.spend(packed?.length ?? 0);
    if (!packed?.every((pair) => old.isNamed(pair.number))) return { at, part: 'ObjStm', object: number };
    for (const pair of packed) if (old.place(pair.number)?.kind === 'free') freed.set(pair.number, at);
  }
  return undefined;
}

/** Streams of objects and of tables are read by these objects: with others, the same bytes hold other objects. */
function usedByContainers(file: PdfFile, old: PdfView): ReadonlySet<number> {
  const used = new Set<number>();
  const containers = new Set(
    indexOf(file)
      .containers.slice(0, old.index + 1)
      .flatMap((numbers) => [...numbers]),
  );
  const open = [...containers].flatMap((number) => {
    const stream = old.object(number)?.value;
    return stream instanceof PdfStream ? referencesIn(stream) : [];
  });
  for (let next = open.pop(); next; next = open.pop()) {
    if (used.has(next.number) || used.size > MOST_USED) continue;
    used.add(next.number);
    open.push(...referencesIn(old.object(next.number)?.value ?? null).slice(0, MOST_USED));
  }
  return used;
}

/** Honest streams are read by a length and parameters, which are numbers and small dictionaries. */
const MOST_USED = 1000;

/** Tells whether readers that find an object would take it for one that is in use, or that something may refer to. */
const isTakenFor = (old: PdfView, number: number): boolean =>
  !old.isNamed(number) || old.place(number)?.kind !== 'free';

/** Tells whether an object lies behind the one that has its number in the signed version. */
function isBehindItsCopy(old: PdfView, number: number, head: number): boolean {
  const place = old.place(number);
  const container = place?.kind === 'packed' ? old.place(place.container) : place;
  return container?.kind === 'direct' && head > container.start + LINE_ENDS;
}

/** Places may be those of a line end before the number. */
const LINE_ENDS = 2;

/** Finds what looks like an object or a trailer and is none that a section names, as in a stream or a text. Readers that search for objects find it. */
function hiddenObjectFault(file: PdfFile, old: PdfView, end: number): Irregularity | undefined {
  const { bytes, sections } = file;
  const { lastNaming } = indexOf(file);
  for (const { head, obj } of headsIn(file))
    if (obj >= end && (lastNaming.get(head) ?? -1) <= old.index) return { at: head, part: 'object' };
  for (let at = bytes.indexOf('trailer', end); at !== -1; at = bytes.indexOf('trailer', at + 1)) {
    const behind = firstBehindBlanks(bytes, at + 'trailer'.length);
    file.spend(sections.length);
    if (file.isExhausted()) return { at, part: 'trailer' };
    const isIt = sections.some(({ start, end: last }) => start <= at && at < last);
    if (!isIt && bytes.toString('latin1', behind, behind + 2) === '<<') return { at, part: 'trailer' };
  }
  return undefined;
}

type Head = { head: number; number: number };

const headsOfFiles = new WeakMap<PdfFile, (Head & { obj: number })[]>();

/** A check of what may be an unusual head costs so many steps, and one at each of the heads. */
const HEAD_STEPS = 60;

/** Lists all heads of objects in the order in which they stand. They are searched once for all signatures. */
function headsIn(file: PdfFile): readonly (Head & { obj: number })[] {
  const { bytes } = file;
  const stored = headsOfFiles.get(file);
  file.spend(stored?.length ?? 0);
  if (stored) return stored;
  const heads: (Head & { obj: number })[] = [];
  for (let at = bytes.indexOf('obj', 0); at !== -1; at = bytes.indexOf('obj', at + 1)) {
    if (file.isExhausted()) break;
    const head = headBefore(file, at);
    if (head) heads.push({ ...head, obj: at });
  }
  headsOfFiles.set(file, heads);
  return heads;
}

/** Finds `12 0` before `obj`, also with signs and comments in between, as some readers allow. */
function headBefore(file: PdfFile, obj: number): Head | undefined {
  const { bytes } = file;
  let at = obj;
  const back = (isIt: (byte: number | undefined) => boolean) => {
    const from = at;
    while (at > 0 && isIt(bytes[at - 1])) at -= 1;
    return at < from;
  };
  back(isBlank);
  if (back(isDigit) && back(isBlank) && back(isDigit) && bytes[at - 1] !== PLUS)
    return { head: at, number: Number.parseInt(bytes.toString('latin1', at, obj), 10) };
  const before = bytes[obj - 1];
  if (!isDigit(before) && !isBlank(before)) return undefined;
  file.spend(HEAD_STEPS);
  return unusualHeadBefore(bytes, obj);
}

const PLUS = 0x2b;
/** Comments between the two numbers and `obj` are read up to this length. */
const HEAD_BYTES = 4096;
const COMMENT = /%[^\r\n]*(?=[\r\n]|$)/g;
const UNUSUAL_HEAD = /(?:^|[^\d.+-])[+-]?(\d{1,10})[\s\0]+[+-]?\d{1,10}[\s\0]*$/;

function unusualHeadBefore(bytes: Buffer, obj: number): Head | undefined {
  const start = Math.max(0, obj - HEAD_BYTES);
  const text = bytes.toString('latin1', start, obj);
  const match = UNUSUAL_HEAD.exec(text) ?? UNUSUAL_HEAD.exec(text.replace(COMMENT, ' '));
  return match ? { head: start, number: Number(match[1]) } : undefined;
}
