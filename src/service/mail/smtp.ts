// Sends composed mail by SMTP, over connections that are kept open for the next one. Every outcome is the result of an
// attempt: nothing here throws.
import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import { LIMITS } from '../../api/contract/limits.ts';
import { readNamedFile, whyUnread } from '../../files/read-file.ts';
import { trustedAuthorities } from '../../http/authorities.ts';
import type { AttemptResult } from '../outbox/attempt.ts';
import type { SandboxFaults } from '../sandbox/faults.ts';
import type { Store } from '../store/store.ts';
import { type ComposedMail, composeStored } from './compose.ts';
import type { MailSettings, SmtpSettings } from './settings.ts';
import { headerText } from './words.ts';

type StoredMailer = {
  send(mailId: string, signal: AbortSignal): Promise<AttemptResult>;
  close(): void;
};

/** Sends mails of the store by their IDs, for the outbox. The mail server is unavailable where a fault of the sandbox says so. */
export function createStoredMailer(
  store: Store,
  { smtp }: MailSettings,
  { strikeSending }: Pick<SandboxFaults, 'strikeSending'>,
): StoredMailer {
  const mailer = smtp && createMailer(smtp);
  return {
    async send(mailId, signal) {
      if (!mailer) return nothingSent('no mail server is configured');
      if (await strikeSending(['smtp-unavailable'], `email ${mailId}`))
        return nothingSent('the fault smtp-unavailable of the sandbox keeps it from the mail server');
      const composed = await composeStored(store, mailId);
      return composed
        ? mailer.send(composed, signal)
        : { ...nothingSent('the email no longer exists'), isFinal: true };
    },
    close: () => mailer?.close(),
  };
}

const nothingSent = (why: string): AttemptResult => ({
  ok: false,
  status: null,
  why,
  answer: '',
  durationMs: 0,
});

export type Mailer = {
  send(mail: ComposedMail, signal?: AbortSignal): Promise<AttemptResult>;
  /** Connects and logs in, and sends nothing. */
  check(signal?: AbortSignal): Promise<AttemptResult>;
  /** Ends the connections that are open. */
  close(): void;
};

type Transport = ReturnType<typeof openTransport>;

export function createMailer(
  settings: SmtpSettings,
  { timeoutMs = LIMITS.smtpMs }: { timeoutMs?: number } = {},
): Mailer {
  let opened: Promise<Transport> | undefined;
  let isClosed = false;
  const secrets = () => readSecrets(settings);
  const transport = (): Promise<Transport> => {
    opened ??= secrets().then((read) => openTransport(settings, read));
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
      server: `${settings.host}:${settings.port}`,
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
        if (
          needsSmtpUtf8(envelope) &&
          !(await rejectOnAbort(supportsSmtpUtf8(settings, await secrets()), both))
        )
          throw new UnsupportedAddress();
        const raw = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
        const { response } = await open.sendMail({ envelope, raw, signal: both });
        return response;
      }, signal),
    check: (signal) =>
      attempt(async (open, both) => {
        await rejectOnAbort(open.verify(), both);
        return '';
      }, signal),
    close() {
      if (isClosed) return;
      isClosed = true;
      void opened?.then((open) => open.close()).catch(() => undefined);
    },
  };
}

/** @returns the promise, or a rejection as soon as the signal is aborted */
function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
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

const connectionOptions = ({ host, port, tls, user, password }: SmtpSettings, { certificates }: Secrets) => ({
  host,
  port,
  secure: tls === 'tls',
  requireTLS: tls === 'starttls',
  ignoreTLS: tls === 'none',
  ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
  tls: {
    minVersion: 'TLSv1.2' as const,
    // It is set here, so that no environment variable can change it.
    rejectUnauthorized: true,
    ...trustedAuthorities(),
    ...(certificates !== undefined && {
      ca: [...(trustedAuthorities().ca ?? rootCertificates), certificates],
    }),
  },
  connectionTimeout: LIMITS.smtpConnectMs,
  greetingTimeout: LIMITS.smtpConnectMs,
  dnsTimeout: LIMITS.smtpConnectMs,
  socketTimeout: LIMITS.smtpIdleMs,
  maxResponseSize: 64 * 1024,
  allowInternalNetworkInterfaces: true,
});

