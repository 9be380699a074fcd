// Metrics and traces of a team server, as Prometheus and a collector of OpenTelemetry get them from a node.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import { parsePrometheusText } from '../../support/prometheus-text.ts';
import { freePort } from '../../support/servers/ports.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import {
  createTeamClient,
  prepareTeamDatabase,
  type TeamDatabase,
} from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { startTraceCollector, type TraceCollector } from '../../support/servers/trace-collector.ts';

const { skip, why } = needsPostgres();

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe.skipIf(skip)(`a node with metrics and traces${why}`, () => {
  let team: TeamDatabase;
  let collector: TraceCollector;
  let node: TeamNode;
  let metricsUrl: string;

  beforeAll(async () => {
    [team, collector] = await Promise.all([prepareTeamDatabase(), startTraceCollector()]);
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    node = await startTeamNode(
      { ...team.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
      ['--metrics', `127.0.0.1:${port}`],
    );
  });
  afterAll(async () => {
    await node?.kill();
    await collector?.close();
    await team?.close();
  });

  async function readMetrics() {
    const response = await fetch(metricsUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return parsePrometheusText(await response.text());
  }

  const logged = () =>
    node
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test('counts requests, seals and waiting deliveries, and has no label from outside', async () => {
    const before = await readMetrics();
    expect(before.value('esign_database_up')).toBe(1);
    expect(before.value('esign_start_warnings', { check: 'mail' })).toBe(1);
    expect(() => before.value('esign_start_warnings', { check: 'database' })).toThrow();
    expect(before.value('esign_seal_duration_seconds_count', { result: 'done' })).toBe(0);
    const client = createTeamClient(node.url, team.token);
    const { id, token } = await startTransaction({ client });
    await signWith({ client }, token);
    await fetch(`${node.url}/v1/no/such/${id}`, { method: 'DELETE' });
    const after = await readMetrics();
    const requests = (operation: string, status: string) =>
      after.value('esign_http_requests_total', { operation, status });
    expect(requests('transaction.start', '2xx')).toBe(1);
    expect(requests('none', '4xx')).toBe(1);
    expect(after.value('esign_http_request_duration_seconds_count', { operation: 'transaction.start' })).toBe(
      1,
    );
    expect(after.value('esign_seal_duration_seconds_count', { result: 'done' })).toBe(1);
    expect(after.value('esign_seal_duration_seconds_count', { result: 'failed' })).toBe(0);
    const waiting = after.value('esign_outbox_waiting', { kind: 'mails' });
    expect(waiting).toBe(0);
    for (const pool of ['read', 'write'])
      expect(after.value('esign_database_connections_idle', { pool })).toBeGreaterThan(0);
    const labels = JSON.stringify(after.series.map((one) => one.labels));
    expect(labels).not.toContain(id);
    expect(labels).not.toContain('/');
    const [info] = after.series.filter(({ name }) => name === 'esign_build_info');
    expect(info?.labels).toMatchObject({ version: expect.stringMatching(/^\d+\./), schema: /^\d{4}-/ });
  });

  test('shows how long events have been waiting for a receiver that does not answer', async () => {
    const client = createTeamClient(node.url, team.token);
    const endpoint = 'https://receiver.invalid/';
    await client['webhook.create']({ body: { name: 'Lost', endpoint, events: ['transaction_started'] } });
    await startTransaction({ client });
    const figures = await vi.waitFor(
      async () => {
        const found = await readMetrics();
        const labels = { channel: 'webhook', result: 'failed' };
        expect(found.value('esign_delivery_attempt_duration_seconds_count', labels)).toBeGreaterThan(0);
        return found;
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(figures.value('esign_outbox_waiting', { kind: 'events' })).toBe(1);
    expect(figures.value('esign_outbox_oldest_age_seconds', { kind: 'events' })).toBeGreaterThan(0);
    expect(figures.value('esign_delivery_claims_total')).toBeGreaterThan(0);
  });

  test('serves metrics on their own port alone', async () => {
    expect((await fetch(`${node.url}/metrics`)).status).toBe(404);
    expect((await fetch(metricsUrl.replace('/metrics', '/v1/user/me'))).status).toBe(404);
    expect((await fetch(`${metricsUrl}?by=prometheus`)).status).toBe(200);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405);
  });

  test('continues the trace of a request, in its log and in the spans of the request and of the seal', async () => {
    const client = createTeamClient(node.url, team.token, { traceparent: TRACEPARENT });
    const { id, token } = await startTransaction({ client });
    await signWith({ client }, token);
    const submit = await vi.waitFor(() => {
      const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
      const sealing = spans.find(({ name }) => name === 'sealing');
      const found = spans.find(({ spanId }) => spanId === sealing?.parentId);
      expect(found).toBeDefined();
      return found;
    });
    expect(submit).toMatchObject({ parentId: '00f067aa0ba902b7', kind: 2, isError: false });
    expect(submit?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'esign.operation': submit?.name,
    });
    expect(submit?.resource).toMatchObject({
      'service.name': 'esign',
      'service.namespace': node.facts.installation,
    });
    const bytes = collector.bytes();
    for (const secret of [id, token, team.token, 'ada@example.com'])
      expect(bytes.includes(secret)).toBe(false);
    const starts = logged().filter(({ path }) => path === `/v1/transaction/${id}/start`);
    expect(starts.map(({ trace_id }) => trace_id)).toEqual([TRACE]);
  });

  test.each([
    ['no trace', undefined],
    ['a trace that is not valid', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['a trace with text in it', `00-${TRACE}"-00f067aa0ba902b7-01`],
  ])('begins a trace for a request with %s', async (_, traceparent) => {
    const before = logged().length;
    await fetch(`${node.url}/openapi.json`, { headers: traceparent === undefined ? {} : { traceparent } });
    const line = await vi.waitFor(() => {
      const found = logged()
        .slice(before)
        .find(({ path }) => path === '/openapi.json');
      expect(found).toBeDefined();
      return found;
    });
    expect(line?.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(line?.trace_id).not.toBe(TRACE);
  });

  test('reports a collector that refuses spans, and serves', async () => {
    collector.status = 400;
    expect((await fetch(`${node.url}/openapi.json`)).status).toBe(200);
    await vi.waitFor(() => expect(logged().map(({ request_id }) => request_id)).toContain('traces'), {
      timeout: 10_000,
    });
  });
});

describe.skipIf(skip)(`a node without metrics and traces${why}`, () => {
  test('writes a JSON object a line: the trace of a request where it has one, and its client', async () => {
    const team = await prepareTeamDatabase();
    const node = await startTeamNode({ ...team.env, ESIGN_SERVE_TRUSTED_PROXY: '127.0.0.1' });
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    await fetch(`${node.url}/openapi.json`, { headers: { traceparent: TRACEPARENT, ...forwarded } });
    await fetch(`${node.url}/openapi.json`);
    const requests = await vi.waitFor(() => {
      const found = node
        .log()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ path }) => path === '/openapi.json');
      expect(found).toHaveLength(2);
      return found;
    });
    expect(requests.map(({ trace_id }) => trace_id)).toEqual([TRACE, undefined]);
    expect(requests.map(({ client }) => client)).toEqual(['203.0.113.9', '127.0.0.1']);
    const guard = `ESIGN_SERVE_INSTALLATION=${node.facts.installation}`;
    await vi.waitFor(() => expect(node.log()).toContain(guard));
    expect(node.log()).not.toContain('serve user add');
    await node.kill();
    await team.close();
  });
});
