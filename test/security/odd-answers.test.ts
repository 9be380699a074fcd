// A remote service in whose answers one value is not what it should be: whatever it is, a command ends with a documented exit
// code, and with a documented error.
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/command/exit-codes.ts';
import { type CommandResult, runInProcess } from '../support/command-line/in-process.ts';
import { saveTemplate, signWith, startTransaction } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import {
  type ReceivedRequest,
  type ScriptedService,
  startScriptedService,
} from '../support/servers/scripted-service.ts';
import { createStoryFixture, type StoryFixture } from '../support/stories/story.ts';
import { SLOW, shareOf } from '../support/tier.ts';

/** So many of the places and values of one command are tried, spread over all of them. */
const RUNS = 250;

const OMITTED = Symbol('omitted');
/** Cannot be turned into text or a number, and seems to have what lists, texts and promises have. */
const ODD_OBJECT = JSON.parse(
  '{"toString":1,"valueOf":1,"toJSON":1,"constructor":1,"length":3,"map":1,"then":1,"__proto__":{"x":1}}',
);
const ODD_VALUES = [
  OMITTED,
  null,
  '',
  'x\u0000\ud800',
  -1,
  1e308,
  true,
  [],
  [null],
  ODD_OBJECT,
  [ODD_OBJECT],
];

const SENDER = '--sender S<sender@esign.test>';
/** Words in capitals are IDs. */
const COMMANDS = [
  'tx show STARTED',
  'tx show COMPLETED',
  'tx fields STARTED',
  'tx open STARTED',
  'tx create --name Agreement',
  `tx send contract.pdf ${SENDER} --to Ada<ada@example.com> --yes`,
  `tx send --template TEMPLATE ${SENDER} --to Ada<ada@example.com> --yes`,
  'tx download COMPLETED --output out',
  'tx start DRAFT',
  'tx remind STARTED',
  'tx cancel STARTED --reason x --yes',
  'templates list',
  'templates show TEMPLATE',
  'webhooks list',
  'webhooks show WEBHOOK',
  'webhooks create --endpoint https://localhost:4433/new --name Invoices --event transaction_completed',
  'webhooks disable WEBHOOK',
  'webhooks rotate WEBHOOK --yes',
  'events list',
  'events show EVENT',
  'events replay EVENT',
  'api GET /v1/webhook?limit=5&page=1',
];

type Answer = { status: number; type: string; body: Buffer };

const NOTHING_MORE: Answer = {
  status: 404,
  type: 'application/json',
  body: Buffer.from('{"code":"not_found"}'),
};

const DOCUMENTED = new Set<number>(Object.values(EXIT));

describe.runIf(SLOW)('an answer with an odd value', () => {
  let harness: Harness;
  let server: ScriptedService;
  let fixture: StoryFixture;
  let ids: Record<string, string>;
  /** What is answered, request by request; undefined: what the service says. */
  let script: Answer[] | undefined;
  let answered: Answer[];

  beforeAll(async () => {
    harness = await openHarness('in process');
    server = await startScriptedService(async (response, asked) => {
      const answer = script ? (script.shift() ?? NOTHING_MORE) : await answerOf(harness, asked);
      answered.push(answer);
      response.writeHead(answer.status, { 'content-type': answer.type });
      response.end(answer.body);
    });
    fixture = await createStoryFixture();
    ids = await everythingIn(harness);
    Object.assign(fixture.env, {
      ESIGN_BASE_URL: server.origin,
      ESIGN_APP_URL: server.origin,
      ESIGN_ACCESS_TOKEN: harness.service.ownToken,
    });
  });
  afterAll(async () => {
    await server.close();
    await fixture.close();
    await harness.close();
  });

  async function run(words: string[], answers?: Answer[]): Promise<CommandResult> {
    script = answers;
    answered = [];
    return runInProcess(fixture, words);
  }

  test.each(shareOf(COMMANDS, 4))('to %s', { timeout: 240_000 }, async (line) => {
    const words = line.split(' ').map((word) => ids[word] ?? word);
    expect(await run([...words, '--json'])).toMatchObject({ code: 0 });
    const sound = answered;
    const cases = sound.flatMap(({ type, body }, nth) => {
      if (!type.includes('json')) return [];
      const value: unknown = JSON.parse(body.toString());
      return placesIn(value).flatMap((place) => ODD_VALUES.map((odd) => ({ nth, value, place, odd })));
    });
    expect(cases).not.toEqual([]);
    // Not a multiple of the number of values, so that each place meets another one.
    const step = Math.ceil(cases.length / RUNS);
    for (let index = 0; index < cases.length; index += step % ODD_VALUES.length === 0 ? step + 1 : step) {
      const { nth, value, place, odd } = cases[index]!;
      const body = Buffer.from(JSON.stringify(changed(value, place, odd)) ?? '');
      const answers = sound.map((answer, which) => (which === nth ? { ...answer, body } : answer));
      const mode = index % 2 === 0 ? ['--json'] : [];
      const { code, out, err } = await run([...words, ...mode], answers);
      const what = `${String(nth)} ${place.join('.')} ${odd === OMITTED ? 'left out' : JSON.stringify(odd)}`;
      expect(DOCUMENTED, what).toContain(code);
      expect(out + err, what).not.toMatch(/unexpected|\[object |undefined|NaN/);
    }
  });
});

/** One of everything that a command can show. */
async function everythingIn(harness: Harness): Promise<Record<string, string>> {
  const started = await startTransaction(harness);
  const completed = await startTransaction(harness);
  await signWith(harness, completed.token);
  const { id: TEMPLATE, draft } = await saveTemplate(harness);
  const { id: WEBHOOK } = await harness.client['webhook.create']({
    body: { name: 'Orders', endpoint: 'https://localhost:4433/hook', events: ['transaction_completed'] },
  });
  const { items } = await harness.client['event.list']({ query: { limit: '5', page: '1' } });
  const EVENT = items[0]?.id ?? '';
  return { STARTED: started.id, COMPLETED: completed.id, DRAFT: draft.id, TEMPLATE, WEBHOOK, EVENT };
}

async function answerOf(
  { service, baseUrl }: Harness,
  { method, path, headers, body }: ReceivedRequest,
): Promise<Answer> {
  const reply = await service.fetch(
    new Request(baseUrl + path, {
      method,
      headers: forwarded(headers),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    }),
  );
  return {
    status: reply.status,
    type: reply.headers.get('content-type') ?? '',
    body: Buffer.from(await reply.arrayBuffer()),
  };
}

const forwarded = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !/^(host|connection|content-length|transfer-encoding)$/.test(name)
      ? [[name, value]]
      : [],
  );

function placesIn(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))];
}

function changed(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by === OMITTED ? undefined : by;
  const inner = changed((value as Record<string, unknown>)[key], rest, by);
  if (!Array.isArray(value)) return { ...(value as object), [key]: inner };
  return inner === undefined ? value.toSpliced(Number(key), 1) : value.with(Number(key), inner);
}