function openTransport(settings: SmtpSettings, secrets: Secrets) {
  const { dkim } = settings;
  const { dkimKey } = secrets;
  return createTransport({
    ...connectionOptions(settings, secrets),
    pool: true,
    ...(dkim &&
      dkimKey && {
        dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkimKey },
      }),
    maxConnections: CONNECTIONS,
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

// ── addresses in other scripts (RFC 6531) ───────────────────────────────────────────────────────────────────────────

class UnsupportedAddress extends Error {
  override name = 'UnsupportedAddress';
}

/** Tells whether a part before the @ is not ASCII. Domains were written in ASCII when the mail was composed. */
const needsSmtpUtf8 = ({ from, to }: ComposedMail['envelope']): boolean => /[^\0-\x7f]/.test(from + to);

/** Asks the server what it supports, by a connection of its own, and sends nothing. The library would send such a mail to any server. */
async function supportsSmtpUtf8(settings: SmtpSettings, secrets: Secrets): Promise<boolean> {
  let isSupported = false;
  const note = ({ tnx }: { tnx?: string }, text: string) => {
    // A response in several lines that begin with 250 is that to EHLO. The last one counts: it came after STARTTLS.
    if (tnx === 'server' && /^250-/.test(text)) isSupported = /^250[ -]SMTPUTF8\b/im.test(text);
  };
  const silent = () => undefined;
  const asking = createTransport({
    ...connectionOptions(settings, secrets),
    debug: true,
    logger: {
      level: silent,
      trace: silent,
      debug: note,
      info: silent,
      warn: silent,
      error: silent,
      fatal: silent,
    },
  });
  try {
    await asking.verify();
    return isSupported;
  } finally {
    asking.close();
  }
}

// ── the result ─────────────────────────────────────────────────────────────────────────────────────────────────

type SmtpError = Error & { code?: string; responseCode?: number; response?: string; command?: string };

type Failure = Omit<AttemptResult, 'durationMs'>;

/** The server refused the login or the sender, not the recipient: when the settings have been corrected, the mail is sent. */
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
  if (error instanceof UnsupportedAddress)
    return failure(
      'the mail server does not support email addresses with characters other than ASCII before the @ (SMTPUTF8)',
      true,
    );
  if (code === 'ETLS' || code === 'EREQUIRETLS')
    return failure(
      `no encrypted connection to ${host}:${port} could be established (${headerText(message, 200)})`,
    );
  if (code === 'EAUTH' || code === 'ENOAUTH' || OF_THE_LOGIN.has(status ?? 0))
    return failure(`the mail server rejected the login${status === null ? '' : ` (${status})`}`);
  if (status !== null) return failure(respondedWith(status, response), status >= 500);
  if (code === 'ETIMEDOUT') return failure('the mail server did not respond in time');
  if (code === 'EABORT') return failure('it was interrupted');
  return failure(`the connection to ${host}:${port} failed (${headerText(message, 200)})`);
}

/** Writes a reason such as `the mail server responded with status 550: 5.1.1 No such user`. */
function respondedWith(status: number, response: string): string {
  const words = headerText(response.replace(/^\d{3}[ -]?/, ''), REASON_LENGTH).replace(/[.\s]+$/, '');
  return `the mail server responded with status ${status}${words === '' ? '' : `: ${words}`}`;
}

const REASON_LENGTH = 200;

const statusIn = (response: string): number | null => {
  const digits = /^\d{3}/.exec(response)?.[0];
  return digits === undefined ? null : Number(digits);
};

const answerIn = (response: string): string => headerText(response, LIMITS.smtpAnswerLength);
