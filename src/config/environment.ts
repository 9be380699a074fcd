// Reads environment variables and computes the paths of everything that is stored: under ESIGN_HOME, or else according to XDG. All other files
// receive them as arguments. It makes no directory.
import { isAbsolute, join, resolve } from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

export type Environment = {
  variables: Variables;
  homeDir: string;
  workingDir: string;
};

export async function readEnvironment(): Promise<Environment> {
  const { homedir } = await import('node:os');
  return { variables: process.env, homeDir: homedir(), workingDir: process.cwd() };
}

/** Lists the ESIGN_ variables that are set to nothing. Usually a secret or a setting is missing there. */
export const emptyVariables = (variables: Variables): string[] =>
  Object.keys(variables)
    .filter((name) => name.startsWith('ESIGN_') && variables[name] === '')
    .sort();

/** Reads a variable. An empty one counts as not set. */
export function variable(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === undefined || value === '' ? undefined : value;
}

/** Programs with a language model, and the variables that they set for the commands that they run. `esign help environment` lists them. */
export const ASSISTANTS = {
  'Claude Code': ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT'],
  Codex: ['CODEX_SANDBOX', 'CODEX_THREAD_ID', 'CODEX_CI'],
  Cursor: ['CURSOR_AGENT'],
  'Gemini CLI': ['GEMINI_CLI'],
  Cline: ['CLINE_ACTIVE'],
  OpenCode: ['OPENCODE'],
  'other programs': ['AI_AGENT', 'AGENT'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const ASSISTANT_VARIABLES = Object.values(ASSISTANTS).flat();

/** Whether one of these variables is set. Nothing, 0 and false count as not set. */
const isAnySet = (variables: Variables, names: readonly string[]): boolean =>
  names.some((name) => !/^(0|false)?$/i.test(variables[name] ?? ''));

/** Whether a program with a language model runs the command. */
export const isRunByAssistant = (variables: Variables): boolean => isAnySet(variables, ASSISTANT_VARIABLES);

/** What a person needs who uses a screen reader. The names with GH_ are those of GitHub's command line, so many have set them already. */
export const accessibilityOf = (variables: Variables) => ({
  /** Questions are lines, and nothing is redrawn. */
  asksInLines: isAnySet(variables, ['ACCESSIBLE', 'GH_ACCESSIBLE_PROMPTER']),
  /** What a command waits for is told in lines, and nothing turns. */
  waitsInLines: isAnySet(variables, ['ACCESSIBLE', 'GH_SPINNER_DISABLED']),
  /** Colors are those of the terminal, which a person can choose, and nothing is dimmed. */
  usesOwnColors: isAnySet(variables, ['ACCESSIBLE', 'GH_ACCESSIBLE_COLORS']),
});

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
  /** The unpacked program of a single executable, by version. */
  programDir: string;
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
    programDir: join(cacheDir, 'program'),
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

export type ConfigErrorCode =
  | 'config_unreadable'
  | 'config_invalid'
  | 'config_unwritable'
  | 'profile_unknown'
  | 'profile_conflict'
  | 'service_missing'
  | 'address_invalid'
  | 'project_file_invalid'
  | 'secret_unreadable'
  | 'value_invalid'
  | 'variable_empty'
  | 'variable_invalid';

/** An error in a variable, an option, a profile or a file of settings. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly code: ConfigErrorCode;
  readonly hint: string;

  constructor(code: ConfigErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
