// Exports the sandbox to a file that does not exist, or that may be replaced.
import type { Uses } from '../../command/context.ts';
import type { Outcome } from '../../command/outcome.ts';
import { refuseExistingFile } from '../../input/files.ts';
import { sandboxFileOutcome } from './file-outcome.ts';

export async function exportToFile(
  context: Uses<'connections' | 'process' | 'settings'>,
  file: string,
  options: { secrets: boolean },
): Promise<Outcome> {
  await refuseExistingFile(context, file);
  const copies = await context.connections.storeCopies();
  const exported = await copies.exportSandbox(file, options);
  return sandboxFileOutcome('Exported the sandbox.', exported, [
    exported.secrets
      ? 'The file contains secrets: private keys, signing links, and hashes of tokens and passwords. To share it, export it again with --without-secrets.'
      : 'The file contains no secrets. It contains documents, names and email addresses.',
  ]);
}
