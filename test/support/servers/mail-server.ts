// Starts a mail server on 127.0.0.1 that stores the mails it accepts, and refuses or fails as a test configures.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { SmtpSettings } from '../../../src/service/mail/settings.ts';

export type AcceptedMail = { from: string; to: string[]; message: Buffer; isSecure: boolean; user: unknown };

export type MailServer = {
  port: number;
  taken: AcceptedMail[];
  /** The number of connections so far. */
  connections(): number;
  settings(more?: Partial<SmtpSettings>): SmtpSettings;
  close(): Promise<void>;
};

let made: { key: string; cert: string; path: string } | undefined;

/** A certificate for localhost and 127.0.0.1, which clients trust only if they are configured to. */
export function mailServerCertificate() {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'esign-mail-server-'));
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${path} -addext subjectAltName=DNS:localhost,IP:127.0.0.1`;
  const { status, stderr } = spawnSync('openssl', words.split(' '));
  if (status !== 0) throw new Error(String(stderr));
  made = { key: readFileSync(key, 'utf8'), cert: readFileSync(path, 'utf8'), path };
  return made;
}

/** Needs openssl for its certificate. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const { key, cert, path } = mailServerCertificate();
  return startServer({ key, cert, ...options }, { host: 'localhost', tls: 'starttls', certificates: path });
}

/** Without TLS, which is allowed on this machine: it needs no certificate. */
export const startPlainMailServer = (options: SMTPServerOptions = {}): Promise<MailServer> =>
  startServer({ disabledCommands: ['STARTTLS', 'AUTH'], ...options }, { host: '127.0.0.1', tls: 'none' });

async function startServer(
  options: SMTPServerOptions,
  known: Omit<SmtpSettings, 'port'>,
): Promise<MailServer> {
  const taken: AcceptedMail[] = [];
  let connections = 0;
  const { onConnect, ...rest } = options;
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks),
          isSecure: session.secure,
          user: session.user,
        });
        done(null, 'kept');
      });
    },
    ...rest,
    onConnect(session, done) {
      connections += 1;
      if (onConnect) onConnect.call(server, session, done);
      else done();
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    taken,
    connections: () => connections,
    settings: (more = {}) => ({ ...known, port, ...more }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The error with which a server refuses. */
export const smtpError = (code: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode: code });
