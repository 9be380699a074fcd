// Checks who signed a certificate, a list or an answer, within the work that remains for a file.

import { VERIFY_LIMITS } from '../limits.ts';
import { isSignedBy, type SignatureAlgorithm } from './algorithms.ts';
import { type Certificate, isSameName } from './certificate.ts';

/** Each certificate, list or answer is asked about again and again: the answer is kept by the key that may have signed it. */
const answers = new WeakMap<object, Map<string, boolean>>();

/**
 * The work with signatures that remains for a file is about one for each signature that is checked. Below zero, something was not checked,
 * and no result may be relied on.
 */
export type Checks = { remaining: number };

/** Certificates that do not come from a file of others need no limit. */
export const unlimitedChecks = (): Checks => ({ remaining: Number.MAX_SAFE_INTEGER });

export const checksOfFile = (): Checks => ({ remaining: VERIFY_LIMITS.checks });

/** Takes work from what remains. @returns false if it was more */
export function spend(checks: Checks, work: number): boolean {
  checks.remaining -= work;
  return checks.remaining >= 0;
}

/** Records that something was not read which could have changed a result. */
export function exhaust(checks: Checks): void {
  checks.remaining = -1;
}

/** A list of this size takes as long to hash as a signature takes to check. */
export const BYTES_OF_A_CHECK = 256 * 1024;

export type SignedStructure = {
  signed: Buffer;
  algorithm: SignatureAlgorithm | undefined;
  signature: Buffer;
};

/** Tells whether `issuer` signed the certificate, list or answer. */
export function isSignedWith(structure: SignedStructure, issuer: Certificate, checks: Checks): boolean {
  const { key } = issuer;
  const { algorithm, signed, signature } = structure;
  if (!key || !algorithm) return false;
  const byKey = answers.get(structure) ?? new Map<string, boolean>();
  answers.set(structure, byKey);
  const stored = byKey.get(issuer.keySha256);
  if (stored !== undefined) return stored;
  if (!spend(checks, 1 + Math.floor(signed.length / BYTES_OF_A_CHECK))) return false;
  const answer = isSignedBy(key, algorithm, signed, signature);
  byKey.set(issuer.keySha256, answer);
  return answer;
}

/** Tells whether `issuer` signed `certificate`, by its name and by its key. */
export const isIssuedBy = (certificate: Certificate, issuer: Certificate, checks: Checks): boolean =>
  isSameName(certificate.issuer, issuer.subject) && isSignedWith(certificate, issuer, checks);
