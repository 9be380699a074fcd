// Measures a node of a team server for Prometheus. What a client sends is never a label: there is a fixed number of series. Loaded only
// where metrics are configured.

import { createServer, type ServerResponse } from 'node:http';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { epochMsOf } from '../../common/instant.ts';
import type { Database, PoolFacts } from '../../database/database.ts';
import { prepareShutdown } from '../../http/close-server.ts';
import type { ObservedWork, Observer, WorkResult } from '../observer.ts';
import type { BucketWatch } from '../s3/bucket.ts';
import { measureWaiting, type WaitingDeliveries } from '../store/delivery/deliveries.ts';
import type { Tables } from '../store/schema.ts';

type MetricsOptions = {
  database: Pick<Database<Tables>, 'read' | 'pools'>;
  /** Undefined where files are in the database. */
  bucket: BucketWatch | undefined;
  /** Milliseconds since 1970, by the clock that deliveries are stored with. */
  clock: () => number;
  /** Of the program, and the name of its newest migration. */
  version: string;
  schema: string;
};

export type Metrics = {
  observer: Observer;
  /** Says which checks warned when the node started. @param checks names of which there is a fixed number */
  setStartWarnings(checks: readonly string[]): void;
  /** The text that Prometheus reads. */
  text(): Promise<MetricsText>;
};

type MetricsText = { contentType: string; body: string };

/** In seconds. A request of a page takes milliseconds, a seal with a timestamp authority seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'esign_build_info',
    help: 'Always 1. The labels are the version of esign and the newest migration that it knows.',
    labelNames: ['version', 'schema'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version: options.version, schema: options.schema }, 1);
  measureDatabase(registry, options);
  measurePools(registry, options.database);
  if (options.bucket) measureBucket(registry, options.bucket);
  const startWarnings = new Gauge({
    name: 'esign_start_warnings',
    help: '1 for each check that warned when the node started.',
    labelNames: ['check'],
    aggregator: 'max',
    registers: [registry],
  });
  // In a worker, this answers when the first process collects the figures of all workers.
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
  return {
    observer: countWork(registry),
    setStartWarnings(checks) {
      for (const check of checks) startWarnings.set({ check }, 1);
    },
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

/** Reads the figures of all workers of this process, added up. */
export function readWorkerMetrics(): () => Promise<MetricsText> {
  const registry = new AggregatorRegistry();
  return async () => ({ contentType: registry.contentType, body: await registry.clusterMetrics() });
}

function countWork(registry: Registry): Observer {
  const registers = [registry];
  const requests = new Counter({
    name: 'esign_http_requests_total',
    help: 'Requests, by operation and by the first digit of the status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'esign_http_request_duration_seconds',
    help: 'Time from the headers of a request to its response, by operation.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });
  const seals = new Histogram({
    name: 'esign_seal_duration_seconds',
    help: 'Time for sealing the documents of a transaction, by result: done or failed.',
    labelNames: ['result'],
    buckets: BUCKETS,
    registers,
  });
  const attempts = new Histogram({
    name: 'esign_delivery_attempt_duration_seconds',
    help: 'Time of an attempt to deliver an event or an email, by channel and result.',
    labelNames: ['channel', 'result'],
    buckets: BUCKETS,
    registers,
  });
  const claims = new Counter({
    name: 'esign_delivery_claims_total',
    help: 'Deliveries that were claimed for an attempt.',
    registers,
  });
  for (const result of ['done', 'failed']) seals.zero({ result });
  const record = (work: ObservedWork, result: WorkResult, durationMs: number) => {
    const duration = durationMs / 1000;
    if (result.kind === 'request') {
      const { operation, status } = result;
      requests.inc({ operation, status: `${Math.floor(status / 100)}xx` });
      seconds.observe({ operation }, duration);
      return;
    }
    const outcome = result.isOk ? 'done' : 'failed';
    if (work.kind === 'delivery') attempts.observe({ channel: work.channel, result: outcome }, duration);
    else seals.observe({ result: outcome }, duration);
  };
  return {
    begin(work, trace) {
      const startedMs = performance.now();
      return { trace, end: (result) => record(work, result, performance.now() - startedMs) };
    },
    claimed: (count) => claims.inc(count),
  };
}

/** Reads the deliveries that wait when metrics are read. All nodes and workers see the same ones: they are not added up. */
function measureDatabase(registry: Registry, { database, clock }: MetricsOptions): void {
  let reading: Promise<void> | undefined;
  // All three gauges ask for the same figures at the same moment.
  const collect = () => {
    reading ??= refresh().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const gauge = (name: string, help: string, aggregator: 'max' | 'min', labelNames: string[] = []) =>
    new Gauge({ name, help, aggregator, labelNames, registers: [registry], collect });
  const up = gauge('esign_database_up', '1 while the database answers, 0 otherwise.', 'min');
  const waiting = gauge(
    'esign_outbox_waiting',
    'Deliveries that wait, due or not: of events, and of mails. Not to be added up over nodes.',
    'max',
    ['kind'],
  );
  const age = gauge(
    'esign_outbox_oldest_age_seconds',
    'Age of the oldest delivery that waits; 0 where none does.',
    'max',
    ['kind'],
  );

  async function refresh(): Promise<void> {
    try {
      const deliveries = await database.read(measureWaiting);
      up.set(1);
      for (const [kind, { count, oldest }] of Object.entries(deliveries) as [string, WaitingDeliveries][]) {
        waiting.set({ kind }, count);
        age.set({ kind }, oldest === undefined ? 0 : Math.max(0, (clock() - epochMsOf(oldest)) / 1000));
      }
    } catch {
      // Figures of before would look as if they were current.
      up.set(0);
      waiting.reset();
      age.reset();
    }
  }
}

/** The node stays ready without its bucket, so an alert has to watch this. */
function measureBucket(registry: Registry, bucket: BucketWatch): void {
  new Gauge({
    name: 'esign_blobs_up',
    help: '1 while the bucket with the files answers, 0 otherwise.',
    aggregator: 'min',
    registers: [registry],
    async collect() {
      this.set((await bucket.state()) === 'ok' ? 1 : 0);
    },
  });
}

function measurePools(registry: Registry, { pools = () => [] }: Pick<Database<Tables>, 'pools'>): void {
  const gauge = (name: string, help: string, figure: (pool: PoolFacts) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const pool of pools()) this.set({ pool: pool.name }, figure(pool));
      },
    });
  gauge('esign_database_connections_used', 'Connections in use, by pool.', ({ used }) => used);
  gauge(
    'esign_database_connections_idle',
    'Open connections that are not in use, by pool.',
    ({ idle }) => idle,
  );
  gauge(
    'esign_database_connections_waiting',
    'Requests that wait for a connection, by pool.',
    ({ waiting }) => waiting,
  );
}

// --- Their server, on a port of its own, which is not meant for the clients of the service ---

export type MetricsServer = { close(): Promise<void> };

/** Rejects with the system's error (`EADDRINUSE`, …) when the port cannot be opened. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  read: () => Promise<MetricsText>,
): Promise<MetricsServer> {
  const server = createServer(({ method, url }, response) => {
    if (url?.split('?')[0] !== '/metrics') answer(response, 404, 'Metrics are at /metrics.\n');
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
