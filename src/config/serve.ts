// Reads the settings of a team server (serve-settings.ts): those that depend on each other, its secrets, and the groups for sealing and mail.
import { parseUrl } from '../common/parse-url.ts';
import { ConfigError, type Variables, variable } from './environment.ts';
import { readS3Settings } from './s3.ts';
import { MAIL_KEYS, SEALING_KEYS } from './sealing-and-mail.ts';
import { passwordIn, secretBytes } from './secret-variable.ts';
import {
  isLoopback,
  isServeSwitchOn,
  parseServeSetting,
  readServeList,
  readServeValue,
  refuseUnknownServeVariables,
  type ServeSource,
  serveVariable,
  type TypedServeSettings,
} from './serve-settings.ts';

/** Whether missing migrations are run; `where empty`, only those that make the tables of an empty database; `later`, others after the checks. */
type Migrates = boolean | 'where empty' | 'later';

export type TypedServeOptions = TypedServeSettings & {
  /** Set by commands. `true` overrides `--no-migrate`; the others do not. */
  readonly migrates?: Migrates;
};

export type ServeSettings = Awaited<ReturnType<typeof readServeSettings>>;

/** @throws ConfigError */
export async function readServeSettings(options: TypedServeOptions, variables: Variables) {
  const source = { options, variables };
  refuseUnknownServeVariables(variables, Object.keys(GROUPS).map(groupStart));
  const checks = { allow: readServeList('allow', source), required: readServeList('require', source) };
  const origin = readServeValue('origin', source);
  const listen = readServeValue('listen', source);
  const metrics = readServeValue('metrics', source);
  if (origin === undefined && !isLoopback(listen.host))
    throw missing('origin', 'Without it, links in emails would name an address that recipients cannot open.');
  return {
    listen,
    /** The address under which people reach it; undefined for the one that it listens on, which must be loopback. */
    origin,
    metrics,
    allowedHosts: readServeList('allowed-host', source),
    trustedProxies: readServeList('trusted-proxy', source),
    receivers: readServeList('receivers', source),
    /** With user and password, where they are in it. Must not be printed. */
    database: await requireDatabase(source),
    clientHeader: readServeValue('client-header', source),
    tls: readTlsFiles(source),
    key: await requireKey(source),
    /** The file that the key was read from; undefined where it is in a variable. */
    keyFile: readServeValue('key-file', source),
    /** Whether spans are sent to a collector of OpenTelemetry. */
    hasTracing: isTracingConfigured(variables),
    workers: readServeValue('workers', source),
    installation: readServeValue('installation', source),
    /** The bucket for blobs; undefined where they are stored in the database. */
    s3: await readS3Settings(source),
    /** The folder for copies of files. */
    folder: readServeValue('data-dir', source),
    migrates: readMigrates(source, options.migrates),
    hasLocalReceivers: isServeSwitchOn('local-receivers', source),
    allowsMcpSending: isServeSwitchOn('mcp-allow-send', source),
    /** Names of checks that may fail (`allow`), and that must not even warn. */
    ...checks,
    /** As `sealing.*` and `mail.*` of a profile. */
    sealing: readGroup(variables, 'SEALING'),
    mail: readGroup(variables, 'MAIL'),
  };
}

const missing = (name: string, why: string): ConfigError =>
  new ConfigError(
    'value_invalid',
    `--${name} is missing. ${why}`,
    `Set --${name} or ${serveVariable(name)}.`,
  );

function readMigrates(source: ServeSource, wanted: Migrates | undefined): Migrates {
  if (wanted === true) return true;
  return isServeSwitchOn('no-migrate', source) ? false : (wanted ?? true);
}

function readTlsFiles(source: ServeSource): { cert: string; key: string } | undefined {
  const cert = readServeValue('tls-cert', source);
  const key = readServeValue('tls-key', source);
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw missing('tls-cert', 'A key alone is not enough.');
  if (key === undefined) throw missing('tls-key', 'A certificate alone is not enough.');
  return { cert, key };
}

// --- The database ---

async function requireDatabase({ options, variables }: ServeSource): Promise<string> {
  const text = options.database ?? (await readServeDatabase(variables));
  if (text === undefined)
    throw new ConfigError(
      'value_invalid',
      '--database is missing. A team server stores everything in PostgreSQL.',
      `Set --database or ${serveVariable('database')}. To serve the sandbox of this machine, use \`esign sandbox serve\`.`,
    );
  return checkDatabase(text, '--database');
}

/** Reads ESIGN_SERVE_DATABASE, or the file that ESIGN_SERVE_DATABASE_FILE names. */
export async function readServeDatabase(variables: Variables): Promise<string | undefined> {
  refuseBoth(variables, 'database');
  return passwordIn(variables, serveVariable('database'), { name: '--database', file: undefined });
}

