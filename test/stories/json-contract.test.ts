// What `--json` promises. Its shapes, as test/golden/json-shapes.json holds them (a change there is a change of the
// contract: run with -u to accept it); and under any fault, stdout is empty or JSON, the exit code is a documented one,
// and the error is the last line of stderr.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandDescription } from '../../src/cli/command/description.ts';
import { EXIT } from '../../src/cli/command/exit-codes.ts';
import { differencesFrom } from '../../src/cli/command/json-output.ts';
import { describeTree, jsonSchemaOf } from '../../src/cli/describe/describe.ts';
import { TREE } from '../../src/cli/tree.ts';
import { runInProcess } from '../support/command-line/in-process.ts';
import { sealPdfNow } from '../support/documents/sealed-pdf.ts';
import { roundsOf } from '../support/random.ts';
import { unusedOrigin } from '../support/servers/ports.ts';
import { createStoryFixture, type StoryFixture } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

let fixture: StoryFixture;

beforeAll(async () => {
  fixture = await createStoryFixture();
});

afterAll(() => fixture.close());

/** `{a: 'string', b: [number]}`: keys and types; a list has the shapes of its items, an id or a time is a string. */
function shapeOf(value: unknown): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value))
    return [...new Map(value.map((one) => [JSON.stringify(shapeOf(one)), shapeOf(one)])).values()];
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, shapeOf(inner)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const CALLBACK = 'http://127.0.0.1:8976/callback';
const ACME = 'https://api.acme.example';

/**
 * Held by other tests: a team server needs PostgreSQL (test/service/serve), one runs on, one prints what another program prints, one speaks a protocol (test/cli/mcp), one shows the machine it is on, and one changes with every command (its parts are
 * what completion and man pages are made from).
 */
const TEAM_SERVER = [
  'serve',
  'serve migrate',
  'serve ca',
  'serve user add',
  'serve user list',
  'serve user password',
  'serve user disable',
];
const ELSEWHERE = new Set(['sandbox serve', 'sandbox exec', 'mcp', 'doctor', 'commands', ...TEAM_SERVER]);

const ONE_PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

/** `tx wait, completed` → `tx wait` */
const commandOf = (name: string): string => name.split(/[,:]| -/)[0] ?? name;

