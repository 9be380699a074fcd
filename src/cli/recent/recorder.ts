// Records the answers that a command receives, and stores them when it ends, or earlier in a command that waits: for `@`,
// `tx list` and TAB. Recording must never fail or delay a command.

import type { ClientOptions } from '../../api/client.ts';
import type { LooseInput } from '../../api/codec.ts';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import type { Paths } from '../../config/environment.ts';
import { fileMask, wallClockMs } from '../process/edges.ts';
import { contentOfTransaction, outcomeOf, pendingIn } from '../sending/view.ts';
import {
  appendEntries,
  type RecentEntry,
  readSeen,
  type SeenItem,
  type SeenKind,
  seenFileOf,
} from './store.ts';

export type OnAnswer = NonNullable<ClientOptions['onAnswer']>;

type Recorder = {
  /** Makes the callback that records the answers of a client. */
  recordAnswers(profile: string, service: string): OnAnswer;
  markGone(profile: string, service: string, transactionId: string): void;
  markForwarded(profile: string, service: string, eventId: string, result: string): void;
  /** Makes answers about these ids not change which was touched last. */
  keepPlaces(ids: readonly string[]): void;
  /** Reads what earlier commands have seen of a service, last first. */
  seen(profile: string, service: string): Promise<SeenItem[]>;
  /** Stores what was recorded since the last call. Never rejects. */
  save(): Promise<void>;
};

type RecordedAnswer = {
  profile: string;
  service: string;
  operation: string;
  input: LooseInput;
  output: unknown;
};

export function createRecorder({ seenDir }: Pick<Paths, 'seenDir'>): Recorder {
  const noticed: RecordedAnswer[] = [];
  /** Entries that commands add themselves. */
  const marked: { profile: string; entry: RecentEntry }[] = [];
  const staying = new Set<string>();
  let saving: Promise<void> | undefined;
  /** Set when the list of events was empty: a command that follows events then polls without `after`, until there is one. */
  let hasNoEvents = false;
  async function saveRecorded(): Promise<void> {
    const told = noticed.splice(0);
    const marks = marked.splice(0);
    if (told.length === 0 && marks.length === 0) return;
    fileMask();
    const stay = (entry: RecentEntry): RecentEntry =>
      'isReset' in entry || !staying.has(entry.id) ? entry : { ...entry, stays: true };
    for (const [profile, entries] of await recordByProfile(told, marks))
      await appendEntries(seenFileOf(seenDir, profile), lastOfEach(entries).map(stay)).catch(() => undefined);
  }
  return {
    recordAnswers: (profile, service) => (operation, input, output) => {
      if (operation === 'event.list') {
        if (hasNoEvents || isFollowing(input)) return;
        hasNoEvents = (output as { items?: readonly unknown[] }).items?.length === 0;
        if (hasNoEvents) return;
      }
      noticed.push({ profile, service, operation, input, output });
    },
    markGone(profile, service, id) {
      marked.push({
        profile,
        entry: { kind: 'transaction', id, isGone: true, service, atMs: wallClockMs() },
      });
    },
    markForwarded(profile, service, id, forwarded) {
      marked.push({
        profile,
        entry: { kind: 'event', id, forwarded, stays: true, service, atMs: wallClockMs() },
      });
    },
    keepPlaces(ids) {
      for (const id of ids) staying.add(id);
    },
    async seen(profile, service) {
      const things = await readSeen(seenFileOf(seenDir, profile));
      return things.filter((item) => item.service === service);
    },
    save() {
      saving = saving === undefined ? saveRecorded() : saving.then(saveRecorded);
      return saving;
    },
  };
}

/** Whether a request polls for events. Such responses are not recorded, because they would fill memory until the command ends. */
const isFollowing = ({ query }: LooseInput): boolean => query?.after !== undefined;

async function recordByProfile(
  noticed: readonly RecordedAnswer[],
  marked: readonly { profile: string; entry: RecentEntry }[],
): Promise<Map<string, RecentEntry[]>> {
  const atMs = wallClockMs();
  const all = [
    ...lastPagesFirst(noticed).flatMap(({ profile, service, operation, input, output }) =>
      extractRecentItems(operation, input, output).map((sight) => ({
        profile,
        entry: { ...sight, service, atMs },
      })),
    ),
    ...marked,
  ];
  const sorted = new Map<string, RecentEntry[]>();
  for (const { profile, entry } of all) {
    const ofProfile = sorted.get(profile) ?? [];
    ofProfile.push(entry);
    sorted.set(profile, ofProfile);
  }
  return sorted;
}

/** Sorts the pages of lists so that the last is stored first: `@` is then the first row of a list, however many pages it has. */
const lastPagesFirst = (noticed: readonly RecordedAnswer[]): RecordedAnswer[] => [
  ...noticed.filter(isOfList).reverse(),
  ...noticed.filter((answer) => !isOfList(answer)),
];

const isOfList = ({ operation }: RecordedAnswer): boolean => operation.endsWith('.list');

/** Keeps the last entry of each thing, because a list may have thousands. */
function lastOfEach(entries: readonly RecentEntry[]): RecentEntry[] {
  const later = new Set<string>();
  return [...entries]
    .reverse()
    .filter((entry) => {
      if ('isReset' in entry) return true;
      const isFirst = !later.has(entry.id);
      later.add(entry.id);
      return isFirst;
    })
    .reverse();
}

/** An entry without its service and time. */
type RecentItem =
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
function extractRecentItems(operation: string, input: LooseInput, output: unknown): RecentItem[] {
  try {
    const items = typeof output === 'object' && output !== null ? READINGS[operation]?.(output, input) : [];
    return [...extractRequestItems(input, output), ...(items ?? [])];
  } catch {
    return [];
  }
}