/** @throws ConfigError where both a value and a file are set, because one of them would be ignored */
function refuseBoth(variables: Variables, name: 'database' | 'key'): void {
  const [value, file] = [serveVariable(name), serveVariable(`${name}-file`)];
  if (variable(variables, value) === undefined || variable(variables, file) === undefined) return;
  throw new ConfigError('value_invalid', `${value} and ${file} are both set.`, 'Unset one of them.');
}

/** @param option what the URL was typed as, for the message. @throws ConfigError */
export function checkDatabase(text: string, option: string): string {
  const { pathname, hash } = new URL(parseServeSetting('database', text, option));
  // A part of the password would be read as the host or the database, and named in messages.
  const isCut = /[@/]/.test(pathname.slice(1)) || hash !== '' || /@[^?]*@/.test(text);
  if (isCut)
    throw new ConfigError(
      'value_invalid',
      `The value of ${option} has characters that are not encoded.`,
      'In the user and the password, write %40 for @, %2F for /, %23 for #, %3F for ? and %25 for %. Or set the password with PGPASSWORD.',
    );
  return text;
}

// --- The key ---

const KEY_BYTES = 32;

const MAKE_KEY =
  'Make one with `openssl rand -hex 32 > esign.key`, keep a copy of it apart from the backups of the database, and use the same file on every node.';

async function requireKey({ options, variables }: ServeSource): Promise<Uint8Array> {
  const key = await readServeKey(options['key-file'], variables);
  if (key) return key;
  throw new ConfigError(
    'value_invalid',
    'The key of the installation is missing. Secrets in the database are encrypted with it.',
    `Set --key-file, ${serveVariable('key-file')} or ${serveVariable('key')}. ${MAKE_KEY}`,
  );
}

/**
 * Reads the key of an installation: 64 hexadecimal digits, as `openssl rand -hex 32` prints them, or the file `key` of a sandbox, which has
 * 32 bytes.
 * @param file of --key-file; it wins over the variables
 * @returns undefined where none is set. @throws ConfigError
 */
export async function readServeKey(
  file: string | undefined,
  variables: Variables,
): Promise<Uint8Array | undefined> {
  if (file !== undefined) return parseKey(await secretBytes(file, '--key-file'));
  refuseBoth(variables, 'key');
  const text = variable(variables, serveVariable('key'));
  if (text !== undefined) return parseKey(Buffer.from(text));
  const path = variable(variables, serveVariable('key-file'));
  return path === undefined ? undefined : parseKey(await secretBytes(path, serveVariable('key-file')));
}

function parseKey(bytes: Uint8Array): Uint8Array {
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

// --- Sealing and mail ---

const GROUPS = { SEALING: SEALING_KEYS, MAIL: MAIL_KEYS } as const satisfies Record<
  string,
  readonly string[]
>;

const groupStart = (group: string): string => `${serveVariable(group)}_`;

/** `ESIGN_SERVE_MAIL_SMTP` → `smtp` */
function readGroup(variables: Variables, group: keyof typeof GROUPS): Record<string, string> {
  const start = groupStart(group);
  const settings: Record<string, string> = {};
  const keys: readonly string[] = GROUPS[group];
  for (const [name, value] of Object.entries(variables)) {
    if (!name.startsWith(start) || !value) continue;
    const key = name.slice(start.length).toLowerCase();
    if (!keys.includes(key))
      throw new ConfigError(
        'variable_invalid',
        `The variable ${name} is not known.`,
        `Use one of ${keys.map((item) => `${start}${item.toUpperCase()}`).join(', ')}.`,
      );
    settings[key] = value;
  }
  return settings;
}

// --- Tracing ---

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const PROTOCOL = 'http/protobuf';

/**
 * Whether the standard variables of OpenTelemetry have spans sent. Its library reads all others itself.
 * @throws ConfigError for an endpoint that is no URL, and for a protocol other than http/protobuf
 */
export function isTracingConfigured(variables: Variables): boolean {
  const isOff =
    /^true$/i.test(variable(variables, 'OTEL_SDK_DISABLED') ?? '') ||
    variable(variables, 'OTEL_TRACES_EXPORTER') === 'none';
  const endpoint = ENDPOINTS.find((name) => variable(variables, name) !== undefined);
  if (isOff || endpoint === undefined) return false;
  const url = parseUrl(variables[endpoint] ?? '');
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigError(
      'variable_invalid',
      `The value of ${endpoint} is not an http:// or https:// URL.`,
      'Use the address of a collector that takes OTLP over HTTP, for example http://127.0.0.1:4318.',
    );
  const protocol = PROTOCOLS.find((name) => variable(variables, name) !== undefined);
  if (protocol !== undefined && variables[protocol] !== PROTOCOL)
    throw new ConfigError(
      'variable_invalid',
      `${protocol} is "${variables[protocol]}", which is not supported.`,
      `Unset it, or use ${PROTOCOL}. Collectors take it on port 4318.`,
    );
  return true;
}
