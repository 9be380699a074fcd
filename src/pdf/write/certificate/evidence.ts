// Builds and checks the evidence in a sealed PDF: what was sent, the recipients, and what each person did, as entries that each
// contain the hash of the previous one. It can be checked with SHA-256 and RFC 8785 alone.

import canonicalize from 'canonicalize';
import { isRecord } from '../../../common/json.ts';
import { sha256Of } from '../../../common/sha256.ts';

/** `sha256` is hexadecimal. */
export type FileHash = { sha256: string; bytes: number };

/**
 * The sender's program stated that it did this to a file before the upload. Nothing proves it: the service has not seen the original. Pages
 * count from 0.
 */
export type EvidencePreparation = {
  stated_by: 'sender';
  original: FileHash;
  removed_tags: { page: number; text: string }[];
  /** Boxes of form fields were emptied, because fields have their values. */
  emptied_form_boxes: number;
  /** Values were drawn into the pages. */
  drawn_values: number;
};

export type EvidenceDocument = {
  id: string;
  name: string;
  media_type: string;
  pages: number;
  /** The hash is that of the file as it was uploaded. */
  original: FileHash;
  /** The sender may have stated nothing. */
  preparation?: EvidencePreparation;
  /** It is the PDF with the values in it, which are the first bytes of the sealed file. */
  content: FileHash;
  /** `text` is what the page does not show, for want of a font. */
  remarks: { code: string; page?: number; what?: string; text?: string }[];
};

export type EvidencePerson = { id: string; name: string; email: string; role: string; index: number };

/** The value is text, or the hash of the picture (PNG) of a signature. */
export type EvidenceField = {
  id: string;
  document_id: string;
  recipient_id: string;
  type: string;
  label: string;
  /** It counts from 0. */
  page: number;
  /** The point counts from the top left corner of the page as it is displayed. */
  x: number;
  y: number;
  width: number;
  height: number;
  value?: string | null;
  /** This text is written on the page, where it differs from the value. */
  written?: string;
  /**
   * The recipient filled in a field without it. A value that the recipient has changed is theirs. `service` is the date of signing, in the
   * time zone of the entry `signed`, or in UTC where it names none.
   */
  filled_in_by?: 'sender' | 'service';
  picture_sha256?: string;
  /** A signature or initials were adopted so. */
  kind?: 'typed' | 'drawn' | 'uploaded';
  /** Only a typed one has it. */
  face?: 'handwriting' | 'script';
};

/** The evidence of a transaction without its events is the same in all documents of the transaction. */
export type EvidenceBase = {
  format: 'esign-evidence';
  version: 1;
  transaction: {
    id: string;
    name: string;
    company: string;
    service: string;
    created_at: string;
    sent_at: string | null;
    completed_at: string | null;
  };
  documents: EvidenceDocument[];
  people: EvidencePerson[];
  fields: EvidenceField[];
};

export type EvidenceStep = {
  type: string;
  /** It is in UTC, as in `2026-11-21T18:00:00.000Z`. */
  at: string;
  person_id: string | null;
  details: Record<string, string | null>;
};

export type EvidenceEntry = EvidenceStep & { n: number; previous: string; hash: string };

/** `head` is the hash of the last entry, or of the base where nothing happened. */
export type Evidence = EvidenceBase & { entries: EvidenceEntry[]; head: string };

export type EvidenceSigner = Pick<EvidencePerson, 'name' | 'email' | 'role'> & {
  signed_at: string;
  identified_by: Identification;
};

/**
 * The service identifies who acted by a link. `emailed_link`: the link of an email that a mail server took; `mailbox_link`: the link of an
 * email as the mailbox of the service showed it; `dashboard_link`: a link that the dashboard showed to a user; `signing_link`: a link of
 * which the record does not show how the person got it.
 */
export type Identification =
  | 'emailed_link'
  | 'mailbox_link'
  | 'dashboard_link'
  | 'signing_link'
  | 'sandbox_command';

