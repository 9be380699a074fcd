// `esign tx list`: lists the transactions that this machine has stored, because the API has no list. It asks the sandbox for their status, and
// another service with --refresh.

import type { ApiError } from '../../../api/codec.ts';
import { instantOf } from '../../../common/instant.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import {
  boolean,
  brief,
  either,
  list,
  nullable,
  number,
  object,
  prints,
  text,
} from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { PERSON } from '../../command/shared-json.ts';
import { DOCUMENT, RECIPIENT, REJECTED, WAITING_FOR } from '../../command/transaction-json.ts';
import { wholeNumber } from '../../input/parse-input.ts';
import { summarizeTransaction } from '../../recent/recorder.ts';
import type { SeenItem } from '../../recent/store.ts';
import { type TransactionJson, toneOf, transactionJson, withSigningPages } from '../../sending/view.ts';

export const command = defineCommand({
  summary: 'List the transactions that this machine has seen',
  details:
    'The service has no operation that lists transactions. This command lists the transactions that ' +
    'commands on this machine have created, changed or shown with the active profile, most recently used first, ' +
    'in the sandbox with their current status, otherwise with the status last seen. With --refresh, the ' +
    'current status is requested for each. Transactions that are found to be gone are removed from the list.',
  arguments: [],
  options: {
    status: {
      value: 'STATUS',
      repeat: true,
      summary: 'Status of the transactions to list (default: every status)',
      choices: ['draft', 'started', 'completed', 'rejected', 'expired', 'cancelled'],
    },
    refresh: { summary: 'Request the current status of each transaction' },
    limit: { value: 'N', summary: 'Maximum number of transactions', default: '50' },
  },
  json: prints(
    object({
      items: list(
        object({
          id: text,
          name: nullable(text),
          status: nullable(text),
          outcome: nullable(text),
          profile: text,
          ...WAITING_FOR,
          ...REJECTED,
          'documents?': list(brief(DOCUMENT)),
          recipients: list(brief(either(RECIPIENT, PERSON))),
          pending: nullable(text),
          pending_name: nullable(text),
          updated_at: nullable(text),
          seen_at: text,
        }),
      ),
      meta: object({ profile: text, service: text, total: number, refreshed: boolean }),
    }),
    '; url, documents and the other properties of recipients only with the current status',
  ),
  examples: [
    { line: 'esign tx list', about: 'List recent transactions' },
    {
      line: 'esign tx list --refresh --status started',
      about: 'List the transactions that are still waiting for a signature',
    },
  ],
  run: (context, { options }) => listTransactions(context, options),
});

type ListTransactionsOptions = { status: readonly string[]; refresh: boolean; limit: string };

/** A stored transaction has fewer properties than one that was requested, and no others. */
type Listed = Omit<TransactionJson, 'name' | 'status' | 'outcome' | 'documents' | 'recipients'> & {
  name?: string | null | undefined;
  status: string | null;
  outcome: string | null;
  documents?: TransactionJson['documents'];
  recipients: { name: string; email: string }[];
};

type Item = Listed & {
  /** The email of the recipient who is asked to sign now. */
  pending: string | null;
  /** The name of that recipient. */
  pending_name: string | null;
  /** When the service last changed it, where that is known. */
  updated_at: string | null;
  seen_at: string;
};

const LIMIT_MAX = 10_000;
const ASKED_AT_ONCE = 4;

