// What `esign doctor` finds on this machine. Looks only: makes no file, no folder, no store, and starts no daemon.
import { access, constants, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { type Environment, type Variables, variable } from '../../../config/environment.ts';
import type { Paths } from '../../../config/paths.ts';
import type { App } from '../../app.ts';
import { nodeVersion, platform } from '../../edges.ts';
import { EXIT } from '../../errors.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';

const OLDEST = [20, 19];

export function checkNode(version = nodeVersion()): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
    ? ok(`Node ${version}.`)
    : fail(EXIT.usage, `Node ${version} is older than ${OLDEST.join('.')}.`, 'Install a newer Node.');
}

/** Whoever else may read them could act with what is in them. */
export async function checkFolders(paths: Paths): Promise<Finding> {
  if (platform === 'win32') return skip('Modes of files mean nothing here.');
  const wanted = [paths.configDir, paths.configFile, paths.dataDir, paths.credentialsDir, paths.sandboxDir];
  const open: string[] = [];
  for (const path of wanted) {
    const facts = await statOf(path);
    if (facts && (facts.mode & 0o077) !== 0) open.push(path);
  }
  const unusable = await firstUnusable([paths.configDir, paths.dataDir]);
  if (unusable)
    return fail(
      EXIT.usage,
      `Nothing can be stored in ${unusable}.`,
      'ESIGN_HOME names the folder where everything is stored.',
    );
  if (open.length > 0)
    return warn(
      `Others may look into ${open.join(', ')}.`,
      `Close it with: chmod -R go= ${open.map((path) => `'${path.replaceAll("'", `'\\''`)}'`).join(' ')}`,
    );
  return ok(`Settings in ${paths.configDir}, everything else in ${paths.dataDir}; for your eyes only.`);
}

const statOf = (path: string) => stat(path).catch(() => undefined);

/** A folder that is not there yet is made in the nearest one that is. */
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

/** Opens the store that is there; makes none. */
export async function checkSandbox(app: App): Promise<Finding> {
  if (!(await statOf(app.paths.sandboxDir)))
    return skip('There is no sandbox yet; the first command makes one.');
  const { client, origin } = await app.sandbox();
  const { transactions, templates } = await client['sandbox.status']();
  const count = Object.values(transactions).reduce((sum, some) => sum + some, 0);
  const isServed = await isListening(origin);
  return ok(
    `The sandbox opens: ${count} transactions, ${templates} templates. ${isServed ? 'Somebody answers' : 'Nobody answers'} at ${origin}${isServed ? '' : '; `esign sandbox serve` does'}.`,
  );
}

async function isListening(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  return !(await canListen(hostname, Number(port)));
}

/** Where the browser comes back to at a login, unless the application is registered with another address. */
const CALLBACK_PORT = 8976;

export async function checkCallbackPort(port = CALLBACK_PORT): Promise<Finding> {
  return (await canListen('127.0.0.1', port))
    ? ok(`Port ${port} is free for the callback of a login.`)
    : warn(
        `Port ${port}, for the callback of a login, is taken.`,
        'End what listens there before you log in.',
      );
}

const canListen = (host: string, port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(true)));
  });

const KEYRING_MS = 3000;

/** On Linux a keyring without a session bus would start one: it is not touched then. */
export async function checkKeyring(variables: Variables): Promise<Finding> {
  const instead = 'Tokens are kept in a file that only you can read.';
  if (platform === 'linux' && !variable(variables, 'DBUS_SESSION_BUS_ADDRESS'))
    return skip(`There is no session bus, so no keyring. ${instead}`);
  // Named in a variable: an optional package, which the build leaves where it is.
  const name = '@napi-rs/keyring';
  const loaded: unknown = await import(name).catch(() => undefined);
  if (!loaded) return skip(`The package ${name} is not installed. ${instead}`);
  const { AsyncEntry } = loaded as {
    AsyncEntry: new (service: string, user: string) => { getPassword(signal: AbortSignal): Promise<unknown> };
  };
  try {
    await new AsyncEntry('esign', 'doctor').getPassword(AbortSignal.timeout(KEYRING_MS));
    return ok('The keyring of the system answers.');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return /no (matching )?entry/i.test(why)
      ? ok('The keyring of the system answers.')
      : warn(`The keyring of the system cannot be used: ${why.slice(0, 200)}`, instead);
  }
}

/** What ESIGN_CA_CERT and NODE_EXTRA_CA_CERTS name. */
export async function checkAuthorities(environment: Environment): Promise<Finding> {
  const { authoritiesOf } = await import('../../authorities.ts');
  await authoritiesOf(environment);
  const extra = variable(environment.variables, 'NODE_EXTRA_CA_CERTS');
  if (extra !== undefined && !(await isReadable(resolve(environment.workingDir, extra))))
    return warn(
      `${extra} (NODE_EXTRA_CA_CERTS) cannot be read, and Node goes on without it.`,
      'Correct the path.',
    );
  const own = variable(environment.variables, 'ESIGN_CA_CERT');
  const named = [own && `ESIGN_CA_CERT (${own})`, extra && `NODE_EXTRA_CA_CERTS (${extra})`].filter(Boolean);
  return ok(
    named.length > 0
      ? `Authorities of ${named.join(' and ')} are trusted as well.`
      : 'The authorities that Node knows are trusted.',
  );
}

const isReadable = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );
