// Appends to a PDF what a seal consists of: signatures, and what a reader needs to check them later.
import { appendUpdate, nextNumber, type ObjectContent, openForUpdate } from '../read/incremental.ts';
import type { PdfFile } from '../read/read-pdf.ts';
import { type Dict, Ref, type Value, writeDictionary, writeValue } from '../read/values.ts';

type SignatureObject = {
  number: number;
  /** /ByteRange and /Contents are not among the entries. */
  entries: readonly (readonly [key: string, text: string])[];
  others: ReadonlyMap<number, ObjectContent>;
  /** This room is reserved for /Contents. */
  bytes: number;
};

/** @param covered what stands before and behind /Contents */
type MakeContents = (covered: readonly [Uint8Array, Uint8Array]) => Promise<Uint8Array>;

/** Offsets have up to ten digits, as in a cross-reference table. */
const RANGE_ROOM = ' '.repeat('[0 1234567890 1234567890 1234567890]'.length);

/** A value that is made again is as long as before, or a few bytes longer. */
const ATTEMPTS = 3;
const SLACK_BYTES = 64;

/**
 * Appends a signature dictionary whose /Contents are made of all other bytes of the file. Room for them is left, measured before and checked after:
 * what does not fit is made again with more room, and never cut.
 */
export async function appendSignature(
  file: PdfFile,
  signature: SignatureObject,
  make: MakeContents,
): Promise<Uint8Array> {
  let room = signature.bytes;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { pdf, covered, at } = withRoom(file, signature, room);
    const contents = await make(covered);
    if (contents.length <= room) {
      pdf.write(Buffer.from(contents).toString('hex').toUpperCase(), at, 'latin1');
      return pdf;
    }
    room = contents.length + SLACK_BYTES;
  }
  throw new Error(`A signature grew to ${room} bytes while it was made.`);
}

function withRoom(file: PdfFile, { number, entries, others }: SignatureObject, room: number) {
  const content = writeDictionary([
    ...entries,
    ['ByteRange', RANGE_ROOM],
    ['Contents', `<${'0'.repeat(room * 2)}>`],
  ]);
  const { pdf: updated, starts } = appendUpdate(file, { objects: new Map([...others, [number, content]]) });
  const pdf = Buffer.from(updated.buffer, updated.byteOffset, updated.byteLength);
  const start = starts.get(number)!;
  const open = start + content.lastIndexOf('<0');
  const close = open + room * 2 + 2;
  const range = `[0 ${open} ${close} ${pdf.length - close}]`;
  pdf.write(range, start + content.lastIndexOf(RANGE_ROOM), 'latin1');
  return { pdf, covered: [pdf.subarray(0, open), pdf.subarray(close)] as const, at: open + 1 };
}

// ── validation data ─────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Appends certificates and revocation lists (EN 319 142-1, 5.4).
 * @param pdf has no such data yet
 */
export function appendValidationData(
  pdf: Uint8Array,
  {
    certificates,
    revocationLists,
  }: { certificates: readonly Uint8Array[]; revocationLists: readonly Uint8Array[] },
): Uint8Array {
  const file = openForUpdate(pdf);
  const objects = new ChangedObjects(file);
  const streams = (all: readonly Uint8Array[]): Ref[] => all.map((der) => objects.addStream(stream(der)));
  const store = objects.add(
    new Map<string, Value>([
      ['Type', 'DSS'],
      ['Certs', streams(certificates)],
      ['CRLs', streams(revocationLists)],
    ]),
  );
  objects.change(file.latest.root!, ['DSS'], () => store);
  return appendUpdate(file, { objects: objects.contents() }).pdf;
}

const stream = (data: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`${writeDictionary([['Length', String(data.length)]])}\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream', 'latin1'),
  ]);

// ── objects ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The objects that an update changes or adds, collected until they are appended. */
export class ChangedObjects {
  readonly #file: PdfFile;
  readonly #values = new Map<number, Value>();
  readonly #streams = new Map<number, Uint8Array>();
  #next: number;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#next = nextNumber(file);
  }

  add(value: Value): Ref {
    const ref = this.#reserve();
    this.#values.set(ref.number, value);
    return ref;
  }

  addStream(content: Uint8Array): Ref {
    const ref = this.#reserve();
    this.#streams.set(ref.number, content);
    return ref;
  }

  #reserve(): Ref {
    this.#next += 1;
    return new Ref(this.#next - 1, 0);
  }

  /** Changes what stands at a path from an object, in that object or in those that it leads to: `null` where nothing stands. */
  change(value: Value, path: readonly string[], change: (value: Value) => Value): Value {
    if (value instanceof Ref) {
      const current = this.#current(value);
      const next = this.change(current, path, change);
      if (next !== current) this.#values.set(value.number, next);
      return value;
    }
    const [key, ...rest] = path;
    if (key === undefined) return change(value);
    const dict: Dict = value instanceof Map ? value : new Map();
    const current = dict.get(key) ?? null;
    const next = this.change(current, rest, change);
    return next === current ? value : new Map(dict).set(key, next);
  }

  #current({ number }: Ref): Value {
    return this.#values.get(number) ?? this.#file.latest.object(number)?.value ?? null;
  }

  contents(): Map<number, ObjectContent> {
    const values = [...this.#values].map(([number, value]): [number, string] => [number, writeValue(value)]);
    return new Map<number, ObjectContent>([...this.#streams, ...values]);
  }
}
