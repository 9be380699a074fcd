// Prepares the database of a team server for tests: a user with an access token, the key, and the variables of its nodes.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withBearer } from '../../../src/api/transport.ts';
import { transportOver } from '../../../src/api/web.ts';
import { createStrictClient } from '../strict-client.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { PostgresAccess } from './postgres-server.ts';
import { sharedPostgres } from './shared-postgres.ts';
import { addTeamToken } from './team-access.ts';

export type TeamDatabase = {
  env: Record<string, string>;
  token: string;
  folder: string;
  close(): Promise<void>;
};

/** Needs PostgreSQL, and the slow tier. @param server where the database is made, if not on the one that tests share */
export async function prepareTeamDatabase(server: PostgresAccess = sharedPostgres()): Promise<TeamDatabase> {
  const folder = await temporaryFolder();
  const [url, key] = [await server.createDatabase(), randomBytes(32)];
  await writeFile(join(folder, 'key'), key.toString('hex'));
  const token = await addTeamToken({ url, key, folder: join(folder, 'copies'), migrates: true });
  return {
    token,
    folder,
    env: {
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(folder, 'key'),
      ESIGN_SERVE_ALLOW: 'mail',
    },
    async close() {
      await server.dropDatabase(url);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a client of a node. @param headers of each request */
export const createTeamClient = (url: string, token: string, headers: Record<string, string> = {}) =>
  createStrictClient({
    baseUrl: url,
    transport: withBearer(
      transportOver((request) => {
        for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
        return fetch(request);
      }),
      { token: () => token },
    ),
  });
