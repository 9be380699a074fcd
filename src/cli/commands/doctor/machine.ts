// Checks this machine for `esign doctor`. It only reads: it makes no file, no folder, no store, and starts no daemon.
import { access, constants, readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { type Environment, type Paths, type Variables, variable } from '../../../config/environment.ts';
import type { Profile } from '../../../config/profile.ts';
import { openKeyring, whyNoKeyring } from '../../../credentials/keyring.ts';
import { distrustOf, UntrustedError } from '../../../files/trust.ts';
import { findOffice } from '../../../pdf/engine/office.ts';
import {
  type Check,
  type Finding,
  failure,
  findingOf,
  passed,
  runCheck,
  skipped,
  warning,
} from '../../checks/check.ts';
import { checkFontsOfWord } from '../../checks/fonts.ts';
import type { Uses } from '../../command/context.ts';
import { EXIT } from '../../command/exit-codes.ts';
import { authoritiesOf, canRead } from '../../connection/certificate-authorities.ts';
import { hostsOf, portOf } from '../../connection/loopback.ts';
import { DEFAULT_CALLBACK } from '../../input/settings.ts';
import { nodeVersion, platform } from '../../process/edges.ts';

const OLDEST = [20, 19];

export function checkNode(version = nodeVersion()): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
    ? passed(`Node ${version}.`)
    : failure(EXIT.usage, `Node ${version} is older than ${OLDEST.join('.')}.`, 'Install a newer Node.');
}

/** Checks that other users cannot read or write the folders: they could use the credentials in them. */
export async function checkFolders(paths: Paths): Promise<Finding> {
  if (platform === 'win32') return skipped('File modes are not checked on Windows.');
  const distrusted = distrustIn([paths.configDir, paths.dataDir, paths.credentialsDir, paths.sandboxDir]);
  if (distrusted.length > 0)
    return failure(
      EXIT.usage,
      distrusted.map(({ message }) => message).join(' '),
      distrusted.map(({ hint }) => hint).join(' '),
    );
  const wanted = [paths.configDir, paths.configFile, paths.dataDir, paths.credentialsDir, paths.sandboxDir];
  const open: string[] = [];
  for (const path of wanted) {
    const facts = await statOf(path);
    if (facts && (facts.mode & 0o077) !== 0) open.push(path);
  }
  const unusable = await firstUnusable([paths.configDir, paths.dataDir]);
  if (unusable)
    return failure(
      EXIT.usage,
      `${unusable} is not writable.`,
      'Set ESIGN_HOME to a directory that you can write to.',
    );
  if (open.length > 0)
    return warning(
      `Other users can read ${open.join(', ')}.`,
      `Restrict access with: chmod -R go= ${open.map((path) => `'${path.replaceAll("'", `'\\''`)}'`).join(' ')}`,
    );
  return passed(
    `Settings are in ${paths.configDir}, all other data is in ${paths.dataDir}. Only you can read them.`,
  );
}

/** Finds each directory at fault once: what lies below it is not named again. */
function distrustIn(folders: readonly string[]): UntrustedError[] {
  const distrusted = new Map<string, UntrustedError>();
  for (const folder of folders) {
    const distrust = distrustOf(folder);
    if (distrust && !distrusted.has(distrust.path + distrust.why))
      distrusted.set(distrust.path + distrust.why, new UntrustedError('directory', folder, distrust));
  }
  return [...distrusted.values()];
}

const statOf = (path: string) => stat(path).catch(() => undefined);

/** Finds the first folder that cannot be used. A missing one will be made in the nearest folder that exists, which is checked instead. */
async function firstUnusable(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    let at = folder;
    while (!(await statOf(at)) && dirname(at) !== at) at = dirname(at);
    const facts = await statOf(at);
    const mayWrite = await access(at, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!facts?.isDirectory() || !mayWrite) return folder;
  }
  return undefined;
}

/** Opens an existing sandbox; makes none. */
export async function checkSandbox(context: Uses<'connections' | 'process'>): Promise<Finding> {
  if (!(await statOf(context.process.paths.sandboxDir)))
    return skipped('There is no sandbox yet. The first command that uses it creates it.');
  const { client, origin } = await context.connections.sandbox();
  const { transactions, templates } = await client['sandbox.status']();
  const count = Object.values(transactions).reduce((sum, some) => sum + some, 0);
  const isServed = await isListening(origin);
  return passed(
    `The sandbox opens (transactions: ${count}, templates: ${templates}). It is ${isServed ? 'running' : 'not running'} at ${origin}${isServed ? '.' : '; start it with `esign sandbox serve`.'}`,
  );
}

/** Seals a test document, which is then discarded. */
export async function checkSandboxSealing({
  connections,
  process,
}: Uses<'connections' | 'process'>): Promise<Finding> {
  if (!(await statOf(process.paths.sandboxDir))) return skipped('There is no sandbox yet.');
  return findingOf(await connections.checkSealing());
}

/** Connects to the mail server and logs in; no mail is sent. */
export async function checkSandboxMail({
  connections,
  process,
}: Uses<'connections' | 'process'>): Promise<Finding> {
  if (!(await statOf(process.paths.sandboxDir))) return skipped('There is no sandbox yet.');
  return findingOf(await connections.checkMail());
}

