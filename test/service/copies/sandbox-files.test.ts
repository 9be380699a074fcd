// Files of `esign sandbox export`: the same bytes again from the sandbox that imports one, which can continue with what was exported.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exportSandbox, importSandbox } from '../../../src/service/copies/sandbox-files.ts';
import { readRootsOfStore } from '../../../src/service/sealing/embedded-sealing.ts';
import {
  currentToken,
  endTransaction,
  eventTypesOf,
  readDetail,
  signWith,
  startTransaction,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { IMPORT_FACTS, rewriteExport, SANDBOX_FACTS } from '../../support/stores/exported-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

let harness: Harness;
let place: string;
let file: string;

beforeEach(async () => {
  [harness, place] = await Promise.all([openHarness('in process'), temporaryFolder()]);
  file = join(place, 'sandbox.zip');
});
afterEach(async () => {
  await harness.close();
  await rm(place, { recursive: true, force: true });
  expect(harness.errors).toEqual([]);
});

const write = (secrets: boolean, path = file, folder = harness.folder) =>
  exportSandbox(folder, path, { ...SANDBOX_FACTS, secrets });

const read = (folder: string, { replaces }: { replaces: boolean } = { replaces: false }) =>
  importSandbox(file, folder, { ...IMPORT_FACTS, replaces });

/** Uses a sandbox that has imported the file. */
async function withOther(folder: string, use: (other: Harness) => Promise<void>): Promise<void> {
  const other = await openHarness('in process', { folder });
  try {
    await use(other);
    expect(other.errors).toEqual([]);
  } finally {
    await other.close();
  }
}

describe.each(
  sampleOf(
    [
      ['with secrets', true],
      ['without secrets', false],
    ],
    2,
  ),
)('a file %s', (_, secrets) => {
  test('has the same bytes when the sandbox that imported it is exported, and the state can be used there', async () => {
    const { id } = await startTransaction(harness);
    await harness.client['sandbox.pause_clock']({ body: { at: '2030-01-01T00:00:00.000Z' } });
    await harness.client['sandbox.add_fault']({ body: { operation: 'user.me', kind: 'slow-body' } });
    await write(secrets);
    const other = join(place, 'other');
    const { contents } = await read(other);
    expect(contents.tables.find(({ name }) => name === 'transaction')?.rows).toBe(1);
    const again = join(place, 'again.zip');
    await write(secrets, again, other);
    expect((await readFile(again)).equals(await readFile(file))).toBe(true);
    await withOther(other, async (imported) => {
      expect((await imported.client['sandbox.clock']()).now).toBe('2030-01-01T00:00:00.000Z');
      expect((await imported.client['sandbox.list_faults']()).items).toHaveLength(1);
      const token = await currentToken(imported, id);
      expect(token === (await currentToken(harness, id))).toBe(secrets);
      // The letter leads to the address of this sandbox, with the token that the transaction has here.
      const { items } = await imported.client['sandbox.mail']({ query: {} });
      expect(items[0]?.body).toContain(`${imported.baseUrl}/sign?token=${token}`);
      await signWith(imported, token);
      expect(await eventTypesOf(imported, id)).toContain('transaction_completed');
    });
  });

  test.skipIf(!SLOW)(
    'is the same for each export of a state, and can be read by its owner only',
    async () => {
      await startTransaction(harness);
      await write(secrets);
      const bytes = await readFile(file);
      await writeFile(join(place, 'again.zip'), 'replaced', { mode: 0o644 });
      await write(secrets, join(place, 'again.zip'));
      expect((await readFile(join(place, 'again.zip'))).equals(bytes)).toBe(true);
      expect((await stat(join(place, 'again.zip'))).mode & 0o777).toBe(0o600);
      expect(await readdir(place)).toEqual(['again.zip', 'sandbox.zip']);
    },
  );
});

type Filled = [string, (own: Harness) => Promise<unknown>];

const FILLED: Filled[] = [
  ['transactions', (own) => startTransaction(own)],
  ['users', ({ client }) => client['sandbox.add_user']({ body: { name: 'Ada', email: 'ada@example.com' } })],
  ['a password', ({ client }) => client['sandbox.set_password']({ body: { password: 'correct horse' } })],
  ['access tokens', ({ client }) => client['sandbox.token']({ body: {} })],
  [
    'applications',
    ({ client }) =>
      client['sandbox.add_client']({ body: { name: 'A', callback_url: 'http://127.0.0.1:9/' } }),
  ],
  [
    'a clock that was moved',
    ({ client }) => client['sandbox.set_clock']({ body: { to: '2030-01-01T00:00:00.000Z' } }),
  ],
  ['faults', ({ client }) => client['sandbox.add_fault']({ body: { operation: '*', kind: 'rate-limit' } })],
];

test.each(sampleOf(FILLED, 7))(
  'a sandbox with %s takes no file over, unless everything in it is to be replaced',
  async (_, fill) => {
    await write(true);
    await fill(harness);
    const state = join(place, 'state.zip');
    await write(true, state);
    await expect(read(harness.folder)).rejects.toMatchObject({ code: 'store_not_empty' });
    const after = join(place, 'after.zip');
    await write(true, after);
    expect((await readFile(after)).equals(await readFile(state))).toBe(true);
    await read(harness.folder, { replaces: true });
    await write(true, after);
    expect((await readFile(after)).equals(await readFile(file))).toBe(true);
    expect((await readdir(harness.folder)).filter((name) => name.startsWith('incoming'))).toEqual([]);
  },
);

test.skipIf(!SLOW)(
  'a process that uses the sandbox continues with the new state, its own user and its own address',
  async () => {
    const { id } = await startTransaction(harness);
    await write(true);
    const { token } = await startTransaction(harness);
    const { origin } = await harness.client['sandbox.status']();
    await read(harness.folder, { replaces: true });
    expect(await harness.client['sandbox.status']()).toMatchObject({ origin, transactions: { started: 1 } });
    expect((await readDetail(harness, id)).status).toBe('started');
    await expect(signWith(harness, token)).rejects.toMatchObject({ code: 'signing_link_invalid' });
    const next = await startTransaction(harness);
    await signWith(harness, next.token);
    expect((await readDetail(harness, next.id)).status).toBe('completed');
  },
);

describe('the certificate authority of a file', () => {
  const rootOf = async (folder: string) => (await readRootsOfStore(folder)).certificates.map(sha256);
  const importWith = async (folder: string, wanted: boolean) => {
    const asked: string[] = [];
    const wantsAuthority = async (root: string) => {
      asked.push(root);
      return wanted;
    };
    const { authority } = await importSandbox(file, folder, {
      ...SANDBOX_FACTS,
      replaces: true,
      wantsAuthority,
    });
    return { authority, asked, roots: await rootOf(folder), at: (await readRootsOfStore(folder)).importedAt };
  };
  let foreign: string[];
  let own: string[];
  beforeEach(async () => {
    await endTransaction(harness, 'completed');
    await harness.client['sandbox.issue_certificate']({ body: { names: ['localhost'] } });
    foreign = await rootOf(harness.folder);
    await write(true);
    await withOther(join(place, 'own'), async (other) => void (await endTransaction(other, 'completed')));
    own = await rootOf(join(place, 'own'));
    expect(own).not.toEqual(foreign);
  });

  test('replaces that of a sandbox only where it is wanted, and its day is known', async () => {
    const folder = join(place, 'own');
    expect(await importWith(folder, false)).toEqual({
      authority: 'not_imported',
      asked: foreign,
      roots: own,
      at: undefined,
    });
    await withOther(folder, async (other) => void (await endTransaction(other, 'completed')));
    expect(await rootOf(folder)).toEqual(own);
    expect(await importWith(folder, true)).toMatchObject({
      authority: 'imported',
      roots: foreign,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    // The same file again brings nothing new.
    expect(await importWith(folder, false)).toMatchObject({ authority: 'kept', asked: [], roots: foreign });
  });

  test('does not become that of a sandbox that has none yet', async () => {
    const { roots, asked } = await importWith(join(place, 'new'), false);
    expect({ roots, asked }).toEqual({ roots: [], asked: foreign });
  });

  test('stays where a file of the same sandbox, or one that sealed nothing yet, is imported', async () => {
    expect(await importWith(harness.folder, false)).toMatchObject({ authority: 'kept', roots: foreign });
    await withOther(join(place, 'empty'), async () => undefined);
    await write(true, file, join(place, 'empty'));
    expect(await importWith(harness.folder, false)).toMatchObject({ authority: 'kept', roots: foreign });
  });

  test('is not asked about where a file has none, and its certificates of companies are left out', async () => {
    await rewriteExport(file, join(place, 'without.zip'), {
      rows: (table, rows) =>
        table === 'authority' ? rows.filter(({ id }) => id !== 'authority' && id !== 'loopback') : rows,
    });
    file = join(place, 'without.zip');
    const folder = join(place, 'own');
    expect(await importWith(folder, true)).toMatchObject({ authority: 'kept', asked: [], roots: own });
    await write(true, join(place, 'after.zip'), folder);
    const ids: unknown[] = [];
    await rewriteExport(join(place, 'after.zip'), join(place, 'read.zip'), {
      rows(table, rows) {
        if (table === 'authority') ids.push(...rows.map(({ id }) => id));
        return rows;
      },
    });
    expect(ids).toEqual(['authority']);
  });

  test('is refused where it cannot be read', async () => {
    for (const content_sealed of ['', '{', '{"root":{}}', 'null']) {
      await rewriteExport(file, join(place, 'unreadable.zip'), {
        rows: (table, rows) =>
          table === 'authority' ? rows.map((row) => ({ ...row, content_sealed })) : rows,
      });
      const { message } = await importSandbox(join(place, 'unreadable.zip'), join(place, 'own'), {
        ...IMPORT_FACTS,
        replaces: true,
      }).then(
        () => new Error('The file was imported.'),
        (error: Error) => error,
      );
      expect({ content_sealed, message }).toMatchObject({
        content_sealed,
        message: expect.stringContaining('its certificate authority cannot be read'),
      });
      expect(await rootOf(join(place, 'own'))).toEqual(own);
    }
  });

  test('is asked about where only the authority of servers is another one', async () => {
    await rewriteExport(file, join(place, 'changed.zip'), {
      rows: (table, rows) => (table === 'authority' ? rows.filter(({ id }) => id === 'loopback') : rows),
    });
    file = join(place, 'changed.zip');
    const { asked, authority, roots } = await importWith(join(place, 'own'), false);
    expect({ authority, roots, asked: asked.length }).toEqual({
      authority: 'not_imported',
      roots: own,
      asked: 1,
    });
  });
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
