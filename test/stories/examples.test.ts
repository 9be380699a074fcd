// Every example of every man page is run against the sandbox: each in a folder of its own, where what it names exists.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandDescription } from '../../src/cli/command/description.ts';
import { describeTree } from '../../src/cli/describe/describe.ts';
import { readBashLine } from '../../src/cli/shell-completion/answer.ts';
import { TREE } from '../../src/cli/tree.ts';
import { exportSandbox } from '../../src/service/copies/sandbox-files.ts';
import { backUp } from '../../src/service/copies/stores.ts';
import { line, tagPdf } from '../support/documents/tag-pdf.ts';
import {
  ADA,
  createDraft,
  endTransaction,
  fieldFor,
  saveTemplate,
} from '../support/fixtures/transactions.ts';
import { openHarness } from '../support/harness.ts';
import { copyOptions } from '../support/stores/copy-options.ts';
import { checkpointStore, copyWithoutLog } from '../support/stores/copy-store.ts';
import { SANDBOX_FACTS } from '../support/stores/exported-sandbox.ts';
import { createStoryFixture, runCommand, type StoryFixture, startCommand } from '../support/stories/story.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW, shareOf } from '../support/tier.ts';

/** The transaction that a command is given, where it is not one that was started. */
const WANTED: Record<string, 'draft' | 'completed'> = {
  'tx start': 'draft',
  'tx update': 'draft',
  'tx upload': 'draft',
  'tx fields': 'draft',
  'tx use-template': 'draft',
  // Those that look on until it ends.
  'tx show': 'completed',
  'tx wait': 'completed',
  'tx download': 'completed',
};

/** Commands that run on until they are stopped: they are, as soon as they have answered. */
const RUN_ON = new Set(['sandbox serve', 'events listen']);

/** Examples that need a person with a browser, which test/browser has; without a terminal they say so. */
const WANT_A_PERSON = /^esign login (?!.*--start)/;

/** They wait for what a person does elsewhere; stories of their own have them (login/, tx-download/). */
const WAIT_FOR_A_PERSON = /^esign login --complete| (--wait|-w)\b/;

type Ids = {
  draft: string;
  started: string;
  completed: string;
  template: string;
  webhook: string;
  app: string;
  event: string;
  mail: string;
};

/** Examples that promise one value for a script, which is then no JSON. */
const PRINTS_A_VALUE = /\bprint only the\b|\bprint it\b/i;

/** There is no such receiver. */
const NO_ANSWER = '7';

/** The contract of the fixtures is not signed. */
const NOT_SIGNED = '9';

const codeOf = (line: string): string =>
  line.startsWith('esign webhooks ping')
    ? NO_ANSWER
    : line.startsWith('esign verify contract.pdf')
      ? NOT_SIGNED
      : '0';

type Case = { line: string; about: string; command: CommandDescription };

const described = await describeTree(TREE);
const cases: Case[] = described
  .flatMap((command) => command.examples.map(({ line, about }) => ({ line, about, command })))
  // A team server needs PostgreSQL: test/service/serve runs its commands; test/cli/mcp talks to the tools.
  .filter(
    ({ line, command }) =>
      command.path[0] !== 'mcp' &&
      !WAIT_FOR_A_PERSON.test(line) &&
      command.path[0] !== 'serve' &&
      !line.includes('postgres://'),
  );

let fixture: StoryFixture;
let ids: Ids;
let prepared: string;
const folders: string[] = [];

beforeAll(async () => {
  if (!SLOW) return;
  fixture = await createStoryFixture();
  prepared = await temporaryFolder();
  const store = join(prepared, '.esign', 'data', 'sandbox');
  await mkdir(store, { recursive: true });
  const harness = await openHarness('in process', { folder: store });
  try {
    ids = await idsOf(harness);
    await writeSealed(harness, ids.completed);
    await harness.client['sandbox.save_snapshot']({ params: { name: 'before-signing' }, body: {} });
  } finally {
    await harness.close();
  }
  checkpointStore(store);
  await copyFile(join(store, 'key'), join(prepared, 'key'));
  await backUp({ folder: store }, join(prepared, 'esign.zip'), copyOptions());
  await exportSandbox(store, join(prepared, 'leases.zip'), { ...SANDBOX_FACTS, secrets: false });
  for (const name of ['contract.pdf', 'annex.pdf'])
    await copyFile(fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url)), join(prepared, name));
  const config = join(prepared, '.esign', 'config');
  await mkdir(config);
  const acme = { base_url: 'https://api.acme.example', dashboard_url: 'https://acme.example' };
  const profiles = { acme };
  const lease = line('{{Signature;type=signature;role=Tenant}}');
  await writeFile(join(prepared, 'lease.pdf'), tagPdf({ pages: [lease] }));
  await writeFile(join(prepared, 'secret.txt'), 'SECRET\n');
  const seed = 'transactions: [{name: Lease, files: [contract.pdf], to: [Ada <ada@example.com>]}]';
  await writeFile(join(prepared, 'world.yaml'), seed);
  await writeFile(join(prepared, 'package.json'), '{"scripts":{"test":"true"}}');
  await writeFile(join(config, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
});

