// Whatever a service answers, a command ends with a documented exit code, prints nothing or valid JSON on stdout, and
// never shows what JavaScript makes of something that is not there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchPath } from '../../src/api/codec.ts';
import { API_OPERATIONS } from '../../src/api/contract/operations.ts';
import { EXIT_MEANINGS } from '../../src/cli/command/exit-codes.ts';
import { isBranch, type Tree } from '../../src/cli/command/tree.ts';
import { TREE } from '../../src/cli/tree.ts';
import {
  type BuiltProgram,
  type CommandResult,
  openBuiltProgram,
} from '../support/command-line/built-program.ts';
import { unusedOrigin } from '../support/servers/ports.ts';
import {
  type ScriptedService,
  startScriptedService,
  startSocketServer,
} from '../support/servers/scripted-service.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const CONTRACT = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

const TRANSACTION = {
  id: 'T',
  status: 'draft',
  created_at: '2026-03-01T09:00:00.000Z',
  template: {
    name: 'Agreement',
    recipients: [
      { id: 'R0', role: 'sender', index: 0, name: 'Sam', email: 'sam@example.com' },
      {
        id: 'R1',
        role: 'signer',
        index: 1,
        name: 'Ada',
        email: 'ada@example.com',
        is_current: true,
        token: 'S',
      },
    ],
    documents: [
      { id: 'D', index: 0, file: { original_name: 'a.pdf' }, pages: [{ width: 595, height: 842 }] },
    ],
    fields: [{ id: 'F', document_id: 'D', recipient_id: 'R1', page: 0, type: 'text', label: 'City' }],
  },
};

const EVENT = {
  created: '2026-03-01T09:00:00.000Z',
  id: 'E',
  type: 'transaction_started',
  data: { id: 'T', status: 'started' },
};

/** What a service in good health answers. */
const GOOD: Record<string, unknown> = {
  'transaction.create': { id: 'T' },
  'transaction.update': { id: 'T' },
  'transaction.add_document': { id: 'T', document_id: 'D' },
  'transaction.fields': { updated: true },
  'transaction.start': { url: 'https://app.example/sign?token=S' },
  'transaction.detail': TRANSACTION,
  'transaction.use_templates': TRANSACTION,
  'transaction.cancel': { cancelled: true },
  'transaction.remind': { reminded: true, recipient: { id: 'R1', name: 'Ada', email: 'ada@example.com' } },
  'file.upload': { token: 'FILE' },
  'template.detail': { id: 'M', name: 'Template', fields: [] },
  'template.list': { items: [{ id: 'M', name: 'Template' }], meta: { is_last_page: true } },
  'webhook.create': { id: 'W' },
  'webhook.list': { items: [{ id: 'W', name: 'Hook' }] },
  'webhook.delete': { removed: true },
  'webhook.detail': { id: 'W', name: 'Hook', enabled: true },
  'webhook.enable': { id: 'W', name: 'Hook', enabled: true, deliveries: { undelivered: 2 } },
  'webhook.disable': { id: 'W', name: 'Hook', enabled: false },
  'webhook.rotate': { id: 'W', secret: 'whsec_x' },
  'webhook.ping': { id: 'W', ok: true, status: 200 },
  'event.list': { items: [EVENT], meta: { is_last_page: true } },
  'event.detail': {
    ...EVENT,
    deliveries: [
      { id: 'L', kind: 'webhook', state: 'waiting', attempts: [{ at: '2026-03-01T09:00:00.000Z' }] },
    ],
  },
  'event.replay': { events: 1, deliveries: 1 },
};

