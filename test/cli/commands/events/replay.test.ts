// `esign events replay --forward-to` sends events on while it reads them, and says how far it came where it cannot go on.
import { afterEach, expect, test } from 'vitest';
import { runInProcess } from '../../../support/command-line/in-process.ts';
import {
  type ReceivedRequest,
  type ScriptedService,
  startScriptedService,
} from '../../../support/servers/scripted-service.ts';
import { createStoryFixture } from '../../../support/stories/story.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** What happened, in its order: requests of the command, and the ids that the receiver got. */
let log: string[] = [];

async function start(answer: Parameters<typeof startScriptedService>[0]): Promise<ScriptedService> {
  const service = await startScriptedService(answer);
  closing.push(service.close);
  return service;
}

const EVENTS = Array.from({ length: 250 }, (_, index) => ({
  id: `E${index + 1}`,
  type: 'transaction_created',
  created: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  data: { id: 'T' },
}));

function listed({ path }: ReceivedRequest) {
  const query = new URL(path, 'http://localhost').searchParams;
  const [limit, page, after] = [
    Number(query.get('limit')),
    Number(query.get('page') ?? 1),
    query.get('after'),
  ];
  log.push(after === null ? `page ${page}` : `after ${after}`);
  return after === null
    ? [...EVENTS].reverse().slice((page - 1) * limit, page * limit)
    : EVENTS.slice(EVENTS.findIndex(({ id }) => id === after) + 1).slice(0, limit);
}

/** @param failing the request for a page that the service answers with an error */
async function replay(words: string[], { failing }: { failing?: string } = {}) {
  log = [];
  const fixture = await createStoryFixture();
  closing.push(fixture.close);
  const service = await start((response, request) => {
    const items = listed(request);
    const isFailing = failing !== undefined && log.at(-1) === failing;
    response.writeHead(isFailing ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isFailing ? { code: 'insufficient_scope' } : { items, meta: {} }));
  });
  const receiver = await start((response, { headers }) => {
    log.push(`forwarded ${headers['webhook-id']}`);
    response.writeHead(204).end();
  });
  const env = { ...fixture.env, ESIGN_BASE_URL: service.origin, ESIGN_ACCESS_TOKEN: 'token-of-a-test' };
  return runInProcess({ ...fixture, env }, [
    'events',
    'replay',
    ...words,
    '--forward-to',
    receiver.origin,
    '--json',
  ]);
}

const forwarded = () => log.flatMap((line) => (line.startsWith('forwarded ') ? [line.slice(10)] : []));

test('the first event is forwarded before the last page is requested', async () => {
  const { code, out } = await replay(['--since', '2026-01-01T00:00:00Z']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ events: 250, arrived: 250 });
  expect(forwarded()).toEqual(EVENTS.map(({ id }) => id));
  expect(log.indexOf('forwarded E1')).toBeLessThan(log.indexOf('after E201'));
  expect(log.indexOf('forwarded E201')).toBeLessThan(log.indexOf('after E201'));
});

test('only those since the time are forwarded', async () => {
  const { out } = await replay(['--since', '2026-01-01T00:04:00Z']);
  expect(JSON.parse(out)).toMatchObject({ events: 10, arrived: 10 });
  expect(forwarded()).toEqual(EVENTS.slice(240).map(({ id }) => id));
  expect(log.filter((line) => line.startsWith('page'))).toEqual(['page 1']);
});

test('an error on the way says what was forwarded', async () => {
  const { code, out, err } = await replay(['--since', '2026-01-01T00:00:00Z'], { failing: 'after E101' });
  expect({ code, out }).toEqual({ code: 4, out: '' });
  expect(forwarded()).toHaveLength(101);
  expect(JSON.parse(err.trim()).error).toMatchObject({
    code: 'insufficient_scope',
    hint: expect.stringContaining(
      '101 events were forwarded before this error, the last one E101 of 2026-01-01T00:01:40.000Z.',
    ),
  });
});
