// Reads where a team server stores blobs: in its database, or in a bucket of S3 with an address and keys.
import { parseUrl } from '../common/parse-url.ts';
import { ConfigError } from './config-error.ts';
import { type Variables, variable } from './environment.ts';
import { secretVariable } from './secret-variable.ts';

/** How a server of S3 is reached. */
export type S3AccessSettings = {
  /** The URL of the server, such as `https://s3.example.com`; undefined for Amazon's own. */
  endpoint: string | undefined;
  region: string;
  /** Whether the bucket is in the path of each URL instead of its host name, as it always is at an IP address. */
  isPathStyle: boolean;
  /** Reads the keys again; undefined where none of them comes from a file. */
  readKeys?: () => Promise<Keys>;
} & Keys;

type Keys = {
  accessKeyId: string;
  /** A secret. Must not be printed. */
  secretAccessKey: string;
  /** A secret. Must not be printed. */
  sessionToken: string | undefined;
};

/** `s3://BUCKET[/PREFIX]`, without a slash at its end. */
export type S3Location = string;

export type S3Settings = { location: S3Location; access: S3AccessSettings };

export type TypedS3Options = Readonly<{
  blobs?: string | undefined;
  's3-endpoint'?: string | undefined;
  's3-region'?: string | undefined;
  's3-path-style'?: boolean;
}>;

const PREFIX = 'ESIGN_SERVE_';

/** What most servers other than Amazon's accept. */
const USUAL_REGION = 'us-east-1';

/** @returns undefined where blobs are stored in the database. @throws ConfigError for half a configuration */
export async function readS3Settings(
  options: TypedS3Options,
  variables: Variables,
): Promise<S3Settings | undefined> {
  const blobs = options.blobs ?? variable(variables, `${PREFIX}BLOBS`);
  if (blobs === undefined) {
    refuseWithoutBucket(options, variables);
    return undefined;
  }
  return { location: checkS3Location(blobs, '--blobs'), access: await readS3Access(options, variables) };
}

/** @throws ConfigError for settings of S3 that nothing would use */
function refuseWithoutBucket(options: TypedS3Options, variables: Variables): void {
  const typed = (['s3-endpoint', 's3-region', 's3-path-style'] as const).find((name) => options[name]);
  const set = Object.keys(variables).find((name) => name.startsWith(`${PREFIX}S3_`) && variables[name]);
  const given = typed === undefined ? set : `--${typed}`;
  if (given === undefined) return;
  throw new ConfigError(
    'value_invalid',
    `${given} is set, but no bucket: --blobs is missing.`,
    `Set --blobs or ${PREFIX}BLOBS to s3://BUCKET, or unset ${given} to store files in the database.`,
  );
}

/** @param name of the option, for the message. @throws ConfigError */
export function checkS3Location(text: string, name: string): S3Location {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
  const parts = prefix.replace(/\/$/, '').split('/');
  if (bucket === undefined || (prefix !== '' && parts.some((part) => /^\.*$/.test(part))))
    throw new ConfigError(
      'value_invalid',
      `"${text}" is not a valid value for ${name}.`,
      'Use s3://BUCKET or s3://BUCKET/PREFIX. A prefix has letters, digits and . _ - /.',
    );
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${parts.join('/')}`;
}

/** @throws ConfigError where a part is missing */
export async function readS3Access(options: TypedS3Options, variables: Variables): Promise<S3AccessSettings> {
  const endpoint = endpointIn(options['s3-endpoint'] ?? variable(variables, `${PREFIX}S3_ENDPOINT`));
  const region =
    options['s3-region'] ?? variable(variables, `${PREFIX}S3_REGION`) ?? variable(variables, 'AWS_REGION');
  if (region === undefined && endpoint === undefined)
    throw missing(
      'The region of the bucket is missing.',
      `Set --s3-region, ${PREFIX}S3_REGION or AWS_REGION. For a server other than Amazon's, set --s3-endpoint.`,
    );
  if (region !== undefined && !/^[a-z0-9-]{1,64}$/i.test(region))
    throw missing(`"${region}" is not a valid value for --s3-region.`, 'Use a region such as eu-central-1.');
  const isPathStyle =
    options['s3-path-style'] === true ||
    /^(?:1|true|yes)$/i.test(variable(variables, `${PREFIX}S3_PATH_STYLE`) ?? '') ||
    (endpoint !== undefined && isIpAddress(endpoint));
  const keys = await readKeys(variables);
  return {
    endpoint,
    region: region ?? USUAL_REGION,
    isPathStyle,
    ...keys,
    ...(hasKeyFiles(variables) && { readKeys: () => readKeys(variables) }),
  };
}

/** No name can stand in front of an IP address. */
const isIpAddress = (endpoint: string): boolean => /^(\[.*\]|[\d.]+)$/.test(new URL(endpoint).hostname);

function endpointIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  const isPlain = url && url.pathname === '/' && url.search + url.hash + url.username + url.password === '';
  if (!url || !isPlain || !/^https?:$/.test(url.protocol))
    // The value may contain a password, so the message does not repeat it.
    throw missing(
      'The value of --s3-endpoint is not the URL of a server.',
      'Use https:// and the host, without the bucket, such as https://s3.example.com.',
    );
  return url.origin;
}

/** Both keys come from the same place: a key of one never goes with a secret of the other. */
async function readKeys(variables: Variables): Promise<Keys> {
  return (
    (await readKeysNamed(`${PREFIX}S3_`, variables)) ??
    (await readKeysNamed('AWS_', variables)) ??
    refuseKeys(`${PREFIX}S3_ACCESS_KEY_ID`, `${PREFIX}S3_SECRET_ACCESS_KEY`)
  );
}

/** Keys of a role are valid for some hours only, and a program beside the node writes new ones into their files. */
const hasKeyFiles = (variables: Variables): boolean =>
  Object.entries(variables).some(
    ([name, value]) =>
      value && /^(?:ESIGN_SERVE_S3|AWS)_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)_FILE$/.test(name),
  );

async function readKeysNamed(start: string, variables: Variables): Promise<Keys | undefined> {
  const [id, secret] = [`${start}ACCESS_KEY_ID`, `${start}SECRET_ACCESS_KEY`];
  const accessKeyId = await secretVariable(variables, id);
  const secretAccessKey = await secretVariable(variables, secret);
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  if (accessKeyId === undefined) return refuseKeys(id);
  if (secretAccessKey === undefined) return refuseKeys(secret);
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: await secretVariable(variables, `${start}SESSION_TOKEN`),
  };
}

function refuseKeys(...names: string[]): never {
  throw missing(
    `The keys of the bucket are not complete: ${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} missing.`,
    `Set ${names.join(' and ')}, or the same with _FILE for the name of a file that contains the key.`,
  );
}

const missing = (what: string, hint: string): ConfigError => new ConfigError('value_invalid', what, hint);
