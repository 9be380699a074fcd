// Skips tests that need more than Node and npm. The short tier (`npm test`) skips all of them, so that it is the same on every machine;
// the slow tier runs those whose program is installed, and names the missing ones at its end (reporter.ts). With
// ESIGN_STRICT=1 a missing program is a failure: the tests run all the same.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SLOW } from './tier.ts';

/** `why` belongs at the end of the title: it is empty, or gives the reason in brackets. */
export type Need = { skip: boolean; why: string };

const MET: Need = { skip: false, why: '' };

/** `isThere` is called in the slow tier only. */
export function need(what: string, isThere: () => boolean): Need {
  if (!SLOW) return { skip: true, why: ' (slow tier)' };
  if (process.env.ESIGN_STRICT === '1' || isThere()) return MET;
  return { skip: true, why: ` (skipped: ${what})` };
}

export const needsCommand = (name: string): Need =>
  need(
    `${name} is not installed`,
    () => spawnSync(name, ['--help'], { stdio: 'ignore' }).error === undefined,
  );

/** Needs the version of a program whose pictures are recorded: another one may draw them otherwise, also in a strict run. */
export function needsVersion(name: string, version: string, option: string): Need {
  const command = needsCommand(name);
  if (command.skip) return command;
  const { error, stdout, stderr } = spawnSync(name, [option], { encoding: 'utf8' });
  const isRecorded = `${stdout}${stderr}`.split(/\s+/).some((word) => `${word}.`.startsWith(`${version}.`));
  return error || isRecorded ? MET : { skip: true, why: ` (skipped: ${name} is not version ${version})` };
}

/** Needs a separate disk, which root can mount unless a container forbids it. */
export const needsMount = (): Need =>
  need('this user may not mount a small disk', () => {
    const folder = mkdtempSync(join(tmpdir(), 'esign-mount-'));
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
    if (isMounted) spawnSync('umount', [folder]);
    rmdirSync(folder);
    return isMounted;
  });

/** Returns the first need that is not met, or one that is. */
export const unmet = (...needs: readonly Need[]): Need => needs.find(({ skip }) => skip) ?? MET;

/** The folder of foreign documents that ESIGN_CORPUS names; empty when it names none. */
export const CORPUS = process.env.ESIGN_CORPUS ?? '';

/** Needs the foreign documents. A run that names no folder skips these tests; one that names a missing folder fails. */
export function needsCorpus(): Need {
  if (CORPUS === '') return { skip: true, why: '' };
  if (SLOW && !existsSync(CORPUS)) throw new Error(`ESIGN_CORPUS names ${CORPUS}, which does not exist.`);
  return SLOW ? MET : { skip: true, why: ' (slow tier)' };
}
