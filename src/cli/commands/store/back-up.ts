// Writes a backup to a file that does not exist, or that may be replaced.
import type { Uses } from '../../command/context.ts';
import type { Outcome } from '../../command/outcome.ts';
import { refuseExistingFile } from '../../input/files.ts';
import { copiedOutcome } from './copied.ts';

export async function writeBackupFile(
  context: Uses<'connections' | 'process' | 'settings'>,
  file: string,
  from: string | undefined,
): Promise<Outcome> {
  await refuseExistingFile(context, file);
  const copies = await context.connections.storeCopies();
  const copied = await copies.backUp(from, file);
  return copiedOutcome('Wrote the backup.', copied, [
    `The key is not in the file. Without the key whose fingerprint is ${copied.key}, the backup cannot be restored.`,
  ]);
}
