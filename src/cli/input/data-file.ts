// Reads values of fields from a JSON file: `{"City": "Berlin"}` by label, `{"ada@example.com": {"City": "Berlin"}}` by recipient and
// label.
import { sameEmail } from '../../api/contract/values.ts';
import { isRecord } from '../../common/is-record.ts';
import { type CliError, cliError } from '../command/errors.ts';
import type { GivenField } from './field-spec.ts';
import { readJson } from './json-file.ts';
import type { FileReader } from './local-file.ts';
import { nearest } from './nearest.ts';
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

/**
 * Gives the fields these values.
 * @throws CliError exit 2 for a label that no field has, or that fields of several recipients have
 */
export function withData(
  fields: readonly GivenField[],
  data: readonly DataEntry[],
  to: readonly Addressee[],
): GivenField[] {
  const values = new Map<GivenField, DataEntry['value']>();
  for (const entry of data) {
    const found = fields.filter(
      (field) => labelOf(field) === entry.label && isOf(holderOf(field, to), entry.recipient),
    );
    if (found.length === 0) throw notThere(entry, fields);
    const holders = new Set(found.map((field) => holderOf(field, to)?.toLowerCase()));
    if (holders.size > 1)
      throw wrong(entry.source, `has a value for "${entry.label}", which is a field of several recipients`);
    for (const field of found) values.set(field, entry.value);
  }
  return fields.map((field) => {
    const value = values.get(field);
    return value === undefined ? field : { ...field, properties: { ...field.properties, value } };
  });
}

const labelOf = ({ properties: { label }, type }: GivenField): string =>
  typeof label === 'string' && label !== '' ? label : type;

/** The email of who fills in a field, as far as it is known. */
function holderOf({ recipient }: GivenField, to: readonly Addressee[]): string | undefined {
  if (recipient === undefined) return to.length === 1 ? to[0]?.email : undefined;
  return /^\d+$/.test(recipient) ? to[Number(recipient) - 1]?.email : recipient;
}

const isOf = (holder: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || (holder !== undefined && sameEmail(holder, wanted));

function notThere({ label, recipient, source }: DataEntry, fields: readonly GivenField[]): CliError {
  const labels = [...new Set(fields.map(labelOf))];
  const meant = nearest(label, labels);
  const of = recipient === undefined ? '' : ` of ${recipient}`;
  return cliError('data_invalid', {
    source,
    problem: `has a value for "${label}", which is the label of no field${of}`,
    meant,
  });
}
