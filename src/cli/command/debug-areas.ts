// What is told on stderr while a command works, by area: `--debug` for the exchanges with the service, ESIGN_DEBUG for
// any of them. Nothing that is told may hold a token, a value somebody entered, or what a file says.
import { type Variables, variable } from '../../config/environment.ts';
import { cliError } from './errors.ts';

export const DEBUG_AREAS = ['http', 'store', 'engine'] as const;
export type DebugArea = (typeof DEBUG_AREAS)[number];

/** @throws CliError for an area that there is not */
export function debugAreasOf(isDebug: boolean, variables: Variables): ReadonlySet<DebugArea> {
  const areas = new Set<DebugArea>(isDebug ? ['http'] : []);
  for (const name of (variable(variables, 'ESIGN_DEBUG') ?? '').split(',').map((one) => one.trim())) {
    if (name === '') continue;
    const area = DEBUG_AREAS.find((known) => known === name.toLowerCase());
    if (!area) throw unknown(name);
    areas.add(area);
  }
  return areas;
}

function unknown(value: string) {
  const use = `one or more of ${DEBUG_AREAS.join(', ')}, separated by commas`;
  return cliError('variable_invalid', { name: 'ESIGN_DEBUG', value, use });
}
