// Every command of the tree is run as a program with a language model runs it. Then everything that was printed is compared with everything
// secret that the stores hold: words whose hash a store has, texts that it decrypts, and secrets that are derived from its key.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/command/exit-codes.ts';
import { describeTree } from '../../src/cli/describe/describe.ts';
import { HIDDEN } from '../../src/cli/terminal/hidden-secrets.ts';
import { TREE } from '../../src/cli/tree.ts';
import { sha256Of } from '../../src/common/sha256.ts';
import { connectSqlite } from '../../src/database/sqlite-driver.ts';
import { createKeys } from '../../src/service/store/keys.ts';
import { runAtTerminal } from '../support/command-line/at-terminal.ts';
import { type RunOptions, runInProcess } from '../support/command-line/in-process.ts';
import { sealPdfNow } from '../support/documents/sealed-pdf.ts';
import { unusedOrigin } from '../support/servers/ports.ts';
import { createStoryFixture, type StoryFixture, startCommand } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

let fixture: StoryFixture;

/** What was printed, by the line that printed it. */
const printed: { line: string; text: string }[] = [];
/** Commands that were refused because they print a secret. */
const refused = new Set<string>();
const ran = new Set<string>();
/** Secrets that are derived or typed, and so are in no column of a store. */
const derived = new Map<string, string>();

/** Changes that did not succeed, which would have printed little. */
const failed: [line: string, code: number, err: string][] = [];

let commands: string[] = [];

/** The longest path of a command that the words begin with. */
const commandOf = (words: readonly string[]): string =>
  commands
    .filter((path) => `${words.join(' ')} `.startsWith(`${path} `))
    .sort((a, b) => b.length - a.length)[0] ?? '';

const assistedFixture = () => ({ ...fixture, env: { ...fixture.env, CLAUDECODE: '1' } });

async function assisted(words: readonly string[], options: RunOptions = {}) {
  const result = await runInProcess(assistedFixture(), words, options);
  printed.push({ line: words.join(' '), text: result.out + result.err });
  ran.add(commandOf(words));
  if (result.err.includes('"secret_hidden"') || result.err.includes('(secret_hidden)'))
    refused.add(commandOf(words));
  return result;
}

/** Runs a command that changes something, once, where errors and requests are printed as well. */
const change = async (...words: string[]) => {
  const { out, err, code } = await assisted([...words, '--debug']);
  // Nobody answers at the addresses of receivers.
  if (code !== 0 && code !== EXIT.network) failed.push([words.join(' '), code, err]);
  try {
    return JSON.parse(out);
  } catch {
    return {};
  }
};

/** Runs a command that changes nothing in all the ways in which it can print. */
async function show(...words: string[]) {
  for (const more of [[], ['--json'], ['--jq', '.'], ['--debug']]) await assisted([...words, ...more]);
  await assisted(words, { isTerminal: true });
}

async function plain(...words: string[]) {
  const { out, err } = await runInProcess(fixture, [...words, '--json']);
  if (out === '') throw new Error(`${words.join(' ')}: ${err}`);
  return JSON.parse(out);
}

/** Runs a command at a terminal until it has printed something. */
async function watch(wanted: RegExp, ...words: string[]) {
  const running = runAtTerminal(assistedFixture(), words);
  const isOver = running.ended.then(() => true);
  const printedSoFar = () => running.said.out + running.said.err;
  while (!wanted.test(printedSoFar()))
    if (await Promise.race([isOver, new Promise<false>((done) => setTimeout(done, 20, false))])) break;
  running.stop();
  await running.ended;
  expect([words, printedSoFar()]).toEqual([words, expect.stringMatching(wanted)]);
  printed.push({ line: words.join(' '), text: printedSoFar() });
  ran.add(commandOf(words));
}

const ADA = ['--to', 'Ada <ada@example.com>'];
const WEBHOOK = '--name W --endpoint https://hooks.example.com/x --event transaction_completed'.split(' ');
const CALLBACK = ['--callback-url', 'http://127.0.0.1:8976/callback'];

