// Reads fields and their values from JSON files. A field has the properties of the contract, with `recipient` (email or position from 1) and
// `document` (position from 0) instead of ids that are not known yet, and `anchor` instead of a position. Values are named by label,
// `{"City": "Berlin"}`, or by recipient and label, `{"ada@example.com": {"City": "Berlin"}}`. Pages count from 0, as everywhere in JSON.
import * as z from 'zod';
import { field as fieldAnswer, fieldInput } from '../../api/contract/fields.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { readPart } from '../../api/service-codec.ts';
import { isRecord } from '../../common/json.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { ANCHOR_POSITIONS } from '../../placement/anchors.ts';
import { type CliError, cliError } from '../command/errors.ts';
import { type AnchoredField, type GivenField, type PlacedField, parseNamedSpec } from './field-spec.ts';
import { type FileReader, readJson } from './files.ts';
import type { Addressee } from './person.ts';

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

const fieldSchema = z.looseObject({
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

const list = z.array(fieldSchema);
const KNOWN = [fieldSchema, fieldInput, fieldAnswer];

/** A list may stand in an object, as the API takes it. */
const wrapped = z.object({ fields: z.unknown() });

export async function readFieldFile(path: string, reader: FileReader): Promise<GivenField[]> {
  const content = await readJson(path, reader);
  const fields = Array.isArray(content) ? content : (content as { fields?: unknown } | null)?.fields;
  const name = path === '-' ? 'Standard input' : path;
  if (!Array.isArray(fields)) throw fieldsInvalid(name, 'is not a list of fields');
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
    throw fieldsInvalid(
      `${name}: ${inPlace(place, first)}`,
      `${error?.message ?? 'is not a field'}${inWordsOf(valueAt(fields, place))}`,
    );
  }
  return fields.map((item, index) => {
    if (typeof item === 'string') return parseNamedSpec(item, `${item}" (field ${index + first} of ${name})`);
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

const fieldsInvalid = (source: string, problem: string) =>
  cliError('fields_invalid', {
    sentence: `${source} ${problem}.`,
    hint: 'See `esign help fields` for the properties of a field.',
  });

/** `0.page` → `page of field 1` */
function inPlace(path: string, first: number): string {
  const [index = '', ...property] = path.split('.');
  const field = `field ${Number(index) + first}`;
  return property.length > 0 ? `${property.join('.')} of ${field}` : field;
}

type Given = z.output<typeof fieldSchema>;

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
    throw fieldsInvalid(
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
  const place = [page, positionX, positionY].some((value) => value !== undefined);
  if (place || (width === undefined) !== (height === undefined))
    throw fieldsInvalid(source, 'has an anchor, beside which only width and height together are allowed');
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
        sentence: `${[source, place.join(', ')].filter(Boolean).join(': ')} has the unknown property "${name}".`,
        hint: didYouMean(nearest(name, names)) || `Use ${names.join(', ')}.`,
      });
    const parts = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name] as z.ZodType] : []));
    visit(item, parts.map(plainOf), { source, place: [...place, name] });
  }
}

/** `recipients` → `recipient` */
const oneOf = (name = 'item'): string => name.replace(/s$/, '');

/** A value for the fields with a label, of one recipient or of any. */
export type DataEntry = {
  recipient?: string;
  label: string;
  value: string | number | boolean;
  source: string;
};

export async function readDataFile(path: string, reader: FileReader): Promise<DataEntry[]> {
  const content = await readJson(path, reader);
  const source = path === '-' ? 'Standard input' : path;
  if (!isRecord(content)) throw dataInvalid(source, 'is not a JSON object');
  return Object.entries(content).flatMap(([key, value]) => {
    if (!isRecord(value)) return [entryOf(key, value, source)];
    if (!key.includes('@'))
      throw dataInvalid(source, `has an object for "${key}", which is not an email address`);
    return Object.entries(value).map(([label, item]) => ({
      ...entryOf(label, item, source),
      recipient: key,
    }));
  });
}

function entryOf(label: string, value: unknown, source: string): DataEntry {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { label, value, source };
  throw dataInvalid(source, `has a value for "${label}" that is not a string, a number, true or false`);
}

const dataInvalid = (source: string, problem: string, meant?: string): CliError =>
  cliError('data_invalid', { sentence: `${source} ${problem}.`, hint: didYouMean(meant, DATA_FORM) });

const DATA_FORM =
  'Use an object of labels and values, such as {"City": "Berlin"}, or {"ada@example.com": {"City": "Berlin"}} for the fields of one recipient.';

/** A field that a value may be for. `holder`: the email of who fills it in, as far as it is known. */
export type FillableField = { label: string; holder: string | undefined };

/** Whether a value is for a field. */
export const isMeant = ({ label, holder }: FillableField, entry: DataEntry): boolean =>
  label === entry.label && isOf(holder, entry.recipient);

/**
 * Finds the value of each field.
 * @param areAll whether there are no other fields; otherwise a label that none of them has may belong to another one
 * @throws CliError exit 2 for a label that no field has, or that fields of several recipients have
 */
export function valuesOf<F extends FillableField>(
  fields: readonly F[],
  data: readonly DataEntry[],
  { areAll = true } = {},
): Map<F, DataEntry['value']> {
  const values = new Map<F, DataEntry['value']>();
  for (const entry of data) {
    const matches = fields.filter((field) => isMeant(field, entry));
    if (matches.length === 0 && areAll) throw notThere(entry, fields);
    const holders = new Set(matches.map(({ holder }) => holder?.toLowerCase()));
    if (holders.size > 1)
      throw dataInvalid(
        entry.source,
        `has a value for "${entry.label}", which is a field of several recipients`,
      );
    for (const field of matches) values.set(field, entry.value);
  }
  return values;
}

/**
 * Gives fields their values.
 * @param others fields that are filled in elsewhere, but are meant as well
 * @throws CliError exit 2 as {@link valuesOf}
 */
export function withData(
  fields: readonly GivenField[],
  data: readonly DataEntry[],
  to: readonly Addressee[],
  others: readonly FillableField[] | 'unknown' = [],
): GivenField[] {
  const fillables = fields.map((field) => fillable(field, to));
  const areAll = others !== 'unknown';
  const values = valuesOf<FillableField>([...fillables, ...(areAll ? others : [])], data, { areAll });
  return fillables.map((entry) => {
    const value = values.get(entry);
    const { field } = entry;
    return value === undefined ? field : { ...field, properties: { ...field.properties, value } };
  });
}

/** Makes what values are compared with. @param to the recipients that numbers count */
export const fillable = (field: GivenField, to: readonly Addressee[]) => ({
  field,
  label: labelOrType(field.properties.label, field.type),
  holder: holderOf(field, to),
});

/** A field without a label is named by its type. */
export const labelOrType = (label: unknown, type: string): string =>
  typeof label === 'string' && label !== '' ? label : type;

/** The email of who fills in a field, as far as it is known. */
function holderOf({ recipient }: GivenField, to: readonly Addressee[]): string | undefined {
  if (recipient === undefined) return to.length === 1 ? to[0]?.email : undefined;
  return /^\d+$/.test(recipient) ? to[Number(recipient) - 1]?.email : recipient;
}

const isOf = (holder: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || (holder !== undefined && sameEmail(holder, wanted));

function notThere({ label, recipient, source }: DataEntry, fields: readonly FillableField[]): CliError {
  const labels = [...new Set(fields.map((field) => field.label))];
  const meant = nearest(label, labels);
  const of = recipient === undefined ? '' : ` of ${recipient}`;
  return dataInvalid(source, `has a value for "${label}", which is the label of no field${of}`, meant);
}
