// Writes CMS signatures (RFC 5652) of seals and timestamps: one signer, signed attributes, DER. `cms.ts` reads such signatures.
import { digestOf } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import {
  context,
  type DerPart,
  derInteger,
  inOrder,
  NULL,
  OID,
  octets,
  oid,
  sequence,
  set,
  tagged,
} from './der.ts';
import { digestAlgorithm, type SigningKey } from './signing-key.ts';

type SignedContent = {
  /** The digest of the key made it of the data. */
  digest: Uint8Array;
  /** Some signatures carry the data itself, as timestamps do. */
  content?: { type: string; bytes: Uint8Array };
};

export type CmsSigner = {
  certificate: Certificate;
  key: SigningKey;
  /** The signing certificate goes along with those of its issuers. */
  certificates: readonly Uint8Array[];
};

/** Attributes such as a timestamp are made after the signature, of its value. */
type MakeUnsignedAttributes = (signature: Uint8Array) => Promise<readonly DerPart[]>;

/**
 * Signs, and writes a ContentInfo in DER.
 * @param makeUnsigned makes attributes of the signature, which does not cover them
 */
export async function signCms(
  signer: CmsSigner,
  { digest, content }: SignedContent,
  makeUnsigned: MakeUnsignedAttributes = async () => [],
): Promise<Uint8Array> {
  const { key, certificate } = signer;
  const attributes = inOrder([
    attribute(OID.contentType, oid(content?.type ?? OID.data)),
    attribute(OID.messageDigest, octets(digest)),
    attribute(OID.signingCertificateV2, signingCertificate(certificate)),
  ]);
  // What is signed has the tag of a SET; in the structure the same bytes stand behind [0] (RFC 5652 §5.4).
  const signature = await key.sign(set(...attributes));
  const more = await makeUnsigned(signature);
  const signerInfo = sequence(
    derInteger(1),
    sequence(certificate.issuer, certificate.serialNumber),
    digestAlgorithm(key.digest),
    context(0, ...attributes),
    signatureAlgorithm(key),
    octets(signature),
    ...(more.length > 0 ? [context(1, ...inOrder(more))] : []),
  );
  const signedData = sequence(
    derInteger(content === undefined ? 1 : 3),
    set(digestAlgorithm(key.digest)),
    content === undefined
      ? sequence(oid(OID.data))
      : sequence(oid(content.type), context(0, octets(content.bytes))),
    context(0, ...inOrder(signer.certificates)),
    set(signerInfo),
  );
  return sequence(oid(OID.signedData), context(0, signedData));
}

export const attribute = (type: string, ...values: DerPart[]): Buffer => sequence(oid(type), set(...values));

/** The digest is SHA-256, which is named by leaving it out (RFC 5035 §3). */
function signingCertificate({ der, issuer, serialNumber }: Certificate): Buffer {
  const issuerName = sequence(tagged(DIRECTORY_NAME, issuer));
  const certificateId = sequence(octets(digestOf('sha256', der)), sequence(issuerName, serialNumber));
  return sequence(sequence(certificateId));
}

const DIRECTORY_NAME = 0xa4;

/** RSA without PSS is named by the kind of key, because older readers expect that and not the digest again. */
const signatureAlgorithm = ({ algorithm }: SigningKey): Uint8Array =>
  Buffer.from(algorithm).equals(sequence(oid(OID.rsaSha256), NULL))
    ? sequence(oid(OID.rsa), NULL)
    : algorithm;
