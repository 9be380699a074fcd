// Runs the stories of some areas: the *.txt files in the folders of `test/stories/`. Two test files share them, so that both workers of a run
// end together.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, test } from 'vitest';
import { FULL, SHARE, SLOW } from '../tier.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { isForSlowTierOnly, isRunWhole, runStory, titleOf } from './story.ts';

const folder = new URL('../../stories/', import.meta.url);
const TIMEOUT_MS = 400_000;

/**
 * At a landing, one story in twelve runs with a process for each line, another one for each commit. The full tier, and a run with another Node, does so with
 * all stories. The other stories run as in the short tier.
 */
const STARTED_ANEW = 12;
const isStartedAnew = (index: number): boolean =>
  isRunWhole && (!SLOW || FULL || index % STARTED_ANEW === SHARE % STARTED_ANEW);

/** @param isIncluded whether the stories of an area, such as `tx-send`, are run here */
export function describeStories(isIncluded: (area: string) => boolean): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.txt'))
    .sort();
  const areas = [...new Set(files.map((name) => dirname(name)))].filter(isIncluded);
  const twoAtATime = limitConcurrency(2);
  describe.each(areas)('story of %s', (area) => {
    for (const name of files.filter((file) => dirname(file) === area)) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      test
        .skipIf(isForSlowTierOnly(text) && !isRunWhole)
        .concurrent(
          titleOf(text, name),
          () => twoAtATime(() => runStory(text, `test/stories/${name}`, isStartedAnew(files.indexOf(name)))),
          TIMEOUT_MS,
        );
    }
  });
}

/** Areas of `stories.test.ts`; `other-stories.test.ts` has all others. */
export const isAboutSigning = (area: string): boolean => /^(tx|sandbox|login)(-|$)/.test(area);
