// Opens the ZIP that a DOCX is. Every entry is checked before one is unpacked: how many there are, their names, whether they
// overlap, and how large they say they become. It must never write a file, or unpack an entry further than it may.

import { posix } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, validateFileName } from 'yauzl';
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import { searchable } from '../pdf/read/characters.ts';
import { limitExceeded, NotUsable, unreadableDocx } from './not-usable.ts';
import { childrenNamed, type Element, newBudget, readXml, type XmlBudget } from './xml.ts';

/** It has the parts of a document by their names, without a slash in front. */
export type Package = {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacks a part, which is exactly as long as the archive says. Returns undefined where there is no such part. */
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
  const names = new Set<string>();
  let unpackedBytes = 0;
  try {
    for await (const entry of archive.eachEntry()) {
      const name = nameOf(entry);
      if (name.endsWith('/')) continue;
      // Names of parts differ by more than the case of their letters (ECMA-376, part 2, 6.2.2).
      const folded = name.toLowerCase();
      if (names.has(folded)) throw limitExceeded('zip_names');
      names.add(folded);
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

type Relationship = {
  id: string;
  /** The last word of the type says enough: `styles`, `image`, `hyperlink`. */
  kind: string;
  /** It names a part, or has what stands in the file for a target outside of the package. */
  target: string;
  isExternal: boolean;
};

export type PackageParts = {
  package: Package;
  budget: XmlBudget;
  main: string;
  /** Returns the root element of a part; undefined where there is none. */
  xml(name: string): Element | undefined;
  relationships(part: string): ReadonlyMap<string, Relationship>;
  /** Returns the first part that `from` names for this kind. */
  related(from: string, kind: string): string | undefined;
};

/** @throws NotUsable where it is no Word document */
export function readParts(pack: Package): PackageParts {
  const budget = newBudget();
  const cache = new Map<string, ReadonlyMap<string, Relationship>>();
  const xml = (name: string): Element | undefined => {
    const bytes = pack.read(name);
    return bytes && readXml(bytes, budget);
  };
  const relationships = (part: string) => {
    const read = cache.get(part) ?? relationshipsOf(part, xml(relationshipsPart(part)));
    cache.set(part, read);
    return read;
  };
  const related = (from: string, kind: string) => {
    const named = [...relationships(from).values()].filter(
      (relationship) => relationship.kind === kind && !relationship.isExternal,
    );
    return named.map(({ target }) => target).find((target) => pack.has(target));
  };
  const main =
    related('', 'officeDocument') ?? (pack.has('word/document.xml') ? 'word/document.xml' : undefined);
  if (!main) throw unreadableDocx();
  return { package: pack, budget, main, xml, relationships, related };
}

/** `word/document.xml` has its own in `word/_rels/document.xml.rels`; those of the package itself are in `_rels/.rels`. */
export const relationshipsPart = (part: string): string =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);

function relationshipsOf(part: string, root: Element | undefined): ReadonlyMap<string, Relationship> {
  const all = new Map<string, Relationship>();
  for (const { attributes } of childrenNamed(root, 'rel:Relationship')) {
    const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes;
    if (id === undefined || type === undefined || target === undefined) continue;
    const isExternal = mode === 'External';
    const kind = type.slice(type.lastIndexOf('/') + 1);
    all.set(id, { id, kind, isExternal, target: isExternal ? target : partName(part, target) });
  }
  return all;
}

/** A target is relative to the part that names it, or begins at the top of the package. */
export function partName(from: string, target: string): string {
  const base = target.startsWith('/') ? '/' : `/${posix.dirname(from)}`;
  return posix.join(base, target.split('#')[0]!).slice(1);
}