/** Every command that uses a remote service, and what it needs. Others are named in LOCAL; the tools of `mcp` are the commands. */
const COMMANDS: Record<string, string[]> = {
  'tx send': [CONTRACT, '--to', 'Ada <ada@example.com>', '--sender', 'Sam <sam@example.com>'],
  'tx create': ['--name', 'Agreement'],
  'tx update': ['T', '--name', 'Other', '--to', 'Bob <bob@example.com>'],
  'tx upload': ['T', CONTRACT],
  'tx fields': ['T'],
  'tx start': ['T'],
  'tx cancel': ['T', '--reason', 'Wrong'],
  'tx remind': ['T'],
  'tx show': ['T'],
  'tx list': ['--refresh'],
  'tx wait': ['T', '--timeout', '0s'],
  'tx open': ['T'],
  'tx download': ['T'],
  'tx preview': ['T'],
  'tx use-template': ['T', 'M'],
  'templates list': ['--all'],
  'templates show': ['M'],
  'webhooks create': [
    '--name',
    'Hook',
    '--endpoint',
    'https://hooks.example/x',
    '--event',
    'transaction_completed',
  ],
  'webhooks list': [],
  'webhooks delete': ['W'],
  'webhooks show': ['W'],
  'webhooks enable': ['W'],
  'webhooks disable': ['W'],
  'webhooks rotate': ['W'],
  'webhooks ping': ['W'],
  'events list': ['--undelivered'],
  'events show': ['E'],
  'events replay': ['E'],
};

const LOCAL =
  /^(sandbox|serve|config|profile|completion|help|commands|login|logout|token|whoami|api|doctor|events (listen|trigger)|mcp|store|tx text|verify)\b/;

const deep = (levels: number): string => `${'[{"x":'.repeat(levels)}1${'}]'.repeat(levels)}`;
const wrong = (status: unknown, template: unknown): unknown => ({ id: 'T', status, template });

/** Bodies of answers with the status of a success. */
const ANSWERS: [string, string][] = [
  ['an empty object', '{}'],
  ['a list', '[]'],
  ['null', 'null'],
  ['nothing', ''],
  ['text', 'OK'],
  ['a number', '5'],
  ['truncated JSON', '{"id":"T","status":"dra'],
  ['a page', '<!doctype html><title>Please log in</title>'],
  ['a number as id', JSON.stringify({ ...TRANSACTION, id: 5, items: 5, token: 5, url: 5, name: 5 })],
  [
    'lists that are none',
    JSON.stringify({
      ...TRANSACTION,
      ...{ items: null, url: 'x', token: 'x', name: 'x', fields: 'x' },
      ...{ created: 'x', type: 'x', events: 'x', deliveries: 'x', last_attempts: 'x', attempts: 5 },
    }),
  ],
  [
    'people that are none',
    JSON.stringify(wrong('draft', { recipients: 'x', documents: {}, fields: 5, name: [] })),
  ],
  ['people with nothing', JSON.stringify(wrong('started', { recipients: [{}, null, 5], documents: [{}] }))],
  ['only an id', JSON.stringify({ id: 'T', status: 'draft', items: [], url: 'x', token: 'x', name: 'x' })],
  [
    'nothing inside',
    JSON.stringify(wrong('odd', { recipients: null, documents: null, fields: null, name: null })),
  ],
  [
    'items that are none',
    JSON.stringify({ id: 'T', name: 'x', items: [null, 5, 'x', {}, []], fields: [null, 5, {}] }),
  ],
  [
    'pages without end',
    JSON.stringify({ items: [{ id: 'M' }], meta: { is_last_page: 'x', next_page: 'x' } }),
  ],
  ['meta that is none', JSON.stringify({ items: [{ id: 'M' }], meta: [] })],
  ['depth', `{"id":"T","status":"draft","name":"x","items":[],"url":"x","token":"x","more":${deep(50_000)}}`],
  ['5 MB', JSON.stringify({ ...TRANSACTION, more: 'x'.repeat(5_000_000) })],
];

const documented = new Set(EXIT_MEANINGS.map(([code]) => code));

