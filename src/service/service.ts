// The service itself, put together: a store, the rules, and one function that answers requests. It opens no port and
// keeps no clock of its own.
import { randomBytes } from 'node:crypto';
import { instantOf } from '../api/contract/instant.ts';
import type { Transport } from '../api/transport.ts';
import { fetchOver, type WebTransport } from '../api/web.ts';
import type { DocumentEngine } from '../pdf/engine/engine.ts';
import { createOneShotEngine } from '../pdf/engine/one-shot.ts';
import { type Clock, systemClock } from './clock.ts';
import type { SealingFinding } from './completion/check-sealing.ts';
import { createCompletion } from './completion/completion.ts';
import { createSealing } from './completion/sealing.ts';
import type { SealingSettings } from './completion/settings.ts';
import { timeOrderedIds } from './ids.ts';
import { createPasswords, type PasswordCost } from './password.ts';
import { createPipeline } from './pipeline.ts';
import {
  controlSecretOf,
  OWN_USER,
  openStore,
  ownTokenOf,
  type Store,
  type StoreFacts,
} from './store/store.ts';
import { createUpkeep } from './upkeep.ts';

export type ServiceOptions = {
  /** The folder of the store; made when it is missing. Several processes may use one. */
  dataDir?: string;
  /** A store that is open already, instead of a folder. */
  store?: Store;
  /** Milliseconds since 1970. */
  clock?: Clock;
  ids?: () => string;
  random?: (bytes: number) => Uint8Array;
  /** Who works on documents; left out, this process and a child of it. Whoever gives one closes it. */
  documents?: DocumentEngine;
  /** How much work a password of the dashboard is; left out, what is safe. */
  passwordCost?: PasswordCost;
  /** What documents are sealed with instead of the store's own authority; asked for each time. */
  sealing?: () => Promise<SealingSettings>;
  /** The address under which it is reached, when that is not the store's own. */
  origin?: string;
  validateResponses?: boolean;
  /**
   * Called with what no one foresaw, and with every failure of the storage. `id` is that of the request, whose caller gets
   * a 5xx with it; or names what was worked on while nobody asked: `transaction 0199…`, `sweep`.
   */
  onError?: (error: unknown, id: string) => void;
};

export type Service = {
  /** Answers a call; the way in for whoever is in the same process. */
  transport: Transport;
  /** The same for whoever holds a web Request. */
  fetch: WebTransport;
  readonly origin: string;
  /** An access token of the store's own user, with every scope. A secret. */
  ownToken: string;
  /** What the operations under /_sandbox/ ask for. A secret. */
  controlSecret: string;
  /** The store's own user (assumed: A40). */
  sender: { name: string; email: string };
  /** The service is reached at another address from now on. */
  relocate(origin: string): void;
  /** From now on this one works on documents. Whoever gives it closes it. */
  workWith(documents: DocumentEngine): void;
  /** Does what has become due by the clock: transactions expire. Ends early when it is aborted. */
  work(signal?: AbortSignal): Promise<void>;
  /** Removes files that nobody linked in time, and what killed processes left on the disk. For whoever serves. */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Tries whether documents can be sealed. Writes nothing. */
  checkSealing(): Promise<SealingFinding>;
  close(): Promise<void>;
};

export async function createService(options: ServiceOptions): Promise<Service> {
  const { clock = systemClock, random = randomBytes } = options;
  const ids = options.ids ?? timeOrderedIds(clock);
  const storeFacts: StoreFacts = { now: () => instantOf(clock()), newId: ids, random };
  const store = options.store ?? (await openStore(folderOf(options), storeFacts));
  const own = options.documents ?? createOneShotEngine();
  let documents = own;
  let origin = options.origin ?? `http://127.0.0.1:${store.port}`;
  const sealingSettings = options.sealing ?? (async () => ({}));
  const settings = {
    store,
    documents: () => documents,
    origin: () => origin,
    clock,
    ids,
    random,
    passwords: createPasswords(random, options.passwordCost),
    seal: createCompletion(createSealing({ store, clock: systemClock, random, settings: sealingSettings })),
    validateResponses: options.validateResponses ?? false,
    onError: options.onError ?? (() => undefined),
  };
  const transport = createPipeline(settings);
  return {
    transport,
    fetch: fetchOver(transport),
    get origin() {
      return origin;
    },
    ownToken: ownTokenOf(store.keys),
    controlSecret: controlSecretOf(store.keys),
    sender: OWN_USER,
    relocate(address) {
      origin = address;
    },
    workWith(engine) {
      documents = engine;
    },
    ...createUpkeep(settings),
    async checkSealing() {
      const { checkSealing } = await import('./completion/check-sealing.ts');
      return checkSealing(await sealingSettings(), { store, clock: () => instantOf(systemClock()), random });
    },
    async close() {
      if (own !== options.documents) await own.close();
      await store.database.close();
    },
  };
}

function folderOf({ dataDir }: ServiceOptions): string {
  if (dataDir === undefined) throw new Error('A service needs a folder or a store.');
  return dataDir;
}