/** @param signed the entry of a signature */
export function identificationOf(signed: EvidenceStep, entries: readonly EvidenceStep[]): Identification {
  const { person_id, details } = signed;
  if (details.by === 'sandbox sign') return 'sandbox_command';
  if (details.link === 'dashboard') return 'dashboard_link';
  if (details.link === 'mailbox') return 'mailbox_link';
  if (details.link !== 'email') return 'signing_link';
  const isAccepted = entries.some(
    (entry) => entry.type === 'email_accepted' && entry.person_id === person_id && entry.at <= signed.at,
  );
  return isAccepted ? 'emailed_link' : 'signing_link';
}

/** Lists the people who signed, in the order of their signatures. */
export const signersIn = ({ people, entries }: Evidence): EvidenceSigner[] =>
  entries.flatMap((entry) => {
    const person = entry.type === 'signed' && people.find(({ id }) => id === entry.person_id);
    if (!person) return [];
    const { name, email, role } = person;
    return [{ name, email, role, signed_at: entry.at, identified_by: identificationOf(entry, entries) }];
  });

/** The canonical form is that of RFC 8785. */
function hashOf(value: unknown): string {
  return sha256Of(canonicalize(value) ?? '');
}

/** Links each step to the one before, and the first to the base. */
export function chainSteps(base: EvidenceBase, steps: readonly EvidenceStep[]): Evidence {
  let previous = hashOf(base);
  const entries = steps.map((step, n): EvidenceEntry => {
    const linked = { n, ...step, previous };
    const hash = hashOf(linked);
    previous = hash;
    return { ...linked, hash };
  });
  return { ...base, entries, head: previous };
}

/** The same evidence gives the same text. */
export const evidenceText = (evidence: Evidence): string => canonicalize(evidence) ?? '';

export type EvidenceFault = 'not_json' | 'not_evidence' | 'unknown_version' | 'broken_chain' | 'wrong_head';

export type CheckedEvidence =
  | { ok: true; evidence: Evidence }
  /** `entry` is the number of the first entry that does not follow from what is before it. */
  | { ok: false; fault: EvidenceFault; entry?: number };

/** Reads evidence from anywhere, and checks that each entry follows from the one before. */
export function checkEvidence(text: string): CheckedEvidence {
  const evidence = parsed(text);
  if (evidence === undefined) return { ok: false, fault: 'not_json' };
  if (!isEvidence(evidence)) {
    const { format, version } = (evidence ?? {}) as Partial<Evidence>;
    const isNewer = format === 'esign-evidence' && version !== 1;
    return { ok: false, fault: isNewer ? 'unknown_version' : 'not_evidence' };
  }
  const { entries, head, ...base } = evidence;
  let previous = hashOf(base);
  for (const [n, { hash, ...linked }] of entries.entries()) {
    if (linked.n !== n || linked.previous !== previous || hashOf(linked) !== hash)
      return { ok: false, fault: 'broken_chain', entry: n };
    previous = hash;
  }
  return head === previous ? { ok: true, evidence } : { ok: false, fault: 'wrong_head' };
}

/**
 * Returns undefined for what has no canonical form (RFC 8785 §3.1): half of a surrogate pair, numbers that are too large, and two
 * properties of one name, of which readers take one or the other.
 */
