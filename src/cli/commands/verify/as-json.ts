// The report on a file as `--json` prints it, and its schema, which must never lose a property.
import { instantOf } from '../../../common/instant.ts';
import {
  type Change,
  effectOf,
  type Fault,
  judgementOf,
  type SignatureReport,
  type SignatureVerdict,
} from '../../../pdf/verify/verify.ts';
import { type EvidencePreparation, signersIn } from '../../../pdf/write/certificate/evidence.ts';
import {
  boolean,
  described,
  list,
  nameOnly,
  nullable,
  number,
  object,
  only,
  text,
} from '../../command/json-output.ts';
import { PREPARATION } from '../../command/transaction-json.ts';
import { faultSentenceOf, remarkInWords } from './sentences.ts';
import {
  answersOf,
  decisionOn,
  sealIn,
  unchangedIn,
  type Verdict,
  type VerifiedFile,
} from './verified-file.ts';

/** Times that no calendar has come from hostile files. */
export const instantOrNull = (ms: number | undefined): string | null =>
  ms === undefined || Math.abs(ms) > 8.64e15 ? null : instantOf(ms);

/** The words of EN 319 102-1. */
const INDICATIONS: Record<SignatureVerdict, string> = {
  valid: 'TOTAL-PASSED',
  indeterminate: 'INDETERMINATE',
  invalid: 'TOTAL-FAILED',
};

const isOfSignatures = (verdict: Verdict): verdict is SignatureVerdict => Object.hasOwn(INDICATIONS, verdict);

/** What decides on a file with signatures. */
export function decisionAsJson(file: VerifiedFile) {
  const { verdict, signatures, faults } = file;
  if (!isOfSignatures(verdict))
    return { indication: null, sub_indication: null, decided_by: null, unchanged: null };
  const { subIndication, signature } = decisionOn(file);
  return {
    indication: INDICATIONS[verdict],
    sub_indication: subIndication ?? null,
    decided_by: signature?.field ?? null,
    unchanged: unchangedIn(signatures, faults),
  };
}

/** Verdicts for which nothing in the file is at fault. */
const WITHOUT_FAULT: Partial<Record<VerifiedFile['verdict'], string>> = {
  unsigned: 'The file has no signature.',
  damaged: 'The structure of the file cannot be read.',
  not_a_pdf: 'The file is not a PDF.',
};

export function whyNotValid(file: VerifiedFile): string | null {
  const { fault } = decisionOn(file);
  return fault ? faultSentenceOf(fault) : (WITHOUT_FAULT[file.verdict] ?? null);
}

export const fileAsJson = (file: VerifiedFile, accepted = file.verdict === 'valid') => {
  const { path, verdict, signatures, emptyFields, evidence, original, faults, rendering, remarks } = file;
  return {
    file: path,
    verdict,
    ...decisionAsJson(file),
    why: whyNotValid(file),
    accepted,
    signatures: signatures.map(signatureAsJson),
    empty_fields: emptyFields,
    evidence: evidence?.evidence
      ? {
          transaction: {
            id: evidence.evidence.transaction.id,
            name: evidence.evidence.transaction.name,
            completed_at: evidence.evidence.transaction.completed_at,
          },
          document: evidence.document ? { id: evidence.document.id, name: evidence.document.name } : null,
          original_sha256: evidence.document?.original.sha256 ?? null,
          content_sha256: evidence.document?.content.sha256 ?? null,
          preparation: preparationAsJson(evidence.document?.preparation),
          recorded_by: sealIn(signatures)?.signer?.name ?? null,
          // Evidence is worth what the seal over it is worth.
          signers: verdict === 'valid' ? signersIn(evidence.evidence) : [],
          entries: evidence.evidence.entries.length,
          head: evidence.evidence.head,
        }
      : null,
    original: original ?? null,
    rendering: rendering.state,
    pages_compared: rendering.state === 'compared' ? rendering.pages : null,
    remarks: remarks.map((remark) => ({
      code: remark.code,
      message: remarkInWords(remark, verdict),
      kind: 'kind' in remark ? remark.kind : null,
      page: ('page' in remark ? remark.page : null) ?? null,
      object: ('object' in remark ? remark.object : null) ?? null,
      offset: 'at' in remark ? remark.at : null,
    })),
    faults: faults.map(faultAsJson),
  };
};

