// Reads the dates of algorithms from a JSON file (--policy), which replace those of the standard row by row. A row that the file does not name stays as it is.
import { epochMsOf } from '../../../common/instant.ts';
import { isRecord } from '../../../common/json.ts';
import { nearest } from '../../../common/nearest.ts';
import {
  type AlgorithmPolicy,
  ETSI_POLICY,
  type HashName,
  hashNameOf,
  KNOWN_HASHES,
} from '../../../pdf/verify/verify.ts';
import { type CliError, cliError } from '../../command/errors.ts';
import { readJson } from '../../input/json-file.ts';
import type { FileReader } from '../../input/local-file.ts';

const PROPERTIES = ['name', 'hashes', 'rsa_below', 'rsa_pkcs1', 'ec_below', 'ocsp_rsa_below'];

export async function policyIn(path: string, reader: FileReader): Promise<AlgorithmPolicy> {
  const content = await readJson(path, reader);
  if (!isRecord(content)) throw wrong('is not a JSON object');
  for (const name of Object.keys(content))
    if (!PROPERTIES.includes(name))
      throw wrong(
        `has the unknown property "${name}"`,
        `one of ${PROPERTIES.join(', ')}`,
        nearest(name, PROPERTIES),
      );
  const { name = path, hashes = {}, rsa_below = {}, rsa_pkcs1, ec_below = {}, ocsp_rsa_below = {} } = content;
  if (typeof name !== 'string') throw wrong('has a "name" that is not a string');
  return {
    name,
    hashes: hashesIn(hashes),
    rsa: rulesIn('rsa_below', rsa_below, ETSI_POLICY.rsa),
    rsaPkcs1: rsa_pkcs1 === undefined ? ETSI_POLICY.rsaPkcs1 : dayIn('rsa_pkcs1', rsa_pkcs1),
    ec: rulesIn('ec_below', ec_below, ETSI_POLICY.ec),
    ocspRsa: rulesIn('ocsp_rsa_below', ocsp_rsa_below, ETSI_POLICY.ocspRsa),
  };
}

/** The rows of the standard with those of the file: each takes the place of the row of its name, and null removes that. */
function merged<Row>(
  name: string,
  value: unknown,
  rows: readonly (readonly [Row, number])[],
  rowOf: (word: string) => Row,
): [Row, number][] {
  if (!isRecord(value)) throw wrong(`has "${name}", which is not an object`);
  const days = new Map(rows);
  for (const [word, day] of Object.entries(value)) {
    const [row, from] = [rowOf(word), dayIn(`${name}.${word}`, day)];
    if (from === undefined) days.delete(row);
    else days.set(row, from);
  }
  return [...days];
}

function hashIn(word: string): HashName {
  const hash = hashNameOf(word);
  if (hash) return hash;
  throw wrong(
    `has the unknown hash "${word}"`,
    `one of ${KNOWN_HASHES.join(', ')}`,
    nearest(word, KNOWN_HASHES),
  );
}

const hashesIn = (value: unknown): AlgorithmPolicy['hashes'] =>
  Object.fromEntries(
    merged('hashes', value, Object.entries(ETSI_POLICY.hashes) as [HashName, number][], hashIn),
  );

/** `{"1900": "2019-10-01"}`: keys of fewer bits, and since when they are weak. */
function rulesIn(name: string, value: unknown, rules: AlgorithmPolicy['rsa']): AlgorithmPolicy['rsa'] {
  const rows = rules.map(({ below, from }) => [below, from] as const);
  return merged(name, value, rows, (word) => {
    if (/^[1-9]\d{1,4}$/.test(word)) return Number(word);
    throw wrong(`has "${word}" in "${name}", which is not a number of bits`);
  })
    .map(([below, from]) => ({ below, from }))
    .sort((one, other) => one.below - other.below);
}

/** Undefined for null: it has no end. */
function dayIn(name: string, value: unknown): number | undefined {
  if (value === null) return undefined;
  const ms =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
      ? epochMsOf(`${value}T00:00:00.000Z`)
      : Number.NaN;
  if (Number.isNaN(ms))
    throw wrong(`has no day for "${name}"`, 'a day such as 2012-08-01, or null for no end');
  return ms;
}

const wrong = (problem: string, use?: string, meant?: string): CliError =>
  cliError('value_invalid', {
    name: 'The file of --policy',
    problem,
    use: use ?? 'properties as "esign verify --help" names them',
    meant,
  });
