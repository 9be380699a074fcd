// Many processes change different settings at the same moment: every change is kept.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStoryFixture, runCommand } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

const PROCESSES = SLOW ? 30 : 2;
const TIMEOUT_MS = 400_000;

test(
  `${PROCESSES} at once`,
  async () => {
    const fixture = await createStoryFixture();
    try {
      const names = Array.from({ length: PROCESSES }, (_, index) => `profile-${index}`);
      const ran = await Promise.all(
        names.map((name) =>
          runCommand(fixture, `esign config set base_url https://${name}.example --profile ${name} --json`),
        ),
      );
      expect(ran.filter(({ code }) => code !== 0)).toEqual([]);
      const file = await readFile(join(fixture.folder, '.esign', 'config', 'config.json'), 'utf8');
      expect(Object.keys(JSON.parse(file).profiles).sort()).toEqual([...names].sort());
    } finally {
      await fixture.close();
    }
  },
  TIMEOUT_MS,
);
