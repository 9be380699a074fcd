// Fields from a JSON file: the properties of the contract, with `recipient` (e-mail or position from 1) and `document`
// (position from 0) instead of ids that are not known yet. Pages count from 0, as everywhere in JSON.
import * as z from 'zod';
import { usageError } from '../errors.ts';
import type { PlacedField } from './field-spec.ts';
import { readJson } from './json-file.ts';
import type { FileReader } from './local-file.ts';

const placed = z.looseObject({
  type: z.string().min(1),
  page: z.int().min(0),
  positionX: z.number(),
  positionY: z.number(),
  width: z.number(),
  height: z.number(),
  recipient: z.union([z.string(), z.int().min(1).transform(String)]).optional(),
  document: z.int().min(0).optional(),
});

const shape = z.union([
  z.array(placed),
  z.object({ fields: z.array(placed) }).transform(({ fields }) => fields),
]);

export async function readFieldFile(path: string, reader: FileReader): Promise<PlacedField[]> {
  const read = shape.safeParse(await readJson(path, reader));
  if (read.success) return read.data.map((field, index) => placedField(field, `${path}[${index}]`));
  throw usageError(
    'fields_invalid',
    `${path} ${wrongPlace(read.error)}.`,
    'See `esign help fields` for the properties of a field.',
  );
}

function wrongPlace(error: z.ZodError): string {
  const issues = error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? (issue.errors[0] ?? []) : [issue],
  );
  const [first] = issues;
  return first
    ? `is wrong at ${first.path.map(String).join('.') || 'its top'}: ${first.message}`
    : 'is not a list of fields';
}

function placedField(field: z.output<typeof placed>, source: string): PlacedField {
  const { type, page, positionX, positionY, width, height, recipient, document, ...properties } = field;
  return {
    type,
    page,
    x: { points: positionX },
    y: { points: positionY },
    width: { points: width },
    height: { points: height },
    recipient,
    document: document === undefined ? undefined : document + 1,
    properties,
    source,
  };
}