function signatureAsJson(signature: SignatureReport) {
  const { signer, claims, covers, chain, proven } = signature;
  const { verdict, subIndication } = judgementOf(signature.faults);
  const { isSignerProven, isTimeProven } = answersOf(signature);
  const time = isTimeProven ? proven : undefined;
  return {
    kind: signature.kind,
    field: signature.field,
    valid: verdict === 'valid',
    verdict,
    indication: INDICATIONS[verdict],
    sub_indication: subIndication ?? null,
    answers: answersAsJson(signature),
    signer: signer
      ? {
          name: signer.name,
          subject: signer.subjectName,
          issuer: signer.issuerName,
          serial: signer.serial,
          sha256: signer.sha256,
          valid_from: instantOrNull(signer.notBefore),
          valid_to: instantOrNull(signer.notAfter),
        }
      : null,
    algorithm: signature.algorithm ?? null,
    format: claims.subFilter,
    signed_at: instantOrNull(time?.time),
    proven_by: time?.by ?? null,
    claimed_at: instantOrNull(claims.time),
    trusted_because: isSignerProven ? (chain?.anchor?.why ?? null) : null,
    level: signature.level ?? null,
    not_higher: signature.notHigher,
    certification: signature.certification ?? null,
    reason: claims.reason ?? null,
    location: claims.location ?? null,
    covers: covers
      ? {
          end: covers.end,
          gap_start: covers.gap.start,
          gap_end: covers.gap.end,
          whole_file: covers.isWholeFile,
        }
      : null,
    object: signature.object ?? null,
    revocation_unknown: (chain?.unchecked ?? []).map(({ name }) => name),
    changes: signature.changes.map(changeAsJson),
    later_saves: signature.laterSaves.map(({ number, field, changes }) => ({
      version: number,
      signature_field: field ?? null,
      changes: changes.map(changeAsJson),
    })),
    faults: signature.faults.map(faultAsJson),
  };
}

function answersAsJson(signature: SignatureReport) {
  const { signer, claims, chain, proven } = signature;
  const { unchanged, added, isSignerProven, isTimeProven } = answersOf(signature);
  return {
    integrity: { unchanged, added },
    identity: {
      name: signer?.name ?? null,
      proven: isSignerProven,
      anchor: isSignerProven ? (chain?.anchor?.certificate.name ?? null) : null,
      trusted_because: isSignerProven ? (chain?.anchor?.why ?? null) : null,
    },
    time: {
      at: instantOrNull(isTimeProven ? proven?.time : claims.time),
      proven: isTimeProven,
      by: isTimeProven ? (proven?.by ?? null) : null,
    },
  };
}

const changeAsJson = ({ kind, field, page, before, after, objects }: Change) => ({
  kind,
  field: field ?? null,
  page: page ?? null,
  before: before ?? null,
  after: after ?? null,
  objects,
});

const faultAsJson = (fault: Fault) => ({
  code: fault.code,
  verdict: effectOf(fault).verdict,
  sub_indication: effectOf(fault).subIndication,
  message: faultSentenceOf(fault),
  rule: fault.rule ?? null,
  object: fault.object ?? null,
  offset: fault.at ?? null,
});

/** Only the properties that are known: evidence can have others. */
function preparationAsJson(preparation: EvidencePreparation | undefined) {
  if (!preparation) return null;
  const { stated_by, original, removed_tags, emptied_form_boxes, drawn_values } = preparation;
  return {
    stated_by,
    original: { sha256: original.sha256, bytes: original.bytes },
    removed_tags: removed_tags.map(({ page, text }) => ({ page, text })),
    emptied_form_boxes,
    drawn_values,
  };
}

// ── its schema ────────────────────────────────────────────────────────────────────────────────────────────────────

const VERDICT = nameOnly(only('valid', 'indeterminate', 'invalid'));

const UNCHANGED = nameOnly(only('yes', 'no', 'unknown'));

const SUB_INDICATION = described(
  nullable(text),
  'The reason of the indication in the words of EN 319 102-1, such as HASH_FAILURE.',
);

const FAULT = object({
  code: text,
  verdict: VERDICT,
  sub_indication: text,
  message: text,
  rule: described(
    nullable(text),
    'The name of the rule that does not allow what was saved after a signature; null where the fault is about something else. docs/verify.md lists the rules, and --explain says what each allows.',
  ),
  object: nullable(number),
  offset: nullable(number),
});

const CHANGE = object({
  kind: text,
  field: nullable(text),
  page: nullable(number),
  before: nullable(text),
  after: nullable(text),
  objects: nameOnly(list(number)),
});

const ANSWERS = object({
  integrity: object({ unchanged: UNCHANGED, added: nameOnly(list(text)) }),
  identity: described(
    object({
      name: nullable(text),
      proven: boolean,
      anchor: nullable(text),
      trusted_because: nullable(text),
    }),
    'Who signed: proven by the trusted authority anchor, and otherwise what the signer states.',
  ),
  time: described(
    object({ at: nullable(text), proven: boolean, by: nullable(text) }),
    'When it was signed: proven by the timestamp of by, and otherwise what the signer states.',
  ),
});

