// Puts the service together: a store, the rules, and one function that answers requests. It opens no port and has no clock of
// its own.
import { randomBytes } from 'node:crypto';
import { createInsideReceivers } from '../api/contract/egress.ts';
import { API_OPERATIONS } from '../api/contract/operations.ts';
import type { FieldError, Refusal } from '../api/contract/problems.ts';
import type { Call, Transport } from '../api/transport.ts';
import { instantOf } from '../common/instant.ts';
import { lazily } from '../common/once.ts';
import type { NewerStoreError } from '../database/database.ts';
import type { DocumentEngine } from '../pdf/engine/engine.ts';
import { createOneShotEngine } from '../pdf/engine/one-shot.ts';
import { type Background, createBackground } from './background/background.ts';
import { realClockOf, systemClock } from './clock.ts';
import type { Result, ServiceDeps } from './context.ts';
import { isOpenToOthers } from './http/client-address.ts';
import { authenticate } from './http/handle.ts';
import { createClosing, inProcess } from './http/in-process.ts';
import { createPipeline } from './http/pipeline.ts';
import type { Caller } from './http/request-context.ts';
import { readAddress } from './http/route.ts';
import type {
  checkMailDelivery as CheckMailDelivery,
  MailFinding,
  sendTrialLetter as SendTrialLetter,
} from './mail/check.ts';
import { type MailSettings, STAYS_INSIDE } from './mail/settings.ts';
import { type Observer, UNOBSERVED } from './observer.ts';
import type { PosterOptions } from './outbox/post.ts';
import type * as published from './published-types.ts';
import { createSandboxClock, unmovableClock } from './sandbox/clock.ts';
import { createSandboxFaults, NO_FAULTS, type OnFault } from './sandbox/faults.ts';
import type { SealingFinding } from './sealing/check-sealing.ts';
import type { SealingSettings } from './sealing/configured-sealing.ts';
import { createFairQueue } from './sealing/fair-queue.ts';
import { createSealingSource, withTimestampFaults } from './sealing/sealing-source.ts';
import { createSubmissions } from './signing/submissions.ts';
import { createPasswords, type PasswordCost } from './store/accounts/passwords.ts';
import { timeOrderedIds } from './store/rows.ts';
import {
  controlSecretOf,
  OWN_USER,
  openStore,
  ownOriginOf,
  ownTokenOf,
  type Store,
  type StoreDeps,
} from './store/store.ts';

export type ServiceOptions = Partial<Omit<published.ServiceOptions, 'onError'>> & {
  /** This store is open already, and used instead of a folder. */
  store?: Store;
  ids?: () => string;
  random?: (bytes: number) => Uint8Array;
  /** Processes documents; without it, this process and a child of it. The caller closes it. */
  documents?: DocumentEngine;
  /** It sets how much work a password of the dashboard is; without it, the safe default counts. */
  passwordCost?: PasswordCost;
  /** Documents are sealed with these instead of the store's own authority. They are read each time. */
  sealing?: () => Promise<SealingSettings>;
  /**
   * They say where mail comes from, and by which server it leaves; without them, mail stays inside. They are read each
   * time.
   */
  mail?: () => MailSettings;
  /** Events may be sent to these host names and ranges of addresses in private networks. */
  receivers?: readonly string[];
  /** They replace the safe defaults of deliveries. */
  posting?: Omit<PosterOptions, 'allowLoopback' | 'inside' | 'loopbackRoots'>;
  /**
   * So many documents are sealed at a time; without it, one. The engine that processes documents should have as many
   * processes.
   */
  sealsAtOnce?: number;
  /** A signing page waits so long for the documents to be sealed before it says that they are being sealed. */
  pageWaitMs?: number;
  /** A claimed delivery is left to this process so long; without it, longer than any attempt takes. */
  leaseMs?: number;
  /** The service is reached under these hosts as well. */
  allowedHosts?: readonly string[];
  /** It is false for a team server, which has no control operations, and no rights for who is on the same machine. */
  isSandbox?: boolean;
  validateResponses?: boolean;
  /**
   * It is called with unexpected errors, and with every failure of the storage. `id` is that of the request, whose caller
   * gets a 5xx with it; or names the work of the service itself: `transaction 0199…`, `sweep`.
   */
  onError?: (error: unknown, id: string, traceId?: string) => void;
  /** The service reports each fault of the sandbox that strikes something it sends. */
  onFault?: OnFault;
  /** Receives the beginning and the end of requests, seals and deliveries. */
  observer?: Observer;
};