afterAll(async () => {
  if (!SLOW) return;
  await fixture.close();
  for (const folder of [prepared, ...folders]) await rm(folder, { recursive: true, force: true });
});

/** What `tx download` and `sandbox ca export` would have written. */
async function writeSealed({ client }: Awaited<ReturnType<typeof openHarness>>, id: string): Promise<void> {
  const [sealed] = (await client['transaction.detail']({ params: { transactionId: id } })).sealed_documents;
  const { bytes } = await client['file.content']({ params: { fileId: sealed?.id ?? '' } });
  await mkdir(join(prepared, 'signed'));
  for (const path of ['contract.sealed.pdf', 'signed/contract.sealed.pdf'])
    await writeFile(join(prepared, path), bytes);
  await writeFile(join(prepared, 'company-ca.pem'), (await client['sandbox.authority']()).pem);
}

async function idsOf(harness: Awaited<ReturnType<typeof openHarness>>): Promise<Ids> {
  const { client } = harness;
  const draft = await createDraft(harness);
  const begun = await createDraft(harness);
  const params = { transactionId: begun.id };
  const city = fieldFor(begun, ADA.email, { type: 'text', label: 'City' });
  await client['transaction.fields']({ params, body: { fields: [city] } });
  await client['transaction.start']({ params });
  await client['sandbox.add_user']({ body: { name: 'Hopper', email: 'hopper@example.com' } });
  const webhook = await client['webhook.create']({
    body: { name: 'Orders', endpoint: 'https://hooks.example.com', events: ['transaction_completed'] },
  });
  const app = await client['sandbox.add_client']({
    body: { name: 'Orders', callback_url: 'http://127.0.0.1:8976/callback' },
  });
  const { items } = await client['event.list']({ query: { transaction_id: begun.id } });
  return {
    draft: draft.id,
    started: begun.id,
    completed: (await endTransaction(harness, 'completed')).id,
    template: (await saveTemplate(harness)).id,
    webhook: webhook.id,
    app: app.id,
    event: items[0]?.id ?? '',
    mail: (await client['sandbox.mail']({ query: {} })).items[0]?.id ?? '',
  };
}

async function freshFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  await copyWithoutLog(prepared, folder);
  return folder;
}

/** The example with the ids of this world. */
function filled({ line, command: { path, arguments: args } }: Case): string {
  const named = args.find(({ name }) => name === 'id');
  const kind = named?.completes ?? 'transaction';
  const known: Record<string, string> = {
    ...ids,
    application: ids.app,
    transaction: ids[WANTED[path.join(' ')] ?? 'started'],
  };
  return line
    .replace(/(?<= )@(?= |$)/, known.transaction ?? '@')
    .replace(/\bTEMPLATE\b/g, ids.template)
    .replace(/\bID\b/g, known[kind] ?? 'ID');
}

/** As a login of the profile would be. */
const LOGGED_IN = {
  ESIGN_PROFILE: 'acme',
  ESIGN_ACCESS_TOKEN: 'TOKEN',
  ESIGN_REFRESH_TOKEN: 'REFRESH',
  ESIGN_CLIENT_ID: 'ID',
  ESIGN_CLIENT_SECRET: 'SECRET',
};

const environmentOf = (folder: string, { command }: Case) => ({
  // A login is one to a service.
  ...(command.path[0] === 'login' && { ESIGN_PROFILE: 'acme' }),
  ...(command.path[0] === 'token' && LOGGED_IN),
  PATH: fixture.env.PATH ?? '',
  HOME: folder,
  // An import needs an empty sandbox.
  ESIGN_HOME: join(folder, command.path.join(' ') === 'sandbox import' ? '.empty' : '.esign'),
  LANG: 'C.UTF-8',
});

