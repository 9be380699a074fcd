// Reads the certificates and revocation data of a document (/DSS, ISO 32000-2, 12.8.4.3). They must never be trusted as such: any later
// save can write them, so that each is checked against its issuer.
import { VERIFY_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../syntax/read-pdf.ts';
import { Ref, type Value } from '../../syntax/values.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { type Crl, type Ocsp, type Revocations, readCrl, readOcsp } from './revocation.ts';

export type StoredValidationData = { isThere: boolean; certificates: Certificate[] } & {
  crls: Crl[];
  ocsps: Ocsp[];
};

export function validationDataOf(view: PdfView): StoredValidationData {
  const store = view.dict(view.dict(view.root)?.get('DSS'));
  const streams = (key: string): Buffer[] =>
    eachOnce(view.array(store?.get(key)) ?? [])
      .slice(0, VERIFY_LIMITS.validationData)
      .flatMap((item) => view.data(item) ?? []);
  return {
    isThere: store !== undefined,
    certificates: streams('Certs').flatMap((bytes) => readCertificate(bytes) ?? []),
    crls: streams('CRLs').flatMap((bytes) => readCrl(bytes) ?? []),
    ocsps: streams('OCSPs').flatMap((bytes) => readOcsp(bytes) ?? []),
  };
}

/** Without objects that are named again. */
const eachOnce = (items: Value[]): Value[] => [
  ...new Map(items.map((item) => [item instanceof Ref ? item.number : item, item])).values(),
];

type OwnRevocations = { crls: Buffer[]; ocsps: Buffer[] };
const ownRead = new WeakMap<OwnRevocations, Pick<Revocations, 'crls' | 'ocsps'>>();

/** What a document and a signature bring along together. That of the signature is read once, however often it is asked for. */
export function revocationsOf({ crls, ocsps, certificates }: Revocations, own: OwnRevocations): Revocations {
  const read = ownRead.get(own) ?? {
    crls: own.crls.flatMap((bytes) => readCrl(bytes) ?? []),
    ocsps: own.ocsps.flatMap((bytes) => readOcsp(bytes) ?? []),
  };
  ownRead.set(own, read);
  return { crls: [...crls, ...read.crls], ocsps: [...ocsps, ...read.ocsps], certificates };
}
