// Exports the functions that the rows of sealing measure, as one module.
export { createPrivateKey } from 'node:crypto';
export { sealPdf } from '../../src/pdf/sign/seal.ts';
export { certifyPdf, SEAL_FIELD } from '../../src/pdf/write/certificate/certify-pdf.ts';
export { stampPdf } from '../../src/pdf/write/stamp-pdf.ts';
export {
  issueSigner,
  makeAuthority,
  revocationListsOf,
  signerOf,
  timestampsOf,
} from '../../src/service/sealing/authority.ts';
export { trialEvidence } from '../../src/service/sealing/check-sealing.ts';
export { sealVerified } from '../../src/service/sealing/verified-seal.ts';
export { certificateContent, certificateParty } from '../support/documents/certificate.ts';
