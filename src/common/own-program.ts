// Starts a program of esign in a child process. Under Node that is a script of the build. The single executable always runs the
// script inside it, and takes the name of the program as an argument; src/cli/start/executable.ts is the other side.
import { basename, dirname } from 'node:path';
import process from 'node:process';

/** The first argument by which the executable recognizes that a process of its own started it. */
export const OWN_PROGRAM = '__program';

/** The variable by which a child, which may know no home, gets the folder where its parent found the program. */
export const UNPACKED_FOLDER = 'ESIGN_UNPACKED';

type Launch = {
  command: string;
  words: readonly string[];
  /** Must be added to the environment of the child. */
  variables: Readonly<Record<string, string>>;
};

/** There are no options of Node: the executable takes none (decision 0062). @param script path of a built program */
export function launchOf(script: string, words: readonly string[] = []): Launch {
  const command = process.execPath;
  if (!isExecutable()) return { command, words: [script, ...words], variables: {} };
  return {
    command,
    words: [OWN_PROGRAM, basename(script), ...words],
    variables: { [UNPACKED_FOLDER]: dirname(dirname(script)) },
  };
}

/** What node:cluster runs in a worker: the same command again. Undefined where its own choice is right. */
export const workerLaunch = (): { exec: string; args: string[] } | undefined =>
  isExecutable() ? { exec: OWN_PROGRAM, args: [COMMAND_LINE, ...process.argv.slice(2)] } : undefined;

/** The name of the command line among the programs. */
export const COMMAND_LINE = 'esign.js';

const isExecutable = (): boolean => process.getBuiltinModule('node:sea').isSea();
