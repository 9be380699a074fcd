// Makes a client of a team server that repeats its requests at any node, with the same idempotency key, as our command line does.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Reply, type Transport, transportOver, withBearer } from '../../../src/api/transport.ts';
import { createStrictClient, type StrictClient } from '../strict-client.ts';
import type { TeamNode } from './team-nodes.ts';

/** A request may meet a node that was killed, or a database that is starting. */
const RETRY = { everyMs: 100, times: 600 };

export type RetryingClient = {
  client: StrictClient;
  /** Answers that a client must never see: errors of the service that may not be repeated. */
  unexpected: readonly string[];
};

/** @param nodes those that take requests now */
export function createRetryingClient(nodes: () => readonly TeamNode[], token: string): RetryingClient {
  const unexpected: string[] = [];
  const overHttp = transportOver((request) => fetch(request));
  const isRetryable = ({ status, headers }: Reply) => status === 503 && headers['retry-after'] !== undefined;
  const transport: Transport = async (call) => {
    const headers = { 'idempotency-key': randomUUID(), ...call.headers };
    for (let left = RETRY.times; ; left -= 1) {
      const all = nodes();
      const url = call.url.replace('http://team.invalid', all[randomInt(all.length)]?.url ?? '');
      const reply = await overHttp({ ...call, url, headers }).catch(() => undefined);
      if (reply && reply.status < 500) return reply;
      if (reply && !isRetryable(reply))
        unexpected.push(`${call.method} ${call.url}: ${reply.status} ${reply.body}`);
      if (left === 0) throw new Error(`${call.method} ${call.url} never succeeded.`);
      await pause(RETRY.everyMs);
    }
  };
  const client = createStrictClient({
    baseUrl: 'http://team.invalid',
    transport: withBearer(transport, { token: () => token }),
  });
  return { client, unexpected };
}
