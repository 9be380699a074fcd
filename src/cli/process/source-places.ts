// Stacks in places of the sources: `dist/main.cjs:12:3456` says nothing to whoever reads a report. The source maps are read
// when there is a stack to show, and not before.
import { existsSync, readFileSync } from 'node:fs';
import type { SourceMap, SourceMapping } from 'node:module';
import { dirname, join, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The bundle that this is a part of lies beside the others; run from the sources, there is no map, and nothing to change. */
const FOLDER = dirname(fileURLToPath(import.meta.url));
const PLACE = /^([\w-]+\.cjs):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | undefined>();

/** The stack with `src/…ts:LINE:COLUMN` where a map knows it; never throws. */
export function inSources(stack: string): string {
  try {
    const [first = '', ...others] = stack.split(FOLDER + sep);
    return others.reduce((text, other) => text + placed(other), first);
  } catch {
    return stack;
  }
}

/** The first place in the sources that a stack names. */
export const placeIn = (stack: string): string | undefined =>
  /\bsrc\/[\w./-]+\.ts:\d+(?=:\d+)/.exec(inSources(stack))?.[0];

/** What stands behind the folder begins with `main.cjs:LINE:COLUMN` where it is a bundle. */
function placed(text: string): string {
  const [whole = '', bundle = '', line, column] = PLACE.exec(text) ?? [];
  const map = whole === '' ? undefined : mapOf(bundle);
  const entry = map && entryAt(map, Number(line), Number(column));
  if (!entry) return FOLDER + sep + text;
  // As seen from the folder that it was built in.
  const source = entry.originalSource.replace(/^(\.\.\/)+/, '');
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}${text.slice(whole.length)}`;
}

function mapOf(bundle: string): SourceMap | undefined {
  if (!maps.has(bundle)) maps.set(bundle, readMap(join(FOLDER, `${bundle}.map`)));
  return maps.get(bundle);
}

function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return undefined;
  // It takes a millisecond to load.
  const { SourceMap } = process.getBuiltinModule('node:module');
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
}

/** Of a line and column as a stack counts them; Node answers with an empty object where it knows nothing. */
function entryAt(known: SourceMap, line: number, column: number): SourceMapping | undefined {
  const found = known.findEntry(line - 1, column - 1) as Partial<SourceMapping>;
  return found.originalSource === undefined ? undefined : (found as SourceMapping);
}
