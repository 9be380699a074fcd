// Translates stack traces into places of the sources, because `dist/main.cjs:12:3456` means nothing to the reader of a report.
// It reads the source maps only when there is a stack to show.
import { existsSync, readFileSync } from 'node:fs';
import type { SourceMap, SourceMapping } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the bundles. Run from the sources there is no map, and stacks stay as they are. */
const folder = (): string => dirname(fileURLToPath(import.meta.url));
const PLACE = /^([\w-]+\.cjs):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | undefined>();

/** Translates a stack into `src/…ts:LINE:COLUMN` where a map knows the place; never throws. */
export function inSources(stack: string): string {
  try {
    const [first = '', ...others] = stack.split(folder() + sep);
    return others.reduce((text, other) => text + placed(other), first);
  } catch {
    return stack;
  }
}

/** Finds the first place in the sources that a stack names. */
export const placeIn = (stack: string): string | undefined =>
  /\bsrc\/[\w./-]+\.ts:\d+(?=:\d+)/.exec(inSources(stack))?.[0];

/** Translates the text after the folder, which begins with `main.cjs:LINE:COLUMN` for a bundle. */
function placed(text: string): string {
  const [whole = '', bundle = '', line, column] = PLACE.exec(text) ?? [];
  const map = whole === '' ? undefined : mapOf(bundle);
  const entry = map && entryAt(map, Number(line), Number(column));
  if (!entry) return folder() + sep + text;
  // Relative to the folder that it was built in.
  const source = entry.originalSource.replace(/^(\.\.\/)+/, '');
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}${text.slice(whole.length)}`;
}

function mapOf(bundle: string): SourceMap | undefined {
  if (!maps.has(bundle)) maps.set(bundle, readMap(join(folder(), `${bundle}.map`)));
  return maps.get(bundle);
}

function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return undefined;
  // Loaded here, because it takes a millisecond.
  const { SourceMap } = process.getBuiltinModule('node:module');
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
}

/** Looks up a line and column of a stack. Node returns an empty object for an unknown place. */
function entryAt(map: SourceMap, line: number, column: number): SourceMapping | undefined {
  const entry = map.findEntry(line - 1, column - 1) as Partial<SourceMapping>;
  return entry.originalSource === undefined ? undefined : (entry as SourceMapping);
}
