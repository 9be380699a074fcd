// Appends a signature dictionary whose /Contents are made of all other bytes of the file. Room for them is left, measured
// before and checked after: what does not fit is made again with more room, and never cut.
import { appendUpdate, type ObjectContent } from '../syntax/incremental.ts';
import type { PdfFile } from '../syntax/read-pdf.ts';
import { writeDictionary } from '../syntax/write-value.ts';

export type SignatureObject = {
  number: number;
  /** Of its dictionary, but for /ByteRange and /Contents. */
  entries: readonly (readonly [key: string, text: string])[];
  /** All other objects of the update. */
  others: ReadonlyMap<number, ObjectContent>;
  /** Room for /Contents. */
  bytes: number;
};

/** @param covered what stands before and behind /Contents */
export type MakeContents = (covered: readonly [Uint8Array, Uint8Array]) => Promise<Uint8Array>;

/** Offsets of up to ten digits, as in a cross-reference table. */
const RANGE_ROOM = ' '.repeat('[0 1234567890 1234567890 1234567890]'.length);

/** A value that is made again is as long as before, or a few bytes longer. */
const ATTEMPTS = 3;
const SLACK_BYTES = 64;

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
