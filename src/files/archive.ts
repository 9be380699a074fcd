// Reads the directory of an archive (ZIP), and the text of one entry that says what the archive is. It never unpacks more than that.
import type { Entry, ZipFile } from 'yauzl';

/**
 * The bytes are in memory or in a file. A file is read where it is needed, so that a large upload is never in memory.
 */
export type ArchiveSource = { path: string } | { bytes: Uint8Array };

export type Archive = {
  /** An archive may be read only in part, and then names are missing. */
  names: string[];
  /** Only the first entry with one of the wanted names is read; without one, the text is empty. */
  text: string;
};

/** No document has as many; directories and entries of hostile files are read no further. */
const MOST = { entries: 10_000, textBytes: 1024 * 1024 };

/** @returns undefined where the archive cannot be read, for example because its end is missing */
export async function readArchive(
  source: ArchiveSource,
  telling: readonly string[],
): Promise<Archive | undefined> {
  const archive = await openArchive(source).catch(() => undefined);
  if (!archive) return undefined;
  try {
    const names: string[] = [];
    let text: string | undefined;
    for await (const entry of archive.eachEntry()) {
      if (names.length >= MOST.entries) break;
      const name = (entry.fileName as unknown as Buffer).toString('utf8');
      names.push(name);
      if (text === undefined && telling.includes(name)) text = await textOf(archive, entry);
    }
    return { names, text: text ?? '' };
  } catch {
    return undefined;
  } finally {
    archive.close();
  }
}

async function openArchive(source: ArchiveSource): Promise<ZipFile> {
  const { fromBufferPromise, openPromise } = await import('yauzl');
  const options = { lazyEntries: true, decodeStrings: false, autoClose: false } as const;
  if ('path' in source) return openPromise(source.path, options);
  const { buffer, byteOffset, byteLength } = source.bytes;
  return fromBufferPromise(Buffer.from(buffer, byteOffset, byteLength), options);
}

async function textOf(archive: ZipFile, entry: Entry): Promise<string> {
  if (entry.uncompressedSize > MOST.textBytes) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return decoded(Buffer.concat(chunks));
}

/** XML may be UTF-16, which begins with a mark of the order of its bytes. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.toString('utf8');
}
