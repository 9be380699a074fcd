/** `limit` names the limit that a file passes before a library sees it; without it only time and memory stop the work. */
export type HostileFile = {
  readonly name: string;
  readonly fileName: string;
  readonly kind: 'pdf' | 'png' | 'jpeg' | 'tiff' | 'gif' | 'bmp';
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
