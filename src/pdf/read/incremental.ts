// Appends an update to a PDF: objects, a cross-reference section and a trailer after its last byte. It must never change an
// existing byte, and does not interpret the objects.
import { createHash } from 'node:crypto';
import { searchable } from './characters.ts';
import { type FileSection, type PdfFile, readPdf } from './read-pdf.ts';
import { PdfString, type Value, writeDictionary, writeHex, writeValue } from './values.ts';

/** The content stands between `obj` and `endobj`. Text is written as Latin-1. */
export type ObjectContent = Uint8Array | string;

export type Update = {
  /** The key is the number of the object. A number that the file has already gets a new content. */
  objects: ReadonlyMap<number, ObjectContent>;
};

export type Updated = {
  pdf: Uint8Array;
  /** The content of each new object begins here. */
  starts: ReadonlyMap<number, number>;
};

/** @throws Error unless it is a sound file: only those are updated */
export function openForUpdate(pdf: Uint8Array): PdfFile {
  const file = readPdf(pdf);
  if (!file.ok) throw new Error(`The PDF cannot be updated: ${file.reason} at byte ${file.at}.`);
  if (file.isEncrypted) throw new Error('An encrypted PDF cannot be updated.');
  if (file.shift > 0) throw new Error('A PDF with something before its header cannot be updated.');
  return file;
}

export const nextNumber = ({ highestNumber, latest }: PdfFile): number =>
  Math.max(highestNumber + 1, Number(latest.trailer.get('Size') ?? 0));

/** @param file opened by {@link openForUpdate} */
export function appendUpdate(file: PdfFile, update: Update): Updated {
  const { bytes } = file;
  const writer = new UpdateWriter(bytes.length);
  // The file may end without a line break.
  if (bytes.at(-1) !== 0x0a) writer.add('\n');
  const starts = new Map<number, number>();
  const entries: XrefEntry[] = [];
  for (const [number, content] of [...update.objects].sort(([a], [b]) => a - b)) {
    const generation = generationOf(file, number);
    entries.push({ number, generation, offset: writer.length });
    writer.add(`${number} ${generation} obj\n`);
    starts.set(number, writer.length);
    writer.add(content);
    writer.add('\nendobj\n');
  }
  const last = file.sections.at(-1)!;
  const section = { file, last, places: entries, offset: writer.length, id: idOf(file, last, writer) };
  // The section has the kind of the previous one: not every reader follows a change from streams to tables or back.
  writer.add(last.kind === 'stream' ? crossReferenceStream(section) : crossReferenceTable(section));
  writer.add(`startxref\n${section.offset}\n%%EOF\n`);
  return { pdf: writer.after(bytes), starts };
}

function generationOf(file: PdfFile, number: number): number {
  const place = file.latest.place(number);
  return place?.kind === 'direct' ? place.generation : 0;
}

type XrefEntry = { number: number; generation: number; offset: number };
type NewSection = {
  file: PdfFile;
  last: FileSection;
  places: readonly XrefEntry[];
  offset: number;
  id: string;
};

/** It keeps the pieces of the update, in their order behind the file. */
class UpdateWriter {
  readonly #pieces: Buffer[] = [];
  length: number;

  constructor(length: number) {
    this.length = length;
  }

  add(content: ObjectContent): void {
    const piece = typeof content === 'string' ? Buffer.from(content, 'latin1') : searchable(content);
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  digest(before: Uint8Array): Buffer {
    const hash = createHash('sha256').update(before);
    for (const piece of this.#pieces) hash.update(piece);
    return hash.digest();
  }

  after(pdf: Uint8Array): Uint8Array {
    return Buffer.concat([pdf, ...this.#pieces], this.length);
  }
}

/** The first half of the file identifier never changes, the second is new with each update, and depends on the content alone. */
function idOf({ bytes, latest }: PdfFile, last: FileSection, writer: UpdateWriter): string {
  const [first, second] = latest.array(latest.trailer.get('ID')) ?? [];
  const isThere = first instanceof PdfString && second instanceof PdfString;
  const before = isThere ? Buffer.concat([second.bytes, Buffer.from(String(last.offset))]) : bytes;
  const changed = writeHex(writer.digest(before).subarray(0, 16));
  return `[${isThere ? writeHex(first.bytes) : changed} ${changed}]`;
}

const sizeWith = ({ file, places }: NewSection): number =>
  Math.max(nextNumber(file), ...places.map(({ number }) => number + 1));

function trailerEntries({ file, last, id }: NewSection, size: number): [string, string][] {
  const { trailer } = file.latest;
  const copied = (key: string): [string, string][] => {
    const value: Value | undefined = trailer.get(key);
    return value === undefined ? [] : [[key, writeValue(value)]];
  };
  return [
    ['Size', String(size)],
    ...copied('Root'),
    ...copied('Info'),
    ['ID', id],
    ['Prev', String(last.offset)],
  ];
}

/** A subsection is a run of numbers that follow one another. */
function runsOf(places: readonly XrefEntry[]): XrefEntry[][] {
  const runs: XrefEntry[][] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && last.at(-1)?.number === place.number - 1) last.push(place);
    else runs.push([place]);
  }
  return runs;
}

function crossReferenceTable(section: NewSection): string {
  const subsections = runsOf(section.places).map((run) => {
    const entries = run.map(
      ({ offset, generation }) => `${padded(offset, 10)} ${padded(generation, 5)} n \n`,
    );
    return `${run[0]?.number} ${run.length}\n${entries.join('')}`;
  });
  const trailer = writeDictionary(trailerEntries(section, sizeWith(section)));
  return `xref\n${subsections.join('')}trailer\n${trailer}\n`;
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** A row has bytes for use, offset and generation. */
const WIDTHS = [1, 5, 2] as const;
const ROW_BYTES = 8;

function crossReferenceStream(section: NewSection): Buffer {
  const number = sizeWith(section);
  const places = [...section.places, { number, generation: 0, offset: section.offset }];
  const rows = Buffer.alloc(places.length * ROW_BYTES);
  places.forEach(({ offset, generation }, index) => {
    rows.writeUInt8(1, index * ROW_BYTES);
    rows.writeUIntBE(offset, index * ROW_BYTES + 1, WIDTHS[1]);
    rows.writeUInt16BE(generation, index * ROW_BYTES + 6);
  });
  const dictionary = writeDictionary([
    ['Type', '/XRef'],
    ...trailerEntries(section, number + 1),
    ['W', `[${WIDTHS.join(' ')}]`],
    [
      'Index',
      `[${runsOf(places)
        .map((run) => `${run[0]?.number} ${run.length}`)
        .join(' ')}]`,
    ],
    ['Length', String(rows.length)],
  ]);
  return Buffer.concat([
    Buffer.from(`${number} 0 obj\n${dictionary}\nstream\n`, 'latin1'),
    rows,
    Buffer.from('\nendstream\nendobj\n', 'latin1'),
  ]);
}
