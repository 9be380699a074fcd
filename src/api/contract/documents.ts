// Says in words what is wrong with a document that cannot be used and how to correct it, what could not be kept or shown of one that was accepted
// (remarks, assumed: A27), and which font package has the letters that are missing. The service and the command line say the same. A sentence never
// names a value that the reader cannot see in the file.

import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import { record, someList, someNumber, someText } from './lenient.ts';

/** Both are ends of sentences: `"contract.pdf" ${what}.` and `${hint} and upload it again.` */
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

/** A limit that a document passes: its name, its page where the reader reports one, and for pictures the amount. */
export type Passed = {
  limit: unknown;
  page?: unknown;
  actual?: unknown;
  allowed?: unknown;
  type?: unknown;
  /** Text of the document beside the place. */
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

const REMARK_CODES = [
  'approximate_layout',
  'fonts_missing',
  'fonts_replaced',
  'content_not_shown',
  'tracked_changes',
  'fields_not_updated',
  'dynamic_form',
  'already_signed',
  'encrypted_permissions',
  'page_not_drawable',
] as const;

type RemarkCode = (typeof REMARK_CODES)[number];

/** `page` counts from 0, as everywhere on the wire. */
export const remark = lazySchema(() =>
  z.strictObject({
    code: z.enum(REMARK_CODES),
    message: z.string(),
    page: z.int().min(0).optional(),
  }),
);

export const receivedRemarks = someList(record({ code: someText, message: someText, page: someNumber }));

/**
 * `what` names what it is about: fonts, a kind of content, how many changes, or the limit that stands against a page. `text` is what a page does
 * not show, for its recipients; it is not on the wire. Both may come from the document.
 */
export type RemarkFacts = {
  code: RemarkCode;
  page?: number | undefined;
  what?: string | undefined;
  text?: string | undefined;
};

const SENTENCES: Record<RemarkCode, (facts: RemarkFacts) => string> = {
  approximate_layout: ({ what }) =>
    `The layout is approximate, because the Word document was converted without LibreOffice${what ? ` and its fonts were replaced (${what})` : ''}. Check the pages. For the exact layout, install LibreOffice or send a PDF.`,
  fonts_replaced: (facts) =>
    `${fontsReplaced(facts)} Check the pages. Install these fonts on the machine of the service, or others of the same width (\`esign doctor\` names them), or send a PDF.`,
  fonts_missing: (facts) =>
    facts.page === undefined
      ? fontsMissing(facts)
      : `${fontsMissing(facts)} Recipients must confirm this before they sign. ${wayOutOf(facts)}`,
  content_not_shown: ({ page, what }) =>
    `${CONTENT[`${what}`] ?? 'Some content'}${onPage(page)} is not shown, because the Word document was converted without LibreOffice. Send a PDF, or install LibreOffice.`,
  tracked_changes: (facts) =>
    `${changesTracked(facts)} To send the final text, accept or reject the changes in Word and upload the file again.`,
  fields_not_updated: (facts) =>
    `${fieldsNotUpdated(facts)} Open it in Word, update all fields (Ctrl+A, then F9), save it and upload it again.`,
  dynamic_form: () =>
    'The file is a dynamic form (XFA). Recipients see only its static pages. To send what the form shows, print it to a new PDF.',
  already_signed: () =>
    'The file already contains signatures. They stay valid in the original, which is kept unchanged. Recipients see them as images.',
  encrypted_permissions: () =>
    'The file restricts printing, copying or changes (owner password). Everyone can read it, so it was accepted.',
  page_not_drawable: ({ page = 0, what }) => `Page ${page + 1} cannot be displayed: ${meaningOf(what)}.`,
};

const changesTracked = ({ what }: RemarkFacts): string =>
  `The Word document has tracked changes${what ? ` (${what})` : ''} that were neither accepted nor rejected. The pages show them as changes: inserted text is underlined, deleted text is struck through.`;

const fontsReplaced = ({ what }: RemarkFacts): string =>
  `Fonts of the Word document were replaced${what ? ` (${what})` : ''}, because they are not installed. Lines and pages may end elsewhere than in Word.`;

const fieldsNotUpdated = ({ what }: RemarkFacts): string =>
  `Some fields of the Word document have not been updated${what ? ` (${what})` : ''}. The pages show what the document has stored for them, or nothing.`;

function fontsMissing({ page, what, text }: RemarkFacts): string {
  if (page === undefined) return 'Further pages may also have text that cannot be displayed.';
  const named = what ? ` (${what})` : '';
  const subject = `Some text${onPage(page)} cannot be displayed, because`;
  if (text === undefined) return `${subject} its font is missing${named}.`;
  const scripts = scriptsIn(text);
  const characters = scripts.length > 0 ? `${namesOf(scripts)} characters` : 'its characters';
  return `${subject} the file lacks its font${named} and no installed font has ${characters}.`;
}

/** A font of the service helps where the text that is not shown was read. */
function wayOutOf({ text }: RemarkFacts): string {
  if (text === undefined) return 'Send a PDF with embedded fonts.';
  const packages = packagesFor(scriptsIn(text));
  const named = packages.length > 0 ? ` (Debian: ${packages.join(', ')})` : '';
  return `Send a PDF with embedded fonts, or install a font on the machine of the service${named} or in its directory ESIGN_FONTS, and upload the file again.`;
}

const CONTENT: Readonly<Record<string, string>> = {
  chart: 'A chart',
  diagram: 'A diagram',
  shape: 'A shape',
  line: 'A line',
  image: 'An image',
  object: 'An embedded object',
};

const onPage = (page: number | undefined): string => (page === undefined ? '' : ` on page ${page + 1}`);

export function remarkOf(facts: RemarkFacts) {
  const { code, page } = facts;
  return { code, message: SENTENCES[code](facts), ...(page !== undefined && { page }) };
}

/** Words a remark for a certificate, where it is too late for another file or font. */
export function recordedRemark(facts: RemarkFacts): string {
  if (facts.code === 'fonts_missing') return fontsMissing(facts);
  if (facts.code === 'fonts_replaced') return fontsReplaced(facts);
  if (facts.code === 'fields_not_updated') return fieldsNotUpdated(facts);
  return facts.code === 'tracked_changes' ? changesTracked(facts) : remarkOf(facts).message;
}

/**
 * `letters`: a pattern of its letters, compiled when a text is searched, because that takes longer than all else of this file.
 * `sample`: a font that has these characters has the script.
 */
export type ScriptWithoutFont = { name: string; letters: string; sample: string; debianPackage: string };

const CJK = 'fonts-noto-cjk';
const OTHERS = 'fonts-noto-core';

/** The scripts that `esign doctor` warns of, because many names are written in them. One package has fonts for all three. */
export const CJK_SCRIPTS: readonly ScriptWithoutFont[] = [
  { name: 'Chinese', letters: '\\p{sc=Han}|\\p{sc=Bopomofo}', sample: '中国语體', debianPackage: CJK },
  { name: 'Japanese', letters: '\\p{sc=Hiragana}|\\p{sc=Katakana}', sample: '山あア', debianPackage: CJK },
  { name: 'Korean', letters: '\\p{sc=Hangul}', sample: '김값힣', debianPackage: CJK },
];

export const OTHER_SCRIPTS: readonly ScriptWithoutFont[] = [
  { name: 'Armenian', letters: '\\p{sc=Armenian}', sample: 'Ա', debianPackage: OTHERS },
  { name: 'Bengali', letters: '\\p{sc=Bengali}', sample: 'ক', debianPackage: OTHERS },
  { name: 'Ethiopic', letters: '\\p{sc=Ethiopic}', sample: 'አ', debianPackage: OTHERS },
  { name: 'Georgian', letters: '\\p{sc=Georgian}', sample: 'ა', debianPackage: OTHERS },
  { name: 'Gujarati', letters: '\\p{sc=Gujarati}', sample: 'અ', debianPackage: OTHERS },
  { name: 'Gurmukhi', letters: '\\p{sc=Gurmukhi}', sample: 'ਅ', debianPackage: OTHERS },
  { name: 'Kannada', letters: '\\p{sc=Kannada}', sample: 'ಅ', debianPackage: OTHERS },
  { name: 'Khmer', letters: '\\p{sc=Khmer}', sample: 'ក', debianPackage: OTHERS },
  { name: 'Lao', letters: '\\p{sc=Lao}', sample: 'ກ', debianPackage: OTHERS },
  { name: 'Malayalam', letters: '\\p{sc=Malayalam}', sample: 'അ', debianPackage: OTHERS },
  { name: 'Myanmar', letters: '\\p{sc=Myanmar}', sample: 'က', debianPackage: OTHERS },
  { name: 'Sinhala', letters: '\\p{sc=Sinhala}', sample: 'අ', debianPackage: OTHERS },
  { name: 'Tamil', letters: '\\p{sc=Tamil}', sample: 'அ', debianPackage: OTHERS },
  { name: 'Telugu', letters: '\\p{sc=Telugu}', sample: 'అ', debianPackage: OTHERS },
  { name: 'Thai', letters: '\\p{sc=Thai}', sample: 'ก', debianPackage: OTHERS },
];

/** Finds the scripts of which a text has letters. Japanese and Korean are written with Chinese characters too: these alone count as Chinese. */
function scriptsIn(text: string): ScriptWithoutFont[] {
  const matches = [...CJK_SCRIPTS, ...OTHER_SCRIPTS].filter(({ letters }) =>
    new RegExp(letters, 'u').test(text),
  );
  const [first, second] = matches;
  return first?.name === 'Chinese' && second && CJK_SCRIPTS.includes(second) ? matches.slice(1) : matches;
}

export const packagesFor = (scripts: readonly ScriptWithoutFont[]): string[] => [
  ...new Set(scripts.map(({ debianPackage }) => debianPackage)),
];

/** "Chinese", "Chinese and Korean", "Chinese, Japanese and Korean". */
export const namesOf = (scripts: readonly ScriptWithoutFont[]): string =>
  listed(scripts.map(({ name }) => name));

export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
