// What answers told while a command ran, written down when it ends: for `tx list` and for TAB. A help for later: it is
// never worth an error, nor a wait.
import type { ClientOptions } from '../api/client.ts';
import type { LooseInput } from '../api/codec.ts';
import type { Paths } from '../config/paths.ts';
import type { Seen, Sighting } from '../history/seen.ts';
import { fileMask, nowMs } from './edges.ts';

export type OnAnswer = NonNullable<ClientOptions['onAnswer']>;

export type Memory = {
  /** What a client is given, so that its answers are noticed. */
  noticing(profile: string, service: string): OnAnswer;
  markGone(profile: string, service: string, transactionId: string): void;
  /** Seen of a service by earlier commands, last first. */
  seen(profile: string, service: string): Promise<Seen[]>;
  save(): Promise<void>;
};

type Noticed = { profile: string; service: string; operation: string; input: LooseInput; output: unknown };

export function createMemory({ seenDir }: Pick<Paths, 'seenDir'>): Memory {
  const noticed: Noticed[] = [];
  const gone: { profile: string; sighting: Sighting }[] = [];
  return {
    noticing: (profile, service) => (operation, input, output) => {
      noticed.push({ profile, service, operation, input, output });
    },
    markGone(profile, service, id) {
      gone.push({ profile, sighting: { kind: 'transaction', id, isGone: true, service, atMs: nowMs() } });
    },
    async seen(profile, service) {
      const { readSeen, seenFileOf } = await import('../history/seen.ts');
      const things = await readSeen(seenFileOf(seenDir, profile));
      return things.filter((one) => one.service === service);
    },
    async save() {
      if (noticed.length === 0 && gone.length === 0) return;
      fileMask();
      const { remember, seenFileOf } = await import('../history/seen.ts');
      for (const [profile, sightings] of await byProfile(noticed, gone))
        await remember(seenFileOf(seenDir, profile), lastOfEach(sightings)).catch(() => undefined);
    },
  };
}

async function byProfile(
  noticed: readonly Noticed[],
  gone: readonly { profile: string; sighting: Sighting }[],
): Promise<Map<string, Sighting[]>> {
  const { sightsIn } = await import('./sightings.ts');
  const atMs = nowMs();
  const all = [
    ...noticed.flatMap(({ profile, service, operation, input, output }) =>
      sightsIn(operation, input, output).map((sight) => ({ profile, sighting: { ...sight, service, atMs } })),
    ),
    ...gone,
  ];
  const sorted = new Map<string, Sighting[]>();
  for (const { profile, sighting } of all) {
    const known = sorted.get(profile) ?? [];
    known.push(sighting);
    sorted.set(profile, known);
  }
  return sorted;
}

/** A list may hold thousands. */
function lastOfEach(sightings: readonly Sighting[]): Sighting[] {
  const later = new Set<string>();
  return [...sightings]
    .reverse()
    .filter((one) => {
      if ('isReset' in one) return true;
      const isFirst = !later.has(one.id);
      later.add(one.id);
      return isFirst;
    })
    .reverse();
}
