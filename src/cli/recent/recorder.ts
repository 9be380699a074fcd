// Records the answers that a command receives, and stores them when it ends, or earlier in a command that waits: for `@`,
// `tx list` and TAB. Recording must never fail or delay a command.
import type { ClientOptions } from '../../api/client.ts';
import type { LooseInput } from '../../api/codec.ts';
import type { Paths } from '../../config/paths.ts';
import { fileMask, wallClockMs } from '../process/edges.ts';
import type { RecentEntry, SeenItem } from './store.ts';

export type OnAnswer = NonNullable<ClientOptions['onAnswer']>;

export type Recorder = {
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
    const { appendEntries, seenFileOf } = await import('./store.ts');
    const stay = (one: RecentEntry): RecentEntry =>
      'isReset' in one || !staying.has(one.id) ? one : { ...one, stays: true };
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
      const { readSeen, seenFileOf } = await import('./store.ts');
      const things = await readSeen(seenFileOf(seenDir, profile));
      return things.filter((one) => one.service === service);
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
  const { extractRecentItems } = await import('./extract.ts');
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
    const known = sorted.get(profile) ?? [];
    known.push(entry);
    sorted.set(profile, known);
  }
  return sorted;
}

/** Sorts the pages of lists so that the last is stored first: `@` is then the first row of a list, however many pages it has. */
const lastPagesFirst = (noticed: readonly RecordedAnswer[]): RecordedAnswer[] => [
  ...noticed.filter(isOfList).reverse(),
  ...noticed.filter((one) => !isOfList(one)),
];

const isOfList = ({ operation }: RecordedAnswer): boolean => operation.endsWith('.list');

/** Keeps the last entry of each thing, because a list may have thousands. */
function lastOfEach(entries: readonly RecentEntry[]): RecentEntry[] {
  const later = new Set<string>();
  return [...entries]
    .reverse()
    .filter((one) => {
      if ('isReset' in one) return true;
      const isFirst = !later.has(one.id);
      later.add(one.id);
      return isFirst;
    })
    .reverse();
}
