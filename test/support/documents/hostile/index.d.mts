// Types of index.mjs.
/** `limit` names the limit that a file passes before a library sees it; without it only time and memory stop the work. */
export type HostileFile = {
  readonly name: string;
  readonly fileName: string;
  readonly kind: 'pdf' | 'png' | 'jpeg' | 'tiff' | 'gif' | 'bmp' | 'docx';
  readonly limit: string | undefined;
  readonly bytes: Buffer;
};

export declare const HOSTILE: readonly HostileFile[];

/** What inflates to `prefix` and then `times` copies of `chunk`. */
export declare function deflatedCopies(chunk: Buffer, times: number, prefix?: Buffer): Buffer;

/** A gray JPEG of `side` × `side` pixels that goes over the whole picture `scans` times. */
export declare function progressiveJpeg(scans: number, side?: number): Buffer;

/** A PNG of zeros with 64 bits a pixel. */
export declare function deepPng(width: number, height: number): Buffer;

/** What a ZIP says of an entry; `more` may be a lie. */
export type ZipEntry = {
  name: string;
  packed: Buffer;
  sizeBytes: number;
  crc: number;
  flags: number;
  at?: number;
};
export declare function entry(name: string, content: string | Uint8Array, more?: Partial<ZipEntry>): ZipEntry;
export declare function zipOf(entries: readonly ZipEntry[]): Buffer;

/** A DOCX with a password on its document, as ZIP programs set one. */
export declare function encryptedEntry(): Buffer;

/** A DOCX of 5000 pages. */
export declare function manyPages(): Buffer;
