// Describes and reads how documents are sealed and email is sent: the settings `sealing.KEY` and `mail.KEY` of the profile `sandbox`, which a team
// server gets by the variables ESIGN_SERVE_SEALING_KEY and ESIGN_SERVE_MAIL_KEY. `esign help config` and `esign help environment` list them from here.
import { ConfigError, type Variables } from './environment.ts';
import { passwordIn } from './secret-variable.ts';

/** Some keys share a sentence of help. Paths are absolute, or relative to the folder that a command is run in. */
export type SettingRow = {
  keys: readonly string[];
  summary: string;
  /** @throws ConfigError */
  check?(value: string, key: string): void;
};

const SEALING_PASSWORD = 'ESIGN_SEALING_PASSWORD';
const SMTP_PASSWORD = 'ESIGN_SMTP_PASSWORD';

export const SEALING_SETTINGS: readonly SettingRow[] = [
  {
    keys: ['key', 'certificate'],
    summary:
      'Files with the private key and the certificate in PEM format, the certificate followed by its issuers up to the root',
  },
  { keys: ['p12'], summary: 'File with key and certificates (PKCS #12), instead of key and certificate' },
  {
    keys: ['password_file'],
    summary: `File with the password of the key; or set ${SEALING_PASSWORD}`,
  },
  { keys: ['tsa'], summary: 'URL of a timestamp authority (RFC 3161), http or https' },
  { keys: ['tsa_policy'], summary: 'OID of the policy that timestamps must have, such as 1.2.3.4' },
  { keys: ['tsa_digest'], summary: 'Hash that is timestamped: sha256 (default), sha384 or sha512' },
  {
    keys: ['tsa_certificates'],
    summary:
      "File with certificates of the timestamp authority's issuers in PEM format; timestamps from any other issuer are refused",
  },
  {
    keys: ['level'],
    summary: 'PAdES level: B, T, LT or LTA (default). If it cannot be reached, the document is not sealed',
  },
  {
    keys: ['revocation_lists'],
    summary:
      'Files with revocation lists, separated by commas (default: they are downloaded from the URLs in the certificates)',
  },
];

export const MAIL_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

const SMTP_TLS = ['starttls', 'tls', 'none'] as const;
type SmtpTls = (typeof SMTP_TLS)[number];

export const MAIL_SETTINGS: readonly SettingRow[] = [
  {
    keys: ['smtp'],
    summary:
      'Host of the mail server, with its port if needed: mail.example.com:2525 (default: 587 with starttls, 465 with tls, 25 with none)',
    check(value) {
      parseMailServer(value, 'starttls');
    },
  },
  {
    keys: ['from'],
    summary:
      "Email address that emails are sent from, required with smtp; the name shown is the sender's, and replies go to the sender",
    check: checkSender,
  },
  {
    keys: ['tls'],
    summary:
      'starttls (default), tls or none. none is only for a server on this machine; nothing is sent unencrypted to any other server',
    check: (value, key) => checkChoice(value, key, SMTP_TLS),
  },
  {
    keys: ['user', 'password_file'],
    summary: `Login for the server; or set the password with ${SMTP_PASSWORD}`,
  },
  {
    keys: ['language'],
    summary:
      'en (default), de, fr, es, it, pt, nl or pl; used for recipients who have not chosen a language on their signing page',
    check: (value, key) => checkChoice(value, key, MAIL_LANGUAGES),
  },
  {
    keys: ['dkim_domain', 'dkim_selector', 'dkim_key'],
    summary: 'DKIM signature for every email (RFC 6376); dkim_key is a file with an RSA key in PEM format',
    check: checkDkim,
  },
  {
    keys: ['certificates'],
    summary: 'File with certificates in PEM format to trust in addition to those of this machine',
  },
];

export const SEALING_KEYS = SEALING_SETTINGS.flatMap(({ keys }) => keys);
export const MAIL_KEYS = MAIL_SETTINGS.flatMap(({ keys }) => keys);

/** Reads the settings, with the password itself. @throws ConfigError when a file of a password cannot be read */
export async function sealingOf(
  { password_file, ...stored }: Readonly<Record<string, string>>,
  variables: Variables,
): Promise<Record<string, string>> {
  if (Object.keys(stored).length === 0) return stored;
  const password = await passwordIn(variables, SEALING_PASSWORD, {
    name: 'sealing.password_file',
    file: password_file,
  });
  return { ...stored, ...(password !== undefined && { password }) };
}

