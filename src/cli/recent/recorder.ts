// What answers told while a command ran, written down when it ends: for `tx list` and for TAB. A help for later: it is
// never worth an error, nor a wait.
import type { ClientOptions } from '../../api/client.ts';
import type { LooseInput } from '../../api/codec.ts';
import type { Paths } from '../../config/paths.ts';
import { fileMask, nowMs } from '../process/edges.ts';
import type { RecentEntry, Seen } from './store.ts';

export type OnAnswer = NonNullable<ClientOptions['onAnswer']>;

export type Recorder = {
  /** What a client is given, so that its answers are noticed. */
  noticing(profile: string, service: string): OnAnswer;
  markGone(profile: string, service: string, transactionId: string): void;
  /** Seen of a service by earlier commands, last first. */
  seen(profile: string, service: string): Promise<Seen[]>;
  save(): Promise<void>;
};

type Noticed = { profile: string; service: string; operation: string; input: LooseInput; output: unknown };

export function createRecorder({ seenDir }: Pick<Paths, 'seenDir'>): Recorder {
  const noticed: Noticed[] = [];
  const gone: { profile: string; entry: RecentEntry }[] = [];
  return {
    noticing: (profile, service) => (operation, input, output) => {
      noticed.push({ profile, service, operation, input, output });
    },
    markGone(profile, service, id) {
      gone.push({ profile, entry: { kind: 'transaction', id, isGone: true, service, atMs: nowMs() } });
    },
    async seen(profile, service) {
      const { readSeen, seenFileOf } = await import('./store.ts');
      const things = await readSeen(seenFileOf(seenDir, profile));
      return things.filter((one) => one.service === service);
    },
    async save() {
      if (noticed.length === 0 && gone.length === 0) return;
      fileMask();
      const { remember, seenFileOf } = await import('./store.ts');
      for (const [profile, entries] of await byProfile(noticed, gone))
        await remember(seenFileOf(seenDir, profile), lastOfEach(entries)).catch(() => undefined);
    },
  };
}

async function byProfile(
  noticed: readonly Noticed[],
  gone: readonly { profile: string; entry: RecentEntry }[],
): Promise<Map<string, RecentEntry[]>> {
  const { recentItemsIn } = await import('./extract.ts');
  const atMs = nowMs();
  const all = [
    ...noticed.flatMap(({ profile, service, operation, input, output }) =>
      recentItemsIn(operation, input, output).map((sight) => ({
        profile,
        entry: { ...sight, service, atMs },
      })),
    ),
    ...gone,
  ];
  const sorted = new Map<string, RecentEntry[]>();
  for (const { profile, entry } of all) {
    const known = sorted.get(profile) ?? [];
    known.push(entry);
    sorted.set(profile, known);
  }
  return sorted;
}

/** A list may hold thousands. */
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