test.skipIf(!SLOW)('the shape of what each command prints', async () => {
  const shapes: Record<string, unknown> = {};
  const commands = await describeTree(TREE);
  const different: Record<string, string[]> = {};
  const run = async (name: string, ...words: string[]) =>
    recorded(name, await runInProcess(fixture, [...words, '--json']));
  const recorded = async (
    name: string,
    { code, out, err }: { code: number | null; out: string; err: string },
  ) => {
    const isError = out === '';
    const value = JSON.parse(isError ? (err.trimEnd().split('\n').at(-1) ?? '') : out);
    shapes[name] = { exit: code, [isError ? 'stderr' : 'stdout']: shapeOf(value) };
    const schema = isError ? undefined : await jsonSchemaOf(commandOf(name).split(' '), TREE);
    const differences = schema ? differencesFrom(schema, value) : [];
    if (differences.length > 0) different[name] = differences;
    return value;
  };
  const ada = ['--to', 'Ada <ada@example.com>'];
  await run('tx send --dry-run', 'tx', 'send', 'contract.pdf', ...ada, '--dry-run');
  const { id } = await run('tx send', 'tx', 'send', 'contract.pdf', ...ada);
  await run('tx send --draft', 'tx', 'send', 'contract.pdf', ...ada, '--draft');
  await run('tx show', 'tx', 'show', id);
  await run('tx show --web', 'tx', 'show', id, '--web');
  await run('tx open', 'tx', 'open', id);
  await run('tx preview', 'tx', 'preview', id, '--page', 'last', '-o', 'pictures');
  await run(
    'tx preview FILE',
    ...'tx preview contract.pdf --to ada@example.com --page 3 -o files'.split(' '),
  );
  await run('tx text', 'tx', 'text', 'contract.pdf', '--page', '1');
  await run('tx fields', 'tx', 'fields', id);
  await run('tx remind', 'tx', 'remind', id);
  await run('tx wait, pending', 'tx', 'wait', id, '--timeout', '0s');
  await run('sandbox template save', 'sandbox', 'template', 'save', id, '--name', 'T').then(
    async (template) => {
      await run('templates show', 'templates', 'show', template.id);
      const draft = await run('tx create', 'tx', 'create', '--name', 'D');
      await run('tx use-template', 'tx', 'use-template', draft.id, template.id);
      await run('tx update', 'tx', 'update', draft.id, '--name', 'E');
      await run('tx upload', 'tx', 'upload', draft.id, 'contract.pdf');
      await run('tx start', 'tx', 'start', draft.id);
      await run('tx cancel', 'tx', 'cancel', draft.id, '--reason', 'No');
      await run('tx show, cancelled', 'tx', 'show', draft.id);
    },
  );
  const sealed = await sealPdfNow();
  await writeFile(join(fixture.folder, 'sealed.pdf'), sealed.pdf);
  await writeFile(join(fixture.folder, 'ca.pem'), sealed.pem);
  await run('verify --trust', 'verify', 'sealed.pdf', '--trust', 'ca.pem');
  await run('verify, not trusted', 'verify', 'sealed.pdf', 'contract.pdf');
  await run('templates list', 'templates', 'list');
  await run('sandbox sign', 'sandbox', 'sign', id);
  await run('tx wait, completed', 'tx', 'wait', id);
  await run('tx show, completed', 'tx', 'show', id);
  await run('tx download', 'tx', 'download', id, '-o', 'signed', '--evidence');
  await run('tx list', 'tx', 'list');
  await run('store backup', 'store', 'backup', 'backup.zip');
  await run('store copy', 'store', 'copy', '--to', 'copied');
  const withKey = ['--key-file', 'copied/key'];
  await run('store restore', 'store', 'restore', 'backup.zip', '--to', 'restored', ...withKey);
  const { id: webhook } = await run(
    'webhooks create',
    'webhooks',
    'create',
    '--name',
    'W',
    '--endpoint',
    'https://e.test/',
    '--event',
    'transaction_completed',
  );
  await run('webhooks list', 'webhooks', 'list');
  for (const verb of ['show', 'disable', 'enable', 'rotate', 'ping'])
    await run(`webhooks ${verb}`, 'webhooks', verb, webhook);
  const happened = await run('events trigger', 'events', 'trigger', 'transaction_started');
  const [event] = happened.events;
  await run('events list', 'events', 'list', '--transaction', happened.id);
  await run('events show', 'events', 'show', event.id);
  await run('events replay', 'events', 'replay', event.id);
  const nowhere = ['--forward-to', await unusedOrigin()];
  await run('events replay --forward-to', 'events', 'replay', event.id, ...nowhere);
  await run('events listen --print-secret', 'events', 'listen', '--print-secret');
  await run('webhooks delete', 'webhooks', 'delete', webhook);
  await run('sandbox status', 'sandbox', 'status');
  const { items } = await run('sandbox mailbox list', 'sandbox', 'mailbox', 'list');
  const { id: mail } = items.find(({ kind }: { kind: string }) => kind === 'completed');
  await run('sandbox mailbox show', 'sandbox', 'mailbox', 'show', mail);
  await run('sandbox mailbox show --eml', 'sandbox', 'mailbox', 'show', mail, '--eml', '-o', 'a.eml');
  await run('sandbox open', 'sandbox', 'open');
  await run('sandbox mailbox open', 'sandbox', 'mailbox', 'open', mail);
  await run('sandbox ca export', 'sandbox', 'ca', 'export', '-o', 'ca');
  await run('sandbox ca issue', 'sandbox', 'ca', 'issue', 'localhost', '-o', 'ca');
  await run('sandbox users list', 'sandbox', 'users', 'list');
  await run('sandbox apps list', 'sandbox', 'apps', 'list');
  await run('sandbox token', 'sandbox', 'token');
  await run('config set', 'config', 'set', 'base_url', 'https://e.test', '--profile', 'other');
  await run('config list', 'config', 'list', '--profile', 'other');
  await run('config get', 'config', 'get', 'base_url', '--profile', 'other');
  await run('config path', 'config', 'path');
  await run('config unset', 'config', 'unset', 'base_url', '--profile', 'other');
  await run('help', 'help', 'fields');
  await run('completion', 'completion', 'bash');
  await run('completion --install', 'completion', 'fish', '--install');
  await run('api', 'api', 'transaction.detail', '-f', `transactionId=${id}`);
  await run('api routes', 'api', 'routes');
  const { id: rejected } = await run('tx send, once more', 'tx', 'send', 'contract.pdf', ...ada);
  await run('sandbox reject', 'sandbox', 'reject', rejected, '--reason', 'No');
  await run('sandbox users add', 'sandbox', 'users', 'add', 'Hopper <hopper@example.com>');
  await run('sandbox users verify', 'sandbox', 'users', 'verify', 'hopper@example.com');
  await run('sandbox users password', 'sandbox', 'users', 'password', 'hopper@example.com');
  const app = await run('sandbox apps create', 'sandbox', 'apps', 'create', 'A', '--callback-url', CALLBACK);
  await run('sandbox apps rotate', 'sandbox', 'apps', 'rotate', app.id);
  await run('sandbox apps delete', 'sandbox', 'apps', 'delete', app.client_id);
  await run('profile create', 'profile', 'create', 'acme', '--base-url', ACME, '--dashboard-url', ACME);
  await run('profile list', 'profile', 'list');
  await run('profile use', 'profile', 'use', 'acme');
  await run('error: not logged in', 'tx', 'create');
  await writeFile(join(fixture.folder, 'secret.txt'), 'SECRET');
  await run('login --start', 'login', '--start', '--client-id', 'C', '--client-secret-file', 'secret.txt');
  await run('logout', 'logout');
  fixture.env.ESIGN_ACCESS_TOKEN = 'T';
  await run('token', 'token');
  await run('whoami', 'whoami');
  delete fixture.env.ESIGN_ACCESS_TOKEN;
  await run('profile delete', 'profile', 'delete', 'acme', '--yes');
  await run('whoami, sandbox', 'whoami');
  await run('error: usage', 'tx', 'create', '--nope');
  await run('error: of the service', 'tx', 'show', 'nobody');
  await writeFile(join(fixture.folder, 'dot.gif'), ONE_PIXEL);
  const beyond = ['--field', 'signature@2:1pt,1pt,100x40'];
  await run('error: on the way', 'tx', 'send', 'dot.gif', '--to', 'ada@example.com', ...beyond);
  const { id: late } = await run('tx send, to expire', 'tx', 'send', 'contract.pdf', ...ada);
  await run('sandbox snapshot save', 'sandbox', 'snapshot', 'save', 'started');
  await run('sandbox snapshot list', 'sandbox', 'snapshot', 'list');
  await run('sandbox expire', 'sandbox', 'expire', late);
  await run('sandbox snapshot restore', 'sandbox', 'snapshot', 'restore', 'started');
  await run('sandbox snapshot delete', 'sandbox', 'snapshot', 'delete', 'started');
  await run('sandbox clock show', 'sandbox', 'clock', 'show');
  await run('sandbox clock pause', 'sandbox', 'clock', 'pause');
  await run('sandbox clock set', 'sandbox', 'clock', 'set', '2030-01-01');
  await run('sandbox clock advance', 'sandbox', 'clock', 'advance', '30d');
  await run('sandbox clock resume', 'sandbox', 'clock', 'resume');
  await run('sandbox clock reset', 'sandbox', 'clock', 'reset');
  await run('sandbox faults add', 'sandbox', 'faults', 'add', 'user.me', 'latency', '--count', '1');
  await run('sandbox faults list', 'sandbox', 'faults', 'list');
  await run('sandbox faults clear', 'sandbox', 'faults', 'clear');
  const seed = 'transactions: [{name: Seeded, files: [contract.pdf], to: [Ada <ada@example.com>]}]';
  const hooks = 'webhooks: [{name: Seeded, endpoint: "https://hooks.example.com"}]';
  await writeFile(join(fixture.folder, 'world.yaml'), `${seed}\n${hooks}\n`);
  await run('sandbox seed', 'sandbox', 'seed', 'world.yaml');
  await run('sandbox export', 'sandbox', 'export', 'sandbox.zip');
  await run('sandbox reset', 'sandbox', 'reset', '--yes');
  await run('sandbox import', 'sandbox', 'import', 'sandbox.zip');
  await run('error: not empty', 'sandbox', 'import', 'sandbox.zip');
  await run('sandbox reset --to', 'sandbox', 'reset', '--to', 'sandbox.zip', '--yes');
  expect(different, 'what a command prints is what its schema says').toEqual({});
  const told = Object.keys(shapes).map(commandOf);
  const untold = commands
    .map(({ path }) => path.join(' '))
    .filter((path) => !ELSEWHERE.has(path) && !told.includes(path));
  expect(untold, 'every command has its shape here').toEqual([]);
  await expect(`${JSON.stringify(shapes, null, 2)}\n`).toMatchFileSnapshot('../golden/json-shapes.json');
});

