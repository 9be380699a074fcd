import { instantOf } from '../../common/instant.ts';
import type { Settings } from '../command/settings.ts';
import { inSources } from '../process/source-places.ts';
import { safeLines, safeText } from '../terminal/safe-text.ts';
import type { Sink } from '../terminal/streams.ts';

export type FailureLog = {
  /** Prints a failure. @param id of the request, or of the background job */
  write(error: unknown, id: string): void;
  /** Prints that a fault of the sandbox struck something that it sends. @param subject what it struck: `event 0199…` */
  writeFault(kind: string, subject: string): void;
  /** Turns the log on without `--debug`, and even with `--quiet`. */
  begin(): void;
};

export function createFailureLog(settings: Settings, err: Sink): FailureLog {
  let isWanted = settings.debug;
  return {
    begin() {
      isWanted = true;
    },
    writeFault(kind, subject) {
      if (isWanted) err.write(`fault ${safeText(kind)}: ${safeText(subject)}\n`);
    },
    write(error, id) {
      if (!isWanted) return;
      err.write(`failed ${safeText(id)}: ${safeText(causesOf(error).join('; caused by: '))}\n`);
      if (settings.debug && error instanceof Error && error.stack)
        err.write(`${safeLines(inSources(error.stack))}\n`);
    },
  };
}

/** Lists the causes from the outermost to the first, each with the code of the system or the database. */
function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { code, errstr } = error as { code?: unknown; errstr?: unknown };
  const reason = typeof errstr === 'string' ? errstr : typeof code === 'string' ? code : undefined;
  const said =
    reason === undefined || error.message.includes(reason) ? error.message : `${error.message} (${reason})`;
  return [said, ...(error.cause === undefined ? [] : causesOf(error.cause))];
}

type LoggedRequest = {
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

type TeamLogOptions = {
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
