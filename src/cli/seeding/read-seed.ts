// Says what a seed file may contain, and reads one: YAML or JSON (which is YAML as well), with the line and column of each value.

import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import * as z from 'zod';
import { EVENT_TYPES, eventType } from '../../api/contract/events.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { type Json, jsonSchemaOf } from '../../api/contract/openapi/schemas.ts';
import {
  email,
  integer,
  line,
  newPasswordText,
  oneOf,
  TEXT_KEYWORDS,
  text,
} from '../../api/contract/values.ts';
import { inWords, wrongValuesIn } from '../../api/contract/wrong-values.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { type CliError, cliError } from '../command/errors.ts';

/** The states that a transaction can be taken to. */
const SEED_STATES = ['draft', 'started', 'completed', 'rejected', 'cancelled', 'expired'] as const;

/** A template is saved from a draft whose name has this at its end, so that no transaction of the file is taken for it. */
export const TEMPLATE_DRAFT = ' (template)';

/** A copy with a description, and with the lengths of the schema in the JSON Schema. */
function described<T extends z.ZodType>(schema: T, description: string): T {
  const copy = schema.meta({ description });
  const keywords = TEXT_KEYWORDS.get(schema);
  if (keywords) TEXT_KEYWORDS.set(copy, keywords);
  return copy;
}

const optionalList = <T extends z.ZodType>(item: T, description: string) =>
  z.array(item).default([]).meta({ description });

const personName = line(1, LIMITS.personNameLength);
const transactionName = line(1, LIMITS.transactionNameLength);

const user = z.strictObject({
  name: personName,
  email,
  company: personName
    .optional()
    .meta({ description: 'The company that the user belongs to. By default, the company of the sandbox.' }),
  password: newPasswordText.optional().meta({
    description: 'The password for the dashboard. Without one, the user cannot sign in there.',
  }),
});

const application = z.strictObject({
  name: described(personName, 'Applications are recognized by their names.'),
  callback_url: described(
    z.string(),
    'The URL to which browsers are redirected after consent, as in `esign sandbox apps create`.',
  ),
  public: z.boolean().optional().meta({
    description:
      'Whether it is a public application, which has no client secret, as with `esign sandbox apps create --public`.',
  }),
});

const owner = email.optional().meta({
  description: 'The email address of the user it belongs to. By default, the user of the sandbox.',
});

const webhook = z.strictObject({
  name: described(line(1, LIMITS.webhookNameLength), 'Webhooks of a user are recognized by their names.'),
  endpoint: described(z.string(), 'The URL to which events are sent.'),
  events: z
    .array(eventType)
    .min(1, { error: 'must not be empty' })
    .default([...EVENT_TYPES])
    .meta({ description: 'The types of the events that are sent. By default, all.' }),
  user: owner,
});

const content = {
  user: owner,
  files: optionalList(
    z.string().refine((path) => path !== '' && path !== '-', { error: 'must be the path of a file' }),
    'Paths of documents, relative to this file.',
  ),
  to: optionalList(
    z.string(),
    'Recipients in signing order, as `tx send --to` takes them: "Name <email>", optionally with ",role=proxy".',
  ),
  fields: optionalList(
    z.union([z.string(), z.record(z.string(), z.unknown())], { error: 'must be a string or an object' }),
    'Fields, as `tx send --field` takes them, or as objects as in a file for `--fields`. A recipient without a field gets a signature.',
  ),
  description: text().optional(),
  subject: line(0, LIMITS.textLength).optional().meta({ description: 'The subject of the emails.' }),
  message: text().optional().meta({ description: 'The text of the emails.' }),
  alias: line(0, LIMITS.personNameLength)
    .optional()
    .meta({ description: 'The name that the emails are sent under.' }),
  expires: integer(LIMITS.expirationDaysMin, LIMITS.expirationDaysMax)
    .optional()
    .meta({ description: 'The number of days after which the transaction expires.' }),
};

const template = z.strictObject({
  name: described(
    line(1, LIMITS.transactionNameLength - TEMPLATE_DRAFT.length),
    'Templates of a company are recognized by their names.',
  ),
  ...content,
});

const transaction = z.strictObject({
  name: described(transactionName, 'Transactions of a user are recognized by their names.'),
  ...content,
  templates: optionalList(transactionName, 'Names of templates whose content is added.'),
  notify: z.string().optional().meta({
    description: 'The URL to which the events of this transaction are sent, as in `tx send --notify`.',
  }),
  state: oneOf(SEED_STATES, 'is not a state. Use one of')
    .default('started')
    .meta({ description: 'The state that it is taken to.' }),
  signed: integer(0, LIMITS.recipientsPerTransaction).default(0).meta({
    description: 'How many recipients sign first. In the state completed, all of them do.',
  }),
  values: z.record(z.string(), z.record(z.string(), text())).default({}).meta({
    description: 'What recipients fill in: values by the label of the field, by the email of the recipient.',
  }),
  reason: text(LIMITS.reasonLength, 1)
    .default('Seeded')
    .meta({ description: 'The reason of a rejection or cancellation.' }),
});

const seedSchema = z.strictObject({
  $schema: z.string().optional().meta({ description: 'The address of this schema, for editors.' }),
  users: optionalList(user, 'Users are recognized by their email addresses.'),
  applications: optionalList(application, 'OAuth applications.'),
  templates: optionalList(template, 'Reusable templates.'),
  webhooks: optionalList(webhook, 'Webhooks. They are registered before transactions are made.'),
  transactions: optionalList(transaction, 'Transactions, made in this order.'),
});

export type Seed = z.output<typeof seedSchema>;
export type SeedTransaction = Seed['transactions'][number];
export type SeedTemplate = Seed['templates'][number];

/** Makes the JSON Schema of a seed file for editors: docs/seed.schema.json. */
export function seedJsonSchema(): Json {
  const schema = JSON.stringify(jsonSchemaOf(seedSchema, 'input'));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Seed of an esign sandbox',
    // A list that is empty by default may be omitted, which its schema says.
    ...JSON.parse(schema.replaceAll(/ Default: (\[\]|\{\})/g, '')),
  };
}

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
  return { seed: checkForm(readValue(document, name), placeOf, name), placeOf };
}

/** How a seed is named that is no file. */
const SEED = 'seed';

/** Reads a seed that a program has given as a value. */
export function readSeedValue(value: unknown): ReadSeed {
  const placeOf: PlaceOf = (path) => [SEED, ...path.map(String)].join('.');
  return { seed: checkForm(value, placeOf, SEED), placeOf };
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

function checkForm(value: unknown, placeOf: PlaceOf, name: string): Seed {
  const read = seedSchema.safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  const complaints = read.error.issues.flatMap((issue) => complaintsOf(issue, placeOf));
  const [first] = complaints as [Complaint, ...Complaint[]];
  if (complaints.length === 1) throw seedInvalid(first.place, `${first.sentence}.`, first.hint);
  const errors = complaints.map(({ place, sentence }) => ({ path: place, message: sentence }));
  throw cliError('seed_invalid', {
    sentence: `${name}: ${errors.length} values are not valid.`,
    errors: errors.toSorted((a, b) => comparePlaces(a.path, b.path)),
  });
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

/** @param place the file, line and column @param problem a whole sentence */
export const seedInvalid = (place: string, problem: string, hint?: string): CliError =>
  cliError('seed_invalid', { sentence: `${place}: ${problem}`, hint });
