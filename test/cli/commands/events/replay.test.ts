// `esign events replay --forward-to` sends stored events on, and says how far it came where it cannot go on.
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
  events = IN_ORDER;
});

/** What happened, in its order: requests of the command, and the ids that the receiver got. */
let log: string[] = [];

async function start(answer: Parameters<typeof startScriptedService>[0]): Promise<ScriptedService> {
  const service = await startScriptedService(answer);
  closing.push(service.close);
  return service;
}

const IN_ORDER = Array.from({ length: 20 }, (_, index) => ({
  id: `E${index + 1}`,
  type: 'transaction_created',
  created: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  data: { id: 'T' },
}));

let events = IN_ORDER;

/** Makes the answer of the service, which lists events newest first. */
function answerTo({ path }: ReceivedRequest): unknown {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const event = events.find(({ id }) => pathname.endsWith(`/${id}`));
  log.push(event ? `read ${event.id}` : `page ${searchParams.get('page')}`);
  if (event) return { ...event, deliveries: [] };
  const [limit, page] = [Number(searchParams.get('limit')), Number(searchParams.get('page'))];
  const isLast = page * limit >= events.length;
  return {
    items: [...events].reverse().slice((page - 1) * limit, page * limit),
    meta: { is_last_page: isLast, next_page: isLast ? null : page + 1 },
  };
}

/**
 * @param failing the request that the service answers with an error
 * @param refused ids of events that the receiver answers with 500
 * @param interrupted id of the event at which a signal ends the command
 */
async function replay(
  words: string[],
  {
    failing,
    refused = [],
    interrupted,
  }: { failing?: string; refused?: readonly string[]; interrupted?: string } = {},
) {
  log = [];
  let interrupt: (signal: 'SIGINT') => void = () => undefined;
  const fixture = await createStoryFixture();
  closing.push(fixture.close);
  const service = await start((response, request) => {
    const answer = answerTo(request);
    const isFailing = failing !== undefined && log.at(-1) === failing;
    response.writeHead(isFailing ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isFailing ? { code: 'insufficient_scope' } : answer));
  });
  const receiver = await start((response, { headers }) => {
    const id = String(headers['webhook-id']);
    log.push(`forwarded ${id}`);
    if (id === interrupted) interrupt('SIGINT');
    else response.writeHead(refused.includes(id) ? 500 : 204).end();
  });
  const env = { ...fixture.env, ESIGN_BASE_URL: service.origin, ESIGN_ACCESS_TOKEN: 'token-of-a-test' };
  return runInProcess(
    { ...fixture, env },
    ['events', 'replay', ...words, '--forward-to', receiver.origin, '--json'],
    {
      onSignal: (stop) => {
        interrupt = stop;
      },
    },
  );
}

const forwarded = () => log.flatMap((line) => (line.startsWith('forwarded ') ? [line.slice(10)] : []));

const errorIn = (err: string) => JSON.parse(err.trim()).error;

const ALL = ['--since', '2026-01-01T00:00:00Z'];

test('events are read one at a time, each when the one before it was forwarded', async () => {
  const { code, out } = await replay(ALL);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ events: 20, arrived: 20 });
  expect(log).toEqual(['page 1', ...events.flatMap(({ id }) => [`read ${id}`, `forwarded ${id}`])]);
});

test('only those since the time are forwarded', async () => {
  const { out } = await replay(['--since', '2026-01-01T00:00:15Z']);
  expect(JSON.parse(out)).toMatchObject({ events: 5, arrived: 5 });
  expect(forwarded()).toEqual(events.slice(15).map(({ id }) => id));
});

test('an error on the way says what arrived, what failed and how to continue', async () => {
  const { code, out, err } = await replay(ALL, { failing: 'read E17', refused: ['E8', 'E12'] });
  expect({ code, out }).toEqual({ code: 4, out: '' });
  expect(forwarded()).toHaveLength(16);
  const { hint, partial, ...error } = errorIn(err);
  expect(error.code).toBe('insufficient_scope');
  expect(hint).toContain(
    'Before this error, 14 of 20 events arrived, 2 failed and 4 were not sent. ' +
      'To continue, run the command with --since 2026-01-01T00:00:07.000Z,',
  );
  expect(partial).toMatchObject({ events: 16, arrived: 14 });
  expect(partial.results.slice(6, 8)).toMatchObject([
    { id: 'E7', type: 'transaction_created', status: 204, why: null },
    { id: 'E8', status: 500, why: 'it responded with HTTP status 500' },
  ]);
});

test('where no event arrived, the first is the one to continue with', async () => {
  const { err } = await replay(ALL, { failing: 'read E13', refused: events.map(({ id }) => id) });
  const { hint, partial } = errorIn(err);
  expect(hint).toContain('0 of 20 events arrived, 12 failed and 8 were not sent.');
  expect(hint).toContain('--since 2026-01-01T00:00:00.000Z,');
  expect(partial).toMatchObject({ events: 12, arrived: 0 });
});

test('what is sent with the time of the hint is all that did not arrive', async () => {
  // The clock was set back by a day before the last five events.
  events = IN_ORDER.map((event, index) =>
    index < 15 ? event : { ...event, created: event.created.replace('2026-01-01', '2025-12-31') },
  );
  const { err } = await replay(['--since', '2025-12-31T00:00:00Z'], { failing: 'read E12' });
  const [, since = ''] = /--since ([^\s,]+),/.exec(errorIn(err).hint) ?? [];
  const before = forwarded();
  await replay(['--since', since]);
  expect(new Set([...before, ...forwarded()])).toEqual(new Set(events.map(({ id }) => id)));
});

test('events given by their IDs are continued with those that did not arrive', async () => {
  const ids = ['E1', 'E2', 'E3', 'E4', 'E5'];
  const { code, err } = await replay(ids, { refused: ['E2'], interrupted: 'E4' });
  expect(code).toBe(130);
  const { hint, partial } = errorIn(err);
  expect(hint).toContain('2 of 5 events arrived, 1 failed and 2 were not sent.');
  expect(hint).toContain('run the command with these IDs: E2, E4, E5.');
  expect(partial).toMatchObject({ events: 3, arrived: 2 });
});
