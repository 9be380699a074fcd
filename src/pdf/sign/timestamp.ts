// Timestamps by RFC 3161: issued by a key that is here, or asked for elsewhere. An answer from elsewhere is hostile until it
// has been checked.

import { CONTENT, findSigner, readCms } from '../verify/cms.ts';
import { checkTokenSignature, readToken } from '../verify/timestamp.ts';
import { ENDLESS_POLICY } from './algorithm-policy.ts';
import { digestOf } from './algorithms.ts';
import { type Certificate, mayTimestamp } from './certificate.ts';
import { type CmsSigner, signCms } from './cms.ts';
import { OID } from './object-identifiers.ts';
import { contentOf, type Der, encoded, numberOf, readDer, sequenceOf } from './read-der.ts';
import { checksOfFile } from './signed-by.ts';
import { type DigestName, digestAlgorithm } from './signing-key.ts';
import { derInteger, generalizedTime, octets, oid, sequence, TRUE } from './write-der.ts';

export type TimestampFacts = {
  digest: DigestName;
  imprint: Uint8Array;
  serial: Uint8Array;
  policy: string;
  /** From the real clock: `2026-11-21T18:00:00.000Z`. */
  at: string;
  /** How far the clock may be off. */
  accuracySeconds: number;
  nonce?: Uint8Array;
};

/** @returns the token in DER */
export function issueTimestamp(signer: CmsSigner, facts: TimestampFacts): Promise<Uint8Array> {
  const info = sequence(
    derInteger(1),
    oid(facts.policy),
    sequence(digestAlgorithm(facts.digest), octets(facts.imprint)),
    derInteger(facts.serial),
    generalizedTime(facts.at),
    sequence(derInteger(facts.accuracySeconds)),
    ...(facts.nonce === undefined ? [] : [derInteger(facts.nonce)]),
  );
  const content = { type: OID.timestampInfo, bytes: info };
  return signCms(signer, { digest: digestOf(signer.key.digest, info), content });
}

// --- Asking elsewhere ---

export type TimestampRequest = {
  digest: DigestName;
  imprint: Uint8Array;
  nonce: Uint8Array;
  policy?: string;
};

/** TimeStampReq. It asks for the certificate as well: without that the token cannot be verified later. */
export const writeTimestampRequest = ({ digest, imprint, nonce, policy }: TimestampRequest): Uint8Array =>
  sequence(
    derInteger(1),
    sequence(digestAlgorithm(digest), octets(imprint)),
    ...(policy === undefined ? [] : [oid(policy)]),
    derInteger(nonce),
    TRUE,
  );

export type TimestampResponse =
  /** `time` in milliseconds since 1970. */
  | { ok: true; token: Uint8Array; time: number }
  /** Why the response was rejected; completes a sentence. */
  | { ok: false; why: string };

const no = (why: string): { ok: false; why: string } => ({ ok: false, why });

/** Checks everything that RFC 3161 §2.4.2 requires of a response, except whether its authority is trusted. */
export function readTimestampResponse(der: Uint8Array, request: TimestampRequest): TimestampResponse {
  const [status, token] = sequenceOf(readDer(Buffer.from(der))) ?? [];
  const [value, texts] = sequenceOf(status) ?? [];
  const code = numberOf(value);
  if (code === undefined) return no('its response is not a valid RFC 3161 response');
  // 0 is granted, 1 granted with changes.
  if (code !== 0 && code !== 1) return no(`it rejected the request (status ${code}${textIn(texts)})`);
  if (!token) return no('its response contains no timestamp');
  return checkResponse(encoded(token), request);
}

/** The text of an authority may be printed on a terminal, so only letters, digits and some punctuation are kept. */
function textIn(texts: Der | undefined): string {
  const [said] = sequenceOf(texts) ?? [];
  const plain =
    said &&
    contentOf(said)
      .toString('utf8')
      .replace(/[^\p{L}\p{N} .,:;()/-]/gu, '')
      .slice(0, 200);
  return plain ? `: ${plain}` : '';
}

function checkResponse(der: Buffer, request: TimestampRequest): TimestampResponse {
  const cms = readCms(der);
  if (!cms) return no('its timestamp cannot be read');
  if (cms.contentType !== CONTENT.timestamp) return no('its response does not contain a valid timestamp');
  const token = readToken(der);
  if (!token) return no('its timestamp cannot be read');
  const { hash, imprint, nonce, policy, time } = token;
  if (hash !== request.digest || !imprint.equals(request.imprint))
    return no('its timestamp is for other data');
  if (!nonce?.equals(derInteger(request.nonce))) return no('its timestamp answers another request');
  if (request.policy !== undefined && policy !== request.policy)
    return no(`its timestamp has the policy ${policy} instead of ${request.policy}`);
  const certificate = findSigner(cms, cms.certificates);
  if (!certificate) return no('its timestamp does not contain the signing certificate');
  if (!mayTimestamp(certificate)) return no('its certificate is not intended for timestamps');
  if (time < certificate.notBefore || time > certificate.notAfter)
    return no('its certificate was not valid at the time of the timestamp');
  if (
    checkTokenSignature(token, certificate, cms.certificates, {
      checks: checksOfFile(),
      policy: ENDLESS_POLICY,
      time,
    }).length > 0
  )
    return no('the signature of its timestamp is invalid');
  return { ok: true, token: der, time };
}

/** Who signed a token, and what certificates it brings along. */
export function signerOfToken(
  token: Uint8Array,
): { signer: Certificate; certificates: readonly Certificate[] } | undefined {
  const cms = readCms(Buffer.from(token));
  const signer = cms && findSigner(cms, cms.certificates);
  return signer && { signer, certificates: cms.certificates };
}
