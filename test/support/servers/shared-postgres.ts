// Starts one PostgreSQL for all test files of a run in the slow tier, before the first of them. Each test has databases of its own there.
// Nothing on it survives a power cut, which makes it faster; tests of crashes start their own.
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import {
  accessPostgres,
  needsPostgres,
  type PostgresAccess,
  startPostgresServer,
} from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresPort: number;
  }
}

/** Called by vitest. @returns what ends it */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (needsPostgres().skip) return async () => undefined;
  const server = await startPostgresServer({ fsync: 'off', synchronous_commit: 'off' });
  project.provide('postgresPort', server.port);
  return () => server.close();
}

export const sharedPostgres = (): PostgresAccess => accessPostgres(inject('postgresPort'));