export type ConfiguredMail = {
  from: string;
  language: MailLanguage;
  smtp:
    | {
        host: string;
        port: number;
        tls: SmtpTls;
        user?: string;
        password?: string;
        dkim?: { domain: string; selector: string; key: string };
        certificates?: string;
      }
    | undefined;
};

const INSIDE = 'no-reply@esign.test';

type Stored = Readonly<Record<string, string>>;

/** Reads the mail settings. @throws ConfigError for a setting that is not valid */
export async function mailOf(stored: Stored, variables: Variables): Promise<ConfiguredMail> {
  for (const [key, value] of Object.entries(stored)) checkMailSetting(key, value);
  const { from = INSIDE, language = 'en' } = stored;
  const common = { from, language: language as MailLanguage };
  if (stored.smtp === undefined) return { ...common, smtp: undefined };
  const tls = (stored.tls as SmtpTls | undefined) ?? 'starttls';
  const { host, port } = parseMailServer(stored.smtp, tls);
  if (tls === 'none' && !isLoopback(host))
    throw wrong(
      `mail.tls is "none", but ${host} is not this machine.`,
      'Use starttls or tls. Without them, mail and password are sent unencrypted.',
    );
  if (stored.from === undefined)
    throw wrong(
      'mail.smtp is set, but mail.from is not.',
      'Set mail.from to the email address that emails are sent from.',
    );
  const password =
    stored.user === undefined
      ? undefined
      : await passwordIn(variables, SMTP_PASSWORD, {
          name: 'mail.password_file',
          file: stored.password_file,
        });
  if (stored.user !== undefined && password === undefined)
    throw wrong(
      'mail.user is set, but there is no password.',
      `Set ${SMTP_PASSWORD}, or mail.password_file.`,
    );
  const dkim = readDkim(stored);
  return {
    ...common,
    smtp: {
      host,
      port,
      tls,
      ...(stored.user !== undefined && { user: stored.user }),
      ...(password !== undefined && { password }),
      ...(dkim && { dkim }),
      ...(stored.certificates !== undefined && { certificates: stored.certificates }),
    },
  };
}

/** Checks a value by itself. @param key without `mail.` */
export function checkMailSetting(key: string, value: string): void {
  MAIL_SETTINGS.find(({ keys }) => keys.includes(key))?.check?.(value, key);
}

function checkSender(value: string): void {
  if (!/^[^\s@<>()[\]\\,;:"]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) || value.length > 254)
    throw wrong(
      `"${value}" is not a valid email address (mail.from).`,
      'Use only an email address, for example no-reply@example.com.',
    );
}

function checkDkim(value: string, key: string): void {
  if (key !== 'dkim_key' && !/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i.test(value))
    throw wrong(
      `"${value}" is not a valid DNS name for mail.${key}.`,
      'Use letters, digits, dots and hyphens.',
    );
}

function checkChoice(value: string, key: string, choices: readonly string[]): void {
  if (!choices.includes(value))
    throw wrong(`"${value}" is not a valid value for mail.${key}.`, `Use one of ${choices.join(', ')}.`);
}

const wrong = (message: string, hint: string): ConfigError => new ConfigError('value_invalid', message, hint);

/** Parses a server: `mail.example.com`, `mail.example.com:2525`, `[::1]:25`. */
function parseMailServer(text: string, tls: SmtpTls): { host: string; port: number } {
  const [, host, digits] =
    /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = digits === undefined ? DEFAULT_PORT[tls] : Number(digits);
  if (host === undefined || port < 1 || port > 65_535)
    throw wrong(
      `"${text}" is not a valid mail server (mail.smtp).`,
      'Use HOST or HOST:PORT, for example mail.example.com:587.',
    );
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

const DEFAULT_PORT: Record<SmtpTls, number> = { starttls: 587, tls: 465, none: 25 };

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);

function readDkim({ dkim_domain, dkim_selector, dkim_key }: Stored) {
  const valueCount = [dkim_domain, dkim_selector, dkim_key].filter((item) => item !== undefined).length;
  if (valueCount === 0) return undefined;
  if (dkim_domain === undefined || dkim_selector === undefined || dkim_key === undefined)
    throw wrong(
      'The DKIM settings are incomplete.',
      'Set mail.dkim_domain, mail.dkim_selector and mail.dkim_key, or none of them.',
    );
  return { domain: dkim_domain, selector: dkim_selector, key: dkim_key };
}
