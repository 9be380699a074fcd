// Recognises the kinds of file that the service takes by their first bytes, and archives by what they declare (assumed: A27). It must never
// look at a name or at what a client calls the file, and never claim that a file is complete: only opening it shows that.

export type FileType = 'pdf' | 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'bmp' | 'docx';

export const mediaTypes: Record<FileType, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** `fileTypeOf` looks at as many bytes; more of them change nothing, fewer may hide a PDF or a DOCX. */
export const HEAD_BYTES = 4096;

// PDF readers accept anything before the header as long as it begins here (ISO 32000-1, annex H.3.4.1).
const PDF_HEADER_WITHIN_BYTES = 1024;

/** The type whose mark the file begins with, or undefined for all others. `head` is the start of the file. */
export function fileTypeOf(head: Uint8Array): FileType | undefined {
  const text = latin1(head.subarray(0, HEAD_BYTES));
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'tiff';
  if (text.startsWith('BM') && text.startsWith('\0\0\0\0', 6)) return 'bmp';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  // Before PDF: an archive may well have a PDF in it that begins within the first kilobyte.
  if (isArchive(head)) return beginsAsDocx(text) ? 'docx' : undefined;
  const pdfHeader = text.indexOf('%PDF-');
  return pdfHeader !== -1 && pdfHeader + '%PDF-'.length <= PDF_HEADER_WITHIN_BYTES ? 'pdf' : undefined;
}

/** Entries that say what an archive is: of Office (ECMA-376, part 2, 10.1.2.2), and of OpenDocument (part 3, 2.2.4). */
export const TELLING_ENTRIES = ['[Content_Types].xml', 'mimetype'];

/** The names in the directory of an archive, and the text of its first telling entry. */
type ArchiveFacts = { names: readonly string[]; text: string };

export type DocumentType = { type: FileType } | { type: undefined; refused: RefusedKind | undefined };

/**
 * Tells the type of a file that is to be signed. An archive is told by its directory and by the types that it declares, since its entries may
 * come in any order.
 * @param head the beginning of the file, `HEAD_BYTES` or more
 * @param archive undefined for a file that is none, or cannot be read as one: then its beginning has to tell
 */
export function documentTypeOf(head: Uint8Array, archive: ArchiveFacts | undefined): DocumentType {
  if (!archive) {
    const type = fileTypeOf(head);
    return type === undefined ? { type, refused: refusedKindOf(head) } : { type };
  }
  const refused = refusedArchiveKind(archive);
  return refused ? { type: undefined, refused } : { type: 'docx' };
}

/** True for a ZIP: a document of Word or another program, or an archive of files. */
export const isArchive = (head: Uint8Array): boolean => latin1(head.subarray(0, 4)) === 'PK\x03\x04';

/** The kinds that the sandbox accepts, in words. */
export const ACCEPTED_TYPES = 'a PDF, a Word document (.docx) or an image (JPEG, PNG, WebP, GIF, TIFF, BMP)';

/** A kind of file that is not accepted but known, and what to do with it. */
export type RefusedKind = { name: string; hint: string };

const PICTURE = 'Save it as a JPEG or PDF';
const DOCUMENT = 'Save it as a DOCX or PDF';
const UNLOCKED = 'Save it as a DOCX or PDF, without a password';
/** Bytes at an offset of the head, and the kind of file that has them there. */
const REFUSED: readonly [at: number, mark: RegExp, name: string, hint: string][] = [
  [4, /^ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)/, 'a HEIC photo', PICTURE],
  [4, /^ftyp(avif|avis)/, 'an AVIF image', PICTURE],
  // The container of older Office documents, and of newer ones with a password. Its first entries are in the head or far after
  // it.
  [
    0,
    /^\xd0\xcf\x11\xe0[\s\S]*E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0/,
    'an Office document with a password',
    UNLOCKED,
  ],
  [
    0,
    /^\xd0\xcf\x11\xe0[\s\S]*W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0/,
    'a document in the old Word format (.doc)',
    DOCUMENT,
  ],
  [0, /^\xd0\xcf\x11\xe0/, 'an Office document in an old format, or with a password', UNLOCKED],
  [0, /^\{\\rtf/, 'an RTF document', DOCUMENT],
  // The bytes tell an incomplete file. A whole one is told by its directory.
  [30, /^mimetypeapplication\/vnd\.oasis\.opendocument\.text/, 'an OpenDocument text (ODT)', DOCUMENT],
  [0, /^8BPS/, 'a Photoshop file (PSD)', PICTURE],
  [0, /^(\xff\x0a|\0\0\0\x0cJXL )/, 'a JPEG XL image', PICTURE],
  [0, /^(\xff\x4f\xff\x51|\0\0\0\x0cjP {2})/, 'a JPEG 2000 picture', PICTURE],
  [0, /^(II\+\0|MM\0\+)/, 'a BigTIFF image', PICTURE],
  [
    0,
    /^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg\b/,
    'an SVG drawing',
    PICTURE,
  ],
];