const readsInput = (line: string): boolean => / -(file)? ?-$|-file -$/.test(line);

/** A line that a shell has more to do with than to cut it into words. */
const isForShell = ({ line }: Case): boolean =>
  readsInput(line) || !/^esign [^$`|<>&;()*]*$/.test(line.replace(/"[^"$`]*"/g, ''));
const runsOn = ({ line, command }: Case): boolean =>
  RUN_ON.has(command.path.join(' ')) && !line.includes('--print-secret');

test.skipIf(!SLOW)('every example that ends by itself succeeds', async () => {
  const plain = shareOf(
    cases.filter((one) => !isForShell(one) && !runsOn(one) && !WANT_A_PERSON.test(one.line)),
    3,
  );
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../support/stories/command-loop.mjs', import.meta.url))],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  for (const one of plain) {
    const folder = await freshFolder();
    const words = readBashLine(`${filled(one)} `, '').words;
    child.stdin.write(`${JSON.stringify({ words, folder, env: environmentOf(folder, one) })}\n`);
  }
  child.stdin.end();
  await once(child, 'close');
  const parts = out.split('\u001e');
  const ran = plain.map(({ line }, index) => ({ line, code: parts[2 * index + 1] }));
  expect(
    ran.filter(({ line, code }) => code !== codeOf(line)),
    err,
  ).toEqual([]);
  // Whatever was asked for stands on stdout.
  const silent = plain.filter((_, index) => parts[2 * index] === '').map(({ line }) => line);
  expect(silent.filter((line) => !/ (list|fields)\b/.test(line))).toEqual([]);
  const values = plain.flatMap(({ line, about }, index) =>
    PRINTS_A_VALUE.test(about) ? [{ line, out: parts[2 * index] }] : [],
  );
  expect(values.filter(({ out }) => !/^[^\s{"[]+\n$/.test(out ?? ''))).toEqual([]);
});

test.skipIf(!SLOW)('those that a shell has to read', async () => {
  for (const example of shareOf(cases.filter(isForShell), 3)) {
    const folder = await freshFolder();
    const ran = await runCommand(
      { ...fixture, folder, env: environmentOf(folder, example) },
      `${readsInput(example.line) ? 'echo correct-horse | ' : ''}${filled(example)}`,
    );
    expect({ line: example.line, ...ran }).toMatchObject({ code: Number(codeOf(example.line)) });
  }
});

test.skipIf(!SLOW)('those that want a person with a browser', async () => {
  const refused = cases.filter(({ line }) => WANT_A_PERSON.test(line));
  expect(refused).toHaveLength(2);
  for (const one of refused) {
    const folder = await freshFolder();
    const env = { ...environmentOf(folder, one), ESIGN_CLIENT_ID: 'C', ESIGN_CLIENT_SECRET: 'S', CI: '1' };
    const line = filled(one).replace('--no-browser', '--json');
    const { code, err } = await runCommand({ ...fixture, folder, env }, line);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('browser_needed') });
  }
});

test.skipIf(!SLOW)('those that run on until they are stopped', async () => {
  for (const one of cases.filter(runsOn)) {
    const folder = await freshFolder();
    const running = startCommand(
      { ...fixture, folder, env: environmentOf(folder, one) },
      `exec ${filled(one)}`,
    );
    const closed = once(running.process, 'close');
    // What prints nothing before something happens says on stderr that it has begun.
    while (
      running.said().out === '' &&
      !/Ctrl-C/.test(running.said().err) &&
      running.process.exitCode === null
    )
      await Promise.race([
        once(running.process.stdout!, 'data'),
        once(running.process.stderr!, 'data'),
        closed,
      ]);
    running.process.kill('SIGINT');
    const [code] = await closed;
    expect({ line: one.line, code, err: running.said().err }).toMatchObject({ code: 130 });
  }
});

test('some examples promise a value alone', () => {
  expect(cases.filter(({ about }) => PRINTS_A_VALUE.test(about)).map(({ line }) => line)).toEqual([
    'esign tx wait @ --for any --jq .outcome',
    'esign tx open @ --jq .url',
  ]);
});

test('every line is run, and every page shows its own', async () => {
  expect(cases.length).toBeGreaterThan(40);
  const pages = await readdir(fileURLToPath(new URL('../../man', import.meta.url)));
  for (const { command } of cases) expect(pages).toContain(`esign-${command.path.join('-')}.1`);
});
