// Reads the certificates and revocation data of a document (/DSS, ISO 32000-2, 12.8.4.3). They must never be trusted as such: any later
// save can write them, so that each is checked against its issuer.
import { VERIFY_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../syntax/read-pdf.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { type Crl, type Ocsp, type Revocations, readCrl, readOcsp } from './revocation.ts';

export type StoredValidationData = { isThere: boolean; certificates: Certificate[] } & {
  crls: Crl[];
  ocsps: Ocsp[];
};

export function validationDataOf(view: PdfView): StoredValidationData {
  const store = view.dict(view.dict(view.root)?.get('DSS'));
  const streams = (key: string): Buffer[] =>
    (view.array(store?.get(key)) ?? [])
      .slice(0, VERIFY_LIMITS.validationData)
      .flatMap((item) => view.data(item) ?? []);
  return {
    isThere: store !== undefined,
    certificates: streams('Certs').flatMap((bytes) => readCertificate(bytes) ?? []),
    crls: streams('CRLs').flatMap((bytes) => readCrl(bytes) ?? []),
    ocsps: streams('OCSPs').flatMap((bytes) => readOcsp(bytes) ?? []),
  };
}

/** What a document and a signature bring along together. */
export const revocationsOf = (
  { crls, ocsps }: Revocations,
  own: { crls: Buffer[]; ocsps: Buffer[] },
): Revocations => ({
  crls: [...crls, ...own.crls.flatMap((bytes) => readCrl(bytes) ?? [])],
  ocsps: [...ocsps, ...own.ocsps.flatMap((bytes) => readOcsp(bytes) ?? [])],
});
