// Sends composed mail by SMTP, over connections that are kept open for the next one. Whatever comes of it is the result of
// an attempt: nothing here throws. Loaded when the first mail is sent.

import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import { LIMITS } from '../../api/contract/limits.ts';
import { whyUnread } from '../../files/file-errors.ts';
import { readNamedFile } from '../../files/read-file.ts';
import type { AttemptResult } from '../outbox/attempt.ts';
import type { ComposedMail } from './compose.ts';
import { headerText } from './header-text.ts';
import type { SmtpSettings } from './settings.ts';

export type Mailer = {
  send(mail: ComposedMail, signal?: AbortSignal): Promise<AttemptResult>;
  /** Connects and logs in, and sends nothing. */
  check(signal?: AbortSignal): Promise<AttemptResult>;
  /** Ends the connections that are open. */
  close(): void;
};

export type MailerOptions = {
  /** For all of one mail; left out, that of the limits. */
  timeoutMs?: number;
};

type Transport = ReturnType<typeof openTransport>;

export function createMailer(
  settings: SmtpSettings,
  { timeoutMs = LIMITS.smtpMs }: MailerOptions = {},
): Mailer {
  let opened: Promise<Transport> | undefined;
  let isClosed = false;
  const transport = (): Promise<Transport> => {
    opened ??= readSecrets(settings).then((secrets) => openTransport(settings, secrets));
    // A key that cannot be read now is read again the next time.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  const attempt = async (
    act: (open: Transport, signal: AbortSignal) => Promise<string>,
    signal: AbortSignal | undefined,
  ): Promise<AttemptResult> => {
    const startedMs = performance.now();
    const limit = AbortSignal.timeout(timeoutMs);
    const both = signal ? AbortSignal.any([limit, signal]) : limit;
    const result = (rest: Omit<AttemptResult, 'durationMs'>) => ({
      ...rest,
      durationMs: Math.round(performance.now() - startedMs),
    });
    try {
      const response = await act(await transport(), both);
      return result({ ok: true, status: statusIn(response), why: null, answer: answerIn(response) });
    } catch (error) {
      if (limit.aborted)
        return result({
          ok: false,
          status: null,
          why: `the mail server took longer than ${timeoutMs / 1000} s`,
          answer: '',
        });
      return result(failureOf(error, settings));
    }
  };
  return {
    send: ({ envelope, message }, signal) =>
      attempt(async (open, both) => {
        const raw = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
        const { response } = await open.sendMail({ envelope, raw, signal: both });
        return response;
      }, signal),
    check: (signal) =>
      attempt(async (open, both) => {
        await aborted(open.verify(), both);
        return '';
      }, signal),
    close() {
      if (isClosed) return;
      isClosed = true;
      void opened?.then((open) => open.close()).catch(() => undefined);
    },
  };
}

/** The promise, or a rejection as soon as the signal is aborted. */
function aborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

// ── the connection ──────────────────────────────────────────────────────────────────────────────────────────────────

class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

const FILE_BYTES = 1024 * 1024;

type Secrets = { dkimKey: string | undefined; certificates: string | undefined };

async function readSecrets({ dkim, certificates }: SmtpSettings): Promise<Secrets> {
  const read = async (path: string | undefined, setting: string) => {
    if (path === undefined) return undefined;
    try {
      return new TextDecoder().decode(await readNamedFile(path, { mostBytes: FILE_BYTES }));
    } catch (error) {
      throw new UnreadableFile(`the file "${path}" (${setting}) cannot be read (${whyUnread(error)})`);
    }
  };
  return {
    dkimKey: await read(dkim?.key, 'mail.dkim_key'),
    certificates: await read(certificates, 'mail.certificates'),
  };
}

const CONNECTIONS = 3;
const IDLE_MS = 10_000;

function openTransport(settings: SmtpSettings, { dkimKey, certificates }: Secrets) {
  const { host, port, tls, user, password, dkim } = settings;
  return createTransport({
    pool: true,
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...(dkim &&
      dkimKey && {
        dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkimKey },
      }),
    tls: {
      minVersion: 'TLSv1.2',
      ...(certificates !== undefined && { ca: [...rootCertificates, certificates] }),
    },
    maxConnections: CONNECTIONS,
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    connectionTimeout: LIMITS.smtpConnectMs,
    greetingTimeout: LIMITS.smtpConnectMs,
    dnsTimeout: LIMITS.smtpConnectMs,
    socketTimeout: LIMITS.smtpIdleMs,
    socketCloseTimeout: 0,
    maxResponseSize: 64 * 1024,
    allowInternalNetworkInterfaces: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

// ── what came of it ─────────────────────────────────────────────────────────────────────────────────────────────────

type SmtpError = Error & { code?: string; responseCode?: number; response?: string; command?: string };

type Failure = Omit<AttemptResult, 'durationMs'>;

/** Who may send, not whom to: somebody has to correct the settings, and then the mail goes out. */
const OF_THE_LOGIN = new Set([530, 534, 535, 538]);

function failureOf(error: unknown, { host, port }: SmtpSettings): Failure {
  const { code, responseCode, response = '', message } = error as SmtpError;
  const status = responseCode || null;
  const failure = (why: string, isFinal = false): Failure => ({
    ok: false,
    status,
    why,
    answer: answerIn(response),
    ...(isFinal && { isFinal }),
  });
  if (error instanceof UnreadableFile) return failure(message);
  if (code === 'ETLS' || code === 'EREQUIRETLS')
    return failure(
      `no encrypted connection to ${host}:${port} could be established (${headerText(message, 200)})`,
    );
  if (code === 'EAUTH' || code === 'ENOAUTH' || OF_THE_LOGIN.has(status ?? 0))
    return failure(`the mail server rejected the login${status === null ? '' : ` (${status})`}`);
  if (status !== null) return failure(`the mail server responded with status ${status}`, status >= 500);
  if (code === 'ETIMEDOUT') return failure('the mail server did not respond in time');
  if (code === 'EABORT') return failure('it was interrupted');
  return failure(`the connection to ${host}:${port} failed (${headerText(message, 200)})`);
}

const statusIn = (response: string): number | null => {
  const digits = /^\d{3}/.exec(response)?.[0];
  return digits === undefined ? null : Number(digits);
};

const answerIn = (response: string): string => headerText(response, LIMITS.smtpAnswerLength);
