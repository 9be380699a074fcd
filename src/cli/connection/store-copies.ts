// Copies, backs up and restores whole stores. Beside sandbox.ts and team-server.ts, it is the only file of the command line that imports the
// service.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { instantOf } from '../../common/instant.ts';
import { ConfigError, type Paths, type Variables } from '../../config/environment.ts';
import { readS3Access } from '../../config/s3.ts';
import { checkDatabase, readServeDatabase, readServeKey } from '../../config/serve.ts';
import { parseServeSetting } from '../../config/serve-settings.ts';
import { makeTrustedFolder, mustTrust } from '../../files/trust.ts';
import { trustAuthorities } from '../../http/authorities.ts';
import { systemClock } from '../../service/clock.ts';
import * as sandboxFiles from '../../service/copies/sandbox-files.ts';
import * as stores from '../../service/copies/stores.ts';
import { timeOrderedIds } from '../../service/store/rows.ts';
import { fileMask } from '../process/edges.ts';
import { authoritiesOf } from './certificate-authorities.ts';
import type { SandboxFileResult, StoreCopies, StoreCopyResult } from './connection.ts';
import { describeDatabase } from './describe-database.ts';

export type StoreCopiesParts = {
  variables: Variables;
  workingDir: string;
  paths: Paths;
  abort: AbortSignal;
};

type NamedPlace = { place: stores.Place; name: string };

export function createStoreCopies({ variables, workingDir, paths, abort }: StoreCopiesParts): StoreCopies {
  fileMask();
  const pathOf = (path: string) => resolve(workingDir, path);
  const newId = timeOrderedIds(systemClock);
  const bucketAt: stores.BucketOpener = async (location) => {
    const access = await readS3Access({ options: {}, variables });
    const authorities = await authoritiesOf({ variables, workingDir });
    if (authorities) trustAuthorities(authorities);
    const { openBucket } = await import('../../service/s3/bucket.ts');
    return openBucket(
      { location, access },
      { now: () => instantOf(systemClock()), newId, random: randomBytes },
    );
  };
  const targetOf = (location: string, blobs: string | undefined): NamedPlace => {
    const to = placeOf(location, '--to');
    if (blobs === undefined) return to;
    if ('folder' in to.place)
      throw new ConfigError(
        'value_invalid',
        `--to-blobs is for a database, but ${to.name} is a directory.`,
        'Set --to to the URL of a database, or leave out --to-blobs.',
      );
    return { ...to, place: { ...to.place, blobs: parseServeSetting('blobs', blobs, '--to-blobs') } };
  };
  const placeOf = (location: string, option: string): NamedPlace => {
    if (/^[a-z]+:\/\//i.test(location)) {
      const database = checkDatabase(location, option);
      return { place: { database }, name: describeDatabase(database) };
    }
    const folder = pathOf(location);
    mustTrust(folder);
    return { place: { folder }, name: folder };
  };
  /** Without --from: the database of a team server where one is set, or else the sandbox of this machine. */
  const sourceOf = async (location: string | undefined): Promise<NamedPlace> => {
    const database = location === undefined ? await readServeDatabase(variables) : undefined;
    return placeOf(
      location ?? database ?? paths.sandboxDir,
      location === undefined ? 'ESIGN_SERVE_DATABASE' : '--from',
    );
  };
  const options = async (keyFile: string | undefined) => ({
    key: await readServeKey(keyFile === undefined ? undefined : pathOf(keyFile), variables),
    newId,
    bucketAt,
    signal: abort,
  });
  const sandboxFacts = () => {
    makeTrustedFolder(paths.sandboxDir);
    return { now: () => instantOf(systemClock()), newId, random: randomBytes, signal: abort };
  };
  return {
    async copy(location, { to: target, blobs }, keyFile) {
      const from = await sourceOf(location);
      const to = targetOf(target, blobs);
      return resultOf(from, to, await stores.copyBetween(from.place, to.place, await options(keyFile)));
    },
    async backUp(location, file) {
      const from = await sourceOf(location);
      const to = { name: pathOf(file) };
      return resultOf(from, to, await stores.backUp(from.place, to.name, await options(undefined)));
    },
    async restore(file, { to: target, blobs }, keyFile) {
      const to = targetOf(target, blobs);
      const from = { name: pathOf(file) };
      return resultOf(from, to, await stores.restore(from.name, to.place, await options(keyFile)));
    },
    async exportSandbox(file, { secrets }) {
      const path = pathOf(file);
      const facts = { ...sandboxFacts(), secrets };
      return fileResultOf(path, await sandboxFiles.exportSandbox(paths.sandboxDir, path, facts));
    },
    async importSandbox(file, wishes) {
      const path = pathOf(file);
      const imported = await sandboxFiles.importSandbox(path, paths.sandboxDir, {
        ...sandboxFacts(),
        ...wishes,
      });
      return { ...fileResultOf(path, imported), authority: imported.authority };
    },
  };
}

const fileResultOf = (file: string, { contents, secrets }: sandboxFiles.SandboxFile): SandboxFileResult => ({
  file,
  secrets,
  ...contents,
});

const resultOf = (
  from: { name: string },
  to: { name: string; place?: stores.Place },
  { contents, key, installation }: stores.CopiedStore,
): StoreCopyResult => ({
  from: from.name,
  to: to.name,
  isToDatabase: to.place !== undefined && 'database' in to.place,
  key,
  installation,
  ...contents,
});