const SIGNATURE = object({
  kind: nameOnly(only('signature', 'timestamp')),
  field: text,
  valid: boolean,
  verdict: VERDICT,
  indication: text,
  sub_indication: SUB_INDICATION,
  answers: ANSWERS,
  signer: nullable(
    object({
      name: text,
      subject: text,
      issuer: text,
      serial: text,
      sha256: text,
      valid_from: nullable(text),
      valid_to: nullable(text),
    }),
  ),
  algorithm: nullable(text),
  format: text,
  signed_at: described(nullable(text), 'The time that a timestamp proves; null where none does.'),
  proven_by: described(nullable(text), 'Whose timestamp proves signed_at.'),
  claimed_at: nullable(text),
  trusted_because: described(
    nullable(text),
    'Where the authority that proves who signed is trusted; null where nothing proves it.',
  ),
  level: nameOnly(only('B', 'T', 'LT', 'LTA', null)),
  not_higher: nameOnly(list(text)),
  certification: nameOnly(only('nothing', 'form', 'notes', 'approval', null)),
  reason: nullable(text),
  location: nullable(text),
  covers: nullable(object({ end: number, gap_start: number, gap_end: number, whole_file: boolean })),
  object: nullable(number),
  revocation_unknown: described(
    nameOnly(list(text)),
    'The names of certificates without revocation data. They lower the level but not the verdict.',
  ),
  changes: list(CHANGE),
  later_saves: described(
    list(
      object({
        version: number,
        signature_field: described(
          nullable(text),
          'The field of the signature or timestamp made with that save; null if there is none.',
        ),
        changes: nameOnly(list(CHANGE)),
      }),
    ),
    'The versions of the file saved after the signature.',
  ),
  faults: list(FAULT),
});

const EVIDENCE = object({
  transaction: object({ id: text, name: text, completed_at: nullable(text) }),
  document: nullable(object({ id: text, name: text })),
  original_sha256: nullable(text),
  content_sha256: nullable(text),
  preparation: nullable(PREPARATION),
  recorded_by: described(
    nullable(text),
    'The name in the certificate of the seal over the evidence, which anyone with a trusted certificate can make.',
  ),
  signers: described(
    list(
      object({
        name: text,
        email: text,
        role: text,
        signed_at: text,
        identified_by: described(
          nameOnly(only('emailed_link', 'mailbox_link', 'dashboard_link', 'signing_link', 'sandbox_command')),
          'emailed_link is the link of an email that a mail server took, mailbox_link the link of an email that was opened from the mailbox of the service, dashboard_link a link that the dashboard showed to a user, and signing_link a link without a record of how the person got it.',
        ),
      }),
    ),
    'The people who signed according to the evidence; none unless the file is valid.',
  ),
  entries: described(number, 'The number of entries in the audit trail.'),
  head: described(text, 'The hash of the last entry in the audit trail.'),
});

const REMARK = object({
  code: described(
    text,
    'signed_part_irregular: a signed part that is not written as the PDF standard requires; bytes_appended: bytes after the last signature that no reader shows; metadata_changed: another title or author in the properties of the document than when it was signed; drawn_over_text: a later signature or filled field that is drawn over text, a scan or a drawing of the signed version; value_shown_differently: a filled text field that shows something other than its value; dynamic_content: what programs show differently without a click.',
  ),
  kind: described(
    nullable(text),
    'Of dynamic_content: script, action, calculated_fields, formatted_fields, dynamic_form (XFA), external_content, alternate_image, postscript, media, layers, paper_only, portfolio, web_capture, or not_searched (the document could not be searched completely). Null for other remarks.',
  ),
  message: text,
  page: nullable(number),
  object: nullable(number),
  offset: described(nullable(number), 'Where the bytes of bytes_appended begin.'),
});

export const FILE_SCHEMA = object({
  file: text,
  verdict: described(
    nameOnly(only('valid', 'indeterminate', 'invalid', 'unsigned', 'damaged', 'encrypted', 'not_a_pdf')),
    'The verdict of a signature or fault is valid, indeterminate or invalid.',
  ),
  indication: described(
    nullable(text),
    'The verdict in the words of EN 319 102-1: TOTAL-PASSED, INDETERMINATE or TOTAL-FAILED; null for the other verdicts.',
  ),
  sub_indication: SUB_INDICATION,
  decided_by: described(nullable(text), 'The field of the signature that decides; null if none does.'),
  unchanged: nameOnly(nullable(UNCHANGED)),
  why: described(nullable(text), 'Why the verdict is not valid, in a sentence; null where it is.'),
  accepted: described(boolean, 'Whether the file passes with --accept and --require.'),
  signatures: list(SIGNATURE),
  empty_fields: nameOnly(list(text)),
  evidence: nullable(EVIDENCE),
  original: nameOnly(only('yes', 'no', 'of_another_document', 'changed_by_sender', null)),
  rendering: described(
    nameOnly(only('compared', 'skipped', 'not_needed')),
    'skipped: with --no-render; not_needed: a signature is invalid anyway, or nothing that a page draws was saved after a signature.',
  ),
  pages_compared: described(
    nullable(number),
    'The number of pages whose look was compared with that of the signed versions.',
  ),
  remarks: described(list(REMARK), 'What does not change the verdict.'),
  faults: list(FAULT),
});
