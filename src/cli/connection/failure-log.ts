// Prints on stderr why a request failed inside the sandbox, with its request id: the response names the kind of failure, and
// this prints what the system reported. It works while the sandbox is served, and in any command with `--debug`.
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
export function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { code, errstr } = error as { code?: unknown; errstr?: unknown };
  const known = typeof errstr === 'string' ? errstr : typeof code === 'string' ? code : undefined;
  const said =
    known === undefined || error.message.includes(known) ? error.message : `${error.message} (${known})`;
  return [said, ...(error.cause === undefined ? [] : causesOf(error.cause))];
}
