// The transactions that this machine has touched, from what it remembers: the API has no list. Asks nobody, unless
// told to.
import type { ApiError } from '../../../../api/codec.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { wholeNumber } from '../../../input/checked.ts';
import type { Seen } from '../../../recent/store.ts';
import { contentOf, outcomeOf, pendingIn, toneOf } from '../../../transactions/view.ts';

export type ListWish = { status: readonly string[]; refresh: boolean; limit: string };

type Item = {
  id: string;
  name: string | null;
  outcome: string | null;
  recipients: string[];
  /** E-mail of whoever is asked to sign now. */
  pending: string | null;
  seen_at: string;
};

const LIMIT_MAX = 10_000;
const ASKED_AT_ONCE = 4;

export async function listTransactions(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  { status, refresh, limit }: ListWish,
): Promise<Outcome> {
  const most = wholeNumber('--limit', limit, 1, LIMIT_MAX);
  const { profile, service, things } = await context.history.seen();
  const seen = things.filter(({ kind }) => kind === 'transaction');
  const known = refresh ? await asked(context, seen) : seen;
  const matching = known.filter(({ outcome }) => status.length === 0 || status.includes(outcome ?? ''));
  const { instantOf } = await import('../../../../api/contract/instant.ts');
  const items = matching.slice(0, most).map(
    ({ id, name, outcome, people, pending, atMs }): Item => ({
      id,
      name: name ?? null,
      outcome: outcome ?? null,
      recipients: [...(people ?? [])],
      pending: pending ?? null,
      seen_at: instantOf(atMs),
    }),
  );
  const isAsSeen = !refresh && items.length > 0;
  return {
    kind: 'list',
    json: { items, meta: { profile, service, total: matching.length, refreshed: refresh } },
    empty:
      status.length > 0
        ? 'No such transaction.'
        : 'This machine has seen no transaction of this service. `esign tx send` makes one.',
    table: {
      columns: ['ID', 'STATUS', 'NAME', 'RECIPIENTS', 'SEEN', 'WAITING FOR'],
      rows: items.map(({ id, name, outcome, recipients, seen_at, pending }) => [
        id,
        outcome,
        name,
        recipients.join(', '),
        { instant: seen_at },
        pending,
      ]),
    },
    pageTable: {
      columns: ['ID', 'STATUS', 'NAME', 'RECIPIENTS'],
      rows: items.map(({ id, outcome, name, recipients, pending }) => [
        id,
        outcome,
        name,
        asPeopleSay(recipients, pending),
      ]),
      tones: items.map(({ outcome }) => (outcome === null ? undefined : toneOf(outcome))),
    },
    ...(isAsSeen &&
      context.terminal.streams.out.isTerminal && {
        notes: ['as last seen here; --refresh asks the service'],
      }),
  };
}

/**
 * The sender stands first, and is not news: `ada@example.com +2`. Whoever is asked to sign now has the mark of `tx show`
 * before the address: `› bob@example.com +2`.
 */
function asPeopleSay([sender, ...others]: readonly string[], pending: string | null): string {
  const first = pending ?? others[0] ?? sender ?? '';
  const more = others.filter((email) => email !== first).length;
  return `${pending === null ? '' : '› '}${first}${more > 0 ? ` +${more}` : ''}`;
}

/** Each as the service has it now; what it does not have any more is left out and forgotten. */
async function asked(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  seen: readonly Seen[],
): Promise<Seen[]> {
  if (seen.length === 0) return [];
  const { client } = await context.connections.connect();
  const now: (Seen | undefined)[] = seen.map(() => undefined);
  const ask = async (one: Seen, index: number) => {
    try {
      const transaction = await client['transaction.detail']({ params: { transactionId: one.id } });
      const { name, recipients } = contentOf(transaction);
      const people = recipients.map(({ email }) => email);
      const [outcome, pending] = [outcomeOf(transaction), pendingIn(transaction)];
      now[index] = { ...one, name, people, outcome, pending, atMs: context.process.clock() };
    } catch (error) {
      const { name, status } = error as Partial<ApiError>;
      if (name !== 'ApiError' || status !== 404) throw error;
      await context.history.markGone(one.id);
    }
  };
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < seen.length; index = next++) await ask(seen[index] as Seen, index);
  };
  await context.terminal.progress.waiting(`asking for ${seen.length}`, () =>
    Promise.all(Array.from({ length: Math.min(ASKED_AT_ONCE, seen.length) }, worker)),
  );
  return now.filter((one) => one !== undefined);
}