async function isListening(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  return !(await canListen(hostname, Number(port)));
}

/** Checks the address of the Callback URL. @param profile undefined when it cannot be read: then the default address is checked */
export async function checkCallback(profile: Profile | undefined): Promise<Finding> {
  const callback = new URL(profile?.login.callbackUrl ?? DEFAULT_CALLBACK);
  const hosts = hostsOf(callback);
  if (hosts.length === 0)
    return skipped(`The login callback ${callback.href} is not on this machine. Log in with --no-browser.`);
  const port = portOf(callback);
  return (await Promise.all(hosts.map((host) => canListen(host, port)))).every(Boolean)
    ? passed(`Port ${port} is free for the login callback.`)
    : warning(
        `Port ${port}, needed for the login callback, is in use.`,
        'Stop the program that uses it before you log in, or choose another port with --port.',
      );
}

const canListen = (host: string, port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    // A machine without IPv6 can still listen on IPv4.
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      done(code !== 'EADDRINUSE' && code !== 'EACCES'),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(true)));
  });

/** Reads an entry that does not exist, to see whether the keyring answers: a locked one does not. */
export async function checkKeyring(variables: Variables): Promise<Finding> {
  const options = { platform, variables };
  const why = whyNoKeyring(options);
  const instead = 'Logins are stored in a file that only you can read.';
  if (why !== undefined) return skipped(`No keyring: ${why}. ${instead}`);
  try {
    await openKeyring(options).read('doctor');
    return passed('The keyring works.');
  } catch (error) {
    return warning(`The keyring cannot be used: ${(error as Error).message}.`, instead);
  }
}

/** Checks the files that ESIGN_CA_CERT and NODE_EXTRA_CA_CERTS name. */
export async function checkAuthorities(environment: Environment): Promise<Finding> {
  await authoritiesOf(environment);
  const extra = variable(environment.variables, 'NODE_EXTRA_CA_CERTS');
  if (extra !== undefined && !canRead(resolve(environment.workingDir, extra)))
    return warning(`${extra} (NODE_EXTRA_CA_CERTS) cannot be read. Node ignores it.`, 'Correct the path.');
  const own = variable(environment.variables, 'ESIGN_CA_CERT');
  const named = [own && `ESIGN_CA_CERT (${own})`, extra && `NODE_EXTRA_CA_CERTS (${extra})`].filter(Boolean);
  return passed(
    named.length > 0
      ? `The certificate authorities in ${named.join(' and ')} are trusted in addition to those of Node.`
      : 'The certificate authorities that come with Node are trusted.',
  );
}

/** Finds how the sandbox converts Word documents. Starts nothing. */
export async function checkOffice(variables: Variables): Promise<Finding> {
  const setting = variable(variables, 'ESIGN_SOFFICE');
  const program = await findOffice(setting);
  if (program) {
    return checkFontsOfWord(`The sandbox converts Word documents with ${program}.`);
  }
  const otherwise = 'Without it, the sandbox converts Word documents with an approximate layout.';
  if (setting === 'off') return skipped(`LibreOffice is disabled (ESIGN_SOFFICE). ${otherwise}`);
  if (setting === undefined) return skipped(`LibreOffice was not found. ${otherwise}`);
  return warning(
    `ESIGN_SOFFICE is "${setting}", which is not a program. ${otherwise}`,
    'Set it to the path of soffice, or remove it.',
  );
}

export async function checkCodeCache(folder: string, variables: Variables): Promise<Finding> {
  if (variable(variables, 'ESIGN_NO_CODE_CACHE') !== undefined)
    return skipped('The compiled code cache is off (ESIGN_NO_CODE_CACHE).');
  const distrust = distrustOf(folder);
  if (distrust) {
    const { message } = new UntrustedError('directory', folder, distrust);
    return warning(`The compiled code cache is off. ${message}`, distrust.hint);
  }
  const sizes = await sizesIn(folder);
  if (sizes.length === 0) return passed(`The compiled code cache in ${folder} is empty.`);
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
  const files = sizes.length === 1 ? '1 file' : `${sizes.length} files`;
  return passed(`The compiled code cache is in ${folder} (${files}, ${megabytes.toFixed(1)} MB).`);
}

async function sizesIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const sizes = await Promise.all(
    names
      .filter((name) => name.endsWith('.bin'))
      .map((name) =>
        stat(join(folder, name)).then(
          ({ size }) => size,
          () => undefined,
        ),
      ),
  );
  return sizes.filter((size) => size !== undefined);
}

type Found = Awaited<ReturnType<Uses<'connections'>['connections']['inspectSandbox']>>;

/** Makes one check for each part, or a single one where they cannot be read. */
export async function checkStore(
  { connections }: Uses<'connections'>,
  { deep, limitMs }: { deep: boolean; limitMs: number },
): Promise<Check[]> {
  let findings: Found;
  const looked = await runCheck('store', limitMs, async () => {
    findings = await connections.inspectSandbox({ deep });
    return skipped('There is no sandbox yet.');
  });
  if (!findings) return [looked];
  return findings.map(({ part, state, says, hint }) => ({ name: part, ...findingOf({ state, says, hint }) }));
}
