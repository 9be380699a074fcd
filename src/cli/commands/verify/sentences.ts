// What findings say to a person: one sentence for each code, with the values it is about. It must never say more than was
// found, and every value in it may come from a hostile file.
import { instantOf } from '../../../common/instant.ts';
import type {
  Change,
  DynamicContent,
  DynamicKind,
  Fault,
  FaultCode,
  NotHigher,
  Permission,
} from '../../../pdf/verify/verify.ts';
import { escapedCharacter } from '../../terminal/safe-text.ts';
import type { VerifiedFile, VerifyRemark } from './verified-file.ts';

type SentenceFacts = Record<string, string>;

const moment = (ms: string | undefined): string => {
  const time = Number(ms);
  return Math.abs(time) < 8.64e15 ? instantOf(time).replace('.000Z', 'Z') : 'an unknown time';
};
const dayOf = (ms: string | undefined): string => moment(ms).slice(0, 10);
const quoted = (text: string | undefined): string => `"${text ?? ''}"`;
const onPage = ({ page }: SentenceFacts): string => (page === undefined ? '' : ` on page ${page}`);
const ofField = ({ field }: SentenceFacts): string =>
  field === undefined ? '' : ` of field ${quoted(field)}`;

const SENTENCES: Record<FaultCode, (facts: SentenceFacts) => string> = {
  byte_range_missing: () => 'The signature does not say which bytes it covers.',
  byte_range_malformed: () =>
    'The byte range of the signature is malformed, so it covers nothing that can be checked.',
  byte_range_gap: () => 'The signature excludes more of the file than its own value.',
  byte_range_end: () => 'The signature does not cover the file up to the end of a saved version.',
  contents_missing: () => 'The signature is empty.',
  contents_malformed: () => 'The space reserved for the signature contains other data as well.',
  signature_dictionary_doubtful: () =>
    'The signature of this file is ambiguous: programs can read it in different ways.',
  signed_part_unreadable: () => 'The part of the file that was signed refers to parts that were not.',
  format_unknown: ({ format }) =>
    `The signature has the format ${quoted(format)}, which esign cannot verify.`,
  cms_malformed: () => 'The value of the signature is malformed.',
  cms_signers: ({ signers }) => `The value of the signature has ${signers} signers; it must have one.`,
  cms_content_inside: () => 'The signature covers its own data, not this document.',
  attributes_missing: () =>
    'The signature does not name its certificate, as its format requires: another certificate for the same key could take its place.',
  attributes_wrong: () =>
    'The signature has no digest, or states that it covers something other than this document.',
  algorithm_unknown: () => 'The signature uses an algorithm that esign does not support.',
  algorithm_weak: ({ algorithm, since }) =>
    `The signature uses ${algorithm}, which is not safe since ${dayOf(since)}: a different document could have the same signature. Nothing proves that it was made before.`,
  key_weak: ({ algorithm, since }) =>
    `The key of the signature (${algorithm}) is not safe since ${dayOf(since)}. Nothing proves that it was used before.`,
  key_forgeable: ({ name }) =>
    `Signatures by the key of ${name === undefined ? 'the signature' : `the certificate ${quoted(name)}`} can be made without its private key, so that they prove nothing.`,
  digest_mismatch: () => 'The signed bytes were changed after signing.',
  signature_wrong: ({ isOverContent }) =>
    isOverContent === undefined
      ? 'The signature was not made with the key of the certificate.'
      : 'The signed bytes were changed after signing, or the signature was not made with the key of the certificate.',
  certificate_damaged: () => 'A certificate in the signature was changed.',
  signing_certificate_missing: () => 'The certificate of the signer is missing.',
  signing_certificate_mismatch: () => 'The signature names a different certificate than the one it contains.',
  untrusted: ({ name, top }) =>
    `The certificate ${quoted(name)} does not lead to a certificate authority that is trusted on this machine. The last issuer is ${quoted(top)}.`,
  certificate_not_yet_valid: ({ name, at }) =>
    `The certificate ${quoted(name)} is not valid before ${moment(at)}.`,
  certificate_expired: ({ name, at }) =>
    `The certificate ${quoted(name)} expired at ${moment(at)}, and nothing proves that it was used before.`,
  certificate_usage: ({ name }) => `The certificate ${quoted(name)} is not intended for this purpose.`,
  certificate_unknown_extension: ({ name, extension }) =>
    `The certificate ${quoted(name)} has a restriction that esign does not support (${extension}).`,
  certificate_weak: ({ name, algorithm, since }) =>
    `The certificate ${quoted(name)} relies on ${algorithm}, which is not safe since ${dayOf(since)}: another certificate may pass for it.`,
  certificate_revoked: ({ name, at }) =>
    `The certificate ${quoted(name)} was revoked at ${moment(at)}, and nothing proves that it was used before.`,
  authority_revoked: ({ name, at }) =>
    `The certificate authority ${quoted(name)} was revoked at ${moment(at)}, and nothing proves that it was used before.`,
  certificate_on_hold: ({ name, at }) =>
    `The certificate ${quoted(name)} has been on hold since ${moment(at)}: nothing in the file says whether it was revoked or released later.`,
  revocation_outdated: ({ name, at }) =>
    `The revocation data in the file covers the certificate ${quoted(name)} only until ${moment(at)}, and nothing proves that it was used before. Whether it was revoked later is not known yet.`,
  signed_before_issuance: ({ name, at }) =>
    `It is proven that the signature was made before its certificate ${quoted(name)} was issued (${moment(at)}).`,
  signed_after_expiry: ({ name, at }) =>
    `It is proven that the signature was made after its certificate ${quoted(name)} had expired (${moment(at)}).`,
  signed_after_revocation: ({ name, at }) =>
    `It is proven that the signature was made after its certificate ${quoted(name)} had been revoked (${moment(at)}).`,
  timestamp_malformed: () => 'The timestamp is malformed.',
  timestamp_mismatch: () => 'The timestamp covers other data.',
  timestamp_invalid: ({ why, ...facts }) =>
    `The timestamp of the signature proves no time. ${why === undefined ? '' : SENTENCES[why as FaultCode](facts)}`,
  timestamp_future: ({ at }) =>
    `The timestamp has a time at which it cannot have been made yet: ${moment(at)}.`,
  timestamp_before_issuance: ({ name, at }) =>
    `The timestamp has a time before its certificate ${quoted(name)} was issued (${moment(at)}).`,
  bytes_after: () => 'The signed part of the file is followed by bytes that belong to no object.',
  update_unreadable: () => 'The file was changed after this signature in a way that cannot be read reliably.',
  update_irregular: ({ part }) =>
    `The file was changed after this signature in a way that programs can read differently${part ? ` (${part})` : ''}.`,
  changed_content: (facts) =>
    `The content${onPage(facts) || ' of the document'} was changed after this signature${facts.part ? ` (${facts.part})` : ''}.`,
  changed_form: (facts) =>
    `The form${ofField(facts) ? ` field ${quoted(facts.field)}` : ''} was changed after this signature, which the signature does not allow.`,
  changed_annotations: (facts) =>
    `Annotations${onPage(facts)} were added, changed or removed after this signature, which the signature does not allow.`,
  changed_signatures: (facts) =>
    `A signature${ofField(facts)} was added, replaced or removed after this signature, which the signature does not allow.`,
  changed_locked_field: ({ field }) =>
    `The field ${quoted(field)}, which this signature locks, was changed afterwards.`,
  changed_structure: ({ part }) =>
    `The document was changed after this signature in a way that is not allowed${part ? ` (${part})` : ''}.`,
  validation_data_removed: () => 'Certificates or revocation data were removed after this signature.',
  overlay: (facts) =>
    `Something${ofField(facts)} that can cover the content was added or changed${onPage(facts)} after this signature.`,
  shown_differently: ({ page, medium }) =>
    page
      ? `Page ${page} ${medium === 'paper' ? 'is printed differently' : 'shows something else'} than when it was signed.`
      : 'The document has another number of pages than when it was signed.',
  not_compared: ({ limit }) =>
    `The pages could not be compared with those that were signed (${limit}). To verify without comparing them, add --no-render.`,
  level_too_low: ({ level, wanted }) =>
    `The signature reaches ${level ? `level ${level}` : 'no PAdES level'}; level ${wanted} is required.`,
  evidence_wrong: ({ entry }) =>
    entry === undefined
      ? 'The evidence in the file is damaged.'
      : `The evidence in the file was changed: entry ${entry} does not match the one before.`,
  evidence_of_another: () => 'The evidence in the file belongs to another document.',
  value_not_shown: ({ field }) =>
    `The value of the field ${quoted(field)} in the evidence is not on its page.`,
  original_differs: ({ file }) => `The signed document was not made from ${quoted(file)}.`,
  original_changed: ({ file }) =>
    `The signed document was made from a changed version of ${quoted(file)}, as the sender's program stated. Nothing proves that.`,
  too_many_signatures: () => 'The file has more form fields or signatures than esign can check.',
  too_complex: () =>
    'The file has more saves, certificates, revocation data or signatures than esign can check.',
  password_required: () =>
    'The file is encrypted. Its signatures cannot be checked without the password: give it with --password-file.',
  password_wrong: () => 'The file is encrypted, and the password does not open it.',
  encryption_unknown: () =>
    'The file is encrypted in a way that esign does not support, so its signatures cannot be checked.',
};

