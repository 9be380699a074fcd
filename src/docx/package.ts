// The ZIP that a DOCX is. Every entry is checked before one is unpacked: how many there are, their names, whether they
// overlap, and how large they say they become. It must never write a file, or unpack an entry further than it may.
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, validateFileName } from 'yauzl';
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import { searchable } from '../pdf/syntax/bytes.ts';
import { limitExceeded, NotUsable, unreadableDocx } from './not-usable.ts';

/** The parts of a document by their names, without a slash in front. */
export type Package = {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacked, and exactly as long as the archive says. Undefined where there is no such part. */
  read(name: string): Buffer | undefined;
};

type ZipEntryRange = { from: number; data: number; end: number };
type ZipEntry = ZipEntryRange & { sizeBytes: number; method: number; crc: number };

const STORED = 0;
const DEFLATED = 8;

export async function openPackage(bytes: Uint8Array): Promise<Package> {
  const file = searchable(bytes);
  const parts = await partsOf(file);
  refuseOverlaps([...parts.values()]);
  return {
    names: [...parts.keys()],
    has: (name) => parts.has(name),
    read(name) {
      const part = parts.get(name);
      return part && unpack(file, part);
    },
  };
}

async function partsOf(file: Buffer): Promise<Map<string, ZipEntry>> {
  const archive = await fromBufferPromise(file, { lazyEntries: true, decodeStrings: false }).catch(() => {
    throw unreadableDocx();
  });
  if (archive.entryCount > DOCUMENT_LIMITS.docxEntries) throw limitExceeded('zip_entries');
  const parts = new Map<string, ZipEntry>();
  const seen = new Set<string>();
  let unpackedBytes = 0;
  try {
    for await (const entry of archive.eachEntry()) {
      const name = nameOf(entry);
      if (name.endsWith('/')) continue;
      // Names of parts differ by more than the case of their letters (ECMA-376, part 2, 6.2.2).
      const folded = name.toLowerCase();
      if (seen.has(folded)) throw limitExceeded('zip_names');
      seen.add(folded);
      const part = await partOf(archive, entry);
      unpackedBytes += part.sizeBytes;
      if (unpackedBytes > DOCUMENT_LIMITS.docxUnpackedBytes) throw limitExceeded('unpacked_bytes');
      parts.set(name, part);
    }
  } catch (error) {
    throw error instanceof NotUsable ? error : unreadableDocx();
  }
  return parts;
}

/** Names of parts are ASCII; those of other entries are compared with nothing. */
function nameOf(entry: Entry): string {
  const name = (entry.fileName as unknown as Buffer).toString('utf8');
  if (validateFileName(name) !== null || name.includes('\0')) throw limitExceeded('zip_names');
  return name;
}

async function partOf(
  archive: Awaited<ReturnType<typeof fromBufferPromise>>,
  entry: Entry,
): Promise<ZipEntry> {
  if (entry.isEncrypted()) throw new NotUsable({ ok: false, reason: 'password_required' });
  const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
  const { compressedSize, uncompressedSize: sizeBytes, compressionMethod: method } = entry;
  if (method !== STORED && method !== DEFLATED) throw unreadableDocx();
  if (method === STORED && sizeBytes !== compressedSize) throw limitExceeded('zip_sizes');
  const isLarge = sizeBytes > DOCUMENT_LIMITS.docxRatioCountsFromBytes;
  if (sizeBytes > DOCUMENT_LIMITS.docxPartBytes) throw limitExceeded('stream_bytes');
  if (isLarge && sizeBytes > DOCUMENT_LIMITS.docxRatio * compressedSize) throw limitExceeded('stream_bytes');
  const from = entry.relativeOffsetOfLocalHeader;
  return {
    from,
    data: fileDataStart,
    end: fileDataStart + compressedSize,
    sizeBytes,
    method,
    crc: entry.crc32,
  };
}

/** Entries that share bytes let a small file become a large one. */
function refuseOverlaps(places: readonly ZipEntryRange[]): void {
  const sorted = [...places].sort((a, b) => a.from - b.from);
  for (const [index, { end }] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next && next.from < end) throw limitExceeded('zip_overlap');
  }
}

function unpack(file: Buffer, { data, end, sizeBytes, method, crc }: ZipEntry): Buffer {
  const packed = file.subarray(data, end);
  const content = method === STORED ? packed : inflated(packed, sizeBytes);
  if (content.length !== sizeBytes) throw limitExceeded('zip_sizes');
  if (crc32(content) !== crc) throw unreadableDocx();
  return content;
}

function inflated(packed: Buffer, sizeBytes: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: sizeBytes + 1 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw limitExceeded('zip_sizes');
    throw unreadableDocx();
  }
}