/** Documents, from the upload to a sealed PDF. */
async function handleTransactions() {
  const { id } = await change('tx', 'send', 'contract.pdf', ...ADA);
  const { token } = await plain('api', 'file.upload', '-F', 'file=@contract.pdf');
  derived.set('token of an upload', token);
  await show('api', 'file.upload', '-F', 'file=@contract.pdf');
  for (const words of [
    ['tx', 'show', id],
    ['tx', 'show', id, '--web'],
    ['tx', 'show', id, '--evidence'],
    ['tx', 'open', id],
    ['tx', 'wait', id, '--timeout', '0s'],
    ['tx', 'list'],
    ['tx', 'fields', id],
    ['tx', 'text', 'contract.pdf', '--page', '1'],
    ['tx', 'show', 'nobody'],
    ['tx', 'send', 'missing.pdf', ...ADA],
    ['tx', 'send', 'contract.pdf', ...ADA, '--dry-run'],
    ['api', 'transaction.detail', '-f', `transactionId=${id}`],
    ['api', 'sandbox.list_transactions'],
    ['api', 'sandbox.mail'],
    ['api', 'sandbox.mail_detail', '-f', 'mailId=nobody'],
    ['api', 'routes'],
  ])
    await show(...words);
  await watch(/hidden: --reveal/, 'tx', 'show', id, '--watch');
  await change('tx', 'preview', id, '--page', 'last', '-o', 'pictures');
  await change('tx', 'remind', id);
  await change('sandbox', 'template', 'save', id, '--name', 'T');
  await show('templates', 'list');
  const { items } = await plain('templates', 'list');
  await show('templates', 'show', items[0].id);
  const draft = await change('tx', 'create', '--name', 'D');
  await change('tx', 'use-template', draft.id, items[0].id);
  await change('tx', 'update', draft.id, '--name', 'E');
  await change('tx', 'upload', draft.id, 'contract.pdf');
  await change('tx', 'start', draft.id);
  await show('tx', 'show', draft.id);
  await change('tx', 'cancel', draft.id, '--reason', 'No');
  const rejected = await change('tx', 'send', 'contract.pdf', ...ADA);
  await change('sandbox', 'reject', rejected.id, '--reason', 'No');
  const late = await change('tx', 'send', 'contract.pdf', ...ADA);
  await change('sandbox', 'expire', late.id);
  await change('sandbox', 'sign', id);
  await change('tx', 'download', id, '-o', 'signed', '--evidence');
  await change('tx', 'send', 'contract.pdf', '--to', 'Bob <bob@example.com>');
  const sealed = await sealPdfNow();
  await writeFile(join(fixture.folder, 'sealed.pdf'), sealed.pdf);
  await show('verify', 'sealed.pdf');
}

