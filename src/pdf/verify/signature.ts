// Reads a signature as it lies in a file: the bytes that it covers, its value, and what its dictionary says. It covers everything from the first byte of the
// file to the end of one of its saves, without its own /Contents; anything else is a fault. What the dictionary says of the signer is no proof.
import type { Hash } from 'node:crypto';
import { VERIFY_LIMITS } from '../limits.ts';
import type { PdfFile, PdfView } from '../read/read-pdf.ts';
import { type DictEntry, entriesAt, Scanner } from '../read/scanner.ts';
import { type FileSection, startxrefBefore } from '../read/sections.ts';
import { type Dict, PdfString, textOf, type Value } from '../read/values.ts';
import { copyHash, createHashOf, type HashName } from '../sign/algorithms.ts';
import { readCertificate } from '../sign/certificate.ts';
import { type Cms, type DigestOfSigned, readBareRsa, readCms } from '../sign/cms.ts';
import { timeAt } from '../sign/der.ts';
import { readToken, type Token } from '../sign/timestamp.ts';
import type { Permission } from './changes/diff-context.ts';
import type { SignatureField } from './fields.ts';
import type { Fault } from './findings.ts';
import { isReadFromElsewhere } from './rules/entry-point.ts';

/** Nothing of a parsed signature but its coverage is checked. */
export type ParsedSignature = {
  field: SignatureField;
  claims: Claims;
  coverage: Coverage | undefined;
  faults: Fault[];
  cms: Cms | undefined;
  token: Token | undefined;
  certification: Permission | undefined;
};

export const endOf = ({ coverage }: ParsedSignature) => coverage?.end ?? Number.POSITIVE_INFINITY;

export function parseSignature(file: PdfFile, field: SignatureField): ParsedSignature {
  const claims = claimsOf(file.latest, field.dict);
  const covered = coverageOf(file, field);
  const coverage = isCoverage(covered) ? covered : undefined;
  const faults = isCoverage(covered) ? [] : covered;
  const certification = certificationOf(file.latest, field.dict, field.field.dict);
  const unread = { field, claims, coverage, faults, cms: undefined, token: undefined, certification };
  const object = field.number === undefined ? {} : { object: field.number };
  if (claims.format === 'unknown') {
    const details = { format: claims.subFilter };
    return { ...unread, faults: [...faults, { code: 'format_unknown', ...object, details }] };
  }
  if (!coverage) return unread;
  const token = claims.format === 'timestamp' ? readToken(coverage.contents) : undefined;
  const cms = token?.cms ?? readValue(claims, coverage.contents);
  if (!cms) {
    const code = claims.format === 'timestamp' ? 'timestamp_malformed' : 'cms_malformed';
    return { ...unread, faults: [{ code, ...object }] };
  }
  const isFilledUp = coverage.contents.subarray(cms.end).every((byte) => byte === 0);
  if (!isFilledUp) faults.push({ code: 'contents_malformed', ...object });
  // What a signature holds itself is not what stands in the document.
  if (!token && cms.content && claims.format !== 'digest_inside')
    faults.push({ code: 'cms_content_inside', ...object });
  return { ...unread, cms, token };
}

/** Reads the value of a signature that is no timestamp. */
function readValue({ format, certificates }: Claims, contents: Buffer): Cms | undefined {
  if (format === 'timestamp') return undefined;
  if (format !== 'bare_rsa') return readCms(contents);
  const read = certificates.map(readCertificate);
  return read.every((certificate) => certificate !== undefined) ? readBareRsa(contents, read) : undefined;
}

// ── coverage ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Coverage = {
  digest: DigestOfSigned;
  data(): Buffer;
  /** What fills up the place of the signature belongs to these bytes as well. */
  contents: Buffer;
  /** The gap has the value of the signature, `<` and `>` included. */
  gap: { start: number; end: number };
  end: number;
  /** This version was signed. */
  view: PdfView;
};

