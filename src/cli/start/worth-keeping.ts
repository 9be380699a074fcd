// Decides after which runs the compiled code is cached. Each adds the functions that it called, but costs 15 to 25 ms
// and makes the cache larger, which every command pays for when it reads it.

/** The commands that people and scripts call often. */
const OFTEN = new Set([
  'tx create',
  'tx download',
  'tx list',
  'tx send',
  'tx show',
  'tx start',
  'tx wait',
  'verify',
]);

/** Commands that promise to change nothing. */
const NEVER = new Set(['doctor']);

const MOST = 16;

/**
 * Whether to cache the code after this run.
 * @param learned the runs that the cached code came from; none when nothing was cached
 * @param run the command and what it loaded beside the program
 */
export const isWorthKeeping = (learned: readonly string[], command: string, run: string): boolean =>
  !NEVER.has(command) &&
  (learned.length === 0 || (OFTEN.has(command) && learned.length < MOST && !learned.includes(run)));
