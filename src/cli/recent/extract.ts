// What an answer of the service tells about what is there: for `tx list` and for TAB.
import type { LooseInput } from '../../api/codec.ts';
import type { Transaction } from '../../api/contract/transactions.ts';
import { contentOf, outcomeOf, pendingIn } from '../transactions/view.ts';
import type { SeenKind } from './store.ts';

/** A entry before it is known of which service, and when. */
export type RecentItem =
  | { isReset: true }
  | {
      kind: SeenKind;
      id: string;
      name?: string | undefined;
      outcome?: string | undefined;
      people?: string[];
      pending?: string | null;
      isGone?: true;
    };

type Reading = (output: unknown, input: LooseInput) => RecentItem[];

const ofTransaction: Reading = (output) => {
  const transaction = output as Transaction;
  if (typeof transaction.id !== 'string') return [];
  const { name, recipients } = contentOf(transaction);
  const people = recipients.map(({ email }) => email);
  const [outcome, pending] = [outcomeOf(transaction), pendingIn(transaction)];
  return [{ kind: 'transaction', id: transaction.id, name, outcome, people, pending }];
};

const named = (kind: SeenKind, value: unknown): RecentItem[] => {
  const { id, name } = value as { id?: unknown; name?: unknown };
  return typeof id === 'string' ? [{ kind, id, ...(typeof name === 'string' && { name }) }] : [];
};

const listed =
  (kind: SeenKind): Reading =>
  (output) => {
    const { items } = output as { items?: unknown };
    return Array.isArray(items) ? items.flatMap((item) => named(kind, item)) : [];
  };

const nameIn = ({ body }: LooseInput): unknown => (body as { name?: unknown } | undefined)?.name;

const READINGS: Record<string, Reading> = {
  'transaction.create': (output, input) =>
    named('transaction', { ...(output as object), name: nameIn(input) }).map((sight) => ({
      ...sight,
      outcome: 'draft',
    })),
  'transaction.detail': ofTransaction,
  'transaction.use_templates': ofTransaction,
  'template.detail': (output) => named('template', output),
  'template.list': listed('template'),
  'webhook.create': (output, input) => named('webhook', { ...(output as object), name: nameIn(input) }),
  'webhook.list': listed('webhook'),
  'webhook.delete': (_, { params }) => [{ kind: 'webhook', id: params?.webhookId ?? '', isGone: true }],
  'sandbox.save_template': (output, input) =>
    named('template', { ...(output as object), name: nameIn(input) }),
  'sandbox.reset': () => [{ isReset: true }],
};

/** Nothing for an operation that tells nothing. Never throws: what a service answers is anybody's guess. */
export function recentItemsIn(operation: string, input: LooseInput, output: unknown): RecentItem[] {
  if (typeof output !== 'object' || output === null) return [];
  try {
    return READINGS[operation]?.(output, input) ?? [];
  } catch {
    return [];
  }
}
