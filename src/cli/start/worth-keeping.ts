// Which runs the compiled code is kept of. Each teaches the cache the functions that it called, and each costs 15 to 25 ms
// and makes the cache larger, which every command pays for when it reads it.

/** What people and scripts call again and again. */
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

/** They change nothing, and say so. */
const NEVER = new Set(['doctor']);

const MOST = 16;

/**
 * @param learned the runs that what was kept came from; none when nothing was kept
 * @param run the command and what it loaded beside the program
 */
export const isWorthKeeping = (learned: readonly string[], command: string, run: string): boolean =>
  !NEVER.has(command) &&
  (learned.length === 0 || (OFTEN.has(command) && learned.length < MOST && !learned.includes(run)));
