// Makes TLS certificates for test servers with openssl, and the authority that issued them, for one test file.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ServerCertificate = { cert: string; key: string };

export type ServerAuthority = {
  pem: string;
  /** The path of `pem`. */
  file: string;
  folder: string;
  /** @param days until it expires; negative for an expired one */
  certificateFor(name: string, days?: number): ServerCertificate;
  close(): void;
};

export function createServerAuthority(): ServerAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'esign-tls-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Throwaway',
    '-days',
    '9',
  );
  writeFileSync(at('ca.cnf'), CONFIG);
  writeFileSync(at('index.txt'), '');
  return {
    pem: readFileSync(at('ca.pem'), 'utf8'),
    file: at('ca.pem'),
    folder,
    certificateFor(name, days = 90) {
      writeFileSync(at('ext'), `subjectAltName=${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}\n`);
      openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${name}`);
      const dates = ['-startdate', instant(-100), '-enddate', instant(days)];
      const files = ['-extfile', 'ext', '-in', 'server.csr', '-out', 'server.pem'];
      openssl('ca', '-batch', '-notext', '-config', 'ca.cnf', ...dates, ...files);
      return { cert: readFileSync(at('server.pem'), 'utf8'), key: readFileSync(at('server.key'), 'utf8') };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const CONFIG = `[ca]
default_ca = throwaway
[throwaway]
certificate = ca.pem
private_key = ca.key
database = index.txt
rand_serial = yes
unique_subject = no
new_certs_dir = .
default_md = sha256
policy = anybody
[anybody]
commonName = supplied
`;

/** A time in openssl's form: `20260301090000Z`. */
const instant = (inDays: number): string =>
  new Date(Date.now() + inDays * 86_400_000).toISOString().replace(/\.\d+|[-:T]/g, '');