/** Webhooks, events, applications, users and their emails. */
async function handleSecrets() {
  const { id: webhook } = await change('webhooks', 'create', ...WEBHOOK, '--env-path', 'webhook.env');
  await assisted(['webhooks', 'create', ...WEBHOOK]);
  await assisted(['webhooks', 'rotate', webhook]);
  await change('webhooks', 'rotate', webhook, '--env-path', 'webhook.env', '--replace');
  await show('webhooks', 'list');
  await show('webhooks', 'show', webhook);
  for (const verb of ['disable', 'enable', 'ping']) await change('webhooks', verb, webhook);
  const { events } = await change('events', 'trigger', 'transaction_started');
  await show('events', 'list');
  await show('events', 'show', events[0].id);
  await change('events', 'replay', events[0].id);
  await change('events', 'replay', events[0].id, '--forward-to', await unusedOrigin());
  derived.set('secret of events listen', (await plain('events', 'listen', '--print-secret')).secret);
  await assisted(['events', 'listen', '--print-secret']);
  await watch(/Forwarding to/, 'events', 'listen', '--forward-to', await unusedOrigin());
  await change('webhooks', 'delete', webhook);

  await change('sandbox', 'apps', 'create', 'Orders', ...CALLBACK, '--env-path', 'orders.env');
  await assisted(['sandbox', 'apps', 'create', 'P', ...CALLBACK]);
  await show('sandbox', 'apps', 'list');
  const { items } = await plain('sandbox', 'apps', 'list');
  const app = items.find(({ name }: { name: string }) => name === 'Orders');
  await assisted(['sandbox', 'apps', 'rotate', app.id]);
  await change('sandbox', 'apps', 'rotate', app.id, '--env-path', 'orders.env', '--replace');
  const { client_id } = await plain('sandbox', 'apps', 'create', 'Gone', ...CALLBACK);
  await change('sandbox', 'apps', 'delete', client_id);

  await change('sandbox', 'users', 'add', 'Hopper <hopper@example.com>');
  await change('sandbox', 'users', 'verify', 'hopper@example.com');
  await show('sandbox', 'users', 'list');
  await assisted(['sandbox', 'users', 'password', 'hopper@example.com']);
  await change('sandbox', 'users', 'password', 'hopper@example.com', '--env-path', 'password.env');
  await assisted(['serve', 'user', 'password', 'ada@example.com']);

  for (const more of [[], ['--raw'], ['--code'], ['--control']])
    await assisted(['sandbox', 'token', ...more]);
  await change('sandbox', 'token', '--env-path', 'token.env');
  await change('sandbox', 'token', '--code', '--env-path', 'code.env');
  derived.set('control secret', (await plain('sandbox', 'token', '--control')).control_secret);
  await show('api', 'sandbox.token');
  await show('api', 'sandbox.events');
  await show('api', 'sandbox.list_clients');
  await show('api', 'sandbox.sign_in_link');
  await show('api', 'sandbox.add_client', '-f', 'name=A', '-f', 'callback_url=http://127.0.0.1:1/');
  await show('api', 'sandbox.set_password', '-f', 'email=hopper@example.com');
  await show('sandbox', 'open');
  await show('sandbox', 'mailbox', 'list');
  const mails = (await plain('sandbox', 'mailbox', 'list')).items as { id: string; kind: string }[];
  for (const { id } of new Map(mails.map((mail) => [mail.kind, mail])).values()) {
    for (const form of [[], ['--html'], ['--eml']]) await show('sandbox', 'mailbox', 'show', id, ...form);
    await show('sandbox', 'mailbox', 'open', id);
    for (const operation of ['sandbox.mail_detail', 'sandbox.mail_message'])
      await show('api', operation, '-f', `mailId=${id}`);
  }
  await change('sandbox', 'mailbox', 'show', mails[0]?.id ?? '', '--eml', '-o', 'mail.eml');
}

/** A login at a service, which is the sandbox of this story, served. */
async function logIn() {
  const server = startCommand(assistedFixture(), 'exec esign sandbox serve --port 0 --json');
  while (!server.said().out.includes('\n')) await new Promise((done) => setTimeout(done, 50));
  const { base_url } = JSON.parse(server.said().out.split('\n')[0] ?? '');
  const app = await plain('sandbox', 'apps', 'create', 'CLI', ...CALLBACK);
  await writeFile(join(fixture.folder, 'secret.txt'), app.client_secret);
  const remote = ['--base-url', base_url, '--client-id', app.client_id];
  const begun = await change(
    'login',
    '--start',
    ...remote,
    '--client-secret-file',
    join(fixture.folder, 'secret.txt'),
  );
  const challenge = /code_challenge=([\w-]+)/.exec(JSON.stringify(begun))?.[1] ?? '';
  const codeOf = ['--client', app.client_id, '--code', '--code-challenge', challenge, '--sandbox'];
  const { code } = await plain('sandbox', 'token', ...codeOf);
  await assisted(['login', '--complete', '-', '--debug'], { input: code });
  await show('whoami');
  await show('whoami', '--check');
  await show('token');
  await show('token', '--refresh-token');
  await change('token', '--env-path', 'login.env');
  await show('tx', 'list');
  await show('profile', 'list');
  await show('config', 'list');
  await show('config', 'path');
  await show('config', 'get', 'base_url');
  await show('doctor');
  const transaction = await change('tx', 'send', 'contract.pdf', ...ADA);
  await show('tx', 'show', transaction.id ?? 'nobody');
  await show('api', 'transaction.detail', '-f', `transactionId=${transaction.id ?? 'nobody'}`);
  const file = join(fixture.folder, '.esign', 'data', 'credentials', 'default.json');
  for (const [name, value] of Object.entries(JSON.parse(await readFile(file, 'utf8')).secrets ?? {}))
    if (typeof value === 'string') derived.set(`${name} of the login`, value);
  await change('logout');
  await change('profile', 'create', 'acme', '--base-url', base_url);
  await change('config', 'set', 'sender', 'Ada <ada@example.com>', '--profile', 'acme');
  await change('config', 'unset', 'sender', '--profile', 'acme');
  await change('profile', 'use', 'sandbox');
  await change('profile', 'delete', 'acme', '--yes');
  server.process.kill('SIGTERM');
  await new Promise((closed) => server.process.once('close', closed));
  printed.push({ line: 'sandbox serve', text: server.said().out + server.said().err });
  ran.add('sandbox serve');
}

