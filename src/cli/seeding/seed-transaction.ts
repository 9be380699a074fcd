// Takes a transaction of a seed to its state: from nothing, or from where an earlier run has left it.
import type { Client } from '../../api/client.ts';
import type { ReceivedTransaction } from '../../api/contract/received.ts';
import { sameEmail } from '../../api/contract/values.ts';
import {
  type PlanContext,
  type PlanResults,
  planSteps,
  resultsOfNoStep,
} from '../transactions/plan-steps.ts';
import { startWhenChecked } from '../transactions/start-when-checked.ts';
import { contentOfTransaction, currentRecipient, outcomeOf } from '../transactions/view.ts';
import type { CheckedContent, CheckedTransaction } from './check-seed.ts';
import { findTemplateByName, type SeedUsers, templateMissing } from './seed-users.ts';
import type { SeededThing, SeedOptions, SeedTarget } from './seeded-thing.ts';

export type TransactionSeeder = {
  /** Makes a draft, or finishes it. @returns its id */
  makeDraft(content: CheckedContent): Promise<string>;
  seed(transaction: CheckedTransaction): Promise<SeededThing>;
};

type Existing = Awaited<ReturnType<Client['sandbox.list_transactions']>>['items'][number];

export function createTransactionSeeder(
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
      const result = existing ? 'continued' : 'created';
      if (isDryRun) return { ...thing, result, id: existing?.id, status: content.wanted.state };
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
    recipients.some((one) => sameEmail(one.email, email) && one.role === role),
  );

/** Whether it is where the seed takes it, or beyond: what people have done with it since then is kept. */
function isReached(existing: Existing, content: CheckedTransaction): boolean {
  const { state, signed } = content.wanted;
  if (existing.status === 'draft') return state === 'draft' && isComplete(existing, content);
  if (existing.status !== 'started' || state === 'draft') return true;
  return state === 'started' && existing.recipients.filter((one) => one.submitted_at).length >= signed;
}

/** Sends what is not done yet. @param id of a draft that an earlier run has left unfinished */
async function runSteps(context: PlanContext, id: string | undefined): Promise<string> {
  let results: PlanResults = { ...resultsOfNoStep(context.plan), transactionId: id };
  for (const step of planSteps(context.plan)) {
    if (id !== undefined && step.name === 'create') continue;
    const found = id === undefined ? 'again' : await step.findOutcome(context, results);
    const answer = typeof found === 'string' ? await step.send(context, results, {}) : found;
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
