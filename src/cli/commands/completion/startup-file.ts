// Adds the lines that load the completion script in every new shell to the startup file. The file belongs to the user, so the
// lines are added only with consent, at its end, once, and between two comments that name them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, variable } from '../../../config/environment.ts';
import { readFileUpTo, whyUnread } from '../../../files/read-file.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { shellWord } from '../../command/shell-word.ts';

export type StartupFile = { path: string; lines: string };

const BEGIN = '# Completion of esign, added by `esign completion --install`';
const END = '# End of the completion of esign';

/** @param script the file of the completion script; undefined for a shell that finds the script by itself */
export function startupFileOf(
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
export async function addToStartupFile(
  { prompts, settings }: Uses<'prompts' | 'settings'>,
  { path, lines }: StartupFile,
): Promise<boolean> {
  const before = textOf(path);
  const block = `${BEGIN}\n${lines}\n${END}\n`;
  if (before.includes(block)) return true;
  if (!settings.yes && !prompts.canAsk) return false;
  if (!(await prompts.confirm(`Add the lines that load completion to ${path}?`))) return false;
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  // Appended in one write, so that a link stays a link and what is there stays as it is.
  await writeFile(path, `${gap}${block}`, { flag: 'a' }).catch((error: NodeJS.ErrnoException) => {
    throw unwritable(path, error);
  });
  return true;
}

function textOf(path: string): string {
  try {
    return new TextDecoder().decode(readFileUpTo(path, { mostBytes: LONGEST_BYTES }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw unwritable(path, error);
  }
}

const LONGEST_BYTES = 16 * 1024 * 1024;

const unwritable = (path: string, error: unknown) =>
  cliError('file_unwritable', { path, reason: whyUnread(error) });
