// Reads the certificates and revocation data of a document (/DSS, ISO 32000-2, 12.8.4.3). Any later save can write them, so that each is checked against its
// issuer and none is trusted as such.

import { VERIFY_LIMITS } from '../limits.ts';
import type { PdfView } from '../read/read-pdf.ts';
import { PdfStream, Ref, type Value } from '../read/values.ts';
import { type Certificate, readCertificate } from '../sign/certificate.ts';
import { type Crl, type Ocsp, readCrl, readOcsp } from '../sign/revocation-data.ts';
import type { Revocations } from '../sign/revocation-status.ts';

export type StoredValidationData = { isThere: boolean; certificates: Certificate[] } & {
  crls: Crl[];
  ocsps: Ocsp[];
  /** Tells whether there is more than is read. What is not read may say that a certificate was revoked. */
  isCut: boolean;
};

export function validationDataOf(view: PdfView): StoredValidationData {
  const store = view.dict(view.dict(view.root)?.get('DSS'));
  // It may have data by signature as well (VRI), under names in the singular.
  const ofSignatures = [...(view.dict(store?.get('VRI'))?.values() ?? [])].map((item) => view.dict(item));
  const itemsOf = (key: string): Value[] =>
    [store?.get(key), ...ofSignatures.map((ofSignature) => ofSignature?.get(key.slice(0, -1)))].flatMap(
      (list) => view.array(list) ?? [],
    );
  const items = new Map(['Certs', 'CRLs', 'OCSPs'].map((key) => [key, eachOnce(itemsOf(key))]));
  const allOf = <T>(key: string, read: (bytes: Buffer) => T | undefined): T[] =>
    (items.get(key) ?? [])
      .slice(0, VERIFY_LIMITS.validationData)
      .flatMap((item) => readOnce(view, item, read) ?? []);
  const isLong = [...items.values()].some(({ length }) => length > VERIFY_LIMITS.validationData);
  return {
    isThere: store !== undefined,
    isCut: isLong,
    certificates: allOf('Certs', readCertificate),
    // Each may stand in the list of the other kind.
    crls: ['CRLs', 'OCSPs'].flatMap((key) => allOf(key, readCrl)),
    ocsps: ['OCSPs', 'CRLs'].flatMap((key) => allOf(key, readOcsp)),
  };
}

const resultsOfStreams = new WeakMap<PdfStream, Map<unknown, unknown>>();

/** Reads a stream that stands in several versions of the file once. */
function readOnce<T>(view: PdfView, item: Value, read: (bytes: Buffer) => T | undefined): T | undefined {
  const stream = view.resolve(item);
  if (!(stream instanceof PdfStream)) return undefined;
  const results = resultsOfStreams.get(stream) ?? new Map<unknown, unknown>();
  resultsOfStreams.set(stream, results);
  if (!results.has(read)) {
    const data = view.data(stream);
    results.set(read, data && read(data));
  }
  return results.get(read) as T | undefined;
}

/**
 * Joins what several versions of a file store. What a signature covers comes first: a later save adds as much as it likes, and only so
 * much is read.
 */
export function joinedData(stores: readonly StoredValidationData[]): StoredValidationData {
  const joined = <T>(of: (store: StoredValidationData) => T[]): T[] => [...new Set(stores.flatMap(of))];
  return {
    isThere: stores.at(-1)?.isThere === true,
    isCut: stores.some(({ isCut }) => isCut),
    certificates: joined(({ certificates }) => certificates),
    crls: joined(({ crls }) => crls),
    ocsps: joined(({ ocsps }) => ocsps),
  };
}

/** Drops objects that are named again. */
const eachOnce = (items: Value[]): Value[] => [
  ...new Map(
    items.map((item) => [item instanceof Ref ? `${item.number} ${item.generation}` : item, item]),
  ).values(),
];

/** Adds what all signatures and their timestamps bring along: each may say that a certificate of another was revoked. */
export function pooledData(
  stored: StoredValidationData,
  all: readonly (AttachedRevocations & { certificates: Certificate[] })[],
  bounds: Pick<Revocations, 'checks' | 'policy'>,
): Revocations {
  const pooled = all.reduce<Revocations>((before, attached) => revocationsOf(before, attached), {
    ...stored,
    ...bounds,
  });
  return {
    ...pooled,
    certificates: [...stored.certificates, ...all.flatMap(({ certificates }) => certificates)],
  };
}

type AttachedRevocations = { crls: Buffer[]; ocsps: Buffer[] };
const attachedRead = new WeakMap<AttachedRevocations, Pick<Revocations, 'crls' | 'ocsps'>>();

/** Joins what a document and a signature bring along. That of the signature is read once, however often it is asked for. */
export function revocationsOf(
  { crls, ocsps, ...others }: Revocations,
  attached: AttachedRevocations,
): Revocations {
  const read = attachedRead.get(attached) ?? {
    crls: attached.crls.flatMap((bytes) => readCrl(bytes) ?? []),
    ocsps: attached.ocsps.flatMap((bytes) => readOcsp(bytes) ?? []),
  };
  attachedRead.set(attached, read);
  return { crls: [...crls, ...read.crls], ocsps: [...ocsps, ...read.ocsps], ...others };
}
