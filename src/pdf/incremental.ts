// Appends an update to a PDF: objects, a cross-reference section and a trailer behind its last byte. It must never change
// a byte of what is there, and it knows nothing of what the objects mean.
import { createHash } from 'node:crypto';
import { searchable } from './bytes.ts';
import { readTrailer, type Trailer } from './trailer.ts';

/** What stands between `obj` and `endobj`. Text is written as Latin-1. */
export type ObjectContent = Uint8Array | string;

export type Update = {
  /** By the number of the object. A number that the file has already gets a new content. */
  objects: ReadonlyMap<number, ObjectContent>;
  /** Of objects that the file has with another generation than 0. */
  generations?: ReadonlyMap<number, number>;
};

export type Updated = {
  pdf: Uint8Array;
  /** Where the content of each new object begins. */
  starts: ReadonlyMap<number, number>;
};

/** The next number that no object of the file has. */
export const nextNumber = (pdf: Uint8Array): number => readTrailer(pdf).size;

/** @throws Error when the file has no readable trailer or is encrypted: only sound files are updated */
export function appendUpdate(pdf: Uint8Array, update: Update): Updated {
  const trailer = readTrailer(pdf);
  if (trailer.isEncrypted) throw new Error('An encrypted PDF cannot be updated.');
  const parts = new Parts(pdf.length);
  // The file may end without a line break.
  if (pdf.at(-1) !== 0x0a) parts.add('\n');
  const starts = new Map<number, number>();
  const places: Place[] = [];
  for (const [number, content] of [...update.objects].sort(([a], [b]) => a - b)) {
    const generation = update.generations?.get(number) ?? 0;
    places.push({ number, generation, offset: parts.length });
    parts.add(`${number} ${generation} obj\n`);
    starts.set(number, parts.length);
    parts.add(content);
    parts.add('\nendobj\n');
  }
  const section = { trailer, places, offset: parts.length, id: idOf(pdf, trailer, parts) };
  parts.add(trailer.isStream ? crossReferenceStream(section) : crossReferenceTable(section));
  parts.add(`startxref\n${section.offset}\n%%EOF\n`);
  return { pdf: parts.after(pdf), starts };
}

type Place = { number: number; generation: number; offset: number };
type Section = { trailer: Trailer; places: readonly Place[]; offset: number; id: string };

/** Pieces of the update, in their order behind the file. */
class Parts {
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

/** The first half stays as long as the file lives, the second is new with each update. It comes from the content alone. */
function idOf(pdf: Uint8Array, { id, startxref }: Trailer, parts: Parts): string {
  const hex = (digest: Buffer) => `<${digest.subarray(0, 16).toString('hex').toUpperCase()}>`;
  const before = id === undefined ? pdf : Buffer.from(`${id.join(' ')} ${startxref}`, 'latin1');
  const changed = hex(parts.digest(before));
  return `[${id?.[0] ?? changed} ${changed}]`;
}

const sizeWith = ({ trailer, places }: Section, more = 0): number =>
  Math.max(trailer.size, ...places.map(({ number }) => number + 1), more);

function trailerEntries(section: Section, size: number): string {
  const { root, info, startxref } = section.trailer;
  const entries = [`/Size ${size}`, `/Root ${root}`, ...(info ? [`/Info ${info}`] : [])];
  return [...entries, `/ID ${section.id}`, `/Prev ${startxref}`].join('\n');
}

/** Runs of numbers that follow one another: each is a subsection. */
function runsOf(places: readonly Place[]): Place[][] {
  const runs: Place[][] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && last.at(-1)?.number === place.number - 1) last.push(place);
    else runs.push([place]);
  }
  return runs;
}

function crossReferenceTable(section: Section): string {
  const subsections = runsOf(section.places).map((run) => {
    const entries = run.map(
      ({ offset, generation }) => `${padded(offset, 10)} ${padded(generation, 5)} n \n`,
    );
    return `${run[0]?.number} ${run.length}\n${entries.join('')}`;
  });
  return `xref\n${subsections.join('')}trailer\n<<\n${trailerEntries(section, sizeWith(section))}\n>>\n`;
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** Bytes of each column: in use, offset, generation. */
const WIDTHS = [1, 5, 2] as const;

/** A file whose sections are streams is gone on with in streams: readers do not follow a change of kind everywhere. */
function crossReferenceStream(section: Section): Buffer {
  const number = sizeWith(section);
  const places = [...section.places, { number, generation: 0, offset: section.offset }];
  const rows = Buffer.alloc(places.length * 8);
  places.forEach(({ offset, generation }, index) => {
    rows.writeUInt8(1, index * 8);
    rows.writeUIntBE(offset, index * 8 + 1, WIDTHS[1]);
    rows.writeUInt16BE(generation, index * 8 + 6);
  });
  const index = runsOf(places).map((run) => `${run[0]?.number} ${run.length}`);
  const dictionary = [
    '/Type /XRef',
    trailerEntries(section, number + 1),
    `/W [${WIDTHS.join(' ')}]`,
    `/Index [${index.join(' ')}]`,
    `/Length ${rows.length}`,
  ].join('\n');
  return Buffer.concat([
    Buffer.from(`${number} 0 obj\n<<\n${dictionary}\n>>\nstream\n`, 'latin1'),
    rows,
    Buffer.from('\nendstream\nendobj\n', 'latin1'),
  ]);
}
