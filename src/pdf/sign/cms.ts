// Writes the signatures of CMS (RFC 5652) that seals and timestamps consist of: one signer, signed attributes, DER.
import { digestOf } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import { OID } from './object-identifiers.ts';
import { digestAlgorithm, type SigningKey } from './signing-key.ts';
import {
  context,
  type DerPart,
  derInteger,
  inOrder,
  NULL,
  octets,
  oid,
  sequence,
  set,
  tagged,
} from './write-der.ts';

export type SignedContent = {
  /** Of what is signed, by the digest of the key. */
  digest: Uint8Array;
  /** What is signed, where the signature carries it itself. */
  content?: { type: string; bytes: Uint8Array };
};

export type CmsSigner = {
  certificate: Certificate;
  key: SigningKey;
  /** Those that go along: the signing one and its issuers. */
  certificates: readonly Uint8Array[];
};

/** What a timestamp of a signature is about: its value. */
export type MakeUnsignedAttributes = (signature: Uint8Array) => Promise<readonly DerPart[]>;

/**
 * @param unsigned made of the signature, and not covered by it
 * @returns ContentInfo in DER
 */
export async function signCms(
  signer: CmsSigner,
  { digest, content }: SignedContent,
  unsigned: MakeUnsignedAttributes = async () => [],
): Promise<Uint8Array> {
  const { key, certificate } = signer;
  const attributes = inOrder([
    attribute(OID.contentType, oid(content?.type ?? OID.data)),
    attribute(OID.messageDigest, octets(digest)),
    attribute(OID.signingCertificateV2, signingCertificate(certificate)),
  ]);
  // What is signed has the tag of a SET; in the structure the same bytes stand behind [0] (RFC 5652 §5.4).
  const signature = await key.sign(set(...attributes));
  const more = await unsigned(signature);
  const signerInfo = sequence(
    derInteger(1),
    sequence(certificate.issuer, certificate.serialNumber),
    digestAlgorithm(key.digest),
    context(0, ...attributes),
    withParameters(key),
    octets(signature),
    ...(more.length > 0 ? [context(1, ...inOrder(more))] : []),
  );
  return contentInfo(
    sequence(
      derInteger(content === undefined ? 1 : 3),
      set(digestAlgorithm(key.digest)),
      content === undefined
        ? sequence(oid(OID.data))
        : sequence(oid(content.type), context(0, octets(content.bytes))),
      context(0, ...inOrder(signer.certificates)),
      set(signerInfo),
    ),
  );
}

const contentInfo = (signedData: DerPart): Buffer => sequence(oid(OID.signedData), context(0, signedData));

export const attribute = (type: string, ...values: DerPart[]): Buffer => sequence(oid(type), set(...values));

/** The digest is SHA-256, which is named by leaving it out (RFC 5035 §3). */
function signingCertificate({ der, issuer, serialNumber }: Certificate): Buffer {
  const issuerName = sequence(tagged(DIRECTORY_NAME, issuer));
  const one = sequence(octets(digestOf('sha256', der)), sequence(issuerName, serialNumber));
  return sequence(sequence(one));
}

const DIRECTORY_NAME = 0xa4;

/** RSA without PSS is named as the kind of key: older readers expect that, and not the digest again. */
const withParameters = ({ algorithm }: SigningKey): Uint8Array =>
  Buffer.from(algorithm).equals(sequence(oid(OID.rsaSha256), NULL))
    ? sequence(oid(OID.rsa), NULL)
    : algorithm;
