// The root of the store's own authority, as somebody needs it who wants their programs to trust it.
import { createHash, X509Certificate } from 'node:crypto';
import { type Instant, later } from '../../api/contract/instant.ts';
import { readCertificate } from '../../pdf/signature/certificate-facts.ts';
import { commonNameIn } from '../../pdf/signature/revocation.ts';
import { authorityOf, type EmbeddedParts } from './embedded-sealing.ts';

export type Root = { name: string; pem: string; sha256: string; valid_from: Instant; valid_to: Instant };

export async function rootOf(parts: EmbeddedParts): Promise<Root> {
  const { root } = await authorityOf(parts);
  const der = Buffer.from(root.certificate, 'base64');
  const { subject, validFrom, validTo } = readCertificate(der)!;
  return {
    name: commonNameIn(subject),
    pem: new X509Certificate(der).toString(),
    sha256: createHash('sha256').update(der).digest('hex'),
    valid_from: later(validFrom, 0),
    valid_to: later(validTo, 0),
  };
}
