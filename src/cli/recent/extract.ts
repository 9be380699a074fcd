// Extracts from a response which things the service has, for `tx list` and for TAB.
import type { LooseInput } from '../../api/codec.ts';
import type { ReceivedTransaction } from '../../api/contract/received.ts';
import { contentOfTransaction, outcomeOf, pendingIn } from '../sending/view.ts';
import type { SeenKind } from './store.ts';

/** An entry without its service and time. */
export type RecentItem =
  | { isReset: true }
  | {
      kind: SeenKind;
      id: string;
      name?: string | undefined;
      status?: string | undefined;
      outcome?: string | undefined;
      people?: string[];
      names?: string[];
      pending?: string | null;
      updated?: string | undefined;
      isGone?: true;
    };

type Reading = (output: unknown, input: LooseInput) => RecentItem[];

const ofTransaction: Reading = (output) => {
  const transaction = output as ReceivedTransaction;
  if (typeof transaction.id !== 'string') return [];
  return [{ kind: 'transaction', id: transaction.id, ...summarizeTransaction(transaction) }];
};

/** Extracts what a list shows of a transaction. */
export function summarizeTransaction(transaction: ReceivedTransaction) {
  const { name, recipients } = contentOfTransaction(transaction);
  const { updated_at } = transaction as { updated_at?: unknown };
  return {
    name,
    status: transaction.status,
    outcome: outcomeOf(transaction),
    people: recipients.map(({ email }) => email),
    names: recipients.map((recipient) => recipient.name),
    pending: pendingIn(transaction),
    updated: typeof updated_at === 'string' ? updated_at : undefined,
  };
}

const named = (kind: SeenKind, value: unknown): RecentItem[] => {
  const { id, name } = value as { id?: unknown; name?: unknown };
  return typeof id === 'string' ? [{ kind, id, ...(typeof name === 'string' && { name }) }] : [];
};

const listed =
  (kind: SeenKind): Reading =>
  (output) => {
    const { items } = output as { items?: unknown };
    return Array.isArray(items) ? items.toReversed().flatMap((item) => named(kind, item)) : [];
  };

/** How many events of a list are stored. Older ones are not useful for TAB, and would displace transactions. */
const EVENTS_KEPT = 30;

/** Events have no name: their type tells them apart. */
const ofEvent = (value: unknown): RecentItem[] => {
  const { id, type } = value as { id?: unknown; type?: unknown };
  return named('event', { id, name: type });
};

const nameIn = ({ body }: LooseInput): unknown => (body as { name?: unknown } | undefined)?.name;

const READINGS: Record<string, Reading> = {
  'transaction.create': (output, input) =>
    named('transaction', { ...(output as object), name: nameIn(input) }).map((sight) => ({
      ...sight,
      status: 'draft',
      outcome: 'draft',
    })),
  'transaction.detail': ofTransaction,
  'transaction.use_templates': ofTransaction,
  'template.detail': (output) => named('template', output),
  'template.list': listed('template'),
  'webhook.create': (output, input) => named('webhook', { ...(output as object), name: nameIn(input) }),
  'webhook.list': listed('webhook'),
  'webhook.delete': (_, { params }) => [{ kind: 'webhook', id: params?.webhookId ?? '', isGone: true }],
  'webhook.detail': (output) => named('webhook', output),
  'event.detail': ofEvent,
  'event.list': (output) => {
    const { items } = output as { items?: unknown };
    return Array.isArray(items) ? items.slice(0, EVENTS_KEPT).reverse().flatMap(ofEvent) : [];
  },
  'sandbox.save_template': (output, input) =>
    named('template', { ...(output as object), name: nameIn(input) }),
  'sandbox.reset': () => [{ isReset: true }],
};

const KIND_OF: Record<string, SeenKind> = {
  transactionId: 'transaction',
  templateId: 'template',
  webhookId: 'webhook',
  eventId: 'event',
};

/** Extracts what a request was about from its parameters. A list that is empty does not show that the service has what it was asked about. */
function extractRequestItems({ params, query }: LooseInput, output: unknown): RecentItem[] {
  const { items } = (output ?? {}) as { items?: unknown };
  const isEmpty = Array.isArray(items) && items.length === 0;
  const transactionId = isEmpty ? undefined : query?.transaction_id;
  return Object.entries({ ...(transactionId !== undefined && { transactionId }), ...params }).flatMap(
    ([name, id]) => {
      const kind = KIND_OF[name];
      return kind && typeof id === 'string' ? [{ kind, id }] : [];
    },
  );
}

/** Extracts the items of a response; none for other operations. Never throws, because a service may answer anything. */
export function extractRecentItems(operation: string, input: LooseInput, output: unknown): RecentItem[] {
  try {
    const items = typeof output === 'object' && output !== null ? READINGS[operation]?.(output, input) : [];
    return [...extractRequestItems(input, output), ...(items ?? [])];
  } catch {
    return [];
  }
}
