// Builds schemas when they are first used. A command uses a few of a hundred and fifty, and building all of them took 7 ms.
// `z.lazy` makes a schema of its own, which costs nearly as much as the one that it defers.
import type { z } from 'zod';
import { once } from '../../common/once.ts';

const BUILT = Symbol('built');

/** Stands for the schema that `make` returns; `make` is called once. */
export function lazySchema<T extends z.ZodType>(make: () => T): T {
  const schema = once(make);
  return new Proxy({} as T, {
    get: (_, name) => (name === BUILT ? schema() : Reflect.get(schema(), name)),
    has: (_, name) => name in schema(),
  });
}

/** Returns the schema itself, for code that stores something beside a schema and looks it up by the schema. */
export const resolveSchema = <T extends object>(schema: T): T => (schema as { [BUILT]?: T })[BUILT] ?? schema;

/**
 * Returns the schema itself, with every deferred schema inside it built: zod's JSON Schema recognises the parts of a schema by
 * identity.
 */
export function resolveSchemaDeep<T extends object>(schema: T, seen = new Set<object>()): T {
  const built = resolveSchema(schema);
  if (seen.has(built)) return built;
  seen.add(built);
  const { def } = (built as { _zod?: { def: Record<string, unknown> } })._zod ?? {};
  if (!def) return built;
  for (const holder of [def, def.shape, def.options])
    if (typeof holder === 'object' && holder !== null) buildIn(holder as Record<string, unknown>, seen);
  return built;
}

function buildIn(holder: Record<string, unknown>, seen: Set<object>): void {
  for (const [name, part] of Object.entries(holder))
    if (typeof part === 'object' && part !== null && '_zod' in part)
      holder[name] = resolveSchemaDeep(part, seen);
}
