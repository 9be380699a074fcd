// The script that makes TAB work: printed, or written where the shell looks for such scripts. Files that a person edits,
// such as .bashrc, are never touched: the line for them is said.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { type Environment, variable } from '../../../config/environment.ts';
import { pathsOf } from '../../../config/paths.ts';
import { makeFolder } from '../../../database/folder.ts';
import type { Uses } from '../../command/context.ts';
import type { NextStep } from '../../command/error-row.ts';
import { cliError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import type { Shell } from '../../completion/answer.ts';
import { SCRIPTS } from '../../completion/scripts.ts';

/** @param shell one of its choices: the parser lets no other through */
export function printScript(shell: string): Outcome {
  const script = SCRIPTS[shell as Shell];
  return { kind: 'text', text: script.trimEnd(), json: { shell, script } };
}

export async function installScript(context: Uses<'process'>, given: string): Promise<Outcome> {
  const shell = given as Shell;
  const { file, next } = placeOf(shell, context.process.environment);
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before !== SCRIPTS[shell]) await write(file, SCRIPTS[shell], context.process.id);
  return {
    kind: 'record',
    headline:
      before === SCRIPTS[shell]
        ? 'The completion script was already installed.'
        : 'Installed the completion script.',
    json: { shell, file, installed: before !== SCRIPTS[shell], next },
    entries: [
      { key: 'shell', label: 'Shell', value: shell },
      { key: 'file', label: 'File', value: file },
      { key: 'installed', value: before !== SCRIPTS[shell] },
    ],
    notes: next.map(({ command, when }) => `${when}: ${command}`),
  };
}

type Place = { file: string; next: NextStep[] };

function placeOf(shell: Shell, environment: Environment): Place {
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
            command: `source ${quoted(file)}`,
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
            command: `fpath=(${quoted(dirname(file))} $fpath)`,
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

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Whole or not at all. */
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