/** The state of the sandbox and of the machine. */
async function handleState() {
  await change('sandbox', 'snapshot', 'save', 'saved');
  await show('sandbox', 'snapshot', 'list');
  await change('sandbox', 'snapshot', 'restore', 'saved', '--yes');
  await change('sandbox', 'snapshot', 'delete', 'saved');
  await show('sandbox', 'clock', 'show');
  await change('sandbox', 'clock', 'pause');
  await change('sandbox', 'clock', 'set', '2030-01-01');
  await change('sandbox', 'clock', 'advance', '1h');
  await change('sandbox', 'clock', 'resume');
  await change('sandbox', 'clock', 'reset');
  await change('sandbox', 'faults', 'add', 'user.me', 'latency', '--count', '1');
  await show('sandbox', 'faults', 'list');
  await change('sandbox', 'faults', 'clear');
  await change('sandbox', 'ca', 'export', '-o', 'ca');
  await change('sandbox', 'ca', 'issue', 'localhost', '-o', 'ca');
  await show('sandbox', 'ca', 'issue', 'localhost');
  const hooks =
    'webhooks: [{name: Seeded, endpoint: "https://hooks.example.com", events: [transaction_completed]}]';
  const apps = 'applications: [{name: Seeded, callback_url: "http://127.0.0.1:1/"}]';
  await writeFile(join(fixture.folder, 'world.yaml'), `${hooks}\n${apps}\n`);
  await change('sandbox', 'seed', 'world.yaml');
  await show('sandbox', 'status');
  await change('sandbox', 'export', 'all.zip', '--yes');
  await change('sandbox', 'reset', '--yes');
  await change('sandbox', 'import', 'all.zip');
  await change('sandbox', 'exec', '--', 'true');
  await change('store', 'backup', 'backup.zip');
  await change('store', 'copy', '--to', 'copied');
  await change('store', 'restore', 'backup.zip', '--to', 'restored', '--key-file', 'copied/key');
  await show('help', 'environment');
  await show('commands');
  await show('completion', 'bash');
}

/** Everything secret in the stores of this story. */
type Secrets = { hashes: ReadonlyMap<string, string>; texts: ReadonlyMap<string, string> };

async function secretsOfStores(): Promise<Secrets> {
  const hashes = new Map<string, string>();
  const texts = new Map(derived);
  const folder = join(fixture.folder, '.esign', 'data', 'sandbox');
  const key = await readFile(join(folder, 'key'));
  texts.set('key of the store', key.toString('base64'));
  const keys = createKeys(key, () => new Uint8Array());
  const database = connectSqlite(join(folder, 'store.db'), { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all([]);
  for (const { name: table } of tables as { name: string }[])
    for (const row of database.prepare(`select * from "${table}"`).all([]) as object[])
      for (const [column, value] of Object.entries(row)) {
        if (typeof value !== 'string') continue;
        const name = `${table}.${column}`;
        if (/hash$/.test(column)) hashes.set(value, name);
        if (/_sealed$/.test(column))
          for (const text of secretTextsIn(keys.decrypt(value))) texts.set(`${name} ${texts.size}`, text);
      }
  database.close();
  for (const file of (await readdir(fixture.folder)).filter((file) => file.endsWith('.env')))
    for (const [line, value = ''] of (await readFile(join(fixture.folder, file), 'utf8')).matchAll(
      /=(.*)$/gm,
    ))
      if (line !== '=') texts.set(`${file} ${texts.size}`, value);
  return { hashes, texts };
}

/** A sealed text is a secret itself, or an object or PEM file with secrets in it. */
function secretTextsIn(text: string): string[] {
  const pem = [...text.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\n)+([\w+/=]{40,})/g)].map(
    ([, body = '']) => body,
  );
  const links = [...text.matchAll(/[?&](?:token|signature|code)=([\w-]{16,})/g)].map(
    ([, token = '']) => token,
  );
  const named = [...text.matchAll(/"\w*(?:token|secret|password)":"([^"]{8,})"/g)].map(
    ([, value = '']) => value,
  );
  return [...pem, ...links, ...named, ...(/^[\w+/=.-]{16,}$/.test(text) ? [text] : [])];
}

