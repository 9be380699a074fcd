// The events of a sandbox for tests: listed, waited for, and received on this machine over HTTPS.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../api/client.ts';
import { createClient } from '../api/client.ts';
import { EVENT_TYPES, type EventType } from '../api/contract/events.ts';
import { withBearer } from '../api/transport.ts';
import { prepareShutdown } from '../http/shutdown.ts';
import type { Service } from '../service/service.ts';
import type { Sandbox, SandboxDelivery, SandboxEvent, SandboxReceiver } from './sandbox.ts';

export type EventsParts = {
  service: Service;
  client: Client;
  /** Delivers what is due. */
  settle(): Promise<void>;
};

export type Events = {
  published: Sandbox['events'];
  /** Registers the receivers again, after the sandbox has forgotten their webhooks. */
  restore(): Promise<void>;
  close(): Promise<void>;
};

const WAIT_MS = 5000;
const LOOK_EVERY_MS = 10;

export function createEvents({ service, client, settle }: EventsParts): Events {
  const receivers = new Set<OpenReceiver>();

  const list: Sandbox['events']['list'] = async ({ transactionId, type } = {}) => {
    await service.work();
    const query = {
      ...(transactionId !== undefined && { transaction_id: transactionId }),
      ...(type !== undefined && { type: type as EventType }),
    };
    return (await client['sandbox.events']({ query })).items as SandboxEvent[];
  };

  async function waitFor(
    type: string,
    { transactionId, timeoutMs = WAIT_MS }: { transactionId?: string; timeoutMs?: number } = {},
  ): Promise<SandboxEvent> {
    const filter = transactionId === undefined ? {} : { transactionId };
    const untilMs = performance.now() + timeoutMs;
    for (;;) {
      const seen = await list(filter);
      const found = seen.find((event) => event.type === type);
      if (found) {
        await settle();
        return found;
      }
      if (performance.now() >= untilMs) throw new Error(missing(type, timeoutMs, seen));
      await pause(LOOK_EVERY_MS);
    }
  }

  return {
    published: {
      list,
      waitFor,
      async receiver({ types = EVENT_TYPES } = {}) {
        const receiver = await openReceiver(service, client, types as readonly EventType[]);
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
      },
    },
    async restore() {
      for (const receiver of receivers) await receiver.register();
    },
    async close() {
      await Promise.all([...receivers].map((receiver) => receiver.close()));
    },
  };
}

const missing = (type: string, timeoutMs: number, seen: readonly SandboxEvent[]): string =>
  `No event "${type}" within ${timeoutMs} ms. ${
    seen.length === 0
      ? 'There were no events.'
      : `The events were: ${seen.map((event) => event.type).join(', ')}.`
  }`;

type OpenReceiver = {
  published: Pick<SandboxReceiver, 'url' | 'received' | 'fail'>;
  secret(): string;
  register(): Promise<void>;
  close(): Promise<void>;
};

/** Webhooks need HTTPS, even on this machine: the receiver has a certificate of the sandbox, which the sandbox trusts. */
async function openReceiver(
  service: Service,
  client: Client,
  types: readonly EventType[],
): Promise<OpenReceiver> {
  const { certificate, key } = await client['sandbox.issue_certificate']({ body: { names: ['localhost'] } });
  const received: SandboxDelivery[] = [];
  let failing = { status: 500, times: 0 };
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const status = failing.times > 0 ? failing.status : 204;
    failing = { ...failing, times: Math.max(0, failing.times - 1) };
    const headers = request.headers as Record<string, string>;
    received.push({ headers, body, event: JSON.parse(body) as SandboxEvent, status });
    response.writeHead(status, { connection: 'close' }).end();
  });
  const close = prepareShutdown(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const own = createClient({
    baseUrl: service.origin,
    transport: withBearer(service.transport, { token: () => service.ownToken }),
  });
  let secret = '';
  const register = async () => {
    const body = { name: `Receiver ${url}`, endpoint: url, events: [...types] };
    const webhook = await own['webhook.create']({ body });
    secret = webhook.secret as string;
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
    register,
    close,
  };
}
