// Secrets that commands write to a file instead of printing them: which commands can, and that a file that cannot take them prevents the
// command.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineCommand } from '../../../src/cli/command/command.ts';
import type { CommandContext } from '../../../src/cli/command/context.ts';
import {
  differencesFrom,
  type JsonSchema,
  object,
  prints,
  secret,
  secretsOf,
} from '../../../src/cli/command/json-output.ts';
import { showRecord } from '../../../src/cli/command/record.ts';
import { runWithSecrets } from '../../../src/cli/command/secrets.ts';
import { nodeAt } from '../../../src/cli/command/tree.ts';
import { describeTree, jsonSchemaOf } from '../../../src/cli/describe/describe.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { createStoryFixture, type StoryFixture } from '../../support/stories/story.ts';

const commands = await Promise.all(
  (await describeTree(TREE)).map(async ({ path }) => {
    const command = await nodeAt(path, TREE)?.node.load?.();
    return { path: path.join(' '), command };
  }),
);

/** The names of all properties that are texts, in objects and maps at any depth. */
function textsIn(schema: JsonSchema | string): string[] {
  if (typeof schema === 'string') return [];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
      ...(property.type === 'string' ? [name] : []),
      ...textsIn(property),
    ]),
    ...(schema.items ? textsIn(schema.items) : []),
    ...(schema.anyOf ?? []).flatMap(textsIn),
  ];
}

test('a property that is called like a secret is declared as one', () => {
  const named = commands.flatMap(({ path, command }) => {
    const names = command?.json.flatMap(textsIn) ?? [];
    const secrets = secretsOf(command?.json ?? []);
    return names
      .filter((name) => /(^|_)(token|secret|password)$/.test(name) && !secrets.has(name))
      .map((name) => `${path}: ${name}`);
  });
  expect(named).toEqual([]);
});

test('each command with a secret, and no other, can write it to a file', () => {
  const withSecrets = commands.filter(({ command }) => secretsOf(command?.json ?? []).size > 0);
  const withFile = commands.filter(({ command }) => Object.hasOwn(command?.options ?? {}, 'env-path'));
  expect(withFile.map(({ path }) => path)).toEqual(withSecrets.map(({ path }) => path));
  expect(withSecrets.map(({ path }) => path).sort()).toEqual([
    'events listen',
    'sandbox apps create',
    'sandbox apps rotate',
    'sandbox seed',
    'sandbox token',
    'sandbox users password',
    'serve user password',
    'token',
    'webhooks create',
    'webhooks rotate',
  ]);
});

