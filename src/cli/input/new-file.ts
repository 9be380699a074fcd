// Checks the file that a command is to write: it does not exist, or may be replaced.
import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';

/** @throws CliError `file_exists` */
export async function refuseExistingFile(
  { process, settings }: Uses<'process' | 'settings'>,
  file: string,
): Promise<void> {
  const found = await lstat(resolve(process.workingDir, file)).catch(() => undefined);
  if (found && !(settings.yes && found.isFile()))
    throw cliError('file_exists', {
      path: file,
      hint: 'Choose another name, or replace the file with --yes.',
    });
}