/** Names the kind of a file that `fileTypeOf` does not accept, if its bytes show it. */
export function refusedKindOf(head: Uint8Array): RefusedKind | undefined {
  const text = latin1(head.subarray(0, HEAD_BYTES));
  const [, , name, hint] = REFUSED.find(([at, mark]) => mark.test(text.slice(at))) ?? [];
  return name === undefined || hint === undefined ? undefined : { name, hint };
}

const MACROS = 'Save it as a DOCX or PDF, without macros';
const PRINTED = 'Save it as a PDF';
/** Types of the main part of Office files, and of whole files of other programs, as an archive declares them. */
const DECLARED: readonly [mark: RegExp, name: string, hint: string][] = [
  [/ms-word\.document\.macroEnabled\.main\+xml/i, 'a Word document with macros (.docm)', MACROS],
  [/ms-word\.template\.macroEnabledTemplate\.main\+xml/i, 'a Word template with macros (.dotm)', MACROS],
  [/wordprocessingml\.template\.main\+xml/i, 'a Word template (.dotx)', DOCUMENT],
  [/(spreadsheetml|ms-excel)\.[\w.]*main(\+xml)?"/i, 'an Excel workbook', PRINTED],
  [/(presentationml|ms-powerpoint)\.[\w.]*main\+xml/i, 'a PowerPoint presentation', PRINTED],
  [/ms-visio\./i, 'a Visio drawing', PRINTED],
  [/^application\/vnd\.oasis\.opendocument\.text/, 'an OpenDocument text (ODT)', DOCUMENT],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet/, 'an OpenDocument spreadsheet (ODS)', PRINTED],
  [/^application\/vnd\.oasis\.opendocument\.presentation/, 'an OpenDocument presentation (ODP)', PRINTED],
  [/^application\/vnd\.oasis\.opendocument\./, 'an OpenDocument file', PRINTED],
  [/^application\/epub\+zip/, 'an EPUB book', PRINTED],
];
const DECLARED_DOCX = /wordprocessingml\.document\.main\+xml/i;

/** Names the kind of an archive that is no DOCX. */
function refusedArchiveKind({ names, text }: ArchiveFacts): RefusedKind | undefined {
  if (DECLARED_DOCX.test(text)) return undefined;
  const [, name, hint] = DECLARED.find(([mark]) => mark.test(text)) ?? [];
  if (name !== undefined && hint !== undefined) return { name, hint };
  if (names.some((entry) => /^(Index\/|index\.).*(iwa|xml)$/.test(entry)))
    return { name: 'a document of Pages, Numbers or Keynote', hint: PRINTED };
  if (names.includes('word/document.xml')) return undefined;
  return { name: 'a ZIP archive', hint: 'Unpack it' };
}

/**
 * True if an archive that is incomplete begins as a DOCX: with an entry under `word/`. Where the head ends before one, a first entry
 * `[Content_Types].xml` is enough, unless an entry of a spreadsheet (`xl/`) or a presentation (`ppt/`), which begin the same way, comes first.
 */
function beginsAsDocx(text: string): boolean {
  const names = entryNames(text);
  const telling = names.find((name) => /^(word|xl|ppt)\//.test(name));
  return telling ? telling.startsWith('word/') : names[0] === '[Content_Types].xml';
}

/** The names in the local file headers of a ZIP (APPNOTE 4.3.7), in order, as far as the head goes. */
function entryNames(text: string): string[] {
  const names: string[] = [];
  for (let at = text.indexOf('PK\x03\x04'); at !== -1; at = text.indexOf('PK\x03\x04', at + 4)) {
    const length = text.charCodeAt(at + 26) | (text.charCodeAt(at + 27) << 8);
    names.push(text.slice(at + 30, at + 30 + length));
  }
  return names;
}

/** Reads each byte as one character. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
