// Runs the clock of a sandbox: that of the machine, moved or stopped as the store says. Every process that uses the store
// follows it.
import type { Clock } from '../clock.ts';
import {
  type ClockSetting,
  isRealTime,
  REAL_TIME,
  readClockSetting,
  timeBy,
  writeClockSetting,
} from '../store/sandbox/clock.ts';
import type { Store } from '../store/store.ts';

export type SandboxClock = {
  /** Reads the time in milliseconds since 1970, by the setting that was read last. */
  now: Clock;
  machine: Clock;
  /**
   * Reads the setting again, which another process may have changed. It is called before each request and each round of
   * work.
   */
  refresh(): Promise<void>;
  /** Changes the setting, in a commit that may do more. Where `change` returns nothing, the setting stays. */
  change(change: (setting: ClockSetting, machineMs: number) => ClockSetting | undefined): Promise<void>;
  readonly setting: ClockSetting;
  /** It tells whether the clock differs from that of the machine. */
  readonly isMoved: boolean;
};

/** The cached setting is about this. */
const CLOCK = 'clock';

export function createSandboxClock({ database }: Pick<Store, 'database'>, machine: Clock): SandboxClock {
  let setting = REAL_TIME;
  const refresh = async () => {
    const { cached } = await database.cache();
    setting = await cached(CLOCK, CLOCK, readClockSetting);
  };
  return {
    now: () => timeBy(setting, machine()),
    machine,
    refresh,
    async change(change) {
      await database.write(
        async (db) => {
          const next = change(await readClockSetting(db), machine());
          if (next) await writeClockSetting(db, next);
        },
        [CLOCK],
      );
      await refresh();
    },
    get setting() {
      return setting;
    },
    get isMoved() {
      return !isRealTime(setting);
    },
  };
}

/** Makes the clock of a service that is no sandbox. Nothing moves it. */
export const unmovableClock = (machine: Clock): SandboxClock => ({
  now: machine,
  machine,
  refresh: async () => undefined,
  change: () => Promise.reject(new Error('Only the clock of a sandbox can be changed.')),
  setting: REAL_TIME,
  isMoved: false,
});
