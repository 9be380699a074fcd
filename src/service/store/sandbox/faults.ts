// Stores the faults of a sandbox, as one row that every process that uses the store reads, and decides which of them strike.
import type { FaultKind } from '../../../api/contract/sandbox/faults.ts';
import { sha256Of } from '../../../common/sha256.ts';
import type { Db } from '../schema.ts';

/** A property is null where it has no limit, or does not belong to this kind. */
export type StoredFault = {
  id: string;
  /** `*` stands for every operation. */
  operation: string;
  kind: FaultKind;
  count: number | null;
  probability: number | null;
  seed: number | null;
  /** The store keeps milliseconds, for `jitter` as well. */
  latency: number | null;
  jitter: number | null;
  /** The header counts in seconds. */
  retry_after: number | null;
  bytes: number | null;
  /** The numbers say how often it struck, and how often it could have. */
  hits: number;
  chances: number;
};

/** The fault strikes. `lateByMs` is its latency, with this time's jitter. */
export type Strike = Pick<StoredFault, 'kind' | 'retry_after' | 'bytes'> & { lateByMs: number };

/** The row in `meta` has this key. */
export const FAULTS_KEY = 'faults';

export async function readFaults(db: Db): Promise<readonly StoredFault[]> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', FAULTS_KEY).executeTakeFirst();
  return row ? (JSON.parse(row.value) as StoredFault[]) : [];
}

export async function writeFaults(db: Db, faults: readonly StoredFault[]): Promise<void> {
  if (faults.length === 0) {
    await db.deleteFrom('meta').where('key', '=', FAULTS_KEY).execute();
    return;
  }
  const value = JSON.stringify(faults);
  await db
    .insertInto('meta')
    .values({ key: FAULTS_KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Tells whether a fault has struck as often as it was to. */
export const isSpent = ({ count, hits }: StoredFault): boolean => count !== null && hits >= count;

/**
 * Decides which faults strike. Latency comes in addition to one other fault, which is the first that strikes.
 * @param canMeet whether a fault is about what happens now
 * @returns the faults with their new counts, and those that strike
 */
export function strike(
  faults: readonly StoredFault[],
  canMeet: (fault: StoredFault) => boolean,
): { next: StoredFault[]; strikes: Strike[] } {
  const strikes: Strike[] = [];
  const next = faults.map((fault) => {
    const isTaken = fault.kind !== 'latency' && strikes.some(({ kind }) => kind !== 'latency');
    if (isTaken || isSpent(fault) || !canMeet(fault)) return fault;
    const chances = fault.chances + 1;
    if (fault.probability !== null && chanceOf(fault, chances, 'strike') >= fault.probability)
      return { ...fault, chances };
    strikes.push(strikeOf(fault, chances));
    return { ...fault, chances, hits: fault.hits + 1 };
  });
  return { next, strikes };
}

function strikeOf(fault: StoredFault, chances: number): Strike {
  const { kind, retry_after, bytes, latency, jitter } = fault;
  const swing = (jitter ?? 0) * (2 * chanceOf(fault, chances, 'jitter') - 1);
  return { kind, retry_after, bytes, lateByMs: Math.max(0, Math.round((latency ?? 0) + swing)) };
}

const HEX_DIGITS = 8;

/** @returns a number from 0 to below 1: the same for the same seed, each time that a test is run */
const chanceOf = ({ seed, id }: StoredFault, chances: number, about: string): number =>
  Number.parseInt(sha256Of(`${seed ?? id} ${chances} ${about}`).slice(0, HEX_DIGITS), 16) / 16 ** HEX_DIGITS;
