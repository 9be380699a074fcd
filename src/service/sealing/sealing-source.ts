// Finds the keys for sealing: of the store's authority, or the ones that the settings name. It is called for each completion,
// so that a new setting or certificate applies from the next one on. It loads nothing before that.
import { instantOf } from '../../common/instant.ts';
import { SealingUnavailable } from '../../pdf/sign/sealing-unavailable.ts';
import type { Clock } from '../clock.ts';
import type { Observer } from '../observer.ts';
import type { SandboxFaults } from '../sandbox/faults.ts';
import type { Store } from '../store/store.ts';
import type { SealingSettings } from './configured-sealing.ts';
import type { ServiceSealing } from './embedded-sealing.ts';
import type { FairQueue } from './fair-queue.ts';

/** A service seals with this, and takes turns by the queue. */
export type SealingService = {
  source: SealingSource;
  queue: FairQueue;
  observer: Observer;
  /** `id` names the transaction that the error happened to. */
  onError: (error: unknown, id: string) => void;
};

/** @throws SealingUnavailable when there is nothing to seal with */
export type SealingSource = (company: SealingCompany) => Promise<ServiceSealing>;

/** The documents of this company are sealed. */
export type SealingCompany = { id: string; name: string };

export type SealingDeps = {
  store: Store;
  /** It is false for a team server. */
  isSandbox: boolean;
  clock: Clock;
  random: (bytes: number) => Uint8Array;
  readSettings: () => Promise<SealingSettings>;
};

export function createSealingSource({ readSettings, clock, ...deps }: SealingDeps): SealingSource {
  const embeddedDeps = { ...deps, clock: () => instantOf(clock()) };
  return async (company) => {
    const settings = await readSettings().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'The sealing settings cannot be read.';
      throw new SealingUnavailable('settings', why, 'Correct the sealing settings.');
    });
    const { loadEmbeddedSealing } = await import('./embedded-sealing.ts');
    const embedded = await loadEmbeddedSealing(company, embeddedDeps);
    if (Object.keys(settings).length === 0) return embedded;
    const { loadConfiguredSealing } = await import('./configured-sealing.ts');
    return loadConfiguredSealing(settings, embedded, embeddedDeps);
  };
}

/** Lets the timestamp authority be unavailable on purpose, as a fault of the sandbox says. */
export const withTimestampFaults =
  (source: SealingSource, { strikeSending }: Pick<SandboxFaults, 'strikeSending'>): SealingSource =>
  async (company) => {
    const sealing = await source(company);
    const { timestamps } = sealing;
    if (!timestamps) return sealing;
    return {
      ...sealing,
      timestamps: {
        ...timestamps,
        async timestamp(imprint) {
          if (!(await strikeSending(['timestamps-unavailable'], 'a timestamp')))
            return timestamps.timestamp(imprint);
          throw new SealingUnavailable(
            'timestamps',
            'The timestamp authority is unavailable on purpose, because of the fault timestamps-unavailable.',
            'To remove the faults of the sandbox, run `esign sandbox faults clear`.',
          );
        },
      },
    };
  };
