// Returns the root of the store's own authority, for people who want their programs to trust it.
import { createHash, X509Certificate } from 'node:crypto';
import { type Instant, instantOf } from '../../api/contract/instant.ts';
import { readCertificate } from '../../pdf/signature/certificate.ts';
import { plainNameOf } from '../../pdf/signature/revocation.ts';
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
    sha256: createHash('sha256').update(der).digest('hex'),
    valid_from: instantOf(certificate.notBefore),
    valid_to: instantOf(certificate.notAfter),
  };
}
