// What is wrong with a document that cannot be used, and what to do about it: the service and the command line say the
// same. It must never name a value that the reader cannot see in the file.

/** Two ends of sentences: `"contract.pdf" ${what}.` and `${hint} and upload it again.` */
export type Unusable = { what: string; hint: string };

export const encrypted = (by: unknown): Unusable =>
  by === 'certificate'
    ? {
        what: 'is encrypted, but not with a password (for example with a certificate)',
        hint: 'Save it without encryption',
      }
    : { what: 'can only be opened with a password', hint: 'Remove the password' };

export function unreadable(reason: unknown): Unusable {
  if (reason === 'no_pages') return { what: 'has no pages', hint: 'Save it again' };
  if (reason === 'incomplete')
    return {
      what: 'is incomplete: part of the file is missing',
      hint: 'Download or save it again',
    };
  return { what: 'is damaged and cannot be read', hint: 'Save it again' };
}

/** Which limit a document passes: its name, its page if it is known, and for pictures how much they have. */
export type Passed = {
  limit: unknown;
  page?: unknown;
  actual?: unknown;
  allowed?: unknown;
  type?: unknown;
  /** Text of the document that says where. */
  near?: unknown;
};

export function tooComplex({ limit, page, actual, allowed, type = 'pdf', near }: Passed): Unusable {
  if (limit === 'formula' || limit === 'number_field') return unknownNumber(limit, near);
  const meaning = meaningOf(limit);
  const numbers =
    actual === undefined ? '' : ` (${grouped(actual)}; at most ${grouped(allowed)} are allowed)`;
  const where = page === undefined ? '' : ` (page ${page})`;
  return {
    what: `is too complex: ${meaning}${numbers}${where}`,
    hint: WAYS_OUT[`${type}`] ?? 'Make the image smaller',
  };
}

const UNKNOWN_NUMBERS = {
  formula: 'a formula that cannot be converted without changing it',
  number_field: 'a number that only Word can compute',
};

const unknownNumber = (limit: keyof typeof UNKNOWN_NUMBERS, near: unknown): Unusable => ({
  what: `contains ${UNKNOWN_NUMBERS[limit]}${near ? ` ("${near}")` : ''}`,
  hint: 'Save it as PDF in Word',
});

const WAYS_OUT: Readonly<Record<string, string>> = {
  pdf: 'Print it to a new PDF',
  docx: 'Save it as PDF in Word',
};

/** @returns the end of a sentence that gives the reason */
export const meaningOf = (limit: unknown): string =>
  MEANINGS[`${limit}`] ?? 'it takes too much work to process';

const grouped = (value: unknown): string => `${value}`.replace(/\B(?=(\d{3})+$)/g, ',');

/** The limits of src/pdf, and those of the process that does the work, in words. */
export const MEANINGS: Readonly<Record<string, string>> = {
  streams: 'its compressed data overlaps or does not end',
  stream_bytes: 'it contains compressed data that becomes far too large when unpacked',
  unpacked_bytes: 'its compressed data becomes far too large when unpacked',
  filters: 'it contains data that was compressed too many times',
  nesting: 'its objects are nested too deeply',
  objects: 'it has too many objects',
  page_tree: 'its page tree is too large or nested too deeply',
  form_fields: 'its form has too many fields',
  drawings: 'it contains a drawing that consists of too many other drawings',
  tiles: 'it contains a pattern that repeats too many times',
  picture_size: 'it contains an image that is far too large',
  jpeg_scans: 'it contains a JPEG image with too many scans',
  image_pixels: 'it has too many pixels',
  image_bytes: 'it has too many bytes when unpacked',
  zip_entries: 'it contains too many files',
  zip_names: 'it contains files whose names are not allowed or not unique',
  zip_overlap: 'it contains files that overlap each other',
  zip_sizes: 'it contains files that are larger than declared',
  xml_doctype: 'it contains a document type declaration (DOCTYPE), which Word documents never have',
  xml_elements: 'it has too many elements',
  text: 'it has too much text',
  marks: 'it has a letter with too many accents or other marks',
  paragraph: 'it has a paragraph that is far too long',
  tables: 'it has too many tables',
  table_nesting: 'its tables are nested too deeply',
  pictures: 'it contains too many images',
  inserted_files: 'it inserts another file when it is opened',
  time: 'it takes too long to process',
  memory: 'it takes too much memory to process',
  crash: 'the PDF engine cannot process it',
};