export const faultSentenceOf = ({ code, details = {} }: Fault): string => SENTENCES[code](details).trim();

/** What makes programs show a document differently; the place follows. */
const DYNAMIC: Record<DynamicKind, (action: string | undefined) => string> = {
  script: () => 'A script runs when the document is opened, shown or printed',
  action: (action) =>
    `An action of ${action === 'unknown' ? 'an unknown type' : `the type ${action}`} runs when the document is opened, shown or printed`,
  calculated_fields: () => 'The form has fields whose values scripts calculate',
  formatted_fields: () => 'The form has fields whose values scripts format',
  dynamic_form: () => 'The document has a dynamic form (XFA), which some programs show instead of its pages',
  external_content: () => 'The document has content that stands in another file',
  alternate_image: () => 'An image has alternates, which programs may show or print instead of it',
  postscript: () => 'The document has content in PostScript, which only some printers show',
  media: () => 'A 3D model or media starts when its page is opened or shown',
  layers: () =>
    'The document has layers that are shown or hidden by the program: on the screen or on paper, by zoom, language, user or an expression',
  paper_only: () => 'A field or an annotation is printed but not shown on the screen',
  portfolio: () => 'The document is a portfolio: some programs show its attached files instead of its pages',
  web_capture: () => 'The document has pages of websites (web capture), which programs may load again',
  not_searched: () =>
    'The document could not be searched completely for scripts and other content that programs show differently',
};

