// Reads a seed file, YAML or JSON (which is YAML as well), and knows the line and column of each of its values.

import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { inWords } from '../../api/contract/field-error.ts';
import { wrongValuesIn } from '../../api/wrong-values.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { cliError } from '../command/errors.ts';
import { type Seed, seedSchema } from './seed-schema.ts';

type Path = readonly PropertyKey[];

/** Says where a value of a seed is: `world.yaml:12:5`, or its path for a seed that is no file. */
export type PlaceOf = (path: Path) => string;

export type ReadSeed = { seed: Seed; placeOf: PlaceOf };

/** The file may refer to values that it has by anchors, but not in a way that a few lines make a huge value. */
const MOST_ALIASES = 100;

/** @param name of the file, for messages @throws CliError exit 2 with every wrong value, and its line and column */
export function parseSeed(text: string, name: string): ReadSeed {
  const lines = new LineCounter();
  const document = compose(text, lines, name);
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const [wrong] = document.errors;
  if (wrong?.message.includes('call stack')) throw tooDeep(name);
  if (wrong)
    throw seedInvalid(at(wrong.pos[0]), `The file is not valid YAML: ${firstSentence(wrong.message)}`);
  const placeOf: PlaceOf = (path) => at(offsetOf(document, path));
  return { seed: checkSeed(readValue(document, name), placeOf, name), placeOf };
}

/** How a seed is named that is no file. */
const SEED = 'seed';

/** Reads a seed that a program has given as a value. */
export function readSeedValue(value: unknown): ReadSeed {
  const placeOf: PlaceOf = (path) => [SEED, ...path.map(String)].join('.');
  return { seed: checkSeed(value, placeOf, SEED), placeOf };
}

function compose(text: string, lineCounter: LineCounter, name: string): Document.Parsed {
  try {
    // Tags of other programs are errors, and not ignored.
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error', strict: true });
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(name);
    throw error;
  }
}

function readValue(document: Document.Parsed, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {};
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(name);
    if (error instanceof ReferenceError)
      throw seedInvalid(name, 'The file repeats too much with aliases.', 'Write the values out.');
    throw error;
  }
}

const tooDeep = (name: string) => seedInvalid(name, 'The file is nested too deeply.');

function checkSeed(value: unknown, placeOf: PlaceOf, name: string): Seed {
  const read = seedSchema.safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  const complaints = read.error.issues.flatMap((issue) => complaintsOf(issue, placeOf));
  const [first] = complaints as [Complaint, ...Complaint[]];
  if (complaints.length === 1) throw seedInvalid(first.place, `${first.sentence}.`, first.hint);
  const errors = complaints.map(({ place, sentence }) => ({ path: place, message: sentence }));
  throw cliError(
    'seed_invalid',
    { place: name, problem: `${errors.length} values are not valid.` },
    { errors: errors.toSorted((a, b) => comparePlaces(a.path, b.path)) },
  );
}

type Complaint = { place: string; sentence: string; hint?: string | undefined };

function complaintsOf(issue: z.core.$ZodIssue, placeOf: PlaceOf): Complaint[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const names = namesAt(path);
      const meant = nearest(key, names);
      return {
        place: placeOf([...path, key]),
        sentence: `"${key}" is not a property of ${nameOfPath(path)}`,
        hint: didYouMean(meant) || `Use ${names.join(', ')}.`,
      };
    });
  // Their messages are the same as those of the service.
  return wrongValuesIn([issue]).map(({ message }) => ({
    place: placeOf(path),
    sentence: inWords({ path: nameOfPath(path), message }),
  }));
}

/** `transactions.0.to.1` → `transactions[0].to[1]` */
const nameOfPath = (path: Path): string =>
  path.length === 0
    ? 'the file'
    : path
        .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
        .join('');

/** The properties that the object at this path may have. */
function namesAt([list]: Path): string[] {
  const { shape } = seedSchema;
  if (list === undefined) return Object.keys(shape);
  const { element } = (shape[list as keyof typeof shape] as z.ZodDefault<z.ZodArray<z.ZodObject>>).unwrap();
  return Object.keys(element.shape);
}

/** Where the value is, by its name in an object; where it is missing, what it is missing in. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const key of path) {
    const pair = isMap(node)
      ? node.items.find(({ key: name }) => isScalar(name) && String(name.value) === String(key))
      : undefined;
    node = isSeq(node) ? node.items[Number(key)] : pair?.value;
    const start = startOf(pair?.key) ?? startOf(node);
    if (start === undefined) return offset;
    offset = start;
  }
  return offset;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

const firstSentence = (message: string): string =>
  `${message.split('\n')[0]?.replace(/[.:\s]+$/, '') ?? ''}.`;

/** In the order of lines and columns. */
const comparePlaces = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

const seedInvalid = (place: string, problem: string, hint?: string) =>
  cliError('seed_invalid', { place, problem, hint });