export type Service = published.Service &
  Omit<Background, 'advance'> & {
    /** Answers a call, for programs in the same process. An answer that a fault breaks is an error, as on a connection. */
    transport: Transport;
    /** Answers a call for a server, which breaks the connection where the reply says so (`wireFault`). */
    served: Transport;
    /** Refuses a call to a host that is not the service. */
    refuseHost(call: Call): Refusal | undefined;
    /** Finds the bearer of a call's access token. */
    identify(call: Call): Promise<Result<Caller>>;
    newId(): string;
    /**
     * Sets another address at which the service is reached from now on.
     * @param listening the address that it listens on, where that is another one
     */
    relocate(origin: string, listening?: string): void;
    /** Replaces what processes documents. The caller closes it. */
    workWith(documents: DocumentEngine): void;
    /** Counts the emails of this process that could not be delivered, or were kept in the mailbox. */
    undeliveredMails(): number;
    /**
     * Finds errors of field properties, with paths as in a request; place and recipient are not checked. It writes nothing.
     */
    fieldErrors(fields: readonly unknown[]): Promise<readonly FieldError[]>;
    /** Tries whether documents can be sealed, and writes nothing. */
    checkSealing(): Promise<SealingFinding>;
    /** Tries whether mail can leave the service, and sends nothing. */
    checkMail(): Promise<MailFinding>;
    /** Sends a letter to this address, to try it. */
    sendTrialLetter(to: string): Promise<MailFinding>;
    /** The store is on a read-only disk: it is read, and nothing in it can be changed. */
    readonly isReadOnly: boolean;
    /** Resolves when a newer version of esign has upgraded the store, which this one must not change any more. */
    readonly upgraded: Promise<NewerStoreError>;
    /** Resolves when this process neither processes a submission nor keeps a picture in the background any more. */
    waitUntilSettled(): Promise<void>;
  };