function expectDecent({ code, out, err }: CommandResult, args: readonly string[]): void {
  const told = `${args.join(' ')}\n${err.slice(0, 2000)}\n${out.slice(0, 500)}`;
  expect(documented, told).toContain(code);
  for (const text of [out, err])
    expect(text.slice(0, 100_000), told).not.toMatch(/undefined|NaN|\[object |\n {4}at /);
  expect(err, told).not.toMatch(/"code":"unexpected"|\(unexpected\)/);
  // What a wait came to is printed, whichever way it ended.
  if (![0, 8, 9].includes(code)) expect(out, told).toBe('');
  if (!args.includes('--json')) return;
  for (const line of out.trimEnd().split('\n')) if (line !== '') JSON.parse(line);
  if (![0, 8, 9].includes(code))
    expect(JSON.parse(err.trimEnd().split('\n').at(-1) ?? ''), told).toMatchObject({ error: { exit: code } });
}

let runs: BuiltProgram;
let service: ScriptedService;
let answer: (operation: string) => string | undefined;

const operationAt = (method: string, path: string): string =>
  Object.entries(API_OPERATIONS).find(
    ([, operation]) =>
      operation.method === method && matchPath(operation.path, path.split('?')[0] ?? '') !== undefined,
  )?.[0] ?? '';

beforeAll(async () => {
  runs = await openBuiltProgram();
  service = await startScriptedService((response, { method, path }) => {
    const operation = operationAt(method, path);
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'R' });
    response.end(answer(operation) ?? JSON.stringify(GOOD[operation]));
  });
});

afterAll(async () => {
  await runs.close();
  await service.close();
});

const environment = (origin: string) => ({
  ESIGN_BASE_URL: origin,
  ESIGN_APP_URL: origin,
  ESIGN_ACCESS_TOKEN: 'TOKEN',
});

async function runDecently(args: readonly string[], origin = service.origin): Promise<CommandResult> {
  const run = await runs.run(args, environment(origin));
  expectDecent(run, args);
  return run;
}

test('every command that uses a service is here', () => {
  const paths = (tree: Tree, at: string[] = []): string[] =>
    Object.entries(tree).flatMap(([name, node]) =>
      isBranch(node) ? paths(node.children, [...at, name]) : [[...at, name].join(' ')],
    );
  const missing = paths(TREE).filter((path) => !LOCAL.test(path) && !Object.hasOwn(COMMANDS, path));
  expect(missing).toEqual([]);
});

/** Both ways in the slow tier; otherwise by turns, so that over all commands each answer meets both. */
function waysOf(command: string, body: string): string[][] {
  const ways = [[], ['--json']];
  const turn = Object.keys(COMMANDS).indexOf(command) + ANSWERS.findIndex(([, one]) => one === body);
  return SLOW ? ways : [ways[turn % 2] ?? []];
}

/** All of them in the slow tier and for one command; for the others every twelfth one, not the same for each. */
function answersFor(command: string): typeof ANSWERS {
  if (SLOW) return ANSWERS;
  if (command === 'tx show') return sampleOf(ANSWERS, 2);
  const at = Object.keys(COMMANDS).indexOf(command);
  return ANSWERS.slice(0, -1).filter((_, index) => (index + at) % 12 === 0);
}

describe.each(sampleOf(Object.entries(COMMANDS), 8))('%s', (command, more) => {
  test('ends as documented where the service is in good health', async () => {
    answer = () => undefined;
    for (const json of waysOf(command, ANSWERS[0]?.[1] ?? '')) {
      const { code, err } = await runDecently([...command.split(' '), ...more, ...json]);
      // The transaction of this service stays a draft whatever is done to it.
      expect(code, err).toBe({ 'tx open': 6, 'tx download': 6, 'tx preview': 5, 'tx wait': 8 }[command] ?? 0);
    }
  });

  test.each(answersFor(command))('ends with a documented exit code when answered %s', async (_, body) => {
    answer = () => body;
    for (const json of waysOf(command, body)) await runDecently([...command.split(' '), ...more, ...json]);
  });
});

