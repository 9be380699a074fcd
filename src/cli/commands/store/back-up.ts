// Writes a backup to a file that does not exist, or that may be replaced.
import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import { copiedOutcome } from './copied.ts';

export async function writeBackupFile(
  { connections, process, settings }: Uses<'connections' | 'process' | 'settings'>,
  file: string,
  from: string | undefined,
): Promise<Outcome> {
  const found = await lstat(resolve(process.workingDir, file)).catch(() => undefined);
  if (found && !(settings.yes && found.isFile()))
    throw cliError('file_exists', {
      path: file,
      hint: 'Choose another name, or replace the file with --yes.',
    });
  const copies = await connections.storeCopies();
  const copied = await copies.backUp(from, file);
  return copiedOutcome('Wrote the backup.', copied, [
    `The key is not in the file. Without the key whose fingerprint is ${copied.key}, the backup cannot be restored.`,
  ]);
}
