// The certificate authorities that a service's certificate is checked against: Node's, and those of ESIGN_CA_CERT.
// There is no way to have a certificate not checked.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Environment, variable } from '../../config/environment.ts';
import { cliError } from '../command/errors.ts';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * @returns undefined when Node's own are all there are
 * @throws CliError with exit 2 when ESIGN_CA_CERT names no file of certificates
 */
export async function authoritiesOf(environment: Environment): Promise<string[] | undefined> {
  const named = variable(environment.variables, 'ESIGN_CA_CERT');
  if (named === undefined) return undefined;
  const own = await certificatesIn(resolve(environment.workingDir, named), named);
  return [...(await authoritiesOfNode(environment)), ...own];
}

async function certificatesIn(file: string, named: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw cliError('ca_cert_unreadable', { file: named, reason: code ?? 'unknown' });
  }
  const found = text.match(PEM) ?? [];
  if (found.length === 0 || !found.every(isCertificate)) throw cliError('ca_cert_invalid', { file: named });
  return found;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

/** Certificates handed to TLS replace Node's own, so these go along. Only newer Nodes tell all of them. */
async function authoritiesOfNode({ variables, workingDir }: Environment): Promise<string[]> {
  const tls = await import('node:tls');
  const tell: unknown = Reflect.get(tls, 'getCACertificates');
  if (typeof tell === 'function') return tell('default') as string[];
  const extra = variable(variables, 'NODE_EXTRA_CA_CERTS');
  const text =
    extra === undefined ? '' : await readFile(resolve(workingDir, extra), 'latin1').catch(() => '');
  return [...tls.rootCertificates, ...(text.match(PEM) ?? [])];
}
