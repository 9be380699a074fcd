// Errors for names that are refused before they are read, in addition to those of the system.

export type FileKind = 'directory' | 'pipe' | 'device' | 'socket';

/** Thrown when a name leads to something that is not a file. */
export class NotAFileError extends Error {
  override name = 'NotAFileError';
  readonly code = 'not_a_file';
  readonly kind: FileKind;

  constructor(path: string, kind: FileKind) {
    super(`${path} is a ${kind}, not a file.`);
    this.kind = kind;
  }
}

export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
  readonly code = 'file_too_large';
  /** Undefined where it is not known. */
  readonly sizeBytes: number | undefined;

  constructor(path: string, sizeBytes: number | undefined) {
    super(`${path} is too large.`);
    this.sizeBytes = sizeBytes;
  }
}

/** Says in a few words why a file was not read: what it is instead, or the system's code. */
export function whyUnread(error: unknown): string {
  if (error instanceof NotAFileError) return `it is a ${error.kind}`;
  if (error instanceof FileTooLargeError) return 'it is too large';
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
