// Makes a sandbox for the tests of another program: a service in a folder of its own, called in this process, with its clock, faults and seeds.
import { constants } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../api/client.ts';
import type { Scope } from '../api/contract/operation.ts';
import { once } from '../common/once.ts';
import type { DocumentEngine } from '../pdf/engine/engine.ts';
import { createOneShotEngine } from '../pdf/engine/one-shot.ts';
import { type Serving, serve } from '../service/http/server.ts';
import { createService, type Service } from '../service/service.ts';
import { createEvents } from './events.ts';
import type {
  Sandbox,
  SandboxFault,
  SandboxFired,
  SandboxOptions,
  SandboxSeed,
  SandboxSeeded,
  SandboxSnapshot,
} from './sandbox.ts';

/** A RAM disk of Linux. Nothing of a test has to survive a power cut. */
const MEMORY = '/dev/shm';

const LOOPBACK = '127.0.0.1';

export async function createTestSandbox(options: SandboxOptions): Promise<Sandbox> {
  const folder = options.dataDir ?? (await makeTemporaryFolder());
  const { now, onError } = options;
  // A served sandbox uses it as well: a test starts no child for a sound document.
  const documents = createOneShotEngine();
  const service = await createService({
    dataDir: folder,
    documents,
    allowLoopbackReceivers: true,
    ...(now && { clock: now }),
    ...(onError && { onError }),
  });
  const sandbox = sandboxOver({ service, documents, folder }, options);
  if (options.seed === undefined) return sandbox;
  try {
    const seeded = await sandbox.seed(options.seed);
    return Object.defineProperty(sandbox, 'seeded', { value: seeded, enumerable: true });
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

type Opened = { service: Service; documents: DocumentEngine; folder: string };

function sandboxOver(
  { service, documents, folder }: Opened,
  { dataDir, port = 0, onError }: SandboxOptions,
): Sandbox {
  const client = createClient({
    baseUrl: service.origin,
    transport: service.transport,
    controlSecret: service.controlSecret,
  });
  const delivering = createDelivering(service, onError);
  const events = createEvents({
    service,
    client,
    settle: delivering.settle,
    onError: (error) => onError?.(error),
  });
  let serving: Promise<Serving> | undefined;
  let snapshots = 0;
  const close = once(async () => {
    await (await serving)?.close();
    await delivering.stop();
    await events.close();
    await service.close();
    await documents.close();
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
  });
  return {
    get url() {
      serving ??= serve(service, { host: LOOPBACK, port, documents }).then((opened) => {
        delivering.leaveToServer();
        return opened;
      });
      return serving.then(({ url }) => url);
    },
    get origin() {
      return service.origin;
    },
    async fetch(input, init) {
      const request =
        input instanceof Request
          ? new Request(input, init)
          : new Request(new URL(input, service.origin), init);
      const response = await service.fetch(request);
      if (request.method !== 'GET') delivering.begin();
      return response;
    },
    async token({ scopes, user } = {}) {
      const body = { ...(scopes && { scopes: scopes as Scope[] }), ...(user !== undefined && { user }) };
      return (await client['sandbox.token']({ body })).access_token as string;
    },
    sender: service.sender,
    seeded: [],
    async seed(seed) {
      const seeded = await seedTestSandbox(seed, { service, client, documents });
      delivering.begin();
      return seeded;
    },
    ...actionsOf(client, delivering.begin),
    clock: clockOf(client),
    faults: faultsOf(client),
    events: events.published,
    async snapshot() {
      // What waits to be delivered would be sent again after each return to the snapshot.
      await delivering.settle();
      snapshots += 1;
      const name = `test-${snapshots}`;
      await client['sandbox.save_snapshot']({ params: { name }, body: {} });
      return { name };
    },
    async reset(to?: SandboxSnapshot) {
      await delivering.settle();
      if (to) await client['sandbox.restore_snapshot']({ params: { name: to.name }, body: {} });
      else await client['sandbox.reset']({ body: {} });
      await events.restore();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Actions = Pick<Sandbox, 'users' | 'applications' | 'sign' | 'reject' | 'expire' | 'mailbox'>;

/** @param begin called after what may have caused an event */
function actionsOf(client: Client, begin: () => void): Actions {
  const outcome = ({ id, status }: { id: string; status: string }) => {
    begin();
    return { id, status };
  };
  return {
    users: {
      add: (user) => client['sandbox.add_user']({ body: user }),
      list: async () => (await client['sandbox.list_users']()).items,
    },
    applications: {
      add: addApplication(client),
    },
    async sign(transactionId, { as, values = {} } = {}) {
      const body = { ...(as !== undefined && { as }), values };
      return outcome(await client['sandbox.sign']({ params: { transactionId }, body }));
    },
    async reject(transactionId, { as, reason = 'Rejected in a test' } = {}) {
      const body = { ...(as !== undefined && { as }), reason };
      return outcome(await client['sandbox.reject']({ params: { transactionId }, body }));
    },
    async expire(transactionId) {
      return outcome(await client['sandbox.expire']({ params: { transactionId }, body: {} }));
    },
    mailbox: {
      async list({ to, transactionId } = {}) {
        const query = {
          ...(to !== undefined && { to }),
          ...(transactionId !== undefined && { transaction_id: transactionId }),
        };
        return (await client['sandbox.mail']({ query })).items;
      },
      async message(mailId) {
        const { bytes } = await client['sandbox.mail_message']({ params: { mailId } });
        return Buffer.from(bytes).toString('utf8');
      },
    },
  };
}

type Deliveries = {
  /** Sends what waits, in the background. */
  begin(): void;
  /** Resolves when what was due has been sent. */
  settle(): Promise<void>;
  /** A server delivers by itself. */
  leaveToServer(): void;
  stop(): Promise<void>;
};

/** Delivers events after the requests that caused them, without a timer. */
function createDelivering(service: Service, onError: SandboxOptions['onError']): Deliveries {
  const stopping = new AbortController();
  let isServed = false;
  let last: Promise<void> = Promise.resolve();
  const begin = () => {
    if (isServed) return;
    last = last
      .then(async () => {
        if ((await service.leftToDeliver()) !== undefined) await service.deliver({ signal: stopping.signal });
      })
      .catch((error: unknown) => onError?.(error));
  };
  return {
    begin,
    settle() {
      begin();
      return last;
    },
    leaveToServer() {
      isServed = true;
    },
    async stop() {
      stopping.abort();
      await last;
    },
  };
}

async function makeTemporaryFolder(): Promise<string> {
  const isThere = await access(MEMORY, constants.W_OK).then(
    () => true,
    () => false,
  );
  return mkdtemp(join(isThere ? MEMORY : tmpdir(), 'esign-testing-'));
}

/** A public application has no secret; the types of `add` say which has one. */
const addApplication = (client: Client) =>
  (({ name, callbackUrl, isPublic = false }) =>
    client['sandbox.add_client']({
      body: { name, callback_url: callbackUrl, is_public: isPublic },
    })) as Sandbox['applications']['add'];

function clockOf(client: Client): Sandbox['clock'] {
  const instantOf = (to: Date | string | number): string => new Date(to).toISOString();
  return {
    now: async () => new Date((await client['sandbox.clock']()).now),
    async set(to) {
      await client['sandbox.set_clock']({ body: { to: instantOf(to) } });
    },
    async advance(by) {
      const { now, fired } = await client['sandbox.advance_clock']({ body: { by } });
      return {
        now: new Date(now),
        fired: fired as SandboxFired[],
      };
    },
    async pauseAt(at) {
      await client['sandbox.pause_clock']({ body: at === undefined ? {} : { at: instantOf(at) } });
    },
    async resume() {
      await client['sandbox.resume_clock']({ body: {} });
    },
    async reset() {
      await client['sandbox.reset_clock']({ body: {} });
    },
  };
}

const faultsOf = (client: Client): Sandbox['faults'] => ({
  async add(operation, kind, { retryAfter, ...options } = {}) {
    const body = {
      operation,
      kind,
      ...options,
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
    };
    return (await client['sandbox.add_fault']({ body })) as SandboxFault;
  },
  list: async () => (await client['sandbox.list_faults']()).items as SandboxFault[],
  async clear() {
    await client['sandbox.clear_faults']();
  },
});

type Seeding = Pick<Opened, 'service' | 'documents'> & { client: Client };

/** A seed means the same in a test as on the command line, so it is the code of the command line that reads it. */
async function seedTestSandbox(
  seed: string | SandboxSeed,
  { service, client, documents }: Seeding,
): Promise<SandboxSeeded[]> {
  const { seedFrom } = await import('../cli/seeding/seed-sandbox.ts');
  const { origin: baseUrl, transport, sender: ownUser } = service;
  const seeded = await seedFrom(seed, {
    documents,
    target: {
      baseUrl,
      transport,
      client,
      ownUser,
      fieldErrors: (fields) => service.fieldErrors(fields),
    },
  });
  return seeded as SandboxSeeded[];
}
