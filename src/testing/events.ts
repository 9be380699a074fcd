// Lists the events of a sandbox for tests, waits for them, and receives them on this machine over HTTPS.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from '../api/client.ts';
import { EVENT_TYPES, type EventType } from '../api/contract/events.ts';
import { LIMITS } from '../api/contract/limits.ts';
import { withBearer } from '../api/transport.ts';
import { prepareShutdown } from '../http/close-server.ts';
import { sendRequest } from '../http/send-request.ts';
import type { Service } from '../service/service.ts';
import type { SandboxEvent, SandboxEventType } from './contract.ts';
import type {
  Sandbox,
  SandboxDelivery,
  SandboxEventOf,
  SandboxForwardTarget,
  SandboxReceiver,
} from './sandbox.ts';

export type EventsDeps = {
  service: Service;
  client: Client;
  /** Delivers what is due. */
  settle(): Promise<void>;
  /** Called with deliveries that did not get as far as a request. */
  onError(error: unknown): void;
};

export type Events = {
  published: Sandbox['events'];
  /** Makes sure that each receiver is registered once, after the sandbox has forgotten its webhook or got one back. */
  restore(): Promise<void>;
  close(): Promise<void>;
};

const WAIT_MS = 5000;
const POLL_EVERY_MS = 10;

export function createEvents({ service, client, settle, onError }: EventsDeps): Events {
  const receivers = new Set<OpenReceiver>();

  async function open(types: readonly SandboxEventType[], answer: Answer): Promise<SandboxReceiver> {
    const receiver = await openReceiver({ service, client, onError }, types, answer);
    receivers.add(receiver);
    return {
      ...receiver.published,
      get secret() {
        return receiver.secret();
      },
      async close() {
        receivers.delete(receiver);
        await receiver.close();
      },
    };
  }

  async function list<Type extends SandboxEventType = SandboxEventType>({
    transactionId,
    type,
  }: {
    transactionId?: string;
    type?: Type;
  } = {}): Promise<SandboxEventOf<Type>[]> {
    await service.work();
    const query = {
      ...(transactionId !== undefined && { transaction_id: transactionId }),
      ...(type !== undefined && { type }),
    };
    // The reader of the command line checks only that an event has data; the sandbox of this process sends what the contract says.
    const { items } = await client['sandbox.events']({ query });
    return items as unknown as SandboxEventOf<Type>[];
  }

  async function waitFor<Type extends SandboxEventType>(
    type: Type,
    { transactionId, timeoutMs = WAIT_MS }: { transactionId?: string; timeoutMs?: number } = {},
  ): Promise<SandboxEventOf<Type>> {
    const filter = transactionId === undefined ? {} : { transactionId };
    const untilMs = performance.now() + timeoutMs;
    for (;;) {
      const events = await list(filter);
      const match = events.find((event): event is SandboxEventOf<Type> => event.type === type);
      if (match) {
        await settle();
        return match;
      }
      if (performance.now() >= untilMs) throw new Error(notFoundMessage(type, timeoutMs, events));
      await pause(POLL_EVERY_MS);
    }
  }

  return {
    published: {
      list,
      waitFor,
      receiver: ({ types = EVENT_TYPES } = {}) => open(types, async () => NO_CONTENT),
      forwardTo: (target, { types = EVENT_TYPES } = {}) => open(types, forwarding(target)),
    },
    async restore() {
      for (const receiver of receivers) await receiver.restore();
    },
    async close() {
      await Promise.all([...receivers].map((receiver) => receiver.close()));
    },
  };
}

const notFoundMessage = (type: string, timeoutMs: number, events: readonly SandboxEvent[]): string =>
  `No event "${type}" within ${timeoutMs} ms. ${
    events.length === 0
      ? 'There were no events.'
      : `The events were: ${events.map((event) => event.type).join(', ')}.`
  }`;

/** The answer is read to its end and ignored. */
const ANSWER_BYTES = 1024 * 1024;

const NO_CONTENT = 204;
const BAD_GATEWAY = 502;

type Incoming = Omit<SandboxDelivery, 'status'>;

