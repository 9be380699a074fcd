import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { type Environment, pathsOf, variable } from '../../config/environment.ts';
import { readFileUpTo, whyUnread } from '../../files/read-file.ts';
import { makeFolder } from '../../files/trust.ts';
import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import { cliError, type NextStep } from '../command/errors.ts';
import { boolean, list, nullable, object, prints, text } from '../command/json-output.ts';
import type { Outcome } from '../command/outcome.ts';
import { NEXT_COMMAND } from '../command/shared-json.ts';
import { shellWord } from '../command/shell-word.ts';
import { SHELLS, type Shell } from '../shell-completion/answer.ts';
import { SCRIPTS } from '../shell-completion/scripts.ts';

export const command = defineCommand({
  summary: 'Generate shell completion scripts',
  details: `To enable completion in the current shell:

  bash         source <(esign completion bash)
  zsh          source <(esign completion zsh)
  fish         esign completion fish | source
  powershell   esign completion powershell | Out-String | Invoke-Expression

With --install, the script is written to the directory where the shell looks for completions. bash and zsh also need
a few lines in .bashrc or .zshrc: they are added if you agree at the prompt, or with --yes; otherwise, the steps that remain are
printed. Completion offers commands, options, and
the transactions, templates and webhooks recently used on this machine. It sends no requests.`,
  arguments: [{ name: 'shell', choices: SHELLS, summary: 'Shell to generate the script for' }],
  options: {
    install: { summary: 'Install the script permanently; asks before it changes .bashrc or .zshrc' },
  },
  json: prints(
    object({ shell: text, script: text }),
    '; with --install ',
    object({
      shell: text,
      file: text,
      installed: boolean,
      startup_file: nullable(text),
      next: list(NEXT_COMMAND),
    }),
    '; startup_file is the file that loads the script, or null',
  ),
  examples: [
    { line: 'esign completion bash', about: 'Print the script for bash' },
    {
      line: 'esign completion zsh --install',
      about: 'Install completion for zsh and print the remaining steps',
    },
  ],
  async run(context, { args, options }) {
    return options.install ? installScript(context, args.shell) : printScript(args.shell);
  },
});

/** Prints the completion script. @param shell one of the choices of the argument: the parser refuses any other */
function printScript(shell: string): Outcome {
  const script = SCRIPTS[shell as Shell];
  return { kind: 'text', text: script.trimEnd(), json: { shell, script } };
}

/** Reads a file. Undefined where it cannot be read; it is replaced then. */
function readScript(file: string): string | undefined {
  try {
    return new TextDecoder().decode(readFileUpTo(file, { mostBytes: 1024 * 1024 }));
  } catch {
    return undefined;
  }
}

async function installScript(
  context: Uses<'process' | 'prompts' | 'settings'>,
  shellName: string,
): Promise<Outcome> {
  const shell = shellName as Shell;
  const { environment } = context.process;
  const { file, next } = installTargetOf(shell, environment);
  const before = readScript(file);
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
    throw unwritable(file, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
}

type StartupFile = { path: string; lines: string };

const BEGIN = '# Completion of esign, added by `esign completion --install`';

const END = '# End of the completion of esign';

/** @param script the file of the completion script; undefined for a shell that finds the script by itself */
function startupFileOf(
  shell: 'bash' | 'zsh',
  script: string,
  { variables, homeDir }: Environment,
): StartupFile {
  const file = shellWord(script);
  if (shell === 'bash')
    return { path: join(homeDir, '.bashrc'), lines: `if [ -r ${file} ]; then . ${file}; fi` };
  return {
    path: join(variable(variables, 'ZDOTDIR') ?? homeDir, '.zshrc'),
    // The script registers with compdef, which a startup file may not have loaded.
    lines: `if [[ -r ${file} ]]; then\n  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n  . ${file}\nfi`,
  };
}

/**
 * Adds the lines if the user agrees; a script agrees with --yes.
 * @returns whether they stand in the file now
 */
async function addToStartupFile(
  { prompts, settings }: Uses<'prompts' | 'settings'>,
  { path, lines }: StartupFile,
): Promise<boolean> {
  const before = readStartupFile(path);
  const block = `${BEGIN}\n${lines}\n${END}\n`;
  if (before.includes(block)) return true;
  if (!settings.yes && !prompts.canAsk) return false;
  if (!(await prompts.confirm(`Add the lines that load completion to ${path}?`))) return false;
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  // One write appends the block, so that a link stays a link and what is there stays as it is.
  await writeFile(path, `${gap}${block}`, { flag: 'a' }).catch((error: NodeJS.ErrnoException) => {
    throw unwritable(path, whyUnread(error));
  });
  return true;
}

function readStartupFile(path: string): string {
  try {
    return new TextDecoder().decode(readFileUpTo(path, { mostBytes: LONGEST_BYTES }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw unwritable(path, whyUnread(error));
  }
}

const LONGEST_BYTES = 16 * 1024 * 1024;

const unwritable = (path: string, reason: string) =>
  cliError('file_unwritable', {
    sentence: `"${path}" cannot be written (${reason}).`,
    hint: 'Check its permissions, or print the script with `esign completion bash`.',
  });
