// Prints the script that makes TAB work, or writes it where the shell looks for such scripts. bash and zsh find it there only
// if their startup file says so, which is changed only with consent (startup-file.ts).
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { type Environment, variable } from '../../../config/environment.ts';
import { pathsOf } from '../../../config/paths.ts';
import { readFileUpTo } from '../../../files/read-file.ts';
import { makeFolder } from '../../../files/trust.ts';
import type { Uses } from '../../command/context.ts';
import type { NextStep } from '../../command/error-row.ts';
import { cliError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import { shellWord } from '../../command/shell-word.ts';
import type { Shell } from '../../shell-completion/answer.ts';
import { SCRIPTS } from '../../shell-completion/scripts.ts';
import { addToStartupFile, startupFileOf } from './startup-file.ts';

/** Prints the completion script. @param shell one of the choices of the argument: the parser refuses any other */
export function printScript(shell: string): Outcome {
  const script = SCRIPTS[shell as Shell];
  return { kind: 'text', text: script.trimEnd(), json: { shell, script } };
}

/** Reads a file. Undefined where it cannot be read; it is replaced then. */
function textOf(file: string): string | undefined {
  try {
    return new TextDecoder().decode(readFileUpTo(file, { mostBytes: 1024 * 1024 }));
  } catch {
    return undefined;
  }
}

export async function installScript(
  context: Uses<'process' | 'prompts' | 'settings'>,
  given: string,
): Promise<Outcome> {
  const shell = given as Shell;
  const { environment } = context.process;
  const { file, next } = installTargetOf(shell, environment);
  const before = textOf(file);
  if (before !== SCRIPTS[shell]) await write(file, SCRIPTS[shell], context.process.id);
  const startup = shell === 'bash' || shell === 'zsh' ? startupFileOf(shell, file, environment) : undefined;
  const isPermanent = startup !== undefined && (await addToStartupFile(context, startup));
  const steps = isPermanent ? [{ command: `. ${shellWord(file)}`, when: 'for this shell' }] : next;
  return {
    kind: 'record',
    headline:
      before === SCRIPTS[shell]
        ? 'The completion script was already installed.'
        : 'Installed the completion script.',
    json: {
      shell,
      file,
      installed: before !== SCRIPTS[shell],
      startup_file: isPermanent ? startup.path : null,
      next: steps,
    },
    entries: [
      { key: 'shell', label: 'Shell', value: shell },
      { key: 'file', label: 'File', value: file },
      { key: 'installed', value: before !== SCRIPTS[shell] },
      { key: 'startup_file', label: 'Loaded by', value: isPermanent ? startup.path : undefined },
    ],
    notes: steps.map(({ command, when }) => `${when}: ${command}`),
  };
}

type InstallTarget = { file: string; next: NextStep[] };

function installTargetOf(shell: Shell, environment: Environment): InstallTarget {
  const { variables, homeDir } = environment;
  const folder = (name: string, ...otherwise: string[]) => {
    const value = variable(variables, name);
    // XDG Base Directory Specification: a relative path is invalid and ignored.
    return value !== undefined && isAbsolute(value) ? value : join(homeDir, ...otherwise);
  };
  switch (shell) {
    case 'bash': {
      const own = variable(variables, 'BASH_COMPLETION_USER_DIR');
      const base = own ?? join(folder('XDG_DATA_HOME', '.local', 'share'), 'bash-completion');
      const file = join(base, 'completions', 'esign');
      return {
        file,
        next: [
          {
            command: `source ${shellWord(file)}`,
            when: 'for this shell, and in .bashrc where the package bash-completion is not installed',
          },
        ],
      };
    }
    case 'fish':
      return {
        file: join(folder('XDG_CONFIG_HOME', '.config'), 'fish', 'completions', 'esign.fish'),
        next: [],
      };
    case 'zsh': {
      const file = join(pathsOf(environment).dataDir, 'zsh', '_esign');
      return {
        file,
        next: [
          {
            command: `fpath=(${shellWord(dirname(file))} $fpath)`,
            when: 'in .zshrc, before the line with compinit',
          },
        ],
      };
    }
    case 'powershell': {
      const file = join(pathsOf(environment).dataDir, 'esign.ps1');
      return {
        file,
        next: [{ command: `. '${file.replaceAll("'", "''")}'`, when: 'in the file that $PROFILE names' }],
      };
    }
  }
}

/** Writes a file completely or not at all. */
async function write(file: string, text: string, processId: number): Promise<void> {
  const scratch = `${file}.${processId}.new`;
  try {
    makeFolder(dirname(file));
    await writeFile(scratch, text);
    await rename(scratch, file);
  } catch (error) {
    await rm(scratch, { force: true }).catch(() => undefined);
    throw cliError('file_unwritable', {
      path: file,
      reason: (error as NodeJS.ErrnoException).code ?? 'unknown',
    });
  }
}