function dynamicInWords({ kind, action, page, object, more }: DynamicContent): string {
  const place = [
    ...(page === undefined ? [] : [`page ${page}`]),
    ...(object === undefined ? [] : [`object ${object}`]),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  const at = place.length === 0 ? '' : ` (${place.join(', ')})`;
  return `${DYNAMIC[kind](action)}${at}. What is shown depends on the program.`;
}

/** @param verdict of the file */
export function remarkInWords(remark: VerifyRemark, verdict: VerifiedFile['verdict']): string {
  if (remark.code === 'dynamic_content') return dynamicInWords(remark);
  if (remark.code === 'drawn_over_text' && remark.words.length === 0)
    return `A later signature covers part of a scan or a drawing on page ${remark.page} that was signed. Compare it with the signed version.`;
  if (remark.code === 'drawn_over_text')
    return `A later signature or a field that was filled in is drawn over text of page ${remark.page} that was signed, or directly beside a number: ${remark.words.map(quoted).join(', ')}. Compare it with the signed version.`;
  if (remark.code === 'value_shown_differently' && remark.isDrawn)
    return `The field ${quoted(remark.field)}, which was filled in with ${quoted(remark.value)}, shows lines, pictures or hidden letters on page ${remark.page} beside ${remark.shown === '' ? 'no text' : `the text ${quoted(remark.shown)}`}. Compare what it shows with its value.`;
  if (remark.code === 'value_shown_differently')
    return `The field ${quoted(remark.field)}, which was filled in, shows ${remark.shown === '' ? 'nothing' : quoted(remark.shown)} on page ${remark.page}, and its value is ${quoted(remark.value)}.`;
  if (remark.code === 'bytes_appended')
    return `Bytes were appended after the last signature (at byte ${remark.at}) that no reader shows.`;
  if (remark.code === 'metadata_changed') {
    const [before, after] = [remark.before, remark.after].map((text) =>
      text === '' ? 'none' : quoted(text),
    );
    return `A later save changed the ${remark.property} in the properties of the document, which viewers show beside it, from ${before} to ${after}.`;
  }
  const { part, at } = remark;
  // The bytes of an invalid file may not be those that were signed.
  const signed = verdict === 'invalid' ? 'Programs' : 'It was signed like this, but programs';
  return `The signed part is not written as the PDF standard requires (${part}, at byte ${at}). ${signed} may show it differently.`;
}

const NOT_HIGHER: Record<NotHigher, string> = {
  not_sound: 'the signature is invalid',
  not_trusted: 'the signature is not proven',
  not_pades: 'its format is older than PAdES',
  signing_time: 'it carries a signing time, which PAdES forbids',
  signing_certificate: 'it does not name its certificate',
  not_der: 'it is not encoded as PAdES requires',
  no_time: 'its dictionary has no time',
  certificate_entry: 'its dictionary has a certificate, which PAdES forbids',
  no_timestamp: 'no trusted timestamp proves when it was made',
  no_validation_data: 'the file has no revocation data',
  revocation_unknown: 'revocation data is missing for some certificates',
  no_document_timestamp: 'no document timestamp protects the revocation data',
};

export const notHigherInWords = (reasons: readonly NotHigher[]): string =>
  reasons.map((reason) => NOT_HIGHER[reason]).join('; ');

export const PERMISSIONS: Record<Exclude<Permission, 'approval'>, string> = {
  nothing: 'certifies the document; no changes are allowed',
  form: 'certifies the document; only filling in and signing are allowed',
  notes: 'certifies the document; filling in, signing and comments are allowed',
};

/** What was changed, without a verdict. */
export function changeInWords({ kind, field, page, before, after }: Change): string {
  switch (kind) {
    case 'validation_data':
      return 'certificates and revocation data were added';
    case 'timestamp':
      return 'a document timestamp was added';
    case 'signature':
      return `${quoted(field)} was signed`;
    case 'signature_field':
      return `the empty signature field ${quoted(field)} was added`;
    case 'metadata':
      return 'title, author or dates were changed';
    case 'form_filled':
      return `the field ${quoted(field)} was filled in: ${before ? `${quoted(before)} became ${quoted(after)}` : quoted(after)}`;
    case 'annotation':
      return `an annotation was added on page ${page}`;
    case 'content':
      return 'page content was changed';
  }
}

/** A word of a name: an initial, or letters of one alphabet, so that none passes for a letter of another one. */
const WORD =
  /^(?:\p{Lu}\.|[\p{Script=Latin}\p{M}]+(?:['’-][\p{Script=Latin}\p{M}]+)*|(?:(?!\p{Script=Latin})[\p{L}\p{M}])+(?:['’-](?:(?!\p{Script=Latin})[\p{L}\p{M}])+)*)$/u;
const SMALL_BEGINNING = /^\p{Ll}/u;
/** Words that begin small also in names of people. Others could go on with the sentence around the name. */
const PARTICLES = new Set(
  'af al bin da dal de del della den der di do dos du el ibn la le te ten ter van von zu zum zur'.split(' '),
);
const OF_SENTENCES = new Set(['and', 'on', 'by', 'at', 'not', 'was', 'is']);
const MOST_WORDS = 4;
const MOST_LETTERS = 40;

/** Marks that could be taken for the end of a quoted name, or of an address. */
const QUOTE_LIKE = /(?!["'’])[\p{Quotation_Mark}\u02ba\u02dd\u02ee\u02f6\u05f4\u2033\u2036\u3003]/gu;

/** What is not plainly a name is quoted: its sender chose it, and could make the line say more, or name another signer. */
export function nameInLine(name: string): string {
  if (isPlainlyName(name)) return name;
  return `"${name.replace(/["\\]/g, '\\$&').replace(QUOTE_LIKE, escapedCharacter)}"`;
}

function isPlainlyName(name: string): boolean {
  const words = name.split(' ');
  return (
    name.length <= MOST_LETTERS &&
    words.length <= MOST_WORDS &&
    words.every(
      (word) =>
        WORD.test(word) &&
        !OF_SENTENCES.has(word.toLowerCase()) &&
        (!SMALL_BEGINNING.test(word) || PARTICLES.has(word)),
    )
  );
}

/** A name in a certificate has at most this many letters (X.520). */
const MOST_SHOWN = 64;

/** Shortens a name so that the sentence stays short; the page shows the whole name as well. */
export function shortNameInLine(name: string): string {
  const characters = [...name];
  return nameInLine(characters.length <= MOST_SHOWN ? name : `${characters.slice(0, MOST_SHOWN).join('')}…`);
}
