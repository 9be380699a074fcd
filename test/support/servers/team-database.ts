// Prepares the database of a team server for tests: a user with an access token, the key, and the variables of its nodes.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transportOver, withBearer } from '../../../src/api/transport.ts';
import { createStrictClient } from '../strict-client.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { PostgresAccess } from './postgres-server.ts';
import { sharedPostgres } from './shared-postgres.ts';
import type { SwiftServer } from './swift-server.ts';
import { addTeamToken } from './team-access.ts';

export type TeamBucket = {
  swift: SwiftServer;
  /** `s3://BUCKET/PREFIX` */
  location: string;
};

export type TeamDatabase = {
  url: string;
  key: Uint8Array;
  env: Record<string, string>;
  token: string;
  folder: string;
  close(): Promise<void>;
};

/** Needs PostgreSQL, and the slow tier. @param options the server, if not the one that tests share; the bucket for the files, at a server that runs */
export async function prepareTeamDatabase({
  server = sharedPostgres(),
  bucket,
}: {
  server?: PostgresAccess;
  bucket?: TeamBucket;
} = {}): Promise<TeamDatabase> {
  const folder = await temporaryFolder();
  const [url, key] = [await server.createDatabase(), randomBytes(32)];
  await writeFile(join(folder, 'key'), key.toString('hex'), { mode: 0o600 });
  const s3 = bucket && { location: bucket.location, access: bucket.swift.access };
  const token = await addTeamToken({ url, key, folder: join(folder, 'copies'), migrates: true, s3 });
  return {
    token,
    folder,
    env: {
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(folder, 'key'),
      ESIGN_SERVE_ALLOW: 'mail',
      ...bucket?.swift.env(bucket.location),
    },
    url,
    key,
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
