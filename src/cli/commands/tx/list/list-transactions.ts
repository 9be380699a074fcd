// The transactions that this machine has touched, from what it remembers: the API has no list. Asks nobody, unless
// told to.
import type { ApiError } from '../../../../api/codec.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { wholeNumber } from '../../../input/checked.ts';
import { glanceAt } from '../../../recent/extract.ts';
import type { Seen } from '../../../recent/store.ts';
import { toneOf } from '../../../transactions/view.ts';

export type ListWish = { status: readonly string[]; refresh: boolean; limit: string };

type Item = {
  id: string;
  name: string | null;
  outcome: string | null;
  recipients: string[];
  /** E-mail of whoever is asked to sign now. */
  pending: string | null;
  /** Their name. */
  pending_name: string | null;
  /** When the service last changed it, where that is known. */
  updated_at: string | null;
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
  const shown = matching.slice(0, most);
  const items = shown.map((one): Item => itemOf(one, instantOf(one.atMs)));
  const isAsSeen = !refresh && items.length > 0;
  return {
    kind: 'list',
    json: { items, meta: { profile, service, total: matching.length, refreshed: refresh } },
    empty:
      status.length > 0
        ? 'No transactions with this status.'
        : 'This machine has seen no transactions with this profile. To send one, run `esign tx send`.',
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
      columns: ['STATUS', 'NAME', 'WAITING FOR', { name: 'RECIPIENTS', leaveOut: 1 }, 'UPDATED', 'ID'],
      rows: items.map(({ id, outcome, name, pending, pending_name, updated_at, seen_at }, index) => [
        outcome,
        name || 'untitled',
        pending_name ?? pending,
        recipientsOf(shown[index]),
        { instant: updated_at ?? seen_at, ago: true },
        id,
      ]),
      tones: items.map(({ outcome }) => (outcome === null ? undefined : toneOf(outcome))),
    },
    ...(isAsSeen &&
      context.terminal.streams.out.isTerminal && {
        notes: [
          'This is the status last seen on this machine. To request the current status, add --refresh.',
        ],
      }),
  };
}

function itemOf(
  { id, name, outcome, people = [], names = [], pending, updated }: Seen,
  seen_at: string,
): Item {
  const at = typeof pending === 'string' ? people.indexOf(pending) : -1;
  return {
    id,
    name: name ?? null,
    outcome: outcome ?? null,
    recipients: [...people],
    pending: pending ?? null,
    pending_name: names[at] || null,
    updated_at: updated ?? null,
    seen_at,
  };
}

/** By name, without the sender, who stands first and is not news; the sender where nobody else is there. */
function recipientsOf(one: Seen | undefined): string {
  const { people = [], names = [] } = one ?? {};
  const all = people.map((email, index) => names[index] || email);
  return (all.length > 1 ? all.slice(1) : all).join(', ');
}

/** Each as the service has it now; what it does not have any more is left out and forgotten. */
async function asked(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  seen: readonly Seen[],
): Promise<Seen[]> {
  if (seen.length === 0) return [];
  const { client } = await context.connections.connect();
  context.history.keepPlaces(seen.map(({ id }) => id));
  const now: (Seen | undefined)[] = seen.map(() => undefined);
  const ask = async (one: Seen, index: number) => {
    try {
      const transaction = await client['transaction.detail']({ params: { transactionId: one.id } });
      now[index] = { ...one, ...glanceAt(transaction), atMs: context.process.clock() };
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
  await context.terminal.progress.waiting(`Refreshing ${seen.length} transactions`, () =>
    Promise.all(Array.from({ length: Math.min(ASKED_AT_ONCE, seen.length) }, worker)),
  );
  return now.filter((one) => one !== undefined);
}
