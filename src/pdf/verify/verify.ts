// Opens the room of verifying: it exports what a command asks, and what it gets to show. Nothing outside of this room needs more of it.

export { VERIFY_LIMITS } from '../limits.ts';
export { readPdf } from '../read/read-pdf.ts';
export {
  type AlgorithmPolicy,
  ENDLESS_POLICY,
  ETSI_POLICY,
  hashNameOf,
  KNOWN_HASHES,
} from '../sign/algorithm-policy.ts';
export type { HashName } from '../sign/algorithms.ts';
export { type Certificate, readCertificates } from '../sign/certificate.ts';
export { isIssuedBy, unlimitedChecks } from '../sign/signed-by.ts';
export { readToken } from '../sign/timestamp.ts';
export { type EvidencePreparation, type EvidenceSigner, signersIn } from '../write/certificate/evidence.ts';
export { identificationInWords, preparationInWords } from '../write/certificate/words.ts';
export type { Trust, TrustAnchor } from './chain.ts';
export type { Change, ChangeKind, Permission } from './changes/diff-context.ts';
export { createObjectKinds } from './document-parts.ts';
export { type DynamicContent, type DynamicKind, dynamicContentOf } from './dynamic-content.ts';
export {
  effectOf,
  type Fault,
  type FaultCode,
  type FaultGroup,
  isOfGroup,
  type Judgement,
  judgementOf,
  type SignatureVerdict,
  SUB_INDICATIONS,
  type SubIndication,
} from './findings.ts';
export { LEVELS, type Level, type NotHigher } from './level.ts';
export {
  type EvidenceReport,
  evidenceOf,
  isOriginalOf,
  type OriginalMatch,
  valuesMissing,
} from './own-evidence.ts';
export { type ChangedText, changedTexts } from './rules/metadata.ts';
export { ruleNamed } from './rules/policy.ts';
export {
  judgeAppearance,
  mayHaveToCompare,
  versionsToCompare,
} from './rules/unchanged-appearance.ts';
export type { LaterSave } from './verify-pdf.ts';
export { type PdfReport, type SignatureReport, verifyPdf } from './verify-pdf.ts';
