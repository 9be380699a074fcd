// Reads the clock of the machine. It is the only file of the service that does.
import type { Store } from './store/store.ts';

/** The time is in milliseconds since 1970-01-01T00:00Z. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/**
 * It is the clock of the machine as it was when this file was loaded. Tests replace `Date` with a clock of their own, which
 * `systemClock` follows; programs that check certificates do not.
 */
export const machineClock: Clock = Date.now;

/** Returns the clock of the database server of a store, so that several nodes agree, or that of this machine. */
export const realClockOf = ({ database }: Pick<Store, 'database'>): Clock =>
  database.serverClock ?? machineClock;
