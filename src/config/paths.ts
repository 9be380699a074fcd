// Computes the paths of everything that is stored: under ESIGN_HOME, or else according to XDG. It makes no directory.
import { isAbsolute, join, resolve } from 'node:path';
import { type Environment, variable } from './environment.ts';

export type Paths = {
  /** Profiles and defaults. */
  configFile: string;
  /** Plans of `tx send` and their journal. */
  historyFile: string;
  /** What this machine has seen of services, one file a profile. */
  seenDir: string;
  /** Tokens and secrets, where no keyring holds them. */
  credentialsDir: string;
  /** The store of the sandbox. */
  sandboxDir: string;
  /** Compiled code between runs; may be removed at any time. */
  codeDir: string;
  configDir: string;
  dataDir: string;
};

export function pathsOf(environment: Environment): Paths {
  const { dataDir, configDir, cacheDir } = directories(environment);
  return {
    dataDir,
    configDir,
    configFile: join(configDir, 'config.json'),
    historyFile: join(dataDir, 'history.db'),
    seenDir: join(dataDir, 'seen'),
    credentialsDir: join(dataDir, 'credentials'),
    sandboxDir: join(dataDir, 'sandbox'),
    codeDir: join(cacheDir, 'code'),
  };
}

function directories({ variables, homeDir, workingDir }: Environment): {
  dataDir: string;
  configDir: string;
  cacheDir: string;
} {
  const home = variable(variables, 'ESIGN_HOME');
  if (home) {
    const root = resolve(workingDir, home);
    return { dataDir: join(root, 'data'), configDir: join(root, 'config'), cacheDir: join(root, 'cache') };
  }
  return {
    dataDir: join(xdg(variables.XDG_DATA_HOME, join(homeDir, '.local', 'share')), 'esign'),
    configDir: join(xdg(variables.XDG_CONFIG_HOME, join(homeDir, '.config')), 'esign'),
    cacheDir: join(xdg(variables.XDG_CACHE_HOME, join(homeDir, '.cache')), 'esign'),
  };
}

/** XDG Base Directory Specification: a relative path is invalid and ignored. */
const xdg = (value: string | undefined, fallback: string): string =>
  value && isAbsolute(value) ? value : fallback;