export function coverageOf(file: PdfFile, field: SignatureField): Coverage | Fault[] {
  const object = field.number;
  const at = object === undefined ? undefined : file.latest.object(object);
  const entries = at?.start === undefined ? undefined : entriesOf(file, at.start, at.end);
  // A signature inside an object stream would cover itself. One that several fields hold was not made for all of them, and not all readers show
  // one that stands beside its field.
  if (object === undefined || !at || !entries || field.isDoubtful)
    return [{ code: 'signature_dictionary_doubtful', ...(object !== undefined && { object }) }];
  const where = { object, at: at.start ?? 0 };
  if (at.isDoubtful) return [{ code: 'signature_dictionary_doubtful', ...where }];
  const entryOf = (key: string) => entries.find((entry) => entry.key === key);
  const range = entryOf('ByteRange');
  const contents = entryOf('Contents');
  if (!range || range.value === null) return [{ code: 'byte_range_missing', ...where }];
  if (!contents || contents.value === null || isEmpty(contents.value))
    return [{ code: 'contents_missing', ...where }];
  if (!(contents.value instanceof PdfString) || !contents.value.isHex || hasBlanks(file, contents))
    return [{ code: 'contents_malformed', ...where, at: contents.start }];
  const numbers = rangeOf(range.value, file.bytes.length);
  if (!numbers) return [{ code: 'byte_range_malformed', ...where, at: range.start }];
  const [, before, after, length] = numbers;
  if (before !== contents.start || after !== contents.end)
    return [{ code: 'byte_range_gap', ...where, at: range.start }];
  const end = after + length;
  const index = saveEndingAt(file, end);
  if (index === undefined) return [{ code: 'byte_range_end', ...where, at: end }];
  if (!isWholeBefore(file, index, end)) return [{ code: 'signed_part_unreadable', ...where, at: end }];
  const view = file.view(index);
  if (view.object(object)?.start !== at.start) return [{ code: 'byte_range_end', ...where, at: end }];
  if (end === file.bytes.length && isReadFromElsewhere(file))
    return [{ code: 'signature_dictionary_doubtful', ...where }];
  return {
    digest: (hash) => hashOfBeginning(file, hash, before).update(file.bytes.subarray(after, end)).digest(),
    data: () => Buffer.concat([file.bytes.subarray(0, before), file.bytes.subarray(after, end)]),
    contents: contents.value.bytes,
    gap: { start: before, end: after },
    end,
    view,
  };
}

export const isCoverage = (result: Coverage | Fault[]): result is Coverage => !Array.isArray(result);

/** Reads the entries of the dictionary behind `12 0 obj`. */
function entriesOf(file: PdfFile, start: number, end = file.bytes.length): DictEntry[] | undefined {
  const scanner = new Scanner(file.bytes, start, end);
  if (scanner.integer() === undefined || scanner.integer() === undefined || !scanner.takes('obj'))
    return undefined;
  return entriesAt(file.bytes, scanner.at, end);
}

const isEmpty = (value: Value) => value instanceof PdfString && value.bytes.every((byte) => byte === 0);

/** Every byte between the brackets belongs to the signature: nothing else may hide there. */
const hasBlanks = ({ bytes }: PdfFile, { start, end }: DictEntry): boolean =>
  (end - start) % 2 !== 0 || !/^<[0-9a-fA-F]*>$/.test(bytes.toString('latin1', start, end));

type Range = [number, number, number, number];

/** A byte range has four numbers that rise from 0 and stay in the file. */
function rangeOf(value: Value, size: number): Range | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  if (!value.every((number) => typeof number === 'number' && Number.isSafeInteger(number) && number >= 0))
    return undefined;
  const [first, before, after, length] = value as Range;
  const isRising = first === 0 && before > 0 && after > before && length > 0 && after + length <= size;
  return isRising ? [first, before, after, length] : undefined;
}

/** Finds the save of the file that has its `%%EOF` there, line ends aside. */
export function saveEndingAt({ bytes, sections }: PdfFile, end: number): number | undefined {
  const last = startxrefBefore(bytes, end);
  if (last?.end === undefined) return undefined;
  const rest = bytes.toString('latin1', last.end, end);
  if (!/^[\r\n]{0,2}$/.test(rest)) return undefined;
  const index = sections.findIndex(({ offset }) => offset === last.offset);
  return index === -1 ? undefined : index;
}

/** Tells whether everything saved up to then lies before `end`, and everything saved later after it. */
const isWholeBefore = ({ sections }: PdfFile, index: number, end: number): boolean =>
  sections.every((section, at) =>
    at <= index ? section.end <= end && lastPlaceIn(section) < end : section.start >= end,
  );

const lastPlaces = new WeakMap<FileSection, number>();

/** Finds where the last object begins that a section names. */
function lastPlaceIn(section: FileSection): number {
  const stored = lastPlaces.get(section);
  if (stored !== undefined) return stored;
  let last = 0;
  for (const place of section.places.values())
    if (place.kind === 'direct' && place.start > last) last = place.start;
  lastPlaces.set(section, last);
  return last;
}

// ── hashes of beginnings ────────────────────────────────────────────────────────────────────────────────────────────

const STEP_BYTES = 1024 * 1024;

/** The first hash is that after no step, the next that after the first step, and so on. */
const hashes = new WeakMap<PdfFile, Map<HashName, Hash[]>>();

/**
 * Hashes the first `end` bytes, and returns a hash to which more can be added. Signatures, timestamps and the evidence each name a beginning of the file, and most
 * of it is the same for all of them, so that the hash is stored after every few bytes.
 */
export function hashOfBeginning(file: PdfFile, name: HashName, end: number): Hash {
  const stored = storedHashes(file, name);
  const steps = Math.floor(end / STEP_BYTES);
  for (let step = stored.length; step <= steps; step += 1) {
    const from = (step - 1) * STEP_BYTES;
    stored.push(copyHash(stored[step - 1]!, name).update(file.bytes.subarray(from, from + STEP_BYTES)));
  }
  return copyHash(stored[steps]!, name).update(file.bytes.subarray(steps * STEP_BYTES, end));
}

function storedHashes(file: PdfFile, name: HashName): Hash[] {
  const ofFile = hashes.get(file) ?? new Map<HashName, Hash[]>();
  hashes.set(file, ofFile);
  const stored = ofFile.get(name) ?? [createHashOf(name)];
  ofFile.set(name, stored);
  return stored;
}

// ── the dictionary ──────────────────────────────────────────────────────────────────────────────────────────────────

/** `digest_inside` is CMS over the SHA-1 of the document, which it has inside, and `bare_rsa` a signature without CMS. */
type Format = 'pades' | 'cms' | 'timestamp' | 'digest_inside' | 'bare_rsa' | 'unknown';

const FORMATS: Record<string, Format> = {
  'ETSI.CAdES.detached': 'pades',
  'adbe.pkcs7.detached': 'cms',
  // The Brazilian authorities have a format (DOC-ICP-15) with a policy of theirs among the signed attributes.
  'PBAD.PAdES': 'cms',
  'ETSI.RFC3161': 'timestamp',
  'adbe.pkcs7.sha1': 'digest_inside',
  'adbe.x509.rsa_sha1': 'bare_rsa',
};

export type Claims = {
  subFilter: string;
  format: Format;
  name?: string;
  reason?: string;
  location?: string;
  /** The signer's own clock states it. */
  time?: number;
  /** Only the format without CMS has its certificates beside the signature. */
  certificates: Buffer[];
  hasCertificate: boolean;
};

