// Writes an event on one line for a person.
import type { ReceivedEvent } from '../../api/contract/event-log.ts';
import { formatLocalTime } from '../terminal/local-time.ts';
import { safeText } from '../terminal/safe-text.ts';

/** As wide as the longest type. */
const TYPE_WIDTH = 21;

/**
 * `09:14:03  transaction_started    0199…  → 200 in 12 ms`
 * @param more text after the id
 */
export function lineOf({ created, type, id }: ReceivedEvent, more: readonly string[] = []): string {
  const time = /\d\d:\d\d:\d\d/.exec(formatLocalTime(created))?.[0] ?? created;
  return [time, type.padEnd(TYPE_WIDTH), id, ...more].map(safeText).join('  ');
}
