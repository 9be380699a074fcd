// Finds the keys for sealing: of the store's authority, or the ones that the settings name. It is called for each completion,
// so that a new setting or certificate applies from the next one on. Loads nothing before that.
import { instantOf } from '../../common/instant.ts';
import { SealingUnavailable } from '../../pdf/sign/sealing-unavailable.ts';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/store.ts';
import type { ServiceSealing } from './service-sealing.ts';
import type { SealingSettings } from './settings.ts';

/** The company whose documents are sealed. */
export type SealingCompany = { id: string; name: string };

/** @throws SealingUnavailable when there is none */
export type SealingSource = (company: SealingCompany) => Promise<ServiceSealing>;

export type SealingParts = {
  store: Store;
  /** False for a team server. */
  isSandbox: boolean;
  clock: Clock;
  random: (bytes: number) => Uint8Array;
  settings: () => Promise<SealingSettings>;
};

export function createSealingSource({
  store,
  isSandbox,
  clock,
  random,
  settings,
}: SealingParts): SealingSource {
  const parts = { store, isSandbox, clock: () => instantOf(clock()), random };
  return async (company) => {
    const set = await settings().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'The sealing settings cannot be read.';
      throw new SealingUnavailable('settings', why, 'Correct the sealing settings.');
    });
    const { loadEmbeddedSealing: embeddedSealing } = await import('./embedded-sealing.ts');
    const embedded = await embeddedSealing(company, parts);
    if (Object.keys(set).length === 0) return embedded;
    const { loadConfiguredSealing: configuredSealing } = await import('./configured-sealing.ts');
    return configuredSealing(set, embedded, parts);
  };
}
