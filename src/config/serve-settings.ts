// The settings of a team server, each described once: its option and variable, its rule with the way out, and its sentence of help. The commands,
// `esign help environment`, the man pages and docs/self-hosting.md derive from these tables.
import { isIP } from 'node:net';
import { isInsideReceiver } from '../api/contract/egress.ts';
import { didYouMean, nearest } from '../common/nearest.ts';
import { parseUrl } from '../common/parse-url.ts';
import { ConfigError, type Variables, variable } from './environment.ts';

/** A setting without `value` is a switch, one with `repeat` a list, whose items are parsed one by one. */
export type ServeSetting = {
  value?: string;
  repeat?: true;
  completes?: 'file';
  summary: string;
  default?: string;
  /** The variable also exists with _FILE, for a file that contains the secret. */
  isSecret?: true;
  /** @returns undefined for text that is not valid */
  parse?(text: string): unknown;
  /** Ends the sentence "The value of --database …" for a value that may contain a password and is not repeated. */
  refusal?: string;
  hint?: string | ((text: string) => string);
};

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

export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** Parses `https://sign.example.com`; http is only for this machine. */
function parseOrigin(text: string): string | undefined {
  const url = parseUrl(text);
  if (url?.protocol === 'http:' && !isLoopback(url.hostname)) return undefined;
  return url && isPlainServer(url) ? url.origin : undefined;
}

const parseServer = (text: string): string | undefined => {
  const url = parseUrl(text);
  return url && isPlainServer(url) ? url.origin : undefined;
};

const isPlainServer = ({ protocol, pathname, search, hash, username, password }: URL): boolean =>
  /^https?:$/.test(protocol) && pathname === '/' && search + hash + username + password === '';

const isPostgres = (text: string): boolean => {
  const url = parseUrl(text);
  return url !== undefined && /^postgres(?:ql)?:$/.test(url.protocol) && url.pathname.length > 1;
};

/** Parses `s3://BUCKET[/PREFIX]`, without a slash at its end. */
function parseBucket(text: string): string | undefined {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
  if (bucket === undefined || prefix === '') return bucket && `s3://${bucket}`;
  const segments = prefix.replace(/\/$/, '').split('/');
  return segments.some((segment) => /^\.*$/.test(segment))
    ? undefined
    : `s3://${bucket}/${segments.join('/')}`;
}

/** Parses `8080`, `0.0.0.0:8080`, `[::]:8080`. */
function parseAddress(text: string): { host: string; port: number } | undefined {
  const [, host = '127.0.0.1', digits] = /^(?:([\w.-]+|\[[0-9a-f:.]+\]):)?(\d{1,5})$/i.exec(text) ?? [];
  if (digits === undefined || Number(digits) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(digits) };
}

/** Whether a text is an address or a range, such as `10.0.0.0/8` and `192.0.2.7`. */
export function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const MOST_WORKERS = 64;

function parseWorkers(text: string): number | undefined {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= MOST_WORKERS ? count : undefined;
}

/** RFC 9110 §5.1 */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,64}$/;

const parseCheck = (text: string): (typeof START_CHECKS)[number] | undefined =>
  START_CHECKS.find((name) => name === text);

const suggestCheck = (text: string): string =>
  didYouMean(nearest(text, START_CHECKS), `Use one of ${START_CHECKS.join(', ')}.`);

/** Makes a rule that leaves valid text as it is. */
const matching =
  (isValid: (text: string) => boolean) =>
  (text: string): string | undefined =>
    isValid(text) ? text : undefined;

/** By these, every command of a team server finds its installation. */
const INSTALLATION_SETTINGS = {
  database: {
    value: 'URL',
    summary: 'PostgreSQL database, such as postgres://USER:PASSWORD@HOST/DATABASE',
    isSecret: true,
    parse: matching(isPostgres),
    refusal: 'is not the URL of a PostgreSQL database.',
    hint: 'Use a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE. The password may come from PGPASSWORD instead.',
  },
  'key-file': {
    value: 'FILE',
    completes: 'file',
    summary: 'File with the key of the installation, 64 hexadecimal digits',
  },
  blobs: {
    value: 's3://BUCKET',
    summary: 'Bucket for files, with a prefix if wanted; without it, they are in the database',
    parse: parseBucket,
    hint: 'Use s3://BUCKET or s3://BUCKET/PREFIX. A prefix has letters, digits and . _ - /.',
  },
  's3-endpoint': {
    value: 'URL',
    summary: "URL of the server of the bucket, where it is not Amazon's",
    parse: parseServer,
    refusal: 'is not the URL of a server.',
    hint: 'Use https:// and the host, without the bucket, such as https://s3.example.com.',
  },
  's3-region': {
    value: 'REGION',
    summary: 'Region of the bucket',
    parse: matching((text) => /^[a-z0-9-]{1,64}$/i.test(text)),
    hint: 'Use a region such as eu-central-1.',
  },
  's3-path-style': { summary: 'Send the bucket in the path of URLs instead of the host name' },
  'data-dir': {
    value: 'DIR',
    completes: 'file',
    summary: 'Directory for copies of documents of this node',
  },
} as const satisfies Record<string, ServeSetting>;