export async function listTransactions(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  { status, refresh: isAsked, limit }: ListTransactionsOptions,
): Promise<Outcome> {
  const most = wholeNumber('--limit', limit, 1, LIMIT_MAX);
  const { profile, service, things } = await context.history.recentItems();
  const stored = things.filter(({ kind }) => kind === 'transaction');
  const isSandbox = (await context.connections.profile()).remote === undefined;
  // In the sandbox the status costs no HTTP request, so it is always current.
  const refresh = isAsked || isSandbox;
  const listed: RefreshedItem[] = refresh ? await refreshRows(context, stored, !isSandbox) : stored;
  const matching = listed.filter(({ outcome }) => status.length === 0 || status.includes(outcome ?? ''));
  const shown = matching.slice(0, most);
  const items = shown.map((transaction): Item => itemOf(transaction, instantOf(transaction.atMs), profile));
  const isAsSeen = !refresh && items.length > 0;
  const isPerson = context.terminal.streams.out.isTerminal;
  if (isAsSeen && !isPerson) context.terminal.progress.note(AS_SEEN);
  return {
    kind: 'list',
    json: { items, meta: { profile, service, total: matching.length, refreshed: refresh } },
    empty:
      status.length > 0
        ? 'No transactions with this status.'
        : 'This machine has seen no transactions with this profile. To send one, run `esign tx send`.',
    table: {
      columns: ['ID', 'STATUS', 'NAME', 'RECIPIENTS', 'UPDATED', 'WAITING FOR'],
      rows: items.map(({ id, name, outcome, recipients, updated_at, seen_at, pending }) => [
        id,
        outcome,
        name,
        recipients.map(({ email }) => email).join(', '),
        { instant: updated_at ?? seen_at },
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
    ...(isAsSeen && isPerson && { notes: [AS_SEEN] }),
  };
}

const AS_SEEN = 'This is the status last seen on this machine. To request the current status, add --refresh.';

/** `now` is set when the service was asked. */
type RefreshedItem = SeenItem & { now?: TransactionJson };

function itemOf(
  { id, name, status, outcome, people = [], names = [], pending, updated, now }: RefreshedItem,
  seen_at: string,
  profile: string,
): Item {
  const at = typeof pending === 'string' ? people.indexOf(pending) : -1;
  const remembered: Listed = {
    id,
    name: name ?? null,
    status: status ?? outcome ?? null,
    outcome: outcome ?? null,
    profile,
    ...(typeof pending === 'string' && { recipient: { name: names[at] ?? '', email: pending } }),
    recipients: people.map((email, index) => ({ name: names[index] ?? '', email })),
  };
  return {
    ...(now ?? remembered),
    pending: pending ?? null,
    pending_name: names[at] || null,
    updated_at: updated ?? null,
    seen_at,
  };
}

/** Names the recipients, without the sender unless the sender is the only one. */
function recipientsOf(transaction: SeenItem | undefined): string {
  const { people = [], names = [] } = transaction ?? {};
  const all = people.map((email, index) => names[index] || email);
  return (all.length > 1 ? all.slice(1) : all).join(', ');
}

/** Requests the current state of each. What the service does not have any more is omitted and forgotten. */
async function refreshRows(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  stored: readonly SeenItem[],
  showsProgress: boolean,
): Promise<RefreshedItem[]> {
  if (stored.length === 0) return [];
  const connection = await context.connections.connect();
  const { client } = connection;
  context.history.keepOrder(stored.map(({ id }) => id));
  const now: (RefreshedItem | undefined)[] = stored.map(() => undefined);
  const refreshOne = async (item: SeenItem, index: number) => {
    try {
      const transaction = await client['transaction.detail']({ params: { transactionId: item.id } });
      now[index] = {
        ...item,
        ...summarizeTransaction(transaction),
        atMs: context.process.clock(),
        now: transactionJson(transaction, await withSigningPages(connection, transaction)),
      };
    } catch (error) {
      const { name, status } = error as Partial<ApiError>;
      if (name !== 'ApiError' || status !== 404) throw error;
      await context.history.markGone(item.id);
    }
  };
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < stored.length; index = next++)
      await refreshOne(stored[index] as SeenItem, index);
  };
  const all = () => Promise.all(Array.from({ length: Math.min(ASKED_AT_ONCE, stored.length) }, worker));
  if (showsProgress)
    await context.terminal.progress.showWaiting(`Refreshing ${stored.length} transactions`, all);
  else await all();
  return now.filter((item) => item !== undefined);
}
