// Hands a team server over to a newer version that has changed the tables: a node says which tables it serves with, and nodes of an older
// version end when they read that one serves with newer ones than they know.
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../../api/contract/limits.ts';
import { NewerStoreError } from '../../database/database.ts';
import { migrations, schemaVersion } from '../store/migrations.ts';
import type { Db } from '../store/schema.ts';
import type { TeamStore } from './team-store.ts';

type Served = Pick<TeamStore, 'database'>;

/** The key of the row with the newest migration of a version that serves, or has served. */
const SERVED_SCHEMA = 'served_schema';

/** Each round in which a node of the older version still takes requests is a round in which it refuses changes. */
const LOOK_EVERY_MS = 200;

async function readServedSchema(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', SERVED_SCHEMA).executeTakeFirst();
  return row?.value;
}

/** Stores that a node of this version serves. */
export async function announceServing({ database }: Served): Promise<void> {
  const value = schemaVersion('postgres');
  try {
    if ((await database.read(readServedSchema)) === value) return;
    await database.write(
      (db) =>
        db
          .insertInto('meta')
          .values({ key: SERVED_SCHEMA, value })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
          .execute(),
      [],
      'locked',
    );
  } catch (error) {
    // A newer version has changed the tables since this node was opened: it ends as other nodes of its version do.
    if (!(error instanceof NewerStoreError)) throw error;
  }
}

export type Handover = {
  /** False when load balancers are to see that another node takes the requests. */
  isReady(): boolean;
  /** Resolves when this node can end, or when it is aborted. */
  untilReplaced(signal: AbortSignal): Promise<void>;
};

/** Load balancers find the newer node before they lose this one, which goes on answering what only reads. */
export function createHandover(store: Served): Handover {
  let isReady = true;
  const wait = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => undefined);
  return {
    isReady: () => isReady,
    async untilReplaced(signal) {
      await waitForNewerNode(store, signal);
      await wait(LIMITS.replacedReadyMs, signal);
      isReady = false;
      await wait(LIMITS.replacedNotReadyMs, signal);
    },
  };
}

/** Resolves when a node serves whose migrations this version does not know, or when it is aborted. */
async function waitForNewerNode({ database }: Served, signal: AbortSignal): Promise<void> {
  const names = migrations('postgres').map(({ name }) => name);
  while (!signal.aborted) {
    // A database that cannot be read now is read again in the next round.
    const served = await database.read(readServedSchema).catch(() => undefined);
    if (served !== undefined && !names.includes(served)) return;
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
