// Reads the settings of a team server: options of `esign serve`, and the variables ESIGN_SERVE_*, which a container sets. An option wins.
import { isInsideReceiver } from '../api/contract/egress.ts';
import { didYouMean, nearest } from '../common/nearest.ts';
import { parseUrl } from '../common/parse-url.ts';
import { ConfigError } from './config-error.ts';
import { MAIL_KEYS, SEALING_KEYS } from './config-file.ts';
import { type Variables, variable } from './environment.ts';
import { readS3Settings, type S3Settings, type TypedS3Options } from './s3.ts';
import { passwordIn, secretBytes } from './secret-variable.ts';
import { isTracingConfigured } from './tracing.ts';

type Address = { host: string; port: number };

export type ServeSettings = {
  /** With user and password, where they are in it. Must not be printed. */
  database: string;
  listen: Address;
  /** The address under which people reach it; undefined for the one that it listens on, which must be loopback. */
  origin: string | undefined;
  allowedHosts: readonly string[];
  trustedProxies: readonly string[];
  /** The header in which they report their clients, in lower case; undefined for the usual one. */
  clientHeader: string | undefined;
  /** Paths of PEM files. */
  tls: { cert: string; key: string } | undefined;
  key: Uint8Array;
  /** The file that the key was read from; undefined where it is in a variable. */
  keyFile: string | undefined;
  installation: string | undefined;
  /** Where metrics are served; undefined where they are not. */
  metrics: Address | undefined;
  /** Whether spans are sent to a collector of OpenTelemetry. */
  hasTracing: boolean;
  /** How many processes serve. */
  workers: number;
  /** The bucket for blobs; undefined where they are stored in the database. */
  s3: S3Settings | undefined;
  /** The folder for copies of files. */
  folder: string | undefined;
  /** Whether missing migrations are run; `where empty`, only those that make the tables of an empty database; `later`, others after the checks. */
  migrates: boolean | 'where empty' | 'later';
  /** Whether events may be sent to this machine. */
  hasLocalReceivers: boolean;
  /** Host names, and ranges of addresses, in private networks that events are sent to. */
  receivers: readonly string[];
  /** Names of checks that may fail. */
  allow: readonly string[];
  /** Names of checks that must not even warn. */
  required: readonly string[];
  /** As `sealing.*` and `mail.*` of a profile. */
  sealing: Readonly<Record<string, string>>;
  mail: Readonly<Record<string, string>>;
};

/** As they were typed. Those with several values hold each of them. */
export type TypedServeOptions = Readonly<{
  database?: string | undefined;
  listen?: string | undefined;
  origin?: string | undefined;
  'allowed-host'?: readonly string[];
  'trusted-proxy'?: readonly string[];
  'client-header'?: string | undefined;
  'tls-cert'?: string | undefined;
  'tls-key'?: string | undefined;
  'key-file'?: string | undefined;
  'data-dir'?: string | undefined;
  'no-migrate'?: boolean;
  /** Set by commands. `true` overrides `--no-migrate`; the others do not. */
  migrates?: ServeSettings['migrates'];
  'local-receivers'?: boolean;
  receivers?: readonly string[];
  metrics?: string | undefined;
  workers?: string | undefined;
  allow?: readonly string[];
  require?: readonly string[];
}> &
  TypedS3Options;

/** The checks of a start, by the names that --allow and --require take. */
export const START_CHECKS = [
  'database',
  'key',
  'blobs',
  'clock',
  'sealing',
  'mail',
  'origin',
  'proxy',
  'fonts',
  'space',
] as const;

const PREFIX = 'ESIGN_SERVE_';
const LISTEN = '127.0.0.1:8080';
const KEY_BYTES = 32;

