// The areas of debug output on stderr: `--debug` shows the exchanges with the service, ESIGN_DEBUG any of the areas. The
// output must not contain a token, a value that a user entered, or the content of a file.
import { type Variables, variable } from '../../config/environment.ts';
import { cliError } from './errors.ts';

export const DEBUG_AREAS = ['http', 'store', 'engine'] as const;
export type DebugArea = (typeof DEBUG_AREAS)[number];

/** Reads which areas to show. @throws CliError for an unknown area */
export function debugAreasOf(isDebug: boolean, variables: Variables): ReadonlySet<DebugArea> {
  const areas = new Set<DebugArea>(isDebug ? ['http'] : []);
  for (const name of (variable(variables, 'ESIGN_DEBUG') ?? '').split(',').map((word) => word.trim())) {
    if (name === '') continue;
    const area = DEBUG_AREAS.find((candidate) => candidate === name.toLowerCase());
    if (!area) throw unknown(name);
    areas.add(area);
  }
  return areas;
}

function unknown(value: string) {
  return cliError('variable_invalid', {
    sentence: `"${value}" is not a valid value for ESIGN_DEBUG.`,
    hint: `Use one or more of ${DEBUG_AREAS.join(', ')}, separated by commas.`,
  });
}
