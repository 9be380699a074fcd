// Answers the health checks of load balancers: `/healthz` while this process answers, `/readyz` while it can do its work and may get requests.
import type { HealthAnswer, HealthAnswers } from '../server.ts';
import { countMigrations } from '../store/migrations.ts';
import type { TeamStore } from './team-store.ts';

export function createHealthAnswers(
  { database, installation }: Pick<TeamStore, 'database' | 'installation'>,
  isReady: () => boolean,
): HealthAnswers {
  const answer = (status: HealthAnswer['status'], facts: Record<string, unknown>): HealthAnswer => ({
    status,
    body: `${JSON.stringify(facts)}\n`,
  });
  return {
    '/healthz': async () => answer(200, { status: 'ok', installation }),
    async '/readyz'() {
      if (!isReady()) return answer(503, { status: 'stopping' });
      try {
        await database.read(countMigrations);
        return answer(200, { status: 'ready', installation });
      } catch {
        return answer(503, { status: 'database_unavailable' });
      }
    },
  };
}
