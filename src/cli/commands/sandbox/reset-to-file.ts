// Replaces everything in the sandbox by the state in a file. Every file is a file of `esign sandbox export`.
import type { Uses } from '../../command/context.ts';
import type { Outcome } from '../../command/outcome.ts';
import { importFile } from './import-file.ts';

export async function resetToFile(
  context: Uses<'connections' | 'prompts'>,
  wish: { file: string; trustsAuthority: boolean },
): Promise<Outcome> {
  const headline = 'Replaced the state of the sandbox.';
  const outcome = await importFile(context, { ...wish, replaces: true, headline });
  return {
    ...outcome,
    json: { reset: true, ...outcome.json },
    entries: [{ key: 'reset', value: true }, ...outcome.entries],
  };
}
