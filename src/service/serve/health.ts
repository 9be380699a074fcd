// Answers the health checks of load balancers: `/healthz` while this process answers, `/readyz` while it can do its work and may get requests.
import { storageFailureOf } from '../../database/failure.ts';
import type { HealthAnswer, HealthAnswers } from '../server.ts';
import { answerProbe } from './origin-probe.ts';
import type { TeamStore } from './team-store.ts';
import type { ClientAddress } from './trusted-proxies.ts';

export function createHealthAnswers(
  { database, installation, keys }: Pick<TeamStore, 'database' | 'installation' | 'keys'>,
  { isReady, clientAddress }: { isReady: () => boolean; clientAddress: ClientAddress },
): HealthAnswers {
  const answer = (status: HealthAnswer['status'], facts: Record<string, unknown>): HealthAnswer => ({
    status,
    body: `${JSON.stringify(facts)}\n`,
  });
  return {
    async '/healthz'(request) {
      return answer(200, { status: 'ok', installation, probe: answerProbe(request, keys, clientAddress) });
    },
    async '/readyz'() {
      if (!isReady()) return answer(503, { status: 'stopping' });
      try {
        await changeNothing(database);
        return answer(200, { status: 'ready', installation });
      } catch (error) {
        const why = storageFailureOf(error)?.why;
        return answer(503, { status: 'database_unavailable', ...(why && { why }) });
      }
    },
  };
}

/** A database that does not respond, is read-only, or was upgraded by a newer version refuses even a change of no row. */
const changeNothing = (database: TeamStore['database']) =>
  database.write((db) => db.deleteFrom('meta').where('key', '=', '').execute(), [], 'locked');
