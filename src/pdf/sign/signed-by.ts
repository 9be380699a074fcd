// Checks who signed a certificate, a list or an answer, within what is left for a file.

import { VERIFY_LIMITS } from '../limits.ts';
import { isSignedBy, type SignatureAlgorithm } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import { isSameName } from './certificate-names.ts';

/** What was found out about the keys with which certificates and lists are signed: each is asked about again and again. */
const checked = new WeakMap<object, Map<string, boolean>>();

/**
 * How much work with signatures is left for a file, about one for each signature that is checked. Below zero, something was not checked, and
 * nothing of what was found out may be relied on.
 */
export type Checks = { left: number };

/** For certificates that do not come from a file of others. */
export const unlimitedChecks = (): Checks => ({ left: Number.MAX_SAFE_INTEGER });

export const checksOfFile = (): Checks => ({ left: VERIFY_LIMITS.checks });

/** Takes the work from what is left. @returns whether there was so much */
export function spend(checks: Checks, work: number): boolean {
  checks.left -= work;
  return checks.left >= 0;
}

/** Says that something was not looked at, which could have changed what was found out. */
export function exhaust(checks: Checks): void {
  checks.left = -1;
}

/** A list of this size takes as long to hash as a signature takes to check. */
export const BYTES_OF_A_CHECK = 256 * 1024;

export type SignedStructure = {
  signed: Buffer;
  algorithm: SignatureAlgorithm | undefined;
  signature: Buffer;
};

/** Whether `issuer` signed the certificate, list or answer. */
export function isSignedWith(one: SignedStructure, issuer: Certificate, checks: Checks): boolean {
  const { key } = issuer;
  if (!key || !one.algorithm) return false;
  const known = checked.get(one) ?? new Map<string, boolean>();
  checked.set(one, known);
  const before = known.get(issuer.keySha256);
  if (before !== undefined) return before;
  if (!spend(checks, 1 + Math.floor(one.signed.length / BYTES_OF_A_CHECK))) return false;
  const answer = isSignedBy(key, one.algorithm, one.signed, one.signature);
  known.set(issuer.keySha256, answer);
  return answer;
}

/** Whether `issuer` signed `certificate`: by its name and by its key. */
export const isIssuedBy = (certificate: Certificate, issuer: Certificate, checks: Checks): boolean =>
  isSameName(certificate.issuer, issuer.subject) && isSignedWith(certificate, issuer, checks);
