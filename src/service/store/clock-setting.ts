// Stores how the clock of a sandbox differs from that of its machine: one row, which every process that uses the store reads.
import { epochMsOf, type Instant } from '../../common/instant.ts';
import type { Db } from './schema.ts';

export type ClockSetting = {
  /** What is added to the clock of the machine, in milliseconds. */
  offset_ms: number;
  /** The instant at which the clock stands still; null while it runs. */
  paused_at: Instant | null;
};

/** The clock of the machine, unchanged. */
export const REAL_TIME: ClockSetting = { offset_ms: 0, paused_at: null };

export const isRealTime = ({ offset_ms, paused_at }: ClockSetting): boolean =>
  offset_ms === 0 && paused_at === null;

/** @param machineMs the clock of the machine; both are milliseconds since 1970 */
export const timeBy = ({ offset_ms, paused_at }: ClockSetting, machineMs: number): number =>
  paused_at === null ? machineMs + offset_ms : epochMsOf(paused_at);

/** The key of its row in `meta`. */
export const CLOCK_KEY = 'clock';

export async function readClockSetting(db: Db): Promise<ClockSetting> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', CLOCK_KEY).executeTakeFirst();
  return row ? (JSON.parse(row.value) as ClockSetting) : REAL_TIME;
}

export async function writeClockSetting(db: Db, setting: ClockSetting): Promise<void> {
  if (isRealTime(setting)) {
    await db.deleteFrom('meta').where('key', '=', CLOCK_KEY).execute();
    return;
  }
  const value = JSON.stringify(setting);
  await db
    .insertInto('meta')
    .values({ key: CLOCK_KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