describe('a command with --env-path', () => {
  let fixture: StoryFixture;
  const esign = (...words: string[]) => runInProcess(fixture, words);
  const pathOf = (name: string) => join(fixture.folder, name);
  const create = ['webhooks', 'create', '-n', 'W', '--event', 'transaction_completed', '--endpoint'];
  const webhook = [...create, 'https://hooks.example.com/x'];
  const countOf = async () =>
    JSON.parse((await esign('webhooks', 'list', '--json')).out).items.length as number;

  beforeAll(async () => {
    fixture = await createStoryFixture();
  });

  afterAll(() => fixture.close());

  test('names the file and the variable, and prints no secret', async () => {
    const { out, err, code } = await esign(...webhook, '--env-path', 'a.env');
    const stored = await readFile(pathOf('a.env'), 'utf8');
    expect(stored).toMatch(/^WEBHOOK_SECRET=whsec_[\w+/]{43}=\n$/);
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('secret\tWEBHOOK_SECRET in a.env\n'),
      expect.stringContaining('Wrote WEBHOOK_SECRET to a.env.\n'),
    ]);
    expect(out + err).not.toContain('whsec_');
  });

  test.each([
    [[...webhook, '--env-name', 'MINE'], ['MINE']],
    [
      ['sandbox', 'apps', 'create', 'Orders', '--callback-url', 'http://127.0.0.1:1/', '--env-name', 'ORD'],
      ['ORD_CLIENT_SECRET', 'ORD_NOTIFICATION_SECRET'],
    ],
    [
      ['sandbox', 'apps', 'create', 'P', '--callback-url', 'http://127.0.0.1:1/', '--public'],
      ['NOTIFICATION_SECRET'],
    ],
    [
      ['sandbox', 'token'],
      ['ESIGN_ACCESS_TOKEN', 'ESIGN_REFRESH_TOKEN'],
    ],
    [['sandbox', 'token', '--raw', '--env-name', 'T'], ['T']],
    [['sandbox', 'token', '--control'], ['ESIGN_CONTROL_SECRET']],
    [['sandbox', 'token', '--code'], ['AUTHORIZATION_CODE']],
    [['sandbox', 'users', 'password'], ['PASSWORD']],
    [['events', 'listen', '--print-secret'], ['WEBHOOK_SECRET']],
  ])('%j writes %j, and its JSON is as described', async (words, names) => {
    const path = words.filter((word) => /^[a-z]+$/.test(word)).join(' ');
    const name = `${path.replaceAll(' ', '-')}-${names[0]}.env`;
    const { out, err, code } = await esign(...words, '--env-path', name, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const json = JSON.parse(out);
    expect(json).toMatchObject({ env_file: name, env_names: names });
    const command = commands.find((entry) => words.join(' ').startsWith(entry.path));
    const schema = await jsonSchemaOf(command?.path.split(' ') ?? [], TREE);
    expect(differencesFrom(schema ?? {}, json)).toEqual([]);
    const stored = (await readFile(pathOf(name), 'utf8')).trimEnd().split('\n');
    expect(stored.map((line) => line.split('=')[0])).toEqual(names);
    for (const line of stored) expect(out).not.toContain(line.slice(line.indexOf('=') + 1));
  });

  test('a seed names the variables after what it makes', async () => {
    const seed = {
      applications: [{ name: 'Order desk', callback_url: 'http://127.0.0.1:1/' }],
      webhooks: [{ name: '1st', endpoint: 'https://hooks.example.com/y', events: ['transaction_completed'] }],
    };
    await writeFile(pathOf('seed.json'), JSON.stringify(seed));
    const words = ['sandbox', 'seed', 'seed.json', '--env-path', 'seed.env', '--json'];
    await writeFile(pathOf('seed.env'), 'ORDER_DESK_CLIENT_SECRET=x\n');
    expect((await esign(...words)).err).toContain('"code":"env_name_taken"');
    const { out, code } = await esign(...words, '--replace');
    expect(code).toBe(0);
    const stored = await readFile(pathOf('seed.env'), 'utf8');
    expect(stored.split('\n').map((line) => line.split('=')[0])).toEqual([
      'ORDER_DESK_CLIENT_SECRET',
      'ORDER_DESK_CLIENT_ID',
      'ORDER_DESK_NOTIFICATION_SECRET',
      '_1ST_SECRET',
      '',
    ]);
    expect(JSON.parse(out)).toMatchObject([
      { kind: 'application', env_file: 'seed.env' },
      { kind: 'webhook', env_file: 'seed.env', env_names: ['_1ST_SECRET'] },
    ]);
  });

  test.each([
    ['env_name_taken', ['--env-path', 'taken.env']],
    ['env_file_unusable', ['--env-path', 'folder']],
    ['env_file_unusable', ['--env-path', 'none/.env']],
    ['value_invalid', ['--env-path', 'b.env', '--env-name', 'A-B']],
    ['options_conflict', ['--env-name', 'A']],
    ['options_conflict', ['--replace']],
  ])('refuses with %s: %j, and creates nothing', async (code, words) => {
    await writeFile(pathOf('taken.env'), 'WEBHOOK_SECRET=1\n');
    await mkdir(pathOf('folder'), { recursive: true });
    const before = await countOf();
    const result = await esign(...webhook, ...words, '--json');
    expect(result).toMatchObject({ code: 2, out: '' });
    expect(JSON.parse(result.err).error).toMatchObject({ code });
    expect(await countOf()).toBe(before);
  });

  test.each([
    ['events', 'listen', '--env-path', 'c.env'],
    ['sandbox', 'users', 'password', '--password-file', 'p', '--env-path', 'c.env'],
    ['sandbox', 'seed', '-', '--env-path', 'c.env'],
  ])('refuses %s %s %s %s', async (...words) => {
    const { code, err } = await esign(...words);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('options_conflict') });
  });

  test('writes only what the call prints alone', async () => {
    const tokens = { access_token: 'tok-a', refresh_token: 'tok-b' };
    const command = defineCommand({
      summary: '',
      arguments: [],
      options: {},
      examples: [],
      json: prints(object({ access_token: secret('A'), refresh_token: secret('B') })),
      secrets: { again: '', printed: () => ['access_token'] },
      run: async () => showRecord(tokens, { access_token: 'A', refresh_token: 'B' }),
    });
    const context = { process: { workingDir: fixture.folder } } as CommandContext;
    const options = { 'env-path': 'one.env', 'env-name': 'T' };
    const outcome = await runWithSecrets(context, command, { args: {}, options });
    expect(await readFile(pathOf('one.env'), 'utf8')).toBe('T=tok-a\n');
    expect(JSON.stringify(outcome)).not.toContain('tok-');
  });

  test('says how to get the secret that could not be written', async () => {
    const command = defineCommand({
      summary: '',
      arguments: [],
      options: {},
      examples: [],
      json: prints(object({ secret: secret('WEBHOOK_SECRET') })),
      secrets: { again: 'Rotate it.' },
      async run() {
        await mkdir(pathOf('late.env'));
        return showRecord({ secret: 'whsec_late' }, { secret: 'Secret' });
      },
    });
    const context = { process: { workingDir: fixture.folder } } as CommandContext;
    const run = runWithSecrets(context, command, { args: {}, options: { 'env-path': 'late.env' } });
    await expect(run).rejects.toMatchObject({
      facts: { code: 'env_file_unwritten', exit: 10, hint: 'Rotate it.' },
    });
  });
});
