// Serves metrics on a port of its own, which is not meant for the clients of the service.
import { createServer, type ServerResponse } from 'node:http';
import { prepareShutdown } from '../../http/close-server.ts';
import type { MetricsText } from './metrics.ts';

export type MetricsServer = { close(): Promise<void> };

/** Rejects with the system's error (`EADDRINUSE`, …) when the port cannot be opened. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  read: () => Promise<MetricsText>,
): Promise<MetricsServer> {
  const server = createServer(({ method, url }, response) => {
    if (url !== '/metrics') answer(response, 404, 'Metrics are at /metrics.\n');
    else if (method !== 'GET' && method !== 'HEAD') answer(response, 405, '', { allow: 'GET, HEAD' });
    else void answerMetrics(response, read);
  });
  const close = prepareShutdown(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return { close };
}

async function answerMetrics(response: ServerResponse, read: () => Promise<MetricsText>): Promise<void> {
  try {
    const { contentType, body } = await read();
    answer(response, 200, body, { 'content-type': contentType });
  } catch {
    // A worker that has just ended does not answer. Prometheus asks again.
    answer(response, 503, 'The metrics of a worker could not be read.\n');
  }
}

const answer = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = { 'content-type': 'text/plain; charset=utf-8' },
): void => {
  response.writeHead(status, { ...headers, 'cache-control': 'no-store' }).end(body);
};