test.each(sampleOf(Object.entries(COMMANDS), 8))(
  '%s refuses credentials without a service',
  async (command, more) => {
    const words = [...command.split(' '), ...more, '--json'];
    const names = ['ESIGN_ACCESS_TOKEN', 'ESIGN_CLIENT_SECRET', 'ESIGN_REFRESH_TOKEN_FILE'];
    const turn = Object.keys(COMMANDS).indexOf(command) % names.length;
    for (const name of names.filter((_, index) => SLOW || index === turn)) {
      const { code, out, err } = await runs.run(words, { [name]: 'x' });
      expect([code, out], err).toEqual([2, '']);
      expect(JSON.parse(err)).toMatchObject({ error: { code: 'service_missing', exit: 2 } });
    }
  },
);

test.skipIf(!SLOW)('a plan meets every answer at every step', async () => {
  const SEND = ['tx', 'send', ...(COMMANDS['tx send'] ?? []), '--json'];
  const operations = ['file.upload', 'transaction.create', 'transaction.add_document', 'transaction.detail'];
  for (const operation of [...operations, 'transaction.update', 'transaction.fields', 'transaction.start'])
    for (const [, body] of SLOW ? ANSWERS : ANSWERS.filter((_, index) => index % 5 === 0)) {
      answer = (asked) => (asked === operation ? body : undefined);
      await runDecently(SEND);
    }
});

test('what only the answers could tell is refused as partly done, with the draft that is left', async () => {
  const photo = join(runs.folder, 'photo.gif');
  await writeFile(photo, Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'));
  const document = { id: 'D', index: 0, file: { original_name: 'photo.gif' } };
  answer = (asked) =>
    asked === 'transaction.detail'
      ? JSON.stringify({ ...TRANSACTION, template: { ...TRANSACTION.template, documents: [document] } })
      : undefined;
  const [, ...people] = COMMANDS['tx send'] ?? [];
  const field = ['--field', 'signature@last:10%,10%,50%x50%', '--json'];
  const { code, err } = await runDecently(['tx', 'send', photo, ...people, ...field]);
  expect(code, err).toBe(10);
  const { error } = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '');
  expect(error).toMatchObject({ code: 'page_size_unknown', exit: 10 });
  expect(error.partial).toEqual({ id: 'T' });
  expect(error.next.map(({ command }: { command: string }) => command)).toEqual(['esign tx show T']);
});

test('what is missing in an answer is named, with the id of the request', async () => {
  answer = () => '{"id":"T","status":"draft","template":{"recipients":[{"id":"R","name":"Ada"}]}}';
  const { code, err } = await runDecently(['tx', 'show', 'T', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(err)).toMatchObject({
    error: {
      code: 'answer_incomplete',
      message: 'The response of the service has no "template.recipients.0.email".',
      http: { request_id: 'R', status: 200 },
    },
  });
});

describe('a connection that fails', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const FAULTS: [string, string | undefined, number][] = [
    ['before the head', '', 7],
    ['within the body', `${head}Content-Length: 99\r\n\r\n{"id":"T"`, 7],
    ['with no HTTP', 'hello\r\n\r\n', 7],
    ['after half the JSON', `${head}Content-Length: 9\r\n\r\n{"id":"T"`, 1],
    ['with a storm of 500', 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n', 7],
    ['with 503', 'HTTP/1.1 503 Busy\r\nRetry-After: 90\r\nContent-Length: 4\r\n\r\nBusy', 7],
    ['slowly', undefined, 7],
  ];

  test.each(FAULTS.filter(([how]) => SLOW || how !== 'slowly'))('%s', async (_, said, code) => {
    const { origin, close } = await startSocketServer((socket) =>
      socket.once('data', () => (said === undefined ? undefined : socket.end(said))),
    );
    try {
      const others = [
        ['tx', 'create'],
        ['tx', 'show', 'T', '--json'],
      ];
      for (const args of [['tx', 'create', '--json'], ...(SLOW ? others : [])]) {
        const run = await runs.run(args, { ...environment(origin), ESIGN_TIMEOUT: '0.2' });
        expectDecent(run, args);
        expect(run.code, run.err).toBe(code);
      }
    } finally {
      await close();
    }
  });

  test('at once', async () => {
    const { err } = await runDecently(['tx', 'create', '--json'], await unusedOrigin());
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'connection_failed', exit: 7, retryable: true } });
  });
});
