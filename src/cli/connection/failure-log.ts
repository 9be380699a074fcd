// Why a request failed inside the sandbox, on stderr beside its request id: the answer names the kind of failure, and this
// says what the system reported. Told while the sandbox is served, and by any command with `--debug`.
import type { Settings } from '../command/settings.ts';
import { inSources } from '../process/source-places.ts';
import { safeLines, safeText } from '../terminal/safe-text.ts';
import type { Sink } from '../terminal/streams.ts';

export type FailureLog = {
  /** @param id of the request, or what was worked on while nobody asked */
  write(error: unknown, id: string): void;
  /** From now on failures are written without `--debug`, and whatever is quiet. */
  begin(): void;
};

export function createFailureLog(settings: Settings, err: Sink): FailureLog {
  let isWanted = settings.debug;
  return {
    begin() {
      isWanted = true;
    },
    write(error, id) {
      if (!isWanted) return;
      err.write(`failed ${safeText(id)}: ${safeText(causesOf(error).join('; caused by: '))}\n`);
      if (settings.debug && error instanceof Error && error.stack)
        err.write(`${safeLines(inSources(error.stack))}\n`);
    },
  };
}

/** From the outermost to the first cause, each with the code of the system or the database. */
function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { code, errstr } = error as { code?: unknown; errstr?: unknown };
  const known = typeof errstr === 'string' ? errstr : typeof code === 'string' ? code : undefined;
  const said =
    known === undefined || error.message.includes(known) ? error.message : `${error.message} (${known})`;
  return [said, ...(error.cause === undefined ? [] : causesOf(error.cause))];
}
