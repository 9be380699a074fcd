// Answers the health checks of load balancers: `/healthz` while this process answers, `/readyz` while it can do its work and may get requests.
import { NewerStoreError } from '../../database/database.ts';
import { storageFailureOf } from '../../database/failure.ts';
import type { HealthAnswer, HealthAnswers } from '../http/server.ts';
import type { BucketState, BucketWatch } from '../s3/bucket.ts';
import { answerProbe } from './check-origin.ts';
import type { TeamStore } from './team-store.ts';
import type { ProxyReports } from './trusted-proxies.ts';

export type HealthOptions = {
  isReady: () => boolean;
  /** Names of checks that warned when the node started. */
  warnings: readonly string[];
  proxies: ProxyReports;
  /** Undefined where files are in the database. */
  bucket?: BucketWatch | undefined;
};

const answer = (status: HealthAnswer['status'], facts: Record<string, unknown>): HealthAnswer => ({
  status,
  body: `${JSON.stringify(facts)}\n`,
});

/**
 * The answers of a sandbox, for containers and scripts that wait for it.
 * @param readStore rejects where the store cannot be read
 */
export const createSandboxHealthAnswers = (readStore: () => Promise<unknown>): HealthAnswers => ({
  async '/healthz'() {
    return answer(200, { status: 'ok' });
  },
  async '/readyz'() {
    try {
      await readStore();
      return answer(200, { status: 'ready' });
    } catch (error) {
      const why = storageFailureOf(error)?.why ?? 'it failed';
      return answer(503, {
        status: 'storage_unavailable',
        message: `The sandbox cannot be used now: ${why}.`,
      });
    }
  },
});

export function createHealthAnswers(
  { database, installation, keys }: Pick<TeamStore, 'database' | 'installation' | 'keys'>,
  { isReady, warnings, proxies, bucket }: HealthOptions,
): HealthAnswers {
  return {
    async '/healthz'(request) {
      return answer(200, { status: 'ok', installation, probe: answerProbe(request, keys, proxies) });
    },
    async '/readyz'() {
      if (!isReady()) return answer(503, { status: 'stopping' });
      try {
        await changeNothing(database);
      } catch (error) {
        // Without it, a proxy would find no node for what only reads.
        if (error instanceof NewerStoreError && error.isReadable)
          return answer(200, { status: 'ready', installation, changes: 'refused', message: READS_ONLY });
        const why = storageFailureOf(error)?.why ?? 'it failed';
        const message = `The database cannot be used now: ${why}.`;
        return answer(503, { status: 'database_unavailable', message });
      }
      return answer(200, {
        status: 'ready',
        installation,
        ...(warnings.length > 0 && { warned_at_start: warnings }),
        ...(bucket && describeBucket(await bucket.state())),
      });
    },
  };
}

const READS_ONLY =
  'A newer version of esign has changed the tables. This node still answers what only reads, until a node of that version serves.';

/** A database that does not respond, is read-only, or was upgraded by a newer version refuses even a change of no row. */
const changeNothing = (database: TeamStore['database']) =>
  database.write((db) => db.deleteFrom('meta').where('key', '=', '').execute(), [], 'locked');

/**
 * A node stays ready without its bucket: all nodes share it, so that none would be left for the many requests that need no file. The message
 * names no server, because clients of the service can read it.
 */
const describeBucket = (state: BucketState) =>
  state === 'ok'
    ? { blobs: state }
    : {
        blobs: state,
        message:
          'The bucket cannot be used now, so files are neither read nor stored. Other requests are answered. The log of this node has the reason.',
      };
