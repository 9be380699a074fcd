// Reads the certificate authorities that the certificate of a service is checked against: Node's, and those of ESIGN_CA_CERT.
// The check cannot be turned off.
import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { type Environment, variable } from '../../config/environment.ts';
import { readFileUpTo, whyUnread } from '../../files/read-file.ts';
import { cliError } from '../command/errors.ts';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * @returns undefined when Node's own are all there are
 * @throws CliError with exit 2 when ESIGN_CA_CERT names no file of certificates
 */
export async function authoritiesOf(
  environment: Pick<Environment, 'variables' | 'workingDir'>,
): Promise<string[] | undefined> {
  const named = variable(environment.variables, 'ESIGN_CA_CERT');
  if (named === undefined) return undefined;
  const own = await certificatesIn(resolve(environment.workingDir, named), named);
  return [...(await authoritiesOfNode(environment)), ...own];
}

const HOW_TO_SET =
  'Set ESIGN_CA_CERT to a file with certificates in PEM format, for example of the certificate authority of your network.';

async function certificatesIn(file: string, named: string): Promise<string[]> {
  let text: string;
  try {
    text = textOf(file);
  } catch (error) {
    throw cliError('ca_cert_unreadable', {
      sentence: `The certificate file "${named}" (ESIGN_CA_CERT) cannot be read (${whyUnread(error)}).`,
      hint: HOW_TO_SET,
    });
  }
  const certificates = text.match(PEM) ?? [];
  if (certificates.length === 0 || !certificates.every(isCertificate))
    throw cliError('ca_cert_invalid', {
      sentence: `The certificate file "${named}" (ESIGN_CA_CERT) contains no valid certificate.`,
      hint: HOW_TO_SET,
    });
  return certificates;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

/** Lists Node's own authorities, because certificates that are given to TLS replace them. Only newer versions of Node list all. */
async function authoritiesOfNode({
  variables,
  workingDir,
}: Pick<Environment, 'variables' | 'workingDir'>): Promise<string[]> {
  const tls = await import('node:tls');
  const tell: unknown = Reflect.get(tls, 'getCACertificates');
  if (typeof tell === 'function') return tell('default') as string[];
  const extra = variable(variables, 'NODE_EXTRA_CA_CERTS');
  return [...tls.rootCertificates, ...(extra === undefined ? [] : extraIn(resolve(workingDir, extra)))];
}

/** Reads certificates. Like Node itself, it ignores a file that cannot be read. */
const extraIn = (file: string): string[] => (canRead(file) ? (textOf(file).match(PEM) ?? []) : []);

/** Whether a file of certificates can be read. */
export function canRead(file: string): boolean {
  try {
    textOf(file);
    return true;
  } catch {
    return false;
  }
}

/** The store of a large organization has some megabytes. */
const LONGEST_BYTES = 32 * 1024 * 1024;

const textOf = (file: string): string =>
  new TextDecoder('latin1').decode(readFileUpTo(file, { mostBytes: LONGEST_BYTES }));