const SERVER_SETTINGS = {
  'no-migrate': { summary: 'Reject tables of an older version instead of updating them' },
  listen: {
    value: 'HOST:PORT',
    summary: 'Address to listen on',
    default: '127.0.0.1:8080',
    parse: parseAddress,
    hint: 'Use HOST:PORT, for example 0.0.0.0:8080.',
  },
  origin: {
    value: 'URL',
    summary: 'URL at which people reach the service, such as https://sign.example.com',
    parse: parseOrigin,
    hint: 'Use https:// and the host, without a path, for example https://sign.example.com.',
  },
  'allowed-host': {
    value: 'HOST',
    repeat: true,
    summary: 'Other host under which the service is reached',
    parse: (text: string) => text.toLowerCase(),
  },
  'trusted-proxy': {
    value: 'RANGE',
    repeat: true,
    summary: 'IP addresses of proxies that report their clients, such as 10.0.0.0/8',
    parse: matching(isRange),
    hint: 'Use an IP address or a range such as 10.0.0.0/8.',
  },
  'client-header': {
    value: 'NAME',
    summary: 'Header in which trusted proxies report the client',
    default: 'X-Forwarded-For',
    parse: (text: string) => (HEADER_NAME.test(text) ? text.toLowerCase() : undefined),
    hint: 'Use the name of a header such as X-Forwarded-For or Forwarded.',
  },
  'tls-cert': { value: 'FILE', completes: 'file', summary: 'Certificate to serve HTTPS with (PEM)' },
  'tls-key': { value: 'FILE', completes: 'file', summary: 'Private key of the certificate (PEM)' },
  workers: {
    value: 'N',
    summary: 'Number of processes that serve, such as that of the processors',
    default: '1',
    parse: parseWorkers,
    hint: `Use a number from 1 to ${MOST_WORKERS}, such as that of the processors.`,
  },
  metrics: {
    value: 'HOST:PORT',
    summary: 'Address of metrics for Prometheus, such as 127.0.0.1:9464',
    parse: parseAddress,
    hint: 'Use HOST:PORT, for example 0.0.0.0:8080.',
  },
  receivers: {
    value: 'HOST',
    repeat: true,
    summary: 'Host or range in your network that events may be sent to, such as 10.0.0.0/8',
    parse: matching(isInsideReceiver),
    hint: 'Use the name of a host, or a range of private addresses such as 10.0.0.0/8. Hosts that are reachable from the internet need no setting.',
  },
  'local-receivers': { summary: 'Send events to receivers on this machine as well, for tests' },
  'mcp-allow-send': {
    summary: 'Let tools of /mcp send, remind and cancel, which no person confirms there',
  },
  allow: {
    value: 'CHECK',
    repeat: true,
    summary: 'Name of a check that may fail, such as mail',
    parse: parseCheck,
    hint: suggestCheck,
  },
  require: {
    value: 'CHECK',
    repeat: true,
    summary: 'Name of a check that must not warn either, such as proxy',
    parse: parseCheck,
    hint: suggestCheck,
  },
} as const satisfies Record<string, ServeSetting>;

const OPTION_SETTINGS = { ...INSTALLATION_SETTINGS, ...SERVER_SETTINGS };

/** These have no option: other users of the machine can read a command line, and the installation stays the same from start to start. */
const VARIABLE_SETTINGS = {
  key: { value: 'KEY', summary: 'Key of the installation itself, instead of a file with it' },
  installation: {
    value: 'ID',
    summary: 'Identity of the installation, which each start prints; any other database is refused',
  },
  's3-access-key-id': { value: 'ID', isSecret: true, summary: 'ID of the access key for the bucket' },
  's3-secret-access-key': { value: 'KEY', isSecret: true, summary: 'Access key for the bucket' },
  's3-session-token': {
    value: 'TOKEN',
    isSecret: true,
    summary: 'Session token that belongs to an access key of limited duration',
  },
} as const satisfies Record<string, ServeSetting>;

const SETTINGS = { ...OPTION_SETTINGS, ...VARIABLE_SETTINGS };
type Settings = typeof SETTINGS;

/** All settings in the order of help. */
export const SERVE_SETTINGS: Readonly<Record<string, ServeSetting>> = SETTINGS;

/** `trusted-proxy` → `ESIGN_SERVE_TRUSTED_PROXY` */
export const serveVariable = (name: string): string =>
  `ESIGN_SERVE_${name.toUpperCase().replaceAll('-', '_')}`;

/** Lists the variables of a setting: its value, and the file that contains it. */
export const serveVariables = (name: string): string[] => [
  serveVariable(name),
  ...(SERVE_SETTINGS[name]?.isSecret ? [`${serveVariable(name)}_FILE`] : []),
];

export const hasServeOption = (name: string): boolean => Object.hasOwn(OPTION_SETTINGS, name);

