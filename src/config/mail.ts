// Reads from the profile and the environment how the sandbox sends mail, and checks it before anything is sent.
import { ConfigError } from './config-error.ts';
import type { Variables } from './environment.ts';
import { passwordIn } from './secret-variable.ts';

export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

export const MAIL_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'] as const;

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

const SMTP_TLS = ['starttls', 'tls', 'none'] as const;
type SmtpTls = (typeof SMTP_TLS)[number];

const PASSWORD = 'ESIGN_SMTP_PASSWORD';
const INSIDE = 'no-reply@esign.test';

type Stored = Readonly<Record<string, string>>;

/** Reads the mail settings. @throws ConfigError for a setting that is not valid */
export async function mailOf(stored: Stored, variables: Variables): Promise<ConfiguredMail> {
  for (const [key, value] of Object.entries(stored)) checkMailSetting(key, value);
  const { from = INSIDE, language = 'en' } = stored;
  const common = { from, language: language as MailLanguage };
  if (stored.smtp === undefined) return { ...common, smtp: undefined };
  const tls = (stored.tls as SmtpTls | undefined) ?? 'starttls';
  const { host, port } = serverIn(stored.smtp, tls);
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
      : await passwordIn(variables, PASSWORD, { name: 'mail.password_file', file: stored.password_file });
  if (stored.user !== undefined && password === undefined)
    throw wrong('mail.user is set, but there is no password.', `Set ${PASSWORD}, or mail.password_file.`);
  const dkim = dkimIn(stored);
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

/** Checks one value by itself. @param key without `mail.` */
export function checkMailSetting(key: string, value: string): void {
  switch (key) {
    case 'smtp':
      serverIn(value, 'starttls');
      return;
    case 'tls':
      requireOneOf(key, value, SMTP_TLS);
      return;
    case 'language':
      requireOneOf(key, value, MAIL_LANGUAGES);
      return;
    case 'from':
      if (!/^[^\s@<>()[\]\\,;:"]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) || value.length > 254)
        throw wrong(
          `"${value}" is not a valid email address (mail.from).`,
          'Use only an email address, for example no-reply@example.com.',
        );
      return;
    case 'dkim_domain':
    case 'dkim_selector':
      if (!/^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i.test(value))
        throw wrong(
          `"${value}" is not a valid DNS name for mail.${key}.`,
          'Use letters, digits, dots and hyphens.',
        );
      return;
  }
}

function requireOneOf(key: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value))
    throw wrong(`"${value}" is not a valid value for mail.${key}.`, `Use one of ${allowed.join(', ')}.`);
}

const wrong = (message: string, hint: string): ConfigError => new ConfigError('value_invalid', message, hint);

/** Parses a server: `mail.example.com`, `mail.example.com:2525`, `[::1]:25`. */
function serverIn(text: string, tls: SmtpTls): { host: string; port: number } {
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

function dkimIn({ dkim_domain, dkim_selector, dkim_key }: Stored) {
  const given = [dkim_domain, dkim_selector, dkim_key].filter((item) => item !== undefined).length;
  if (given === 0) return undefined;
  if (dkim_domain === undefined || dkim_selector === undefined || dkim_key === undefined)
    throw wrong(
      'The DKIM settings are incomplete.',
      'Set mail.dkim_domain, mail.dkim_selector and mail.dkim_key, or none of them.',
    );
  return { domain: dkim_domain, selector: dkim_selector, key: dkim_key };
}