/** @returns the status that the sandbox gets */
type Answer = (delivery: Incoming) => Promise<number>;

/** Hands deliveries on as they came, so that the program under test can verify their signature. */
function forwarding(target: SandboxForwardTarget): Answer {
  if (typeof target === 'function')
    return async (delivery) => {
      const result = await target(delivery);
      return result instanceof Response ? result.status : NO_CONTENT;
    };
  return async ({ headers, body }) => {
    const forwarded = Object.entries(headers).filter(([name]) =>
      /^(content-type|traceparent|webhook-)/.test(name),
    );
    const sent = await sendRequest({
      url: target,
      method: 'POST',
      headers: { ...Object.fromEntries(forwarded), 'content-length': String(Buffer.byteLength(body)) },
      body: Buffer.from(body),
      timeoutMs: LIMITS.deliveryMs,
      maxBytes: () => ANSWER_BYTES,
    });
    if (sent.status === null) throw new Error(`${target} did not answer a delivery.`, { cause: sent.error });
    return sent.status;
  };
}

type OpenReceiver = {
  published: Pick<SandboxReceiver, 'url' | 'received' | 'fail'>;
  secret(): string;
  restore(): Promise<void>;
  close(): Promise<void>;
};

/** Webhooks need HTTPS, even on this machine: the receiver has a certificate of the sandbox, which the sandbox trusts. */
async function openReceiver(
  { service, client, onError }: Pick<EventsDeps, 'service' | 'client' | 'onError'>,
  types: readonly EventType[],
  answer: Answer,
): Promise<OpenReceiver> {
  const issue = async () => {
    const issued = await client['sandbox.issue_certificate']({ body: { names: ['localhost'] } });
    return { cert: issued.certificate as string, key: issued.key as string };
  };
  const received: SandboxDelivery[] = [];
  let failing = { status: 500, times: 0 };
  const server = createServer(await issue(), async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const delivery = {
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body) as SandboxDelivery['event'],
    };
    const { status: failure, times } = failing;
    failing = { ...failing, times: Math.max(0, times - 1) };
    const status = times > 0 ? failure : await answerSafely(delivery);
    received.push({ ...delivery, status });
    response.writeHead(status, { connection: 'close' }).end();
  });
  const answerSafely = async (delivery: Incoming): Promise<number> => {
    try {
      return await answer(delivery);
    } catch (error) {
      onError(error);
      return BAD_GATEWAY;
    }
  };
  // This happens where the sandbox does not trust the certificate: nothing else would say so.
  server.on('tlsClientError', (error: Error & { code?: string }) => {
    if (error.code?.startsWith('ERR_SSL'))
      onError(new Error(`A delivery to ${url} failed.`, { cause: error }));
  });
  const close = prepareShutdown(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const sender = createClient({
    baseUrl: service.origin,
    transport: withBearer(service.transport, { token: () => service.ownToken }),
  });
  /** Secrets are kept by the ID of their webhook, because a snapshot may bring an earlier one back. */
  const secrets = new Map<string, string>();
  let secret = '';
  const register = async () => {
    const body = { name: `Receiver ${url}`, endpoint: url, events: [...types] };
    const webhook = await sender['webhook.create']({ body });
    secret = webhook.secret as string;
    secrets.set(webhook.id as string, secret);
  };
  const restore = async () => {
    // A snapshot from before the first certificate has no authority, and gets another one.
    server.setSecureContext(await issue());
    const { items } = await sender['webhook.list']({ query: { limit: '100', page: '1' } });
    const registered = items.filter(({ endpoint }) => endpoint === url);
    const webhook = registered.find(({ id }) => secrets.has(id as string));
    for (const { id } of registered)
      if (id !== webhook?.id) await sender['webhook.delete']({ params: { webhookId: id as string } });
    if (webhook) secret = secrets.get(webhook.id as string) ?? '';
    else await register();
  };
  await register();
  return {
    published: {
      url,
      received,
      fail({ status = 500, times = 1 } = {}) {
        failing = { status, times };
      },
    },
    secret: () => secret,
    restore,
    close,
  };
}
