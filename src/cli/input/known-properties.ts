// Refuses unknown properties in JSON that a person wrote: a misspelt one would otherwise be ignored
// without a warning.
import type { z } from 'zod';
import { nearest } from '../../common/nearest.ts';
import { cliError } from '../command/errors.ts';

/**
 * Checks a value and everything in it.
 * @param schemas that of a request, and that of a response which is edited and sent back
 * @param source the file, as a sentence begins
 * @throws CliError exit 2 for the first unknown property, with its place
 */
export function checkKnown(value: unknown, schemas: readonly z.ZodType[], source: string): void {
  visit(value, schemas.map(plainOf), { source, place: [] });
}

type Where = { source: string; place: readonly string[] };

/** The part of a schema's definition that is used here. */
type Definition = {
  type?: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
};

const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as Definition;

/** Unwraps a schema that is optional, nullable or has a default. */
function plainOf(schema: z.ZodType): z.ZodType {
  const { innerType } = definitionOf(schema);
  return innerType ? plainOf(innerType) : schema;
}

function visit(value: unknown, schemas: readonly z.ZodType[], { source, place }: Where): void {
  const definitions = schemas.map(definitionOf);
  if (Array.isArray(value)) {
    const elements = definitions.flatMap(({ element }) => (element ? [plainOf(element)] : []));
    for (const [index, item] of value.entries())
      visit(item, elements, {
        source,
        place: [...place.slice(0, -1), `${oneOf(place.at(-1))} ${index + 1}`],
      });
    return;
  }
  const shapes = definitions.flatMap(({ shape }) => (shape ? [shape] : []));
  if (typeof value !== 'object' || value === null || shapes.length === 0) return;
  const names = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
  for (const [name, item] of Object.entries(value)) {
    if (!names.includes(name))
      throw cliError('json_property_unknown', {
        ...{ source, name, names },
        place: place.join(', '),
        meant: nearest(name, names),
      });
    const parts = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : []));
    visit(item, parts.map(plainOf), { source, place: [...place, name] });
  }
}

/** `recipients` → `recipient` */
const oneOf = (name = 'item'): string => name.replace(/s$/, '');
