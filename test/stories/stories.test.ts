// Runs every story: each *.txt file in a folder beside this one. README.md says how they are written.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, test } from 'vitest';
import { limitConcurrency } from '../support/stories/limit-concurrency.ts';
import { isForSlowTierOnly, isRunWhole, runStory, titleOf } from '../support/stories/story.ts';
import { FULL, SLOW } from '../support/tier.ts';

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.txt'))
  .sort();
const areas = [...new Set(files.map((name) => dirname(name)))];

const twoAtATime = limitConcurrency(2);
const TIMEOUT_MS = 400_000;

/**
 * Of each area, the slow tier runs one story in four, beginning with the first, with a process for each line. The full tier, and a run with another
 * Node, does so with all stories. The other stories run as in the short tier.
 */
const SHARE = 4;
const isStartedAnew = (index: number): boolean => isRunWhole && (!SLOW || FULL || index % SHARE === 0);

describe.each(areas)('story of %s', (area) => {
  for (const [index, name] of files.filter((file) => dirname(file) === area).entries()) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    test
      .skipIf(isForSlowTierOnly(text) && !isRunWhole)
      .concurrent(
        titleOf(text, name),
        () => twoAtATime(() => runStory(text, `test/stories/${name}`, isStartedAnew(index))),
        TIMEOUT_MS,
      );
  }
});
