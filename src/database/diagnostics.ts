// Publishes what a database does to subscribers: commits and statements with their durations, never a value.
// Nothing is measured while there is no subscriber.
import { channel } from 'node:diagnostics_channel';
import { hrtime } from 'node:process';

const STORE = channel('esign:store');

const monotonicMs = (): number => Number(hrtime.bigint() / 1000n) / 1000;

export const isTraced = (): boolean => STORE.hasSubscribers;

export function traceStatement(sql: string, durationMs: number): void {
  if (STORE.hasSubscribers) STORE.publish({ kind: 'statement', sql, durationMs });
}

/** Runs a commit, and publishes its duration. @param writers how many share it */
export function traceCommit(writers: number, commit: () => void): void {
  if (!STORE.hasSubscribers) {
    commit();
    return;
  }
  const startedMs = monotonicMs();
  commit();
  STORE.publish({ kind: 'commit', writers, durationMs: monotonicMs() - startedMs });
}
