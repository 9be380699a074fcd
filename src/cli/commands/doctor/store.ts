// Checks the files of the offline sandbox for `esign doctor`. It only reads: damaged files stay as they are.

import { type Check, type Finding, failure, passed, runCheck, skipped, warning } from '../../checks/check.ts';
import type { Uses } from '../../command/context.ts';
import { EXIT } from '../../command/exit-codes.ts';

type Found = Awaited<ReturnType<Uses<'connections'>['connections']['inspectSandbox']>>;

/** Makes one check for each part, or a single one where they cannot be read. */
export async function checkStore(
  { connections }: Uses<'connections'>,
  { deep, limitMs }: { deep: boolean; limitMs: number },
): Promise<Check[]> {
  let found: Found;
  const looked = await runCheck('store', limitMs, async () => {
    found = await connections.inspectSandbox({ deep });
    return skipped('There is no sandbox yet.');
  });
  if (!found) return [looked];
  return found.map(({ part, state, says, hint }) => ({ name: part, ...findingOf(state, says, hint) }));
}

function findingOf(state: 'ok' | 'warn' | 'fail', says: string, hint: string | undefined): Finding {
  if (state === 'ok') return passed(says);
  return state === 'warn' ? warning(says, hint) : failure(EXIT.unexpected, says, hint);
}
