// Reads values of fields from a JSON file: `{"City": "Berlin"}` by label, `{"ada@example.com": {"City": "Berlin"}}` by recipient and
// label.
import { sameEmail } from '../../api/contract/values.ts';
import { isRecord } from '../../common/json.ts';
import { nearest } from '../../common/nearest.ts';
import { type CliError, cliError } from '../command/errors.ts';
import type { GivenField } from './field-spec.ts';
import { readJson } from './json-file.ts';
import type { FileReader } from './local-file.ts';
import type { Addressee } from './person.ts';

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
  if (!isRecord(content)) throw wrong(source, 'is not a JSON object');
  return Object.entries(content).flatMap(([key, value]) => {
    if (!isRecord(value)) return [entryOf(key, value, source)];
    if (!key.includes('@')) throw wrong(source, `has an object for "${key}", which is not an email address`);
    return Object.entries(value).map(([label, one]) => ({ ...entryOf(label, one, source), recipient: key }));
  });
}

function entryOf(label: string, value: unknown, source: string): DataEntry {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { label, value, source };
  throw wrong(source, `has a value for "${label}" that is not a string, a number, true or false`);
}

const wrong = (source: string, problem: string): CliError => cliError('data_invalid', { source, problem });

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
    const found = fields.filter((field) => isMeant(field, entry));
    if (found.length === 0 && areAll) throw notThere(entry, fields);
    const holders = new Set(found.map(({ holder }) => holder?.toLowerCase()));
    if (holders.size > 1)
      throw wrong(entry.source, `has a value for "${entry.label}", which is a field of several recipients`);
    for (const field of found) values.set(field, entry.value);
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
  const given = fields.map((field) => fillable(field, to));
  const areAll = others !== 'unknown';
  const values = valuesOf<FillableField>([...given, ...(areAll ? others : [])], data, { areAll });
  return given.map((one) => {
    const value = values.get(one);
    const { field } = one;
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
  return cliError('data_invalid', {
    source,
    problem: `has a value for "${label}", which is the label of no field${of}`,
    meant,
  });
}
