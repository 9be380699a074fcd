// Passes requests on to a server over HTTP, and lets a test change their bodies, or keep an answer from arriving. The `Host` header stays, since
// clients of S3 sign it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as sendTo } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ProxiedRequest = { method: string; url: string; body: Buffer };

export type ProxyRules = {
  /** @returns the body that is passed on */
  alterRequest?(request: ProxiedRequest): Buffer;
  /** @returns the body that is passed back; undefined where none ever is */
  alterAnswer?(request: ProxiedRequest, status: number, body: Buffer): Buffer | undefined;
};

export type AlteringProxy = {
  url: string;
  /** May be changed at any time. */
  rules: ProxyRules;
  close(): Promise<void>;
};

export async function startAlteringProxy(target: string): Promise<AlteringProxy> {
  const rules: ProxyRules = {};
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const got = { method, url, body: await readBody(incoming) };
    const sent = sendTo(new URL(url, target), { method, headers });
    sent.on('error', () => outgoing.destroy());
    sent.on('response', async (answer) => {
      const { statusCode: status = 502 } = answer;
      const body = await readBody(answer);
      const passed = rules.alterAnswer ? rules.alterAnswer(got, status, body) : body;
      if (passed) outgoing.writeHead(status, answer.headers).end(passed);
    });
    sent.end(rules.alterRequest ? rules.alterRequest(got) : got.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rules,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readBody(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
