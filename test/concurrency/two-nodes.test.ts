// Two nodes on one PostgreSQL: a transaction is sealed by one of them at a time.
import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DocumentEngine } from '../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../src/pdf/engine/in-process.ts';
import { loadWords } from '../../src/service/web/sign/words.ts';
import { readDetail, refusalOf, signWith, startTransaction } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { sharedPostgres } from '../support/servers/shared-postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EN = await loadWords('en');

const { skip, why } = needsPostgres();

const engine = createInProcessEngine();

/** An engine that waits at a gate before it stamps, and counts what it has begun. */
function gatedEngine() {
  const state = { begun: 0, open: () => {} };
  const gate = new Promise<void>((resolve) => {
    state.open = resolve;
  });
  const gated: DocumentEngine = {
    ...engine,
    async stamp(...asked) {
      state.begun += 1;
      await gate;
      return engine.stamp(...asked);
    },
  };
  return { state, gated };
}

describe.skipIf(skip)(`two nodes${why}`, () => {
  let folder: string;
  let nodes: Harness[];
  let engines: ReturnType<typeof gatedEngine>[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    engines = [gatedEngine(), gatedEngine()];
    nodes = [];
    for (const { gated } of engines)
      nodes.push(await openHarness('on PostgreSQL', { folder, documents: gated }));
  });
  afterEach(async () => {
    for (const { state } of engines) state.open();
    for (const node of nodes) {
      await node.close();
      expect(node.errors).toEqual([]);
    }
    await rm(folder, { recursive: true, force: true });
  });

  test('seal a transaction once: the other node answers at once that it is under way', async () => {
    const [one, other] = nodes as [Harness, Harness];
    const { id, token } = await startTransaction(one);
    const first = signWith(one, token);
    await expect.poll(() => engines[0]?.state.begun).toBe(1);
    expect(await refusalOf(signWith(other, token))).toMatchObject({ code: 'submission_under_way' });
    expect(engines[1]?.state.begun).toBe(0);
    engines[0]?.state.open();
    expect(await first).toMatchObject({ status: 'completed' });
    expect((await readDetail(other, id)).status).toBe('completed');
  });

  test('show on both that the documents are being sealed, and no longer', async () => {
    const [one, other] = nodes as [Harness, Harness];
    const { token } = await startTransaction(one);
    const readPage = async (node: Harness) => {
      const { fetch, origin } = node.service;
      const headers = { accept: 'text/html' };
      const entered = await fetch(new Request(`${origin}/sign?token=${token}`, { headers }));
      const cookie = entered.headers.get('set-cookie')?.split(';')[0];
      if (cookie === undefined) return entered.text();
      const page = new URL(entered.headers.get('location') ?? '', origin);
      return (await fetch(new Request(page, { headers: { ...headers, cookie } }))).text();
    };
    expect(await readPage(other)).not.toContain(EN.sealingTitle);
    const first = signWith(one, token);
    await expect.poll(() => engines[0]?.state.begun).toBe(1);
    for (const node of nodes) expect(await readPage(node)).toContain(EN.sealingTitle);
    engines[0]?.state.open();
    await first;
    expect(await readPage(other)).not.toContain(EN.sealingTitle);
  });

  test('seal it once although the connection with the lock of the first is cut', async () => {
    const [one, other] = nodes as [Harness, Harness];
    const { id, token } = await startTransaction(one);
    const sealing = signWith(one, token);
    await expect.poll(() => engines[0]?.state.begun).toBe(1);
    const [row] = (
      await one.store.database.read((db) =>
        sql<{ name: string }>`select current_database() as name`.execute(db),
      )
    ).rows;
    await sharedPostgres().run(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'esign locks' and datname = '${row?.name}'`,
    );
    const name = `submission of ${id}`;
    await expect.poll(() => other.store.database.isLocked?.(name).catch(() => undefined)).toBe(true);
    expect(await refusalOf(signWith(other, token))).toMatchObject({ code: 'submission_under_way' });
    expect(engines[1]?.state.begun).toBe(0);
    engines[0]?.state.open();
    expect(await sealing).toMatchObject({ status: 'completed' });
    expect(await other.store.database.isLocked?.(name)).toBe(false);
  });

  test('leave no lock after a refusal', async () => {
    const [one, other] = nodes as [Harness, Harness];
    const { token } = await startTransaction(one);
    engines[1]?.state.open();
    expect(
      await refusalOf(one.client['signing.submit']({ query: { token }, body: { values: [] } })),
    ).toMatchObject({
      status: 422,
    });
    expect(await signWith(other, token)).toMatchObject({ status: 'completed' });
  });
});
