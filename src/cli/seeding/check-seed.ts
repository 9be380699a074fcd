// Checks what a seed names beyond its form: files, recipients, fields and their places. Nothing is sent.
import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { sandboxOperations } from '../../api/contract/operations.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { webhookOperations } from '../../api/contract/webhooks.ts';
import { inSentences } from '../../api/contract/wrong-values.ts';
import { readPart } from '../../api/service-codec.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { CliError, cliError } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import { invalidValue } from '../command/wrong-input.ts';
import type { Connection } from '../connection/connection.ts';
import { type LocalFile, readLocalFile } from '../input/documents.ts';
import { readFieldList } from '../input/field-file.ts';
import { type GivenField, isAnchored } from '../input/field-spec.ts';
import type { FileReader } from '../input/files.ts';
import { type Addressee, type Person, parseAddressee } from '../input/person.ts';
import { type ReadyPdfs, readyPdfsOf } from '../sending/pdfs.ts';
import { placeSignatures, resolveAnchors } from '../sending/place.ts';
import { makePlan, type Plan } from '../sending/plan.ts';
import { checkFieldTypes, checkProperties } from '../sending/preparations.ts';
import {
  type PlaceOf,
  type ReadSeed,
  type Seed,
  type SeedTemplate,
  type SeedTransaction,
  seedInvalid,
  TEMPLATE_DRAFT,
} from './read-seed.ts';

export type SeedPlaces = { placeOf: PlaceOf; path: readonly PropertyKey[] };

/** A transaction or a template, with all that is sent for it. */
export type CheckedContent = {
  /** Its name in the seed, and where it is there. */
  name: string;
  place: string;
  /** The user who sends it. */
  user: Person;
  plan: Plan;
  contents: ReadonlyMap<number, Uint8Array<ArrayBuffer>>;
};

export type CheckedTransaction = CheckedContent & { wanted: SeedTransaction };

export type CheckedSeed = {
  seed: Seed;
  placeOf: PlaceOf;
  templates: readonly CheckedContent[];
  transactions: readonly CheckedTransaction[];
};

export type SeedCheck = {
  reader: FileReader;
  documents: DocumentEngine;
  /** Users that the sandbox has already; its own one first. */
  users: readonly Person[];
  fieldErrors: NonNullable<Connection['fieldErrors']>;
};

/**
 * @throws CliError `seed_invalid` with the place of what is wrong
 */
export async function checkSeed({ seed, placeOf }: ReadSeed, check: SeedCheck): Promise<CheckedSeed> {
  checkOthers(seed, placeOf);
  checkNames(seed, placeOf);
  for (const [index, { user }] of seed.webhooks.entries())
    await namePlace({ placeOf, path: ['webhooks', index, 'user'] }, () =>
      findUser(user, [...check.users, ...seed.users]),
    );
  const templates: CheckedContent[] = [];
  for (const [index, template] of seed.templates.entries()) {
    const places = { placeOf, path: ['templates', index] };
    templates.push(await checkContent(template, seed, places, check));
  }
  const transactions: CheckedTransaction[] = [];
  for (const [index, wanted] of seed.transactions.entries()) {
    const places = { placeOf, path: ['transactions', index] };
    transactions.push({ ...(await checkContent(wanted, seed, places, check)), wanted });
  }
  return { seed, placeOf, templates, transactions };
}

/** Instead of hints that are about the command line. */
const HINTS = {
  value_invalid: undefined,
  file_not_found: 'Check the path. It is relative to the directory of the seed file.',
};

/** Does the work, and names the place in the seed in its errors. */
async function namePlace<T>({ placeOf, path }: SeedPlaces, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CliError) || error.facts.exit === EXIT.interrupted) throw error;
    const { code, exit, hint, errors } = error.facts;
    const problem = errors.length > 1 ? inSentences(errors, errors.length) : error.message;
    const ofSeed = Object.hasOwn(HINTS, code) ? HINTS[code as keyof typeof HINTS] : hint;
    throw cliError('seed_invalid', { sentence: `${placeOf(path)}: ${problem}`, hint: ofSeed, exit });
  }
}

const inside = ({ placeOf, path }: SeedPlaces, ...more: PropertyKey[]): SeedPlaces => ({
  placeOf,
  path: [...path, ...more],
});

/** Checks applications and webhooks against the contract. */
function checkOthers({ applications, webhooks }: Seed, placeOf: PlaceOf): void {
  const { body: application } = sandboxOperations['sandbox.add_client'];
  for (const [index, { public: is_public, ...settings }] of applications.entries())
    checkBody(application, { ...settings, is_public }, { placeOf, path: ['applications', index] });
  const { body: webhook } = webhookOperations['webhook.create'];
  for (const [index, { user: _, ...settings }] of webhooks.entries())
    checkBody(webhook, settings, { placeOf, path: ['webhooks', index] });
}

function checkBody(schema: z.ZodType, settings: unknown, { placeOf, path }: SeedPlaces): void {
  const read = readPart(schema, settings);
  if (read.ok) return;
  const { errors } = read.refusal;
  const inIt = errors[0]?.path.split('.') ?? [];
  throw seedInvalid(placeOf([...path, ...inIt]), inSentences(errors, errors.length));
}

