// Replaces everything in the sandbox by the state in a file. Every file is a file of `esign sandbox export`.
import type { Uses } from '../../command/context.ts';
import type { Outcome } from '../../command/outcome.ts';
import { importNotes, sandboxFileOutcome } from './file-outcome.ts';

export async function resetToFile({ connections }: Uses<'connections'>, file: string): Promise<Outcome> {
  const copies = await connections.storeCopies();
  const imported = await copies.importSandbox(file, { replaces: true });
  const outcome = sandboxFileOutcome('Replaced the state of the sandbox.', imported, importNotes(imported));
  return {
    ...outcome,
    json: { reset: true, ...outcome.json },
    entries: [{ key: 'reset', value: true }, ...outcome.entries],
  };
}
