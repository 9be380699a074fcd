// Reads fields from a JSON file: the properties of the contract, with `recipient` (email or position from 1) and `document`
// (position from 0) instead of ids that are not known yet. Pages count from 0, as everywhere in JSON.
import * as z from 'zod';
import { readPart } from '../../api/codec.ts';
import { field as fieldAnswer, fieldInput } from '../../api/contract/fields.ts';
import { cliError } from '../command/errors.ts';
import type { PlacedField } from './field-spec.ts';
import { readJson } from './json-file.ts';
import { checkKnown } from './known-properties.ts';
import type { FileReader } from './local-file.ts';

const distance = z.number({ error: 'must be a number' });
const fromZero = z.int({ error: 'must be a whole number' }).min(0, { error: 'must be 0 or more' });

const placed = z.looseObject({
  type: z.string().min(1, { error: 'must not be empty' }),
  page: fromZero,
  positionX: distance,
  positionY: distance,
  width: distance,
  height: distance,
  recipient: z
    .union([z.string(), z.int().min(1).transform(String)], {
      error: 'must be an email address, or the number of a recipient, starting at 1',
    })
    .optional(),
  document: fromZero.optional(),
});

const list = z.array(placed);
const KNOWN = [placed, fieldInput, fieldAnswer];

/** A list may stand in an object, as the API takes it. */
const wrapped = z.object({ fields: z.unknown() });

export async function readFieldFile(path: string, reader: FileReader): Promise<PlacedField[]> {
  const given = await readJson(path, reader);
  const fields = Array.isArray(given) ? given : (given as { fields?: unknown } | null)?.fields;
  const name = path === '-' ? 'Standard input' : path;
  if (!Array.isArray(fields)) throw wrong(name, 'is not a list of fields');
  if (!Array.isArray(given)) checkKnown(given, [wrapped], name);
  const read = readPart(list, fields);
  if (!read.ok) {
    const [first] = read.refusal.errors;
    throw wrong(`${name}: ${inPlace(first?.path ?? '')}`, first?.message ?? 'is not a field');
  }
  for (const [index, field] of fields.entries()) checkKnown(field, KNOWN, `${name}: field ${index + 1}`);
  return read.value.map((field, index) => placedField(field, `${path}[${index}]`));
}

const wrong = (source: string, problem: string) => cliError('fields_invalid', { source, problem });

/** `0.page` → `page of field 1` */
function inPlace(path: string): string {
  const [index = '', ...property] = path.split('.');
  const field = `field ${Number(index) + 1}`;
  return property.length > 0 ? `${property.join('.')} of ${field}` : field;
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
