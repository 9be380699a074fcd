// Makes what a seed names, by the operations that anyone would use: events, emails and evidence are real. What is there already is kept,
// and what an interrupted run has left unfinished is finished.
import type { Client } from '../../api/client.ts';
import { PartialFailure } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import { type CheckedContent, type CheckedSeed, draftOfTemplate } from './check-seed.ts';
import type { Seed } from './seed-schema.ts';
import { createTransactionSeeder, type TransactionSeeder } from './seed-transaction.ts';
import {
  createSeedUsers,
  findTemplateByName,
  findWebhookByName,
  type SeedUsers,
  templateMissing,
} from './seed-users.ts';
import type { SeededThing, SeedKind, SeedOptions, SeedTarget } from './seeded-thing.ts';

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
      if (seed.templates.some((one) => one.name === name)) continue;
      const client = await users.findClient(user.email);
      if (client && (await findTemplateByName(client, name)) !== undefined) continue;
      throw templateMissing(place, name);
    }
}

type Parts = { target: SeedTarget; users: SeedUsers; options: SeedOptions };

/** Seeds one thing. @property place where it is in the seed */
type Seeder = { place: string; seed(): Promise<SeededThing> };

/** In the order in which they need each other. Webhooks get the events of transactions, and not those of templates. */
function* seedersOf({ seed, placeOf, templates, transactions }: CheckedSeed, parts: Parts): Iterable<Seeder> {
  const { target, users, options } = parts;
  const seeder = createTransactionSeeder(target, users, options);
  for (const [index, user] of seed.users.entries())
    yield { place: placeOf(['users', index]), seed: () => seedUser(user, parts) };
  for (const [index, application] of seed.applications.entries())
    yield {
      place: placeOf(['applications', index]),
      seed: () => seedApplication(application, parts),
    };
  for (const template of templates)
    yield { place: template.place, seed: () => seedTemplate(template, seeder, parts) };
  for (const [index, webhook] of seed.webhooks.entries())
    yield { place: placeOf(['webhooks', index]), seed: () => seedWebhook(webhook, parts) };
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
  if (isDryRun) return { ...thing, result: 'created' };
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
  const existing = items.find((one) => one.name === name)?.id;
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