/** Names the secrets in a text: words whose hash a store has, and texts that are secret. */
function leaksIn(text: string, { hashes, texts }: Secrets): string[] {
  const decoded = text.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
  const words = new Set(decoded.match(/[\w-]{16,}/g) ?? []);
  const byHash = [...words].flatMap((word) => hashes.get(sha256Of(word)) ?? []);
  const byText = [...texts].flatMap(([name, secret]) =>
    text.includes(secret) || decoded.includes(secret) ? [name] : [],
  );
  return [...new Set([...byHash, ...byText])];
}

/** A team server needs PostgreSQL, and `mcp` has a test of its own (test/security/mcp-content.test.ts). */
const ELSEWHERE = [
  'serve',
  'serve migrate',
  'serve ca',
  'serve user add',
  'serve user list',
  'serve user disable',
  'mcp',
];

describe.skipIf(!SLOW)('everything that commands print to a program with a language model', () => {
  let secrets: Secrets;

  beforeAll(async () => {
    fixture = await createStoryFixture();
    await mkdir(fixture.folder, { recursive: true });
    commands = (await describeTree(TREE)).map(({ path }) => path.join(' '));
    await logIn();
    await handleTransactions();
    await handleSecrets();
    // The state is replaced at the end, and the secrets of before are still secret.
    const before = await secretsOfStores();
    await handleState();
    const after = await secretsOfStores();
    secrets = {
      hashes: new Map([...before.hashes, ...after.hashes]),
      texts: new Map([
        ...before.texts,
        ...[...after.texts].map(([name, text]) => [`${name}, later`, text] as const),
      ]),
    };
  }, 300_000);

  afterAll(() => fixture.close());

  test('has no secret of the stores', () => {
    const leaks = printed.flatMap(({ line, text }) => {
      const names = leaksIn(text, secrets);
      return names.length > 0 ? [[line, names]] : [];
    });
    expect(leaks).toEqual([]);
  });

  test('is of every command', () => {
    expect(
      failed.map(([line, code]) => [
        line.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'ID').replace(/http:\S+/, 'URL'),
        code,
      ]),
    ).toEqual([]);
    expect(commands.filter((path) => !ran.has(path)).sort()).toEqual([...ELSEWHERE].sort());
  });

  test('says where something is hidden', () => {
    expect(printed.filter(({ text }) => text.includes(HIDDEN)).length).toBeGreaterThan(20);
    expect([...refused].sort()).toEqual([
      'events listen',
      'sandbox apps create',
      'sandbox apps rotate',
      'sandbox token',
      'sandbox users password',
      'serve user password',
      'token',
      'webhooks create',
      'webhooks rotate',
    ]);
  });

  test('is compared with secrets of every kind', () => {
    const columns = new Set(secrets.hashes.values());
    for (const column of [
      'token.hash',
      'signing_link.token_hash',
      'client.secret_hash',
      'sign_in_link.hash',
      'authorization_code.hash',
    ])
      expect([column, columns.has(column)]).toEqual([column, true]);
    const names = [...secrets.texts.keys()].map((name) => name.split(' ')[0]);
    for (const name of [
      'webhook.secret_sealed',
      'mail.letter_sealed',
      'recipient.token_sealed',
      'orders.env',
      'token.env',
      'password.env',
    ])
      expect([name, names.includes(name)]).toEqual([name, true]);
  });

  test('would show a secret that is revealed', async () => {
    const { out } = await runInProcess(assistedFixture(), ['sandbox', 'token', '--reveal']);
    const { access_token } = JSON.parse(out);
    expect(leaksIn(`{"access_token":"${access_token}"}`, await secretsOfStores())).toEqual(['token.hash']);
  });
});
