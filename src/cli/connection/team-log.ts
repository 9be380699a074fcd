// Writes the log of a team server: a JSON object for each request and each failure, as programs that collect logs read them. It contains no
// query and no header.
import { instantOf } from '../../common/instant.ts';
import type { Sink } from '../terminal/streams.ts';
import { causesOf } from './failure-log.ts';

export type LoggedRequest = {
  method: string;
  /** Without its query. */
  path: string;
  status: number;
  durationMs: number;
  requestId: string | undefined;
  traceId: string | undefined;
  client: string | undefined;
};

export type TeamLog = {
  requested(request: LoggedRequest): void;
  /** @param id of the request, or the work of the service that failed */
  failed(error: unknown, id: string, traceId?: string): void;
  warned(check: string, message: string): void;
  /** Something that happened to the server as a whole. */
  noted(level: 'info' | 'warn' | 'error', message: string): void;
  /** The error that the server ended with. */
  ended(error: {
    code: string;
    message: string;
    hint?: string | undefined;
    errors?: readonly object[];
    /** With `--debug`. */
    trace?: string | undefined;
  }): void;
};

export type TeamLogOptions = {
  err: Sink;
  isQuiet: boolean;
  /** The number of this process, where there are several. */
  worker: number | undefined;
  clock: () => number;
};

export function createTeamLog({ err, isQuiet, worker, clock }: TeamLogOptions): TeamLog {
  const write = (facts: Record<string, unknown>) =>
    err.write(`${JSON.stringify({ time: instantOf(clock()), ...facts, worker })}\n`);
  return {
    requested({ method, path, status, durationMs, requestId, traceId, client }) {
      if (isQuiet) return;
      const duration_ms = Math.round(durationMs * 10) / 10;
      const facts = { method, path, status, duration_ms, client, request_id: requestId, trace_id: traceId };
      write({ level: 'info', ...facts });
    },
    warned: (check, message) => write({ level: 'warn', check, message }),
    failed(error, id, traceId) {
      const message = causesOf(error).join('; caused by: ');
      write({ level: 'error', request_id: id, trace_id: traceId, message });
    },
    ended: (error) => write({ level: 'error', ...error }),
    noted(level, message) {
      if (level !== 'info' || !isQuiet) write({ level, message });
    },
  };
}
