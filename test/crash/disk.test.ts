// A store whose disk is full, or whose folder goes away while it is served: what was acknowledged is there, and nothing is
// acknowledged that is not.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DamagedStoreError } from '../../src/database/database.ts';
import { exportSandbox, importSandbox } from '../../src/service/copies/sandbox-files.ts';
import { openStore } from '../../src/service/store/store.ts';
import { refusalOf, uploadContract } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { FACTS } from '../support/stores/databases.ts';
import { IMPORT_FACTS, SANDBOX_FACTS } from '../support/stores/exported-sandbox.ts';
import { SLOW, sampleOf } from '../support/tier.ts';
import { needsMount } from '../support/tools.ts';

let root: string;
let harness: Harness | undefined;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'esign-disk-'));
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  // Immediate for other processes, final when nothing there is open any more: drivers release it when memory is swept.
  spawnSync('umount', ['--lazy', join(root, 'small')]);
  await rm(root, { recursive: true, force: true });
});

type Answers = { created: string[]; refused: { status: number; code: string }[] };

/** Creates, several at a time, until `isEnough`. */
async function createUntil({ client }: Harness, isEnough: (answers: Answers) => boolean): Promise<Answers> {
  const answers: Answers = { created: [], refused: [] };
  const create = async () => {
    try {
      const { id } = await client['transaction.create']({ body: { name: 'x'.repeat(200) } });
      answers.created.push(id);
    } catch (error) {
      const { status, code } = error as { status: number; code: string };
      answers.refused.push({ status, code });
    }
  };
  while (!isEnough(answers)) await Promise.all(Array.from({ length: 8 }, create));
  return answers;
}

async function idsIn(folder: string): Promise<Set<string>> {
  const { database } = await openStore(folder, FACTS);
  const rows = await database.read((db) => db.selectFrom('transaction').select('id').execute());
  await database.close();
  return new Set(rows.map(({ id }) => id));
}

type Removal = [string, (folder: string) => Promise<unknown>];

const LOG_ALONE: Removal = ['with its log alone', (folder) => rm(join(folder, 'store.db-wal'))];

describe('a store that is removed while it is served', () => {
  const REMOVALS: Removal[] = [
    ['with its folder', (folder) => rm(folder, { recursive: true, force: true, maxRetries: 20 })],
    ['but for its folder', (folder) => rm(join(folder, 'store.db'))],
    LOG_ALONE,
    [
      'and replaced by another one',
      async (folder) => {
        await rename(folder, `${folder}.old`);
        await (await openStore(folder, FACTS)).database.close();
      },
    ],
  ];

  test.each(sampleOf(REMOVALS, 4))('%s acknowledges nothing any more', async (_, remove) => {
    const folder = join(root, 'sandbox');
    harness = await openHarness('over HTTP', { folder });
    await createUntil(harness, ({ created }) => created.length > 10);
    const running = createUntil(harness, ({ refused }) => refused.length > 40);
    await remove(folder);
    const late = await createUntil(harness, ({ created, refused }) => created.length + refused.length > 20);
    expect(late.created).toEqual([]);
    expect(new Set(late.refused.map(({ code }) => code))).toEqual(new Set(['storage_damaged']));
    expect((await running).refused[0]).toEqual({ status: 500, code: 'storage_damaged' });
    expect(await refusalOf(uploadContract(harness))).toMatchObject({ code: 'storage_damaged' });
    // Reads look now and then.
    await expect
      .poll(() => refusalOf((harness as Harness).client['sandbox.status']()).catch(() => undefined))
      .toMatchObject({ code: 'storage_damaged' });
    expect(harness.errors.splice(0).every((error) => error instanceof DamagedStoreError)).toBe(true);
  });

  test.skipIf(!SLOW)('continues when it is put back', async () => {
    const folder = join(root, 'sandbox');
    harness = await openHarness('over HTTP', { folder });
    await createUntil(harness, ({ created }) => created.length > 10);
    await rename(folder, `${folder}.away`);
    await createUntil(harness, ({ refused }) => refused.length > 0);
    await rename(`${folder}.away`, folder);
    const { created, refused } = await createUntil(harness, (answers) => answers.created.length > 10);
    expect(refused).toEqual([]);
    await harness.close();
    harness = undefined;
    const there = await idsIn(folder);
    expect(created.filter((id) => !there.has(id))).toEqual([]);
  });
});

const mount = needsMount();

describe.skipIf(mount.skip)(`a disk that is full${mount.why}`, () => {
  test('is named; what was acknowledged is there, and everything continues when there is space again', async () => {
    const disk = join(root, 'small');
    const folder = join(disk, 'sandbox');
    await mkdir(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status).toBe(0);
    const ballast = join(disk, 'ballast');
    await writeFile(ballast, new Uint8Array(1024 * 1024));
    harness = await openHarness('in process', { folder });
    const first = await createUntil(harness, ({ refused }) => refused.length > 20);
    expect(new Set(first.refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['507 storage_full']),
    );
    expect(first.created.length).toBeGreaterThan(100);
    const large = new Uint8Array(2 * 1024 * 1024);
    large.set(new TextEncoder().encode('%PDF-1.7\n'));
    const uploading = harness.client['file.upload']({ form: {}, file: { name: 'a.pdf', content: large } });
    expect(await refusalOf(uploading)).toMatchObject({ status: 507, code: 'storage_full' });
    expect((await harness.client['sandbox.status']()).transactions.draft).toBe(first.created.length);
    await rm(ballast);
    const second = await createUntil(harness, ({ created }) => created.length > 10);
    expect(second.refused).toEqual([]);
    harness.errors.splice(0);
    await harness.close();
    harness = undefined;
    const there = await idsIn(folder);
    expect([...there].sort()).toEqual([...first.created, ...second.created].sort());
  });

  test('takes neither an export nor an import, and nothing of them is left', async () => {
    const disk = join(root, 'small');
    await mkdir(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]).status).toBe(0);
    harness = await openHarness('in process', { folder: join(root, 'sandbox') });
    const sha256 = await harness.store.blobs.put(new Uint8Array(4 * 1024 * 1024));
    const picture = { pdf_sha256: sha256, page: 1, dpi: 110, sha256, exceeded: null, tried_at: FACTS.now() };
    await harness.store.database.write((db) => db.insertInto('picture').values(picture).execute());
    const [file, there] = [join(root, 'large.zip'), join(disk, 'sandbox.zip')];
    await writeFile(there, 'what was there');
    const facts = { ...SANDBOX_FACTS, secrets: true };
    const full = { code: 'storage_full' };
    await expect(exportSandbox(harness.folder, there, facts)).rejects.toMatchObject(full);
    expect(await readdir(disk)).toEqual(['sandbox.zip']);
    expect(await readFile(there, 'utf8')).toBe('what was there');
    await exportSandbox(harness.folder, file, facts);
    const target = join(disk, 'sandbox');
    const importing = importSandbox(file, target, { ...IMPORT_FACTS, replaces: false });
    await expect(importing).rejects.toMatchObject(full);
    expect((await readdir(target)).filter((name) => name.startsWith('incoming'))).toEqual([]);
    expect(await readdir(join(target, 'blobs'))).toEqual([]);
    expect(await idsIn(target)).toEqual(new Set());
  });
});
