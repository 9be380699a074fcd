// The report on a file as `--json` prints it. Its shape is documented with the command and must never lose a property.
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

export const fileAsJson = (file: VerifiedFile, accepted = file.verdict === 'valid') => {
  const { path, verdict, signatures, emptyFields, evidence, original, faults, rendering, remarks } = file;
  return {
    file: path,
    verdict,
    ...decisionAsJson(file),
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
      message: remarkInWords(remark),
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
    signed_at: instantOrNull(proven?.time),
    proven_by: proven?.by ?? null,
    claimed_at: instantOrNull(claims.time),
    trusted_because: chain?.anchor?.why ?? null,
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
