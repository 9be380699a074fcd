// Collects the certificates that `esign verify` trusts: those given with --trust, the authority of this machine's sandbox, and the system's
// store. It must never create a store, and never trust a certificate because a document contains it.

import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { once } from '../../../common/once.ts';
import { readCertificates, type Trust, type TrustAnchor } from '../../../pdf/verify/verify.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { type FileReader, fileLabel } from '../../input/file-reader.ts';

/** `given` is tried first; `all` opens a database, and is called only if `given` does not suffice. */
export type Trusted = { given: Trust; all(): Promise<Trust> };

export async function trustOf(
  { connections }: Uses<'connections'>,
  paths: readonly string[],
  reader: FileReader,
): Promise<Trusted> {
  const anchors: TrustAnchor[] = [];
  for (const path of paths) {
    const certificates = readCertificates(await reader.read(path));
    if (certificates.length === 0) throw cliError('certificate_unreadable', { file: fileLabel(path) });
    anchors.push(...certificates.map((certificate) => ({ certificate, why: `--trust ${path}` })));
  }
  const all = once(async () => {
    const { certificates, importedAt } = await connections.sandboxRoots();
    const why =
      importedAt === undefined
        ? 'the sandbox of this machine'
        : `the sandbox of this machine, whose authority was imported from a file on ${importedAt}`;
    const ofSandbox = certificates
      .flatMap((root) => readCertificates(root))
      .map((certificate) => ({ certificate, why }));
    return { anchors: [...anchors, ...ofSandbox], ofSystem: once(anchorsOfSystem) };
  });
  return { given: anchors.length > 0 ? { anchors } : await all(), all };
}

/** Where systems keep them that Node does not ask: Debian, Red Hat, Alpine and macOS with Homebrew. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
  '/opt/homebrew/etc/ca-certificates/cert.pem',
];

function anchorsOfSystem(): TrustAnchor[] {
  const why = 'the certificate store of this system';
  return readCertificates(Buffer.from(pemOfSystem())).map((certificate) => ({ certificate, why }));
}

/** Only newer Nodes tell the system's certificates. */
function pemOfSystem(): string {
  const tell: unknown = Reflect.get(tls, 'getCACertificates');
  const told = typeof tell === 'function' ? (tell('system') as string[]) : [];
  if (told.length > 0) return told.join('\n');
  for (const bundle of BUNDLES)
    try {
      return readFileSync(bundle, 'latin1');
    } catch {
      // This system keeps them elsewhere.
    }
  return '';
}
