// Every two changes of a transaction at the same moment, on three nodes of one PostgreSQL whose clocks differ by milliseconds: what may happen
// once happens once, and all nodes tell the same afterwards.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInconsistencies } from '../support/assert-consistent.ts';
import {
  ADA,
  createDraft,
  type Draft,
  eventTypesOf,
  fieldFor,
  readDetail,
  startTransaction,
  updateBodyOf,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FULL, shareOf } from '../support/tier.ts';

const { skip, why } = needsPostgres();

const ROUNDS = FULL ? 50 : 2;

/** How far the clock of each node is ahead of that of the first one. */
const AHEAD_MS = [0, 3, -4];

type Situation = Draft & { token: string };
type Change = (node: Harness, situation: Situation) => Promise<unknown>;

const params = ({ id }: Situation) => ({ transactionId: id });

/** Changes that succeed once in the life of a transaction, and of which one ends it for the others. */
const ENDINGS: Record<string, Change> = {
  cancel: ({ client }, of) =>
    client['transaction.cancel']({ params: params(of), body: { cancelled_reason: 'Not needed' } }),
  expire: ({ client }, of) => client['sandbox.expire']({ params: params(of), body: {} }),
  reject: ({ client }, { token }) =>
    client['signing.reject']({ query: { token }, body: { reason: 'Not agreed' } }),
  submit: async ({ client }, { token, detail }) => {
    const values = detail.template.fields.map(({ id }) => ({ field_id: id, value: ADA.name }));
    return client['signing.submit']({ query: { token }, body: { values } });
  },
};

const START: Change = ({ client }, of) => client['transaction.start']({ params: params(of) });
const REMIND: Change = ({ client }, of) => client['transaction.remind']({ params: params(of) });

const EDITS: Record<string, Change> = {
  update: ({ client }, of) =>
    client['transaction.update']({
      params: params(of),
      body: updateBodyOf(of.detail, { name: 'Renamed' }),
    }),
  'set fields': ({ client }, of) =>
    client['transaction.fields']({ params: params(of), body: { fields: [fieldFor(of, ADA.email)] } }),
  'add a document': async (node, of) => {
    const token = await uploadContract(node, 'annex.pdf');
    return node.client['transaction.add_document']({ params: params(of), body: { token } });
  },
};

/** Addresses of files are signed with the time of the node that is asked. */
const withoutSignatures = (detail: unknown): string =>
  JSON.stringify(detail).replaceAll(/\?expires=\d+&signature=[\w-]+/g, '');

/** Each name with itself and with those after it. */
const pairsOf = (names: readonly string[]): [string, string][] =>
  names.flatMap((name, index) => names.slice(index).map((other): [string, string] => [name, other]));

const OF_DRAFTS: Record<string, Change> = {
  ...EDITS,
  start: START,
  remind: REMIND,
  cancel: ENDINGS.cancel as Change,
};
const OF_STARTED: Record<string, Change> = {
  ...ENDINGS,
  remind: REMIND,
  start: START,
  update: EDITS.update as Change,
};

describe.skipIf(skip)(`two changes at the same moment on three nodes${why}`, () => {
  let folder: string;
  let nodes: Harness[];
  beforeAll(async () => {
    folder = await temporaryFolder();
    nodes = [];
    for (const ms of AHEAD_MS) {
      const node = await openHarness('on PostgreSQL', { folder });
      node.clock.advance(ms);
      nodes.push(node);
    }
  });
  afterAll(async () => {
    expect(await findInconsistencies(first().store)).toEqual([]);
    for (const node of nodes) {
      await node.close();
      expect(node.errors).toEqual([]);
    }
    await rm(folder, { recursive: true, force: true });
  });
  const first = () => nodes[0] as Harness;

  /** Sends both at once, by other nodes each time. @returns the code of each refusal, or undefined */
  async function sendBoth(changes: [Change, Change], situation: Situation, round: number) {
    return Promise.all(
      changes.map(async (change, index) => {
        const node = nodes[(round + index) % nodes.length] as Harness;
        return change(node, situation).then(
          () => undefined,
          ({ status, code }: { status: number; code: string }) => {
            expect([code, status < 500]).toEqual([code, true]);
            return code;
          },
        );
      }),
    );
  }

  /** What must be true whatever happened. */
  async function expectOneStory(id: string): Promise<void> {
    const details = await Promise.all(
      nodes.map(async (node) => withoutSignatures(await readDetail(node, id))),
    );
    for (const detail of details) expect(detail).toEqual(details[0]);
    const events = await eventTypesOf(first(), id);
    expect(new Set(events).size, String(events)).toBe(events.length);
    const { items } = await first().client['sandbox.mail']({ query: { transaction_id: id } });
    const kinds = items.map(({ kind, to }) => `${kind} ${to}`);
    expect(new Set(kinds).size, String(kinds)).toBe(kinds.length);
  }

  test.each(shareOf(pairsOf(Object.keys(OF_DRAFTS)), 3))('of a draft: %s × %s', async (one, other) => {
    const changes: [Change, Change] = [OF_DRAFTS[one] as Change, OF_DRAFTS[other] as Change];
    for (let round = 0; round < ROUNDS; round += 1) {
      const draft = await createDraft(first());
      await first().client['transaction.fields']({
        params: { transactionId: draft.id },
        body: { fields: [fieldFor(draft, ADA.email)] },
      });
      const refusals = await sendBoth(changes, { ...draft, token: '' }, round);
      if (one === 'start' && other === 'start')
        expect(refusals.filter((code) => code === undefined)).toHaveLength(1);
      await expectOneStory(draft.id);
    }
  });

  test.each(shareOf(pairsOf(Object.keys(OF_STARTED)), 3))('of a started one: %s × %s', async (one, other) => {
    const changes: [Change, Change] = [OF_STARTED[one] as Change, OF_STARTED[other] as Change];
    const isOnce = one === other || (one in ENDINGS && other in ENDINGS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = await startTransaction(first());
      const refusals = await sendBoth(changes, started, round);
      const done = refusals.filter((code) => code === undefined);
      if (one === 'start' || one === 'update') expect(done).toHaveLength(0);
      else if (isOnce) expect(done, String(refusals)).toHaveLength(1);
      await expectOneStory(started.id);
    }
  });
});
