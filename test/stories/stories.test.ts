// Every *.txt beside this file is one story; story.ts says how they are written.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { limited } from './limited.ts';
import { tell } from './story.ts';

const folder = new URL('.', import.meta.url);
const stories = readdirSync(folder).filter((name) => name.endsWith('.txt'));
const twoAtATime = limited(2);
const TIMEOUT_MS = 180_000;

describe('stories', () => {
  for (const name of stories)
    test.concurrent(
      name.replace(/\.txt$/, ''),
      () => twoAtATime(() => tell(readFileSync(new URL(name, folder), 'utf8'))),
      TIMEOUT_MS,
    );
});
