// Makes what a seed names, by the operations that anyone would use: events, emails and evidence are real. What is there already is kept,
// and what an interrupted run has left unfinished is finished.

import { type Client, createClient } from '../../api/client.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { type Transport, withBearer } from '../../api/transport.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { PartialFailure } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Person } from '../input/person.ts';
import { startWhenChecked } from '../sending/start.ts';
import { type PlanContext, type PlanResults, planSteps, resultsOfNoStep } from '../sending/steps.ts';
import { contentOfTransaction, currentRecipient, outcomeOf } from '../sending/view.ts';
import {
  type CheckedContent,
  type CheckedSeed,
  type CheckedTransaction,
  draftOfTemplate,
} from './check-seed.ts';
import type { Seed } from './read-seed.ts';
import { seedInvalid } from './read-seed.ts';

/** What is known of a thing once it is made. */
type Made = Pick<SeededThing, 'id' | 'secrets'>;

/** @throws PartialFailure with exit code 10 where something was made before the error */
export async function applySeed(
  checked: CheckedSeed,
  target: SeedTarget,
  options: SeedOptions,
): Promise<SeededThing[]> {
  const users = createSeedUsers(target);
  await checkTemplates(checked, users);
  const done: SeededThing[] = [];
  let place = '';
  try {
    for (const seeder of seedersOf(checked, { target, users, options })) {
      place = seeder.place;
      done.push(await seeder.seed());
    }
    return done;
  } catch (error) {
    if (options.isDryRun || done.every(({ result }) => result === 'unchanged')) throw error;
    throw new PartialFailure(error, {
      partial: {},
      exit: EXIT.partly,
      hint: `Seeding stopped at ${place}. Correct the cause and run the command again: what was made is kept.`,
    });
  }
}

/** Refuses the name of a template that neither the seed nor the company of the user has. */
async function checkTemplates({ seed, transactions }: CheckedSeed, users: SeedUsers): Promise<void> {
  for (const { plan, user, place } of transactions)
    for (const name of plan.templates) {
      if (seed.templates.some((template) => template.name === name)) continue;
      const client = await users.findClient(user.email);
      if (client && (await findTemplateByName(client, name)) !== undefined) continue;
      throw templateMissing(place, name);
    }
}

type Parts = { target: SeedTarget; users: SeedUsers; options: SeedOptions };

/** Seeds one thing. @property place where it is in the seed */
type Seeder = { place: string; seed(): Promise<SeededThing> };

/** In the order in which they need each other. Webhooks get the events of transactions, and not those of templates. */
function* seedersOf(
  { seed, placeOf, templates, transactions }: CheckedSeed,
  context: Parts,
): Iterable<Seeder> {
  const { target, users, options } = context;
  const seeder = createTransactionSeeder(target, users, options);
  for (const [index, user] of seed.users.entries())
    yield { place: placeOf(['users', index]), seed: () => seedUser(user, context) };
  for (const [index, application] of seed.applications.entries())
    yield {
      place: placeOf(['applications', index]),
      seed: () => seedApplication(application, context),
    };
  for (const template of templates)
    yield { place: template.place, seed: () => seedTemplate(template, seeder, context) };
  for (const [index, webhook] of seed.webhooks.entries())
    yield { place: placeOf(['webhooks', index]), seed: () => seedWebhook(webhook, context) };
  for (const transaction of transactions)
    yield { place: transaction.place, seed: () => seeder.seed(transaction) };
}

/** @param id of the thing where it is there @param make makes it otherwise */
async function seedOnce(
  thing: { kind: SeedKind; name: string },
  id: string | undefined,
  { isDryRun, step }: SeedOptions,
  make: () => Promise<Made>,
): Promise<SeededThing> {
  if (id !== undefined) return { ...thing, result: 'unchanged', id };
  if (isDryRun) return { ...thing, result: 'would_create' };
  return { ...thing, result: 'created', ...(await step(`create the ${thing.kind} ${thing.name}`, make)) };
}

const seedUser = async (user: Seed['users'][number], { users, options }: Parts): Promise<SeededThing> =>
  seedOnce({ kind: 'user', name: user.email }, await users.find(user.email), options, () => users.add(user));

async function seedApplication(
  application: Seed['applications'][number],
  { target: { client }, options }: Parts,
): Promise<SeededThing> {
  const { name } = application;
  const { items } = await client['sandbox.list_clients']();
  const existing = items.find((application) => application.name === name)?.id;
  return seedOnce({ kind: 'application', name }, existing, options, async () => {
    const { public: is_public = false, ...entry } = application;
    const { id, client_id, client_secret, notification_secret } = await client['sandbox.add_client']({
      body: { ...entry, is_public },
    });
    const secrets = { client_id, ...(client_secret && { client_secret }), notification_secret };
    return { id, secrets };
  });
}

