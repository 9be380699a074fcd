// Every *.txt beside this file is one story; story.ts says how they are written.
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, test } from 'vitest';
import { SLOW } from '../support/tier.ts';
import { limited } from './limited.ts';
import { tell } from './story.ts';

const folder = new URL('.', import.meta.url);
const stories = readdirSync(folder).filter((name) => name.endsWith('.txt'));
/** What other suites ask about as well, at length: told in the slow tier, and on Node 24. */
const LATER = new Set(['config.txt', 'completion.txt', 'retries.txt', 'trust.txt', 'shared-mailbox.txt']);
const isToldNow = (name: string): boolean =>
  SLOW || process.env.ESIGN_STORY_NODE !== undefined || !LATER.has(name);

const twoAtATime = limited(2);
const TIMEOUT_MS = 180_000;

describe('stories', () => {
  for (const name of stories)
    test
      .skipIf(!isToldNow(name))
      .concurrent(
        name.replace(/\.txt$/, ''),
        () => twoAtATime(() => tell(readFileSync(new URL(name, folder), 'utf8'))),
        TIMEOUT_MS,
      );
});