/** @param isRange whether a text is an address or a range of addresses. @throws ConfigError */
export async function readServeSettings(
  options: TypedServeOptions,
  variables: Variables,
  isRange: (text: string) => boolean,
): Promise<ServeSettings> {
  const given = (name: keyof TypedServeOptions & string): string | undefined =>
    (options[name] as string | undefined) ?? variable(variables, variableOf(name));
  const listed = (
    name: 'allowed-host' | 'trusted-proxy' | 'receivers' | 'allow' | 'require',
  ): readonly string[] => {
    const typed = options[name] ?? [];
    return typed.length > 0
      ? typed
      : (variable(variables, variableOf(name)) ?? '').split(/[\s,]+/).filter(Boolean);
  };
  const isSet = (name: 'no-migrate' | 'local-receivers'): boolean =>
    options[name] === true || /^(?:1|true|yes)$/i.test(variable(variables, variableOf(name)) ?? '');
  refuseUnknown(variables);
  const checks = { allow: listed('allow'), require: listed('require') };
  for (const [name, values] of Object.entries(checks)) refuseUnknownCheck(name, values);
  const origin = originIn(given('origin'));
  const listen = addressIn('listen', given('listen') ?? LISTEN);
  const metrics = given('metrics');
  if (origin === undefined && !isLoopback(listen.host))
    throw missing('origin', 'Without it, links in emails would name an address that recipients cannot open.');
  const trustedProxies = listed('trusted-proxy');
  const noRange = trustedProxies.find((range) => !isRange(range));
  if (noRange !== undefined)
    throw invalid('trusted-proxy', noRange, 'Use an IP address or a range such as 10.0.0.0/8.');
  const receivers = listed('receivers');
  const notInside = receivers.find((text) => !isInsideReceiver(text));
  if (notInside !== undefined)
    throw invalid(
      'receivers',
      notInside,
      'Use the name of a host, or a range of private addresses such as 10.0.0.0/8. Hosts that are reachable from the internet need no setting.',
    );
  return {
    database: await databaseIn(options.database, variables),
    listen,
    origin,
    allowedHosts: listed('allowed-host').map((host) => host.toLowerCase()),
    trustedProxies,
    clientHeader: headerIn(given('client-header')),
    tls: tlsIn(given('tls-cert'), given('tls-key')),
    key: await requireKey(options['key-file'], variables),
    keyFile: options['key-file'] ?? variable(variables, `${PREFIX}KEY_FILE`),
    metrics: metrics === undefined ? undefined : addressIn('metrics', metrics),
    hasTracing: isTracingConfigured(variables),
    workers: workersIn(given('workers')),
    installation: variable(variables, `${PREFIX}INSTALLATION`),
    s3: await readS3Settings(options, variables),
    folder: given('data-dir'),
    migrates: options.migrates === true || !isSet('no-migrate') ? (options.migrates ?? true) : false,
    hasLocalReceivers: isSet('local-receivers'),
    receivers,
    allow: checks.allow,
    required: checks.require,
    sealing: groupIn(variables, 'SEALING'),
    mail: groupIn(variables, 'MAIL'),
  };
}

/** RFC 9110 §5.1 */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,64}$/;

function headerIn(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!HEADER_NAME.test(name))
    throw invalid('client-header', name, 'Use the name of a header such as X-Forwarded-For or Forwarded.');
  return name.toLowerCase();
}