export async function createService(options: ServiceOptions): Promise<Service> {
  const {
    random = randomBytes,
    isSandbox = true,
    onError = () => undefined,
    observer = UNOBSERVED,
  } = options;
  const machine = options.clock ?? (options.store ? realClockOf(options.store) : systemClock);
  const ids = options.ids ?? timeOrderedIds(machine);
  const storeDeps: StoreDeps = { now: () => instantOf(machine()), newId: ids, random };
  const store = options.store ?? (await openStore(folderOf(options), storeDeps));
  const realClock = realClockOf(store);
  const clock = isSandbox ? createSandboxClock(store, machine) : unmovableClock(machine);
  const faults = isSandbox ? createSandboxFaults(store, options.onFault ?? (() => undefined)) : NO_FAULTS;
  const closing = new AbortController();
  const ownEngine = options.documents ?? createOneShotEngine();
  let documents = ownEngine;
  let origin = options.origin ?? ownOriginOf(store);
  let isOpen = isOpenToOthers(origin);
  let isProxied = false;
  const { mail = () => STAYS_INSIDE, sealing: readSettings = async () => ({}) } = options;
  const mailer = lazily(async () => {
    const { createStoredMailer } = await import('./mail/smtp.ts');
    return createStoredMailer(store, mail(), faults);
  });
  const insideReceivers = createInsideReceivers(options.receivers ?? []);
  const allowLoopback = () => options.allowLoopbackReceivers ?? !isOpen;
  const outbox = lazily(async () => {
    const { openOutbox } = await import('./outbox/outbox.ts');
    const { leaseMs, posting } = options;
    const { sendWithFaults } = await import('./outbox/webhook-faults.ts');
    const sendMail =
      mail().smtp && (async (id: string, signal: AbortSignal) => (await mailer.get()).send(id, signal));
    return openOutbox({
      sendEvent: sendWithFaults(faults),
      ...{ store, clock: clock.now, refreshClock: clock.refresh, realClock, ids, random, onError },
      posting: {
        ...{ ...posting, inside: insideReceivers, allowLoopback },
        loopbackRoots: () => loopbackRootsOf(store),
      },
      ...(sendMail && { sendMail }),
      observer,
      ...(leaseMs !== undefined && { leaseMs }),
    });
  });
  const unfinished = new Set<Promise<unknown>>();
  const { tryLock, isLocked } = store.database;
  const submissions = createSubmissions({ pageWaitMs: options.pageWaitMs, tryLock, isLocked, onError });
  const sealingDeps = { store, isSandbox, clock: realClock, random, readSettings };
  const deps: ServiceDeps = {
    ...{ store, clock, faults, ids, random, submissions, insideReceivers, isSandbox, onError, observer },
    get documents() {
      return documents;
    },
    get origin() {
      return origin;
    },
    get isOpenToOthers() {
      return isOpen;
    },
    get isProxied() {
      return isProxied;
    },
    get mail() {
      return mail();
    },
    closing: closing.signal,
    advance: (to) => background.advance(to),
    mayReachLoopback: (isFromOwner) => options.allowLoopbackReceivers ?? (isFromOwner && allowLoopback()),
    passwords: createPasswords(random, options.passwordCost),
    sealing: {
      source: withTimestampFaults(createSealingSource(sealingDeps), faults),
      queue: createFairQueue(options.sealsAtOnce ?? 1),
      ...{ observer, onError },
    },
    inBackground(work) {
      const settled = work.catch(() => undefined).finally(() => unfinished.delete(settled));
      unfinished.add(settled);
    },
    ping: async (webhook) => (await outbox.get()).ping(webhook),
    validateResponses: options.validateResponses ?? false,
    allowedHosts: options.allowedHosts ?? [],
  };
  const waitUntilSettled = async () => {
    await Promise.all([...unfinished, submissions.settled()]);
  };
  const background = createBackground(deps, realClock, outbox.get);
  const { whileOpen, close } = createClosing(async () => {
    closing.abort();
    (await outbox.ifMade())?.close();
    (await mailer.ifMade())?.close();
    if (ownEngine !== options.documents) await ownEngine.close();
    await waitUntilSettled();
    await store.database.close();
  });
  // A request that was under way when the service was closed failed for that reason.
  const served = whileOpen(createPipeline(deps), ({ status }) => status < 500);
  return {
    served,
    ...inProcess(served),
    newId: deps.ids,
    refuseHost(call) {
      const address = readAddress(call, deps.origin, deps.allowedHosts);
      return address.ok ? undefined : address.refusal;
    },
    async identify(call) {
      // Another process may have moved the clock of a sandbox, by which tokens expire.
      await deps.clock.refresh();
      return authenticate(call, API_OPERATIONS['user.me'], await store.database.cache(), deps);
    },
    get origin() {
      return origin;
    },
    upgraded: store.database.upgraded,
    ownToken: ownTokenOf(store.keys),
    controlSecret: controlSecretOf(store.keys),
    sender: OWN_USER,
    relocate(address, listening = address) {
      origin = address;
      isOpen = [address, listening].some(isOpenToOthers);
      isProxied = isOpenToOthers(address) && !isOpenToOthers(listening);
    },
    workWith(engine) {
      documents = engine;
    },
    work: whileOpen(background.work),
    sweep: whileOpen(background.sweep),
    deliver: whileOpen(async (limits) => (await outbox.get()).deliver(limits)),
    startDelivering: whileOpen(background.startDelivering),
    leftToDeliver: whileOpen(background.leftToDeliver),
    waitUntilSettled,
    isReadOnly: store.database.isReadOnly ?? false,
    undeliveredMails: () => store.deliveries.undeliveredMails,
    fieldErrors: whileOpen(async (fields) => {
      const { fieldErrors } = await import('./checks/field-errors.ts');
      return fieldErrors(fields);
    }),
    checkSealing: whileOpen(async () => {
      const { checkSealing } = await import('./sealing/check-sealing.ts');
      const now = () => instantOf(realClock());
      return checkSealing(await readSettings(), { store, isSandbox, documents, clock: now, random });
    }),
    checkMail: whileOpen(() => checkMail(mail(), store, instantOf(clock.now()), isSandbox)),
    sendTrialLetter: whileOpen((to) => sendTrialLetter(mail(), { to, origin, id: ids() })),
    close,
  };
}

async function loopbackRootsOf(store: Store) {
  const { loopbackRoot } = await import('./sealing/loopback.ts');
  return loopbackRoot({ store });
}

async function checkMail(...options: Parameters<typeof CheckMailDelivery>): Promise<MailFinding> {
  const { checkMailDelivery } = await import('./mail/check.ts');
  return checkMailDelivery(...options);
}

async function sendTrialLetter(...options: Parameters<typeof SendTrialLetter>): Promise<MailFinding> {
  const { sendTrialLetter: send } = await import('./mail/check.ts');
  return send(...options);
}

function folderOf({ dataDir }: ServiceOptions): string {
  if (dataDir === undefined) throw new Error('A service needs a data directory or a store.');
  return dataDir;
}