async function seedTemplate(
  template: CheckedContent,
  seeder: TransactionSeeder,
  { target, users, options }: Parts,
): Promise<SeededThing> {
  const { name, user, plan } = template;
  const existing = await findOf(users, user.email, (client) => findTemplateByName(client, name));
  return seedOnce({ kind: 'template', name }, existing, options, async () => {
    const transactionId = await seeder.makeDraft(draftOfTemplate(template));
    const { description } = plan.texts;
    const body = { name, ...(description !== undefined && { description }) };
    return {
      id: (await target.client['sandbox.save_template']({ params: { transactionId }, body })).id,
    };
  });
}

async function seedWebhook(
  { user, ...body }: Seed['webhooks'][number],
  { users, options }: Parts,
): Promise<SeededThing> {
  const { name } = body;
  const existing = await findOf(users, user, (client) => findWebhookByName(client, name));
  return seedOnce({ kind: 'webhook', name }, existing, options, async () => {
    const { id, secret } = await (await users.clientOf(user))['webhook.create']({ body });
    return { id, ...(secret && { secrets: { secret } }) };
  });
}

/** A user who is not there yet has nothing. */
async function findOf<T>(
  users: SeedUsers,
  email: string | undefined,
  find: (client: Client) => Promise<T | undefined>,
): Promise<T | undefined> {
  const client = await users.findClient(email);
  return client && find(client);
}

type TransactionSeeder = {
  /** Makes a draft, or finishes it. @returns its id */
  makeDraft(content: CheckedContent): Promise<string>;
  seed(transaction: CheckedTransaction): Promise<SeededThing>;
};

type Existing = Awaited<ReturnType<Client['sandbox.list_transactions']>>['items'][number];

function createTransactionSeeder(
  { client: control }: SeedTarget,
  users: SeedUsers,
  { documents, isDryRun, step }: SeedOptions,
): TransactionSeeder {
  const find = async ({ plan, user }: CheckedContent): Promise<Existing | undefined> => {
    const query = { name: plan.texts.name as string, user: user.email };
    // The oldest of several: others were sent later with the same name.
    return (await control['sandbox.list_transactions']({ query })).items.at(-1);
  };
  const complete = async (content: CheckedContent, existing: Existing | undefined): Promise<string> => {
    if (existing && (existing.status !== 'draft' || isComplete(existing, content))) return existing.id;
    const client = await users.clientOf(content.user.email);
    const templates: string[] = [];
    for (const name of content.plan.templates) {
      const id = await findTemplateByName(client, name);
      if (id === undefined) throw templateMissing(content.place, name);
      templates.push(id);
    }
    const plan = { ...content.plan, templates };
    const connection = { client, takesPreparations: true };
    const context = { connection, plan, documents, note: () => undefined, contents: content.contents };
    return runSteps(context, existing?.id);
  };
  return {
    makeDraft: async (content) => complete(content, await find(content)),
    async seed(content) {
      const existing = await find(content);
      const thing = { kind: 'transaction', name: content.name } as const;
      if (existing && isReached(existing, content))
        return { ...thing, result: 'unchanged', id: existing.id, status: existing.status };
      if (isDryRun)
        return {
          ...thing,
          result: existing ? 'would_continue' : 'would_create',
          id: existing?.id,
          status: content.wanted.state,
        };
      const result = existing ? 'continued' : 'created';
      return step(`${existing ? 'continue' : 'create'} the transaction ${content.name}`, async () => {
        const id = await complete(content, existing);
        const client = await users.clientOf(content.user.email);
        const transaction = await advance(content, id, { client, control });
        return { ...thing, result, id, status: outcomeOf(transaction) };
      });
    },
  };
}

/** Whether its content is there: the recipients come with the last step. */
const isComplete = ({ recipients }: Existing, { plan }: CheckedContent): boolean =>
  plan.recipients.every(({ email, role }) =>
    recipients.some((recipient) => sameEmail(recipient.email, email) && recipient.role === role),
  );

/** Whether it is where the seed takes it, or beyond: what people have done with it since then is kept. */
function isReached(existing: Existing, content: CheckedTransaction): boolean {
  const { state, signed } = content.wanted;
  if (existing.status === 'draft') return state === 'draft' && isComplete(existing, content);
  if (existing.status !== 'started' || state === 'draft') return true;
  return (
    state === 'started' && existing.recipients.filter((recipient) => recipient.submitted_at).length >= signed
  );
}

/** Sends what is not done yet. @param id of a draft that an earlier run has left unfinished */
async function runSteps(context: PlanContext, id: string | undefined): Promise<string> {
  let results: PlanResults = { ...resultsOfNoStep(context.plan), transactionId: id };
  for (const step of planSteps(context.plan)) {
    if (id !== undefined && step.name === 'create') continue;
    const outcome = id === undefined ? 'again' : await step.findOutcome(context, results);
    const answer = typeof outcome === 'string' ? await step.send(context, results, {}) : outcome;
    results = step.withAnswer(results, answer);
  }
  return results.transactionId as string;
}

type Clients = { client: Client; control: Client };

