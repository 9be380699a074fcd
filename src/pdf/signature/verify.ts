// The way in to verifying: what a command asks, and what it gets to show. Nothing outside of this room needs more of it.

export { type EvidencePreparation, type EvidenceSigner, signersIn } from '../certificate/evidence.ts';
export { identificationInWords, preparationInWords } from '../certificate/words.ts';
export { VERIFY_LIMITS } from '../limits.ts';
export { readPdf } from '../syntax/read-pdf.ts';
export {
  type AlgorithmPolicy,
  ENDLESS_POLICY,
  ETSI_POLICY,
  hashNameOf,
  KNOWN_HASHES,
} from './algorithm-policy.ts';
export type { HashName } from './algorithms.ts';
export { type Certificate, readCertificates } from './certificate.ts';
export { isIssuedBy, unlimitedChecks } from './signed-by.ts';
export type { Trust, TrustAnchor } from './verify/chain.ts';
export type { Change, ChangeKind, Permission } from './verify/changes/diff-context.ts';
export { type ChangedText, changedTexts } from './verify/document-texts.ts';
export { type DynamicContent, type DynamicKind, dynamicContentOf } from './verify/dynamic-content.ts';
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
} from './verify/findings.ts';
export type { LaterSave } from './verify/later-saves.ts';
export { LEVELS, type Level, type NotHigher } from './verify/level.ts';
export { createObjectKinds } from './verify/object-kind.ts';
export {
  type EvidenceReport,
  evidenceOf,
  isOriginalOf,
  type OriginalMatch,
  valuesMissing,
} from './verify/own-evidence.ts';
export { ruleNamed } from './verify/rules/policy.ts';
export {
  judgeAppearance,
  mayHaveToCompare,
  versionsToCompare,
} from './verify/rules/unchanged-appearance.ts';
export { readToken } from './verify/timestamp.ts';
export { type PdfReport, type SignatureReport, verifyPdf } from './verify/verify-pdf.ts';