function parsed(text: string): unknown {
  let isCanonical = true;
  let properties = 0;
  const check = function (this: unknown, key: string, value: unknown): unknown {
    if (!Array.isArray(this)) properties += 1;
    if (HALF.test(key) || (typeof value === 'string' && HALF.test(value)) || isInfinite(value))
      isCanonical = false;
    return value;
  };
  try {
    const value = JSON.parse(text, check) as unknown;
    // The value itself is a property as well.
    const isDistinct = namesIn(text) === properties - 1;
    return isCanonical && isDistinct ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Counts the names of properties of a JSON text: strings before a colon. */
function namesIn(text: string): number {
  let names = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon) names += 1;
  return names;
}

const HALF = /\p{Surrogate}/u;
const isInfinite = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

// ── shapes of values from a file ────────────────────────────────────────────────────────────────────────────────

type Shape = (value: unknown) => boolean;

const isText: Shape = (value) => typeof value === 'string';
const isTextOrNull: Shape = (value) => value === null || isText(value);
const isNumber: Shape = (value) => typeof value === 'number';
const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
/** `evidenceText` writes times so: programs that show the evidence read them as times. */
const isTime: Shape = (value) => typeof value === 'string' && TIME.test(value) && isInCalendar(value);
const isInCalendar = (instant: string): boolean => {
  const [year = 0, month = 0, day = 0] = instant.slice(0, 10).split('-').map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? 28 + Number(isLeap) : 30 + ((month + (month >> 3)) & 1));
};
const isTimeOrNull: Shape = (value) => value === null || isTime(value);
const TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/;
const isHash: Shape = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isTexts: Shape = (value) => isRecord(value) && Object.values(value).every(isTextOrNull);

/** Properties that end in `?` may be absent. Others than these may be there: they are part of what is hashed. */
const shape =
  (properties: Record<string, Shape>): Shape =>
  (value) =>
    isRecord(value) &&
    Object.entries(properties).every(([name, is]) =>
      name.endsWith('?') ? isAbsentOr(is)(value[name.slice(0, -1)]) : is(value[name]),
    );

const isAbsentOr =
  (is: Shape): Shape =>
  (value) =>
    value === undefined || is(value);

const list =
  (is: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(is);

const fileHash = shape({ sha256: isHash, bytes: isCount });

const preparationShape = shape({
  stated_by: (value) => value === 'sender',
  original: fileHash,
  removed_tags: list(shape({ page: isCount, text: isText })),
  emptied_form_boxes: isCount,
  drawn_values: isCount,
});

const evidenceShape = shape({
  format: (value) => value === 'esign-evidence',
  version: (value) => value === 1,
  transaction: shape({
    id: isText,
    name: isText,
    company: isText,
    service: isText,
    created_at: isTime,
    sent_at: isTimeOrNull,
    completed_at: isTimeOrNull,
  }),
  documents: list(
    shape({
      id: isText,
      name: isText,
      media_type: isText,
      pages: isCount,
      original: fileHash,
      'preparation?': preparationShape,
      content: fileHash,
      remarks: list(shape({ code: isText, 'page?': isNumber, 'what?': isText })),
    }),
  ),
  people: list(shape({ id: isText, name: isText, email: isText, role: isText, index: isNumber })),
  fields: list(
    shape({
      id: isText,
      document_id: isText,
      recipient_id: isText,
      type: isText,
      label: isText,
      page: isCount,
      x: isNumber,
      y: isNumber,
      width: isNumber,
      height: isNumber,
      'value?': isTextOrNull,
      'written?': isText,
      'picture_sha256?': isHash,
      'kind?': isText,
      'face?': isText,
    }),
  ),
  entries: list(
    shape({
      n: isCount,
      type: isText,
      at: isTime,
      person_id: isTextOrNull,
      details: isTexts,
      previous: isHash,
      hash: isHash,
    }),
  ),
  head: isHash,
});

const isEvidence = (value: unknown): value is Evidence =>
  evidenceShape(value) && areOnPages(value as EvidenceBase) && areDistinct((value as EvidenceBase).people);

/** Tells whether no two of them have one id. */
const areDistinct = (items: readonly { id: string }[]): boolean =>
  new Set(items.map(({ id }) => id)).size === items.length;

/** Tells whether each field is on a page that its document has. */
const areOnPages = ({ documents, fields }: EvidenceBase): boolean =>
  fields.every(({ document_id, page }) =>
    documents.every(({ id, pages }) => id !== document_id || page < pages),
  );