/** Refuses what could not be told apart when the seed is applied again. */
function checkNames(seed: Seed, placeOf: PlaceOf): void {
  const keys = {
    users: seed.users.map(({ email }) => email.toLowerCase()),
    applications: seed.applications.map(({ name }) => name),
    webhooks: seed.webhooks.map(({ user, name }) => `${user?.toLowerCase() ?? ''} ${name}`),
    templates: seed.templates.map(({ user, name }) => `${user?.toLowerCase() ?? ''} ${name}`),
    transactions: seed.transactions.map(({ user, name }) => `${user?.toLowerCase() ?? ''} ${name}`),
  };
  for (const [list, names] of Object.entries(keys))
    for (const [index, name] of names.entries()) {
      const first = names.indexOf(name);
      if (first === index) continue;
      throw seedInvalid(
        placeOf([list, index]),
        `${list}[${index}] has the same name as ${list}[${first}].`,
        'Give it another name: what a seed makes is recognized by its name.',
      );
    }
}

type Content = SeedTemplate &
  Partial<Pick<SeedTransaction, 'templates' | 'notify' | 'values' | 'state' | 'signed'>>;

async function checkContent(
  content: Content,
  seed: Seed,
  places: SeedPlaces,
  { reader, documents, users, fieldErrors }: SeedCheck,
): Promise<CheckedContent> {
  const files: LocalFile[] = [];
  for (const [index, path] of content.files.entries())
    files.push(await namePlace(inside(places, 'files', index), () => readLocalFile(path, reader)));
  const to: Addressee[] = [];
  for (const [index, text] of content.to.entries())
    to.push(await namePlace(inside(places, 'to', index), () => parseAddressee(text, 'The recipient')));
  checkParts(content, places);
  const readyPdfs = readyPdfsOf(files, documents);
  const placed: GivenField[] = [];
  for (const [index, field] of content.fields.entries())
    placed.push(
      ...(await namePlace(inside(places, 'fields', index), async () => {
        const fields = readFieldList([field], 'fields', 'fields', index + 1);
        checkFieldTypes(fields);
        await checkProperties(fields, { fieldErrors });
        return placeAtWords(fields, readyPdfs, documents);
      })),
    );
  const user = await namePlace(inside(places, 'user'), () =>
    findUser(content.user, [...users, ...seed.users]),
  );
  const plan = await namePlace(places, async () => {
    const planned = makePlan({
      id: randomUUID(),
      files,
      templates: content.templates ?? [],
      sender: user,
      to,
      fields: placed,
      texts: {
        name: content.name,
        description: content.description,
        email_subject: content.subject,
        email_body: content.message,
        email_alias: content.alias,
        expiration_days: content.expires,
      },
      notify: content.notify,
      draft: true,
      newId: randomUUID,
    });
    if (planned.fields.length + planned.boxesFor.length === 0) return planned;
    return placeSignatures(planned, await readyPdfs(), documents);
  });
  checkState(content, to, places);
  return {
    name: content.name,
    place: places.placeOf(places.path),
    user,
    plan,
    contents: new Map(files.map(({ bytes }, index) => [index, bytes])),
  };
}

/** Places fields at words of files that are PDFs; others are converted by the service first. */
async function placeAtWords(
  fields: readonly GivenField[],
  readyPdfs: () => Promise<ReadyPdfs>,
  documents: DocumentEngine,
): Promise<GivenField[]> {
  if (!fields.some(isAnchored)) return [...fields];
  const pdfs = await readyPdfs();
  return resolveAnchors(fields, ({ document = 1 }) => pdfs[document - 1], documents);
}

/** @param users the sandbox's own user first */
function findUser(email: string | undefined, users: readonly Person[]): Person {
  const match = email === undefined ? users[0] : users.find((person) => sameEmail(person.email, email));
  if (match) return { name: match.name, email: match.email };
  throw invalidValue({
    name: 'user',
    problem: `is "${email}", which is not the email address of a user. Add it to the list "users"`,
  });
}

/** Refuses a transaction without documents or recipients, which neither it nor a template has. */
function checkParts({ files, to, templates = [] }: Content, places: SeedPlaces): void {
  if (templates.length > 0) return;
  const refuse = refuseAt(places);
  if (files.length === 0) refuse('files', 'There is no document.', 'List the paths of documents in "files".');
  if (to.length === 0) refuse('to', 'There is no recipient.', 'List recipients in "to".');
}

const refuseAt =
  ({ placeOf, path }: SeedPlaces) =>
  (key: string, problem: string, hint: string): never => {
    throw seedInvalid(placeOf([...path, key]), problem, hint);
  };

/** Checks that the wanted state can be reached, as far as that is known without the templates. */
function checkState(
  { state, signed = 0, values = {}, templates = [] }: Content,
  to: readonly Addressee[],
  places: SeedPlaces,
): void {
  const refuse = refuseAt(places);
  if (signed > 0 && (state === 'draft' || state === 'completed'))
    refuse('signed', `signed cannot be set in the state ${state}.`, 'Remove it, or set another state.');
  if (templates.length > 0) return;
  if (signed >= to.length && signed > 0)
    refuse(
      'signed',
      `signed is ${signed}, but the transaction has ${to.length === 1 ? '1 recipient' : `${to.length} recipients`}, and is completed when all have signed.`,
      'Set a smaller number, or the state completed.',
    );
  const unknown = Object.keys(values).find((email) => !to.some((person) => sameEmail(person.email, email)));
  if (unknown !== undefined)
    refuse(
      'values',
      `values has the email address "${unknown}", which no recipient has.`,
      'Use the email addresses of the list "to".',
    );
}

/** The draft that a template is saved from. */
export const draftOfTemplate = (template: CheckedContent): CheckedContent => ({
  ...template,
  plan: {
    ...template.plan,
    texts: { ...template.plan.texts, name: `${template.name}${TEMPLATE_DRAFT}` },
  },
});