/** Commands that run until a signal comes, need a browser, or run any program. */
const ENDLESS = /^(sandbox serve|sandbox exec|events listen|login|tx wait|doctor)/;

const POOL = [
  'nobody',
  '',
  '../x',
  '..',
  '10',
  '-1',
  '1e9',
  'ada@example.com',
  'Ada <ada@example.com>;role=boss',
  'contract.pdf',
  'missing.pdf',
  'bad.json',
  '-',
  'https://e.test/',
  'signature@1:72,72,200x50',
  'x@y',
  'true',
  'a=b',
  '\u001b[2J',
  '日本',
  'x'.repeat(300),
  '%00',
];

const FAULTS = [
  '',
  'lose_answer:1',
  'lose_answer:2',
  'refuse_connection:1',
  'refuse_connection:3,lose_answer:5',
  'nonsense',
];

/** Most runs have a good one. */
const HOMES = ['', '', '', '', '', 'bad-store', 'bad-config', 'not-a-folder', 'contract.pdf/x'];

const DOCUMENTED = new Set<number>(Object.values(EXIT));

describe('under any fault', () => {
  test('stdout is empty or JSON, the exit code documented, the error the last line of stderr', async () => {
    await mkdir(join(fixture.folder, 'bad-store', 'data', 'sandbox'), { recursive: true });
    await writeFile(
      join(fixture.folder, 'bad-store', 'data', 'sandbox', 'store.db'),
      'no database, not at all',
    );
    await mkdir(join(fixture.folder, 'bad-config', 'config'), { recursive: true });
    await writeFile(join(fixture.folder, 'bad-config', 'config', 'config.json'), '{"profile": 3');
    await writeFile(join(fixture.folder, 'not-a-folder'), '');
    await writeFile(join(fixture.folder, 'bad.json'), '[{"type": 1}]');
    const { out } = await runInProcess(fixture, ['tx', 'create', '--json']);
    const pool = [...POOL, ...Array(5).fill(JSON.parse(out).id)];
    const commands = (await describeTree(TREE)).filter(({ path }) => !ENDLESS.test(path.join(' ')));
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...commands)
          .chain((command) => fc.tuple(fc.constant(command), wordsOf(command, pool))),
        fc.constantFrom(...FAULTS),
        fc.constantFrom(...HOMES),
        async ([command, words], faults, home) => {
          const env = {
            ...fixture.env,
            ...(faults && { ESIGN_FAULTS: faults }),
            ...(home && { ESIGN_HOME: join(fixture.folder, home) }),
          };
          const all = [...command.path, ...words, '--json'];
          const { code, out, err } = await runInProcess({ env, folder: fixture.folder }, all);
          const what = `${JSON.stringify({ all, faults, home })}\n${out}${err}`;
          expect(DOCUMENTED, what).toContain(code);
          for (const line of out.trimEnd().split('\n')) if (line !== '') JSON.parse(line);
          // A verdict is what was asked for, also a bad one.
          if (code === 0 || (command.path[0] === 'verify' && out !== '')) return;
          const { error } = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '');
          expect(error, what).toMatchObject({
            exit: code,
            code: expect.any(String),
            message: expect.any(String),
          });
          expect(error.code, what).not.toBe('unexpected');
          expect(out, what).toBe('');
        },
      ),
      { numRuns: roundsOf({ short: 60, landing: 500, full: 1500 }) },
    );
  });
});

