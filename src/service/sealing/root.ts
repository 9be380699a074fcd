// Returns the root of the store's own authority, for people who want their programs to trust it.

import { X509Certificate } from 'node:crypto';
import { type Instant, instantOf } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import { readCertificate } from '../../pdf/sign/certificate.ts';
import { plainNameOf } from '../../pdf/sign/seal-chain.ts';
import { rootsIn } from './authority.ts';
import { type EmbeddedParts, ensureAuthority } from './embedded-sealing.ts';

/** @property pem the certificate that is described; earlier ones of the same root follow it */
export type Root = { name: string; pem: string; sha256: string; valid_from: Instant; valid_to: Instant };

export async function ensureRoot(parts: EmbeddedParts): Promise<Root> {
  const roots = rootsIn(await ensureAuthority(parts));
  const der = roots[0]!;
  const certificate = readCertificate(der)!;
  return {
    name: plainNameOf(certificate),
    pem: roots.map((root) => new X509Certificate(root).toString()).join(''),
    sha256: sha256Of(der),
    valid_from: instantOf(certificate.notBefore),
    valid_to: instantOf(certificate.notAfter),
  };
}
