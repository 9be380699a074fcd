// A code is exchanged once, however many try at the same moment, and wherever.
import { afterEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/api/contract/limits.ts';
import type { InputOf } from '../../src/api/contract/operations.ts';
import { refusalOf } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness, WAYS } from '../support/harness.ts';
import { type ChildWithLines, startChildProcess } from '../support/processes/child.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const ROUNDS = SLOW ? 20 : 1;
const EXCHANGES = 64;
const PROCESSES = SLOW ? 4 : 2;

const WORKER = new URL('exchange-worker.mjs', import.meta.url);

type Exchange = InputOf<'oauth.exchange_code'>['body'];
type Answered = { status: number; code?: string; access_token?: string };
type Line = { ready?: true; failed?: string; round?: number; answers?: Answered[] };

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

async function registerApp({ client }: Harness) {
  const app = await client['sandbox.add_client']({
    body: { name: 'App', callback_url: 'https://example.com/callback' },
  });
  return { client_id: app.client_id, client_secret: app.client_secret };
}

async function newCode({ client }: Harness, app: Omit<Exchange, 'code'>): Promise<Exchange> {
  const { code = '' } = await client['sandbox.token']({ body: { kind: 'code', client_id: app.client_id } });
  return { ...app, code };
}

/** One client gets a token, the others are refused. @returns the token */
function expectOne(answers: Answered[]): string {
  expect(answers).toHaveLength(EXCHANGES);
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(answers.filter(({ code }) => code === 'invalid_grant')).toHaveLength(EXCHANGES - 1);
  return winners[0]?.access_token ?? '';
}

const isLive = (harness: Harness, token: string): Promise<boolean> =>
  harness
    .clientWith(token)
    ['template.list']({ query: { limit: '1', page: '1' } })
    .then(
      () => true,
      () => false,
    );

/** A busy machine connects too late to the database: the service answers 503, and a client tries again. */
const isBusy = ({ code }: { code?: string }): boolean => code === 'storage_unavailable';

describe(`${EXCHANGES} exchanges of one code at one moment`, () => {
  let harness: Harness;
  let children: ChildWithLines<Line>[] = [];
  afterEach(async () => {
    for (const child of children) child.kill();
    children = [];
    expect(harness.errors.filter((error) => !isBusy(error as { code?: string }))).toEqual([]);
    await harness.close();
  });

  test.each(sampleOf(WAYS, 2))('lead to one token, %s', async (way) => {
    harness = await openHarness(way);
    const app = await registerApp(harness);
    const exchangeOnce = async (body: Exchange): Promise<Answered> => {
      const call = harness.client['oauth.exchange_code']({ body });
      const answer = await call
        .then(({ access_token }): Answered => ({ status: 200, access_token }))
        .catch(() => refusalOf(call));
      return isBusy(answer) ? exchangeOnce(body) : answer;
    };
    for (const _ of numbers(ROUNDS)) {
      const exchange = await newCode(harness, app);
      const token = expectOne(await Promise.all(numbers(EXCHANGES).map(() => exchangeOnce(exchange))));
      expect(await isLive(harness, token)).toBe(true);
      // Again after a second: the code has leaked, and what was issued for it is revoked (RFC 6749 §4.1.2).
      harness.clock.advance(LIMITS.codeSentTwiceMs);
      expect(await exchangeOnce(exchange)).toMatchObject({ code: 'invalid_grant' });
      expect(await isLive(harness, token)).toBe(false);
    }
  });

  test.skipIf(!SLOW)(`lead to one token, from ${PROCESSES} processes`, async () => {
    harness = await openHarness('in process');
    // The others go by the clock of the machine.
    harness.clock.now = Date.now();
    const app = await registerApp(harness);
    const { folder } = harness;
    children = numbers(PROCESSES).map(() =>
      startChildProcess<Line>(WORKER, folder, JSON.stringify({ times: EXCHANGES / PROCESSES })),
    );
    await Promise.all(children.map((child) => child.until(({ ready }) => ready === true)));
    for (const round of numbers(ROUNDS)) {
      const exchange = await newCode(harness, app);
      for (const child of children) child.tell({ round, exchange });
      const lines = await Promise.all(children.map((child) => child.until((line) => line.round === round)));
      // Whether the token is still good depends on how long the others took.
      expectOne(lines.flatMap(({ answers }) => answers ?? []));
    }
    for (const child of children) child.tell({});
    expect(await Promise.all(children.map((child) => child.ended))).toEqual(children.map(() => 0));
    expect(children.flatMap((child) => child.lines.filter(({ failed }) => failed))).toEqual([]);
  });
});
