// Reads where a team server stores blobs: in its database, or in a bucket of S3 with an address and keys.
import { ConfigError, type Variables, variable } from './environment.ts';
import { secretVariable } from './secret-variable.ts';
import {
  isServeSwitchOn,
  parseServeSetting,
  readServeValue,
  type ServeSource,
  serveVariable,
} from './serve-settings.ts';

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

/** What most servers other than Amazon's accept. */
const USUAL_REGION = 'us-east-1';

/** @returns undefined where blobs are stored in the database. @throws ConfigError for half a configuration */
export async function readS3Settings(source: ServeSource): Promise<S3Settings | undefined> {
  const location = readServeValue('blobs', source);
  if (location !== undefined) return { location, access: await readS3Access(source) };
  refuseWithoutBucket(source);
  return undefined;
}

/** @throws ConfigError for settings of S3 that nothing would use */
function refuseWithoutBucket({ options, variables }: ServeSource): void {
  const typed = (['s3-endpoint', 's3-region', 's3-path-style'] as const).find((name) => options[name]);
  const set = Object.keys(variables).find((name) => name.startsWith(serveVariable('s3-')) && variables[name]);
  const setting = typed === undefined ? set : `--${typed}`;
  if (setting === undefined) return;
  throw new ConfigError(
    'value_invalid',
    `${setting} is set, but no bucket: --blobs is missing.`,
    `Set --blobs or ${serveVariable('blobs')} to s3://BUCKET, or unset ${setting} to store files in the database.`,
  );
}

/** @throws ConfigError where a part is missing */
export async function readS3Access(source: ServeSource): Promise<S3AccessSettings> {
  const { variables } = source;
  const endpoint = readServeValue('s3-endpoint', source);
  const region = readServeValue('s3-region', source) ?? readAmazonRegion(variables);
  if (region === undefined && endpoint === undefined)
    throw missing(
      'The region of the bucket is missing.',
      `Set --s3-region, ${serveVariable('s3-region')} or AWS_REGION. For a server other than Amazon's, set --s3-endpoint.`,
    );
  const keys = await readKeys(variables);
  return {
    endpoint,
    region: region ?? USUAL_REGION,
    isPathStyle:
      isServeSwitchOn('s3-path-style', source) || (endpoint !== undefined && isIpAddress(endpoint)),
    ...keys,
    ...(hasKeyFiles(variables) && { readKeys: () => readKeys(variables) }),
  };
}

function readAmazonRegion(variables: Variables): string | undefined {
  const region = variable(variables, 'AWS_REGION');
  return region === undefined ? undefined : parseServeSetting('s3-region', region);
}

/** No name can stand in front of an IP address. */
const isIpAddress = (endpoint: string): boolean => /^(\[.*\]|[\d.]+)$/.test(new URL(endpoint).hostname);

/** Both keys come from the same place: a key of one never goes with a secret of the other. */
const KEY_STARTS = [serveVariable('s3-'), 'AWS_'];

async function readKeys(variables: Variables): Promise<Keys> {
  for (const start of KEY_STARTS) {
    const keys = await readKeysNamed(start, variables);
    if (keys) return keys;
  }
  return refuseKeys(serveVariable('s3-access-key-id'), serveVariable('s3-secret-access-key'));
}

/** Keys of a role are valid for some hours only, and a program beside the node writes new ones into their files. */
const hasKeyFiles = (variables: Variables): boolean =>
  KEY_STARTS.some((start) =>
    ['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'SESSION_TOKEN'].some(
      (name) => variable(variables, `${start}${name}_FILE`) !== undefined,
    ),
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

const missing = (message: string, hint: string): ConfigError =>
  new ConfigError('value_invalid', message, hint);
