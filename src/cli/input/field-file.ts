// Reads fields from a JSON file: the properties of the contract, with `recipient` (email or position from 1) and `document`
// (position from 0) instead of ids that are not known yet, and `anchor` instead of a position. Pages count from 0, as everywhere in JSON.
import * as z from 'zod';
import { field as fieldAnswer, fieldInput } from '../../api/contract/fields.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { readPart } from '../../api/service-codec.ts';
import { ANCHOR_POSITIONS } from '../../placement/anchors.ts';
import { cliError } from '../command/errors.ts';
import { type AnchoredField, type GivenField, type PlacedField, parseNamedSpec } from './field-spec.ts';
import { readJson } from './json-file.ts';
import { checkKnown } from './known-properties.ts';
import type { FileReader } from './local-file.ts';

const distance = z.number({ error: 'must be a number' });
const fromZero = z.int({ error: 'must be a whole number' }).min(0, { error: 'must be 0 or more' });

const anchor = z.strictObject({
  text: z.string().trim().min(1, { error: 'must not be empty' }).max(LIMITS.regexLength),
  at: z.enum(ANCHOR_POSITIONS, { error: `must be one of ${ANCHOR_POSITIONS.join(', ')}` }).default('over'),
  offset: z
    .strictObject({ x: distance.default(0), y: distance.default(0) }, { error: 'must be {"x": …, "y": …}' })
    .optional(),
  match: z
    .union([z.int().min(1), z.enum(['all', 'last'])], { error: 'must be a number from 1, "last" or "all"' })
    .optional(),
  page: z.union([fromZero, z.literal('last')], { error: 'must be a page from 0, or "last"' }).optional(),
  case: z.boolean().optional(),
  word: z.boolean().optional(),
  regex: z.boolean().optional(),
  if_present: z.boolean().optional(),
});

const given = z.looseObject({
  type: z.string().min(1, { error: 'must not be empty' }),
  anchor: anchor.optional(),
  page: fromZero.optional(),
  positionX: distance.optional(),
  positionY: distance.optional(),
  width: distance.optional(),
  height: distance.optional(),
  recipient: z
    .union([z.string(), z.int().min(1).transform(String)], {
      error: 'must be an email address, or the number of a recipient, starting at 1',
    })
    .optional(),
  document: fromZero.optional(),
});

const list = z.array(given);
const KNOWN = [given, fieldInput, fieldAnswer];

/** A list may stand in an object, as the API takes it. */
const wrapped = z.object({ fields: z.unknown() });

export async function readFieldFile(path: string, reader: FileReader): Promise<GivenField[]> {
  const content = await readJson(path, reader);
  const fields = Array.isArray(content) ? content : (content as { fields?: unknown } | null)?.fields;
  const name = path === '-' ? 'Standard input' : path;
  if (!Array.isArray(fields)) throw wrong(name, 'is not a list of fields');
  if (!Array.isArray(content)) checkKnown(content, [wrapped], name);
  return readFieldList(fields, name, path);
}

/**
 * Reads fields from a list of objects, and of texts as --field takes them.
 * @param name of what has the list, as a sentence begins
 * @param path for the name of each field
 * @param first the number of the first one
 * @throws CliError exit 2 with the wrong value and where it is
 */
export function readFieldList(
  fields: readonly unknown[],
  name: string,
  path: string,
  first = 1,
): GivenField[] {
  for (const [index, field] of fields.entries()) checkKnown(field, KNOWN, `${name}: field ${index + first}`);
  const objects = fields.map((field) => (typeof field === 'string' ? NO_FIELD : field));
  const read = readPart(list, objects);
  if (!read.ok) {
    const [error] = read.refusal.errors;
    const place = error?.path ?? '';
    throw wrong(
      `${name}: ${inPlace(place, first)}`,
      `${error?.message ?? 'is not a field'}${inWordsOf(valueAt(fields, place))}`,
    );
  }
  return fields.map((given, index) => {
    if (typeof given === 'string')
      return parseNamedSpec(given, `${given}" (field ${index + first} of ${name})`);
    const field = read.value[index] as Given;
    const source = `${path}[${index + first - 1}]`;
    return field.anchor ? anchoredField(field, field.anchor, source) : placedField(field, source, name);
  });
}

/** In the place of a text, which is parsed by itself. */
const NO_FIELD = { type: 'text' };

const valueAt = (fields: readonly unknown[], place: string): unknown =>
  place
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], fields);

const LONGEST_VALUE = 60;

/** Names a wrong value, as the end of a sentence. What is missing has none. */
function inWordsOf(value: unknown): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value);
  return `, but is ${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text}`;
}

const wrong = (source: string, problem: string) => cliError('fields_invalid', { source, problem });

/** `0.page` → `page of field 1` */
function inPlace(path: string, first: number): string {
  const [index = '', ...property] = path.split('.');
  const field = `field ${Number(index) + first}`;
  return property.length > 0 ? `${property.join('.')} of ${field}` : field;
}

type Given = z.output<typeof given>;

/** Which properties a field needs that has no anchor. */
const NEEDED = ['page', 'positionX', 'positionY', 'width', 'height'] as const;

function placedField(field: Given, source: string, name: string): PlacedField {
  const {
    type,
    page,
    positionX,
    positionY,
    width,
    height,
    recipient,
    document,
    anchor: _,
    ...properties
  } = field;
  const missing = NEEDED.find((property) => field[property] === undefined);
  if (missing)
    throw wrong(
      `${name}: ${missing} of ${source}`,
      'is missing. A field has page, positionX, positionY, width and height, or an anchor',
    );
  const points = (length = 0) => ({ points: length });
  return {
    type,
    page: page ?? 0,
    x: points(positionX),
    y: points(positionY),
    width: points(width),
    height: points(height),
    recipient,
    document: document === undefined ? undefined : document + 1,
    properties,
    source,
  };
}

/** Beside an anchor, a field may have a size. */
function anchoredField(field: Given, words: z.output<typeof anchor>, source: string): AnchoredField {
  const {
    type,
    width,
    height,
    recipient,
    document,
    anchor: _,
    page,
    positionX,
    positionY,
    ...properties
  } = field;
  const place = [page, positionX, positionY].some((one) => one !== undefined);
  if (place || (width === undefined) !== (height === undefined))
    throw wrong(source, 'has an anchor, beside which only width and height together are allowed');
  const { text, at, offset, match, page: onPage } = words;
  return {
    type,
    anchor: {
      text,
      at,
      offset: { x: { points: offset?.x ?? 0 }, y: { points: offset?.y ?? 0 } },
      ...(width !== undefined &&
        height !== undefined && { size: { width: { points: width }, height: { points: height } } }),
      match,
      page: onPage,
      isCaseSensitive: words.case,
      isWholeWord: words.word,
      isRegex: words.regex,
      mayBeMissing: words.if_present,
    },
    recipient,
    document: document === undefined ? undefined : document + 1,
    properties,
    source,
  };
}
