// Prints commits, slow statements and document jobs with their durations on stderr, for ESIGN_DEBUG=store and ESIGN_DEBUG=engine.
// It prints statements without their values, and a part of the hash of documents.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DocumentEngine, Source } from '../../pdf/engine/engine.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { Sink } from '../terminal/streams.ts';
import { monotonicMs } from './edges.ts';

/** A message that src/database/diagnostics.ts publishes. */
type StoreTrace = { kind: 'commit' | 'statement'; sql?: string; writers?: number; durationMs: number };

const STORE = 'esign:store';

/** Statements that take at least this long are printed; most take a tenth of it. */
const SLOW_MS = 5;

const LONGEST_SQL = 300;

/** Prints what the store does until it is closed. */
export function traceStore(err: Sink): { close(): Promise<void> } {
  const writeTrace = (message: unknown) => {
    const { kind, sql = '', writers, durationMs } = message as StoreTrace;
    if (kind === 'commit') err.write(`store commit ${writers} writers ${shown(durationMs)}\n`);
    else if (durationMs >= SLOW_MS)
      err.write(`store slow ${shown(durationMs)} ${safeText(sql.slice(0, LONGEST_SQL))}\n`);
  };
  subscribe(STORE, writeTrace);
  return { close: async () => void unsubscribe(STORE, writeTrace) };
}

export function traceEngine(engine: DocumentEngine, err: Sink): DocumentEngine {
  type Run = (source: Source, ...rest: never[]) => Promise<{ ok: boolean; reason?: string }>;
  const { prepare, close, ...jobs } = engine;
  const traced = Object.fromEntries(
    Object.entries(jobs as Record<string, Run>).map(([job, run]) => [
      job,
      async (source: Source, ...rest: never[]) => {
        const startedMs = monotonicMs();
        let result = 'failed';
        try {
          const answer = await run(source, ...rest);
          result = answer.ok ? 'ok' : safeText(String(answer.reason ?? 'refused'));
          return answer;
        } finally {
          const took = shown(monotonicMs() - startedMs);
          err.write(`engine ${job} ${source.sha256.slice(0, 12)} ${result} ${took}\n`);
        }
      },
    ]),
  );
  return { ...(traced as unknown as DocumentEngine), prepare, close };
}

const shown = (durationMs: number): string => `${durationMs.toFixed(1)} ms`;