/** The default is in the text alone: as the default of the option, it would win over a variable. */
export const summaryOf = ({ summary, default: value }: ServeSetting): string =>
  value === undefined ? summary : `${summary} (default: ${value})`;

type OptionKey = 'value' | 'repeat' | 'completes' | 'summary';

/** Makes the options of a command: what is left out are the rules. */
const optionsOf = <T extends Record<string, ServeSetting>>(
  settings: T,
  suffix: (name: string) => string,
): { [N in keyof T]: Pick<T[N], keyof T[N] & OptionKey> } =>
  Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const { value, repeat, completes } = setting;
      const option = {
        ...(value !== undefined && { value }),
        ...(repeat && { repeat }),
        ...(completes && { completes }),
        summary: summaryOf(setting) + suffix(name),
      };
      return [name, option];
    }),
  ) as never;

export const INSTALLATION_OPTIONS = optionsOf(INSTALLATION_SETTINGS, (name) => ` (${serveVariable(name)})`);
export const SERVER_OPTIONS = optionsOf(SERVER_SETTINGS, () => '');

/** With a default there is always a value. */
type Unset<N extends keyof Settings> = Settings[N] extends { default: string } ? never : undefined;

type OptionValue<S extends ServeSetting> = S extends { repeat: true }
  ? readonly string[]
  : S extends { value: string }
    ? string
    : boolean;

/** Options as they were typed. */
export type TypedServeSettings = Readonly<{
  [N in keyof typeof OPTION_SETTINGS]?: OptionValue<(typeof OPTION_SETTINGS)[N]> | undefined;
}>;

/** What settings are read from. An option wins over its variable. */
export type ServeSource = { options: TypedServeSettings; variables: Variables };

type SwitchName = {
  [N in keyof Settings]: Settings[N] extends { value: string } ? never : N;
}[keyof Settings];
type ListName = { [N in keyof Settings]: Settings[N] extends { repeat: true } ? N : never }[keyof Settings];
type ValueName = Exclude<keyof Settings, SwitchName | ListName>;
type Parsed<N extends keyof Settings> = Settings[N] extends { parse(text: string): infer T }
  ? Exclude<T, undefined>
  : string;

/** @throws ConfigError for a value that is not valid */
export function readServeValue<N extends ValueName>(
  name: N,
  { options, variables }: ServeSource,
): Parsed<N> | Unset<N> {
  const typed = (options as Readonly<Record<string, string | undefined>>)[name];
  const { default: fallback }: ServeSetting = SETTINGS[name];
  const text = typed ?? variable(variables, serveVariable(name)) ?? fallback;
  return text === undefined ? (undefined as Unset<N>) : parseServeSetting(name, text);
}

/** Reads a list, whose variable has commas or spaces between the items. @throws ConfigError for an item that is not valid */
export function readServeList<N extends ListName>(name: N, { options, variables }: ServeSource): Parsed<N>[] {
  const typed = options[name] ?? [];
  const texts =
    typed.length > 0
      ? typed
      : (variable(variables, serveVariable(name)) ?? '').split(/[\s,]+/).filter(Boolean);
  return texts.map((text) => parseServeSetting(name, text));
}

export const isServeSwitchOn = (name: SwitchName, { options, variables }: ServeSource): boolean =>
  options[name] === true || /^(?:1|true|yes)$/i.test(variable(variables, serveVariable(name)) ?? '');

/** @param option what the value was typed as, for the message. @throws ConfigError */
export function parseServeSetting<N extends keyof Settings>(
  name: N,
  text: string,
  option = `--${name}`,
): Parsed<N> {
  const { parse, refusal, hint = '' }: ServeSetting = SETTINGS[name];
  const value = parse === undefined ? text : parse(text);
  if (value !== undefined) return value as Parsed<N>;
  throw new ConfigError(
    'value_invalid',
    refusal === undefined
      ? `"${text}" is not a valid value for ${option}.`
      : `The value of ${option} ${refusal}`,
    typeof hint === 'string' ? hint : hint(text),
  );
}

/** Kubernetes sets these in each container beside a service with the name `esign-serve`. */
const OF_KUBERNETES = /^(?:SERVICE_(?:HOST|PORT\w*)|PORT|PORT_\d+_\w+)$/;

/**
 * Refuses a variable with a typing error, which would leave out what it was to set, such as the installation that a node belongs to.
 * @param groups beginnings of variables that are read elsewhere
 */
export function refuseUnknownServeVariables(variables: Variables, groups: readonly string[]): void {
  const names = Object.keys(SETTINGS).flatMap(serveVariables);
  const start = serveVariable('');
  for (const [name, value] of Object.entries(variables)) {
    if (!name.startsWith(start) || !value || names.includes(name)) continue;
    if (OF_KUBERNETES.test(name.slice(start.length)) || groups.some((group) => name.startsWith(group)))
      continue;
    throw new ConfigError(
      'variable_invalid',
      `The variable ${name} is not known.`,
      `Use one of ${names.join(', ')}, or unset it.`,
    );
  }
}
