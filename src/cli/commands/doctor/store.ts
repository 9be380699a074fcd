// What `esign doctor` finds in the files of the offline sandbox. Looks only: what is damaged stays as it is.
import type { Uses } from '../../command/context.ts';
import { EXIT } from '../../command/exit-codes.ts';
import { type Check, check, type Finding, fail, ok, skip, warn } from './check.ts';

type Found = Awaited<ReturnType<Uses<'connections'>['connections']['inspectSandbox']>>;

/** One check for each part, or one alone where they cannot be looked at. */
export async function checkStore(
  { connections }: Uses<'connections'>,
  { deep, limitMs }: { deep: boolean; limitMs: number },
): Promise<Check[]> {
  let found: Found;
  const looked = await check('store', limitMs, async () => {
    found = await connections.inspectSandbox({ deep });
    return skip('There is no sandbox yet.');
  });
  if (!found) return [looked];
  return found.map(({ part, state, says, wayOut }) => ({ name: part, ...findingOf(state, says, wayOut) }));
}

function findingOf(state: 'ok' | 'warn' | 'fail', says: string, wayOut: string | undefined): Finding {
  if (state === 'ok') return ok(says);
  return state === 'warn' ? warn(says, wayOut) : fail(EXIT.unexpected, says, wayOut);
}