function claimsOf(view: PdfView, dict: Dict): Claims {
  const text = (key: string) => textOf(view.resolve(dict.get(key)));
  const named = view.resolve(dict.get('SubFilter'));
  const subFilter = typeof named === 'string' ? named : '';
  const [name, reason, location] = [text('Name'), text('Reason'), text('Location')];
  const time = timeOfDate(text('M'));
  return {
    subFilter,
    format: Object.hasOwn(FORMATS, subFilter) ? FORMATS[subFilter]! : 'unknown',
    ...(name && { name }),
    ...(reason && { reason }),
    ...(location && { location }),
    ...(time !== undefined && { time }),
    certificates: certificatesIn(view, dict),
    hasCertificate: dict.has('Cert'),
  };
}

function certificatesIn(view: PdfView, dict: Dict): Buffer[] {
  const value = view.resolve(dict.get('Cert'));
  const items = Array.isArray(value) ? value.map((item) => view.resolve(item)) : [value];
  return items
    .slice(0, VERIFY_LIMITS.certificates)
    .flatMap((item) => (item instanceof PdfString ? [item.bytes] : []));
}

const DATE = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?/;

/** Reads `D:20261121180000+01'00'` as milliseconds since 1970 (ISO 32000-2, 7.9.4). */
function timeOfDate(text: string | undefined): number | undefined {
  const match = text === undefined ? null : DATE.exec(text);
  if (!match) return undefined;
  const part = (index: number, otherwise: number) => Number(match[index] ?? otherwise);
  const local = timeAt([part(1, 0), part(2, 1), part(3, 1), part(4, 0), part(5, 0), part(6, 0)]);
  if (local === undefined) return undefined;
  const awayMinutes = (match[7] === '-' ? -1 : 1) * (part(8, 0) * 60 + part(9, 0));
  return local - awayMinutes * 60_000;
}

const PERMISSIONS: readonly Permission[] = ['nothing', 'form', 'notes'];

/** The standard wants a list. Readers may follow a single reference as well, and then hold the document closed. */
const referencesOf = (view: PdfView, dict: Dict, method: string): Dict[] =>
  (view.array(dict.get('Reference')) ?? [dict.get('Reference')]).flatMap((item) => {
    const reference = view.dict(item);
    if (view.resolve(reference?.get('TransformMethod')) !== method) return [];
    return [view.dict(reference?.get('TransformParams')) ?? new Map()];
  });

/** Reads what a certification allows to follow (DocMDP); undefined for a signature that is none. */
function certificationOf(view: PdfView, dict: Dict, field: Dict): Permission | undefined {
  const certified = referencesOf(view, dict, 'DocMDP').map((parameters) => {
    const level = view.resolve(parameters.get('P'));
    return level === 1 || level === 3 ? level : 2;
  });
  // A field may close the document when it is signed (ISO 32000-2, table 236).
  const closed = view.resolve(view.dict(field.get('Lock'))?.get('P'));
  const levels = closed === 1 || closed === 2 || closed === 3 ? [...certified, closed] : certified;
  const strictest = [1, 2, 3].find((level) => levels.some((candidate) => candidate === level));
  return strictest === undefined ? undefined : PERMISSIONS[strictest - 1];
}

/** Reads which fields a signature locks (FieldMDP, and the lock of its own field). */
export function locksOf(view: PdfView, dict: Dict, field: Dict): (name: string) => boolean {
  const ownLock = view.dict(field.get('Lock'));
  const locks = [...referencesOf(view, dict, 'FieldMDP'), ...(ownLock ? [ownLock] : [])].map((lock) => ({
    action: view.resolve(lock.get('Action')),
    names: (view.array(lock.get('Fields')) ?? []).map((item: Value) => textOf(view.resolve(item)) ?? ''),
  }));
  return (name) =>
    locks.some(({ action, names }) => {
      const isNamed = names.some((locked) => name === locked || name.startsWith(`${locked}.`));
      if (action === 'Include') return isNamed;
      // What is none of the three is taken as the strictest.
      return action === 'Exclude' ? !isNamed : true;
    });
}