function wordsOf(
  { arguments: args, options }: CommandDescription,
  pool: readonly string[],
): fc.Arbitrary<string[]> {
  const value = fc.constantFrom(...pool);
  const given = args.map(({ repeat }) => fc.array(value, { minLength: 1, maxLength: repeat ? 3 : 1 }));
  const flags = [
    ...options,
    { name: 'nope', summary: '' },
    { name: 'select', value: 'F', summary: '' },
    { name: 'yes', summary: '' },
  ]
    .filter(({ name }) => name !== 'watch' && name !== 'wait')
    .map((option) =>
      fc.option(
        'value' in option && option.value !== undefined
          ? fc
              .oneof(value, fc.constantFrom(...(('choices' in option && option.choices) || pool)))
              .map((one): string[] => [`--${option.name}`, one])
          : fc.constant<string[]>([`--${option.name}`]),
        { nil: [], freq: 1 },
      ),
    );
  const some = fc
    .subarray(flags, { maxLength: Math.min(4, flags.length) })
    .chain((chosen) => fc.tuple(...chosen));
  return fc
    .tuple(fc.tuple(...given), some, fc.nat({ max: 9 }))
    .map(([one, two, forgotten]) => [...(forgotten === 0 ? [] : one.flat()), ...two.flat()]);
}
