// Opens a fresh service for a test, with a clock that the test sets: in this process, or on a port of 127.0.0.1. Every answer
// is checked against the contract on its way out.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { transportOver, type WebTransport, withBearer } from '../../src/api/transport.ts';
import type { DocumentEngine } from '../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../src/pdf/engine/in-process.ts';
import { serve } from '../../src/service/http/server.ts';
import { createService, type Service, type ServiceOptions } from '../../src/service/service.ts';
import { timeOrderedIds } from '../../src/service/store/rows.ts';
import { openStore, type Store } from '../../src/service/store/store.ts';
import { withContractCheck } from './assert-contract.ts';
import { needsPostgres } from './servers/postgres-server.ts';
import { emptyStoreFolder } from './stores/empty-store.ts';
import { createStrictClient, type StrictClient } from './strict-client.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { FULL } from './tier.ts';

export type Way = 'in process' | 'over HTTP' | 'on PostgreSQL';

/** The first two are on SQLite. */
export const WAYS: Way[] = [
  'in process',
  'over HTTP',
  ...(needsPostgres().skip ? [] : ['on PostgreSQL' as const]),
];

export type Harness = {
  service: Service;
  /** The store of the service, for reading: a test never writes to it. */
  store: Store;
  /** Reaches the service in process or over HTTP, as the suite requires. */
  transport: WebTransport;
  baseUrl: string;
  folder: string;
  /** The client of the store's own user, with every scope and the control secret. */
  client: StrictClient;
  /** A client with another access token, or none. */
  clientWith(token: string | undefined): StrictClient;
  clock: { now: number; advance(ms: number): void };
  /** Unexpected errors. Must stay empty. */
  errors: unknown[];
  /** The subject of each error: a request, or a transaction that was due. */
  failed: string[];
  /** Answers that the contract does not declare. Must stay empty. */
  contractViolations: string[];
  close(): Promise<void>;
};

export const START = Date.parse('2026-03-01T09:00:00.000Z');

/** Password hashing with a hundredth of the work: one test of the real parameters suffices. */
export const CHEAP_HASHING = { N: 512, r: 8, p: 1 };

/** Longer than a test takes. */
const LONG_MS = 600_000;

/** Nodes of a service on PostgreSQL, which get the requests of a test in turn. Its other functions are those of the first node. */
const NODES = Number(process.env.ESIGN_TEST_NODES ?? (FULL ? 3 : 1));

/** Only tests of the engine itself wait for another process. */
const IN_PROCESS = createInProcessEngine();

/** Most tests check the changes of one request, so deliveries must not run meanwhile. */
const withoutDelivering = (service: Service): Service =>
  Object.create(service, { startDelivering: { value: async () => ({ stop: async () => undefined }) } });

/** No test resolves names over the network. */
const noNames = async (host: string): Promise<never> => {
  throw new Error(`${host} is not looked up in a test`);
};

/** `ids` and `random` stand in for the machine's, so that a test can make them fail. */
export type HarnessOptions = {
  folder?: string;
  ids?: () => string;
  random?: (bytes: number) => Uint8Array;
  documents?: DocumentEngine;
  sealing?: ServiceOptions['sealing'];
  mail?: ServiceOptions['mail'];
  allowLoopbackReceivers?: boolean;
  receivers?: ServiceOptions['receivers'];
  posting?: ServiceOptions['posting'];
  /** By default, signing pages wait until the documents are sealed. */
  pageWaitMs?: number;
  /** Events are delivered while it is served. By default, they wait until a test calls `service.deliver()`. */
  isDelivering?: boolean;
};

export async function openHarness(way: Way, given: HarnessOptions = {}): Promise<Harness> {
  const clock = {
    now: START,
    advance(ms: number) {
      clock.now += ms;
    },
  };
  const errors: unknown[] = [];
  const failed: string[] = [];
  const contractViolations: string[] = [];
  const { ids = timeOrderedIds(() => clock.now), random = randomBytes, documents = IN_PROCESS } = given;
  const facts = { now: () => new Date(clock.now).toISOString(), newId: ids, random };
  // A store that is served has an address of its own, and one that is given IDs or random bytes is created with them.
  const isUsual = way === 'in process' && !given.ids && !given.random;
  const folder = given.folder ?? (await (isUsual ? emptyStoreFolder(facts) : temporaryFolder()));
  const postgres =
    way === 'on PostgreSQL'
      ? (await import('./stores/postgres-store.ts')).openPostgresStore(
          folder,
          given.folder !== undefined,
          facts,
        )
      : undefined;
  const store = postgres ? (await postgres).store : await openStore(folder, facts);
  const options: ServiceOptions = {
    clock: () => clock.now,
    ids,
    random,
    documents,
    ...(given.sealing && { sealing: given.sealing }),
    ...(given.mail && { mail: given.mail }),
    ...(given.allowLoopbackReceivers !== undefined && {
      allowLoopbackReceivers: given.allowLoopbackReceivers,
    }),
    ...(given.receivers && { receivers: given.receivers }),
    posting: given.posting ?? { resolve: noNames },
    passwordCost: CHEAP_HASHING,
    pageWaitMs: given.pageWaitMs ?? LONG_MS,
    validateResponses: true,
    onError(error, id) {
      errors.push(error);
      failed.push(id);
    },
  };
  const service = await createService({ ...options, store });
  const [others, copies]: [Service[], string[]] = [[], []];
  if (postgres)
    while (others.length < NODES - 1) {
      copies.push(await temporaryFolder());
      const opened = await (await postgres).openAgain(copies.at(-1) ?? '');
      others.push(await createService({ ...options, store: opened }));
    }
  const serving =
    way === 'over HTTP'
      ? await serve(given.isDelivering ? service : withoutDelivering(service), {
          host: '127.0.0.1',
          port: 0,
          documents,
        })
      : undefined;
  const baseUrl = service.origin;
  const nodes = [service, ...others];
  let asked = 0;
  /** Only a sandbox has operations under `/_sandbox/`: they get the first node. */
  const askInTurn: WebTransport = (request) => {
    const isControl = new URL(request.url).pathname.startsWith('/_sandbox/');
    const node = isControl ? service : (nodes[asked++ % nodes.length] ?? service);
    return node.fetch(request);
  };
  const reach: WebTransport = serving ? (request) => fetch(request) : askInTurn;
  const transport = withContractCheck(reach, (violation) => contractViolations.push(violation));
  const calls = transportOver(transport);
  const clientWith = (token: string | undefined) =>
    createStrictClient({
      baseUrl,
      transport: token === undefined ? calls : withBearer(calls, { token: () => token }),
      controlSecret: service.controlSecret,
    });
  return {
    service,
    store,
    transport,
    baseUrl,
    folder,
    client: clientWith(service.ownToken),
    clientWith,
    clock,
    errors,
    failed,
    contractViolations: contractViolations,
    async close() {
      await serving?.close();
      for (const node of nodes) await node.close();
      await (await postgres)?.remove();
      for (const copy of copies) await rm(copy, { recursive: true, force: true });
      if (!given.folder) await rm(folder, { recursive: true, force: true });
    },
  };
}