/** Starts a complete draft, lets recipients sign, and ends it, as far as the seed says. */
async function advance(
  { wanted }: CheckedTransaction,
  transactionId: string,
  { client, control }: Clients,
): Promise<ReceivedTransaction> {
  const params = { transactionId };
  const read = () => client['transaction.detail']({ params });
  let transaction = await read();
  if (wanted.state === 'draft') return transaction;
  if (transaction.status === 'draft') {
    await startWhenChecked({ client }, transactionId);
    transaction = await read();
  }
  while (
    transaction.status === 'started' &&
    (wanted.state === 'completed' || signedOf(transaction) < wanted.signed)
  ) {
    const { email = '' } = currentRecipient(transaction) ?? {};
    const [, values = {}] = Object.entries(wanted.values).find(([of]) => sameEmail(of, email)) ?? [];
    await control['sandbox.sign']({ params, body: { values } });
    transaction = await read();
  }
  if (transaction.status !== 'started' || wanted.state === 'started') return transaction;
  const { reason } = wanted;
  if (wanted.state === 'rejected') await control['sandbox.reject']({ params, body: { reason } });
  if (wanted.state === 'cancelled')
    await client['transaction.cancel']({ params, body: { cancelled_reason: reason } });
  if (wanted.state === 'expired') await control['sandbox.expire']({ params, body: {} });
  return read();
}

const signedOf = (transaction: ReceivedTransaction): number =>
  contentOfTransaction(transaction).recipients.filter(({ submitted_at }) => submitted_at).length;

type SeedUsers = {
  /** @returns the id */
  find(email: string): Promise<string | undefined>;
  add(user: Seed['users'][number]): Promise<{ id: string }>;
  /** The client of a user; undefined for one who is not there yet. Without an email, that of the sandbox's own user. */
  findClient(email?: string): Promise<Client | undefined>;
  /** @throws an error where the user is not there */
  clientOf(email?: string): Promise<Client>;
};

function createSeedUsers({ client, transport, baseUrl, ownUser }: SeedTarget): SeedUsers {
  const clients = new Map<string, Client>();
  const find = async (email: string) =>
    (await client['sandbox.list_users']()).items.find((user) => sameEmail(user.email, email))?.id;
  const findClient = async (email = ownUser.email) => {
    const cached = clients.get(email.toLowerCase());
    if (cached) return cached;
    if ((await find(email)) === undefined) return undefined;
    const { access_token } = await client['sandbox.token']({ body: { user: email } });
    const token = async () => access_token as string;
    const created = createClient({ baseUrl, transport: withBearer(transport, { token }) });
    clients.set(email.toLowerCase(), created);
    return created;
  };
  return {
    find,
    findClient,
    async add({ company, password, ...user }) {
      const more = { ...(company !== undefined && { company }), ...(password !== undefined && { password }) };
      return { id: (await client['sandbox.add_user']({ body: { ...user, ...more } })).id };
    },
    async clientOf(email) {
      const userClient = await findClient(email);
      if (!userClient) throw new Error('The user of the seed was not added.');
      return userClient;
    },
  };
}

/** The error for a template that the company of the user does not have. @param place of the transaction in the seed */
const templateMissing = (place: string, name: string) =>
  seedInvalid(
    place,
    `There is no template with the name "${name}" in the company of the user.`,
    'Add it to the list "templates", with a user of this company.',
  );

const PAGE = String(LIMITS.pageSizeMax);

/** @returns the id of the template of a user's company */
const findTemplateByName = (client: Client, name: string): Promise<string | undefined> =>
  findInPages((page) => client['template.list']({ query: { search: name, limit: PAGE, page } }), name);

const findWebhookByName = (client: Client, name: string): Promise<string | undefined> =>
  findInPages((page) => client['webhook.list']({ query: { limit: PAGE, page } }), name);

type Page = {
  items: readonly { id?: string | null | undefined; name?: string | null | undefined }[];
  meta?: { is_last_page?: boolean | null | undefined } | null | undefined;
};

async function findInPages(read: (page: string) => Promise<Page>, name: string): Promise<string | undefined> {
  for (let page = 1; ; page += 1) {
    const { items, meta } = await read(String(page));
    const match = items.find((item) => item.name === name)?.id;
    if (match) return match;
    if (meta?.is_last_page !== false) return undefined;
  }
}

/** A sandbox, as its owner uses it. */
export type SeedTarget = {
  baseUrl: string;
  transport: Transport;
  /** With the control secret of the sandbox. */
  client: Client;
  /** The sandbox's own user. */
  ownUser: Person;
};

export type SeedOptions = {
  documents: DocumentEngine;
  /** Nothing is made. What would be is returned. */
  isDryRun: boolean;
  /** Runs the work for one thing, for instance while its label is displayed. */
  step<T>(label: string, work: () => Promise<T>): Promise<T>;
};

export type SeedKind = 'user' | 'application' | 'template' | 'webhook' | 'transaction';

/** `continued`: it was there, and was taken to the wanted state. */
export type SeedResult = 'created' | 'continued' | 'unchanged' | 'would_create' | 'would_continue';

export type SeededThing = {
  kind: SeedKind;
  name: string;
  result: SeedResult;
  /** Absent for what a dry run did not create. */
  id?: string | undefined;
  /** Of a transaction. */
  status?: string | undefined;
  /** What is shown only once. */
  secrets?: Readonly<Record<string, string>> | undefined;
};