/** `trusted-proxy` → `ESIGN_SERVE_TRUSTED_PROXY` */
const variableOf = (name: string): string => `${PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;

const missing = (name: string, why: string): ConfigError =>
  new ConfigError('value_invalid', `--${name} is missing. ${why}`, `Set --${name} or ${variableOf(name)}.`);

const invalid = (name: string, value: string, hint: string): ConfigError =>
  new ConfigError('value_invalid', `"${value}" is not a valid value for --${name}.`, hint);

function refuseUnknownCheck(option: string, names: readonly string[]): void {
  const known: readonly string[] = START_CHECKS;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  const use = `Use one of ${known.join(', ')}.`;
  throw invalid(option, unknown, didYouMean(meant, use));
}

/** What variables alone can set. */
const OTHER_VARIABLES = [
  'INSTALLATION',
  'KEY',
  'DATABASE_FILE',
  ...['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_SESSION_TOKEN'].flatMap((name) => [
    name,
    `${name}_FILE`,
  ]),
];

const OPTIONS = [
  'database',
  'listen',
  'origin',
  'allowed-host',
  'trusted-proxy',
  'client-header',
  'tls-cert',
  'tls-key',
  'key-file',
  'data-dir',
  'no-migrate',
  'local-receivers',
  'receivers',
  'metrics',
  'workers',
  'allow',
  'require',
  'blobs',
  's3-endpoint',
  's3-region',
  's3-path-style',
] as const satisfies readonly (keyof TypedServeOptions)[];

/** Kubernetes sets these in each container beside a service with the name `esign-serve`. */
const OF_KUBERNETES = /^(?:SERVICE_(?:HOST|PORT\w*)|PORT|PORT_\d+_\w+)$/;

/** A name with a typing error would leave out what it was to set, such as the installation that a node belongs to. */
function refuseUnknown(variables: Variables): void {
  const known = [...OPTIONS.map(variableOf), ...OTHER_VARIABLES.map((name) => PREFIX + name)];
  for (const [name, value] of Object.entries(variables)) {
    const rest = name.slice(PREFIX.length);
    if (!name.startsWith(PREFIX) || !value || known.includes(name) || OF_KUBERNETES.test(rest)) continue;
    // These have a list of their own.
    if (Object.keys(GROUPS).some((group) => rest.startsWith(`${group}_`))) continue;
    throw new ConfigError(
      'variable_invalid',
      `The variable ${name} is not known.`,
      `Use one of ${known.join(', ')}, or unset it.`,
    );
  }
}

async function databaseIn(given: string | undefined, variables: Variables): Promise<string> {
  const text = given ?? (await readServeDatabase(variables));
  if (text === undefined)
    throw new ConfigError(
      'value_invalid',
      '--database is missing. A team server stores everything in PostgreSQL.',
      `Set --database or ${PREFIX}DATABASE. To serve the sandbox of this machine, use \`esign sandbox serve\`.`,
    );
  return checkDatabase(text, '--database');
}

/** Reads ESIGN_SERVE_DATABASE, or the file that ESIGN_SERVE_DATABASE_FILE names. */
export async function readServeDatabase(variables: Variables): Promise<string | undefined> {
  refuseBoth(variables, 'DATABASE');
  return passwordIn(variables, `${PREFIX}DATABASE`, { name: '--database', file: undefined });
}

/** @throws ConfigError where both a value and a file are given, because one of them would be ignored */
function refuseBoth(variables: Variables, name: 'DATABASE' | 'KEY'): void {
  const [value, file] = [PREFIX + name, `${PREFIX}${name}_FILE`];
  if (variable(variables, value) === undefined || variable(variables, file) === undefined) return;
  throw new ConfigError('value_invalid', `${value} and ${file} are both set.`, 'Unset one of them.');
}

/** @param name of the option, for the message. @throws ConfigError for anything but the URL of a PostgreSQL database */
export function checkDatabase(text: string, name: string): string {
  const url = parseUrl(text);
  // The value may contain a password, so the message does not repeat it.
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new ConfigError(
      'value_invalid',
      `The value of ${name} is not the URL of a PostgreSQL database.`,
      'Use a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE. The password may come from PGPASSWORD instead.',
    );
  // A part of the password would be read as the host or the database, and named in messages.
  const isCut = /[@/]/.test(url.pathname.slice(1)) || url.hash !== '' || /@[^?]*@/.test(text);
  if (isCut)
    throw new ConfigError(
      'value_invalid',
      `The value of ${name} has characters that are not encoded.`,
      'In the user and the password, write %40 for @, %2F for /, %23 for #, %3F for ? and %25 for %. Or set the password with PGPASSWORD.',
    );
  return text;
}

function originIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  const isPlain = url && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  if (
    !url ||
    !isPlain ||
    !/^https?:$/.test(url.protocol) ||
    (url.protocol === 'http:' && !isLoopback(url.hostname))
  )
    throw invalid(
      'origin',
      text,
      'Use https:// and the host, without a path, for example https://sign.example.com.',
    );
  return url.origin;
}

/** `8080`, `0.0.0.0:8080`, `[::]:8080` */
function addressIn(name: 'listen' | 'metrics', text: string): Address {
  const [, host = '127.0.0.1', digits] = /^(?:([\w.-]+|\[[0-9a-f:.]+\]):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw invalid(name, text, 'Use HOST:PORT, for example 0.0.0.0:8080.');
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

const MOST_WORKERS = 64;

function workersIn(text: string | undefined): number {
  if (text === undefined) return 1;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MOST_WORKERS)
    throw invalid('workers', text, `Use a number from 1 to ${MOST_WORKERS}, such as that of the processors.`);
  return count;
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

function tlsIn(cert: string | undefined, key: string | undefined): ServeSettings['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw missing('tls-cert', 'A key alone is not enough.');
  if (key === undefined) throw missing('tls-key', 'A certificate alone is not enough.');
  return { cert, key };
}

async function requireKey(file: string | undefined, variables: Variables): Promise<Uint8Array> {
  const key = await readServeKey(file, variables);
  if (key) return key;
  throw new ConfigError(
    'value_invalid',
    'The key of the installation is missing. Secrets in the database are encrypted with it.',
    `Set --key-file, ${PREFIX}KEY_FILE or ${PREFIX}KEY. ${MAKE_KEY}`,
  );
}

const MAKE_KEY =
  'Make one with `openssl rand -hex 32 > esign.key`, keep a copy of it apart from the backups of the database, and use the same file on every node.';

/**
 * Reads the key of an installation: 64 hexadecimal digits, as `openssl rand -hex 32` prints them, or the file `key` of a sandbox, which has
 * 32 bytes.
 * @param file of --key-file; it wins over the variables
 * @returns undefined where none is given. @throws ConfigError
 */
export async function readServeKey(
  file: string | undefined,
  variables: Variables,
): Promise<Uint8Array | undefined> {
  const named = file ?? variable(variables, `${PREFIX}KEY_FILE`);
  if (file === undefined) refuseBoth(variables, 'KEY');
  const typed = file === undefined ? variable(variables, `${PREFIX}KEY`) : undefined;
  if (typed !== undefined) return keyIn(Buffer.from(typed));
  if (named === undefined) return undefined;
  return keyIn(await secretBytes(named, file === undefined ? `${PREFIX}KEY_FILE` : '--key-file'));
}

function keyIn(bytes: Uint8Array): Uint8Array {
  // A text of 32 characters is a key that was cut: of random bytes, some cannot be printed.
  if (bytes.length === KEY_BYTES && bytes.some((byte) => byte < 0x20 || byte > 0x7e)) return bytes;
  const text = new TextDecoder().decode(bytes).trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'));
  throw new ConfigError(
    'value_invalid',
    'The key of the installation is not 64 hexadecimal digits.',
    MAKE_KEY,
  );
}

const GROUPS = { SEALING: SEALING_KEYS, MAIL: MAIL_KEYS } as const satisfies Record<
  string,
  readonly string[]
>;

/** `ESIGN_SERVE_MAIL_SMTP` → `smtp` */
function groupIn(variables: Variables, group: keyof typeof GROUPS): Record<string, string> {
  const start = `${PREFIX}${group}_`;
  const found: Record<string, string> = {};
  const known: readonly string[] = GROUPS[group];
  for (const [name, value] of Object.entries(variables)) {
    if (!name.startsWith(start) || value === undefined || value === '') continue;
    const key = name.slice(start.length).toLowerCase();
    if (!known.includes(key))
      throw new ConfigError(
        'variable_invalid',
        `The variable ${name} is not known.`,
        `Use one of ${known.map((item) => `${start}${item.toUpperCase()}`).join(', ')}.`,
      );
    found[key] = value;
  }
  return found;
}
