// Skips tests that need a tool or a folder that this machine does not have: their name says why, and the end of the run lists
// what is missing (missing-tools-reporter.ts). In the strict run of `.ci/run` (ESIGN_STRICT=1) they run all the same, and fail.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files that nobody here wrote. */
export const CORPUS = join(process.env.ESIGN_CORPUS ?? join(root, '../shared/data'));

export type Need = { skip: boolean; why: string };

function missing(isThere: boolean, what: string): Need {
  if (isThere) return { skip: false, why: '' };
  return { skip: process.env.ESIGN_STRICT !== '1', why: ` (skipped: ${what})` };
}

export const needsCommand = (name: string): Need =>
  missing(spawnSync(name, ['--help'], { stdio: 'ignore' }).error === undefined, `${name} is not installed`);

/** Whether this process may mount a disk of its own: root may, where no container forbids it. */
export function needsMount(): Need {
  const folder = mkdtempSync(join(tmpdir(), 'esign-mount-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
  if (isMounted) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return missing(isMounted, 'this user may not mount a small disk');
}

/** A clone has none of the folders that lie beside it, and may say so: then a strict run goes without them. */
const STANDS_ALONE = process.env.ESIGN_CORPUS === 'none';

const missingBeside = (isThere: boolean, what: string): Need =>
  STANDS_ALONE ? { skip: true, why: ` (skipped: ${what})` } : missing(isThere, what);

export const needsCorpus = (): Need =>
  missingBeside(
    existsSync(CORPUS),
    `no folder ${process.env.ESIGN_CORPUS ?? '../shared/data'}; set ESIGN_CORPUS`,
  );

export const SPECIFICATION = join(root, '../shared/spec/service-specification.md');

export const needsSpecification = (): Need =>
  missingBeside(existsSync(SPECIFICATION), 'no ../shared/spec/service-specification.md');
