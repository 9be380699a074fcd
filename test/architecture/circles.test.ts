// The rules of layers.cjs refuse two files that import each other, also where they import types only: such imports are
// gone once a file is compiled, so that the rules have to be applied to the source.
import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IConfiguration, ICruiseResult } from 'dependency-cruiser';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const layers: IConfiguration = createRequire(import.meta.url)('./layers.cjs');

test.runIf(SLOW).each([
  {
    what: 'values',
    a: "import { b } from './b.ts';\nexport const a = () => b;\n",
    b: "import { a } from './a.ts';\nexport const b = () => a;\n",
  },
  {
    what: 'types',
    a: "import type { B } from './b.ts';\nexport type A = { b?: B };\n",
    b: "import type { A } from './a.ts';\nexport type B = { a?: A };\n",
  },
])('two files that import $what of each other are refused', async ({ a, b }) => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  await Promise.all([writeFile(join(folder, 'a.ts'), a), writeFile(join(folder, 'b.ts'), b)]);
  // Loads TypeScript, and takes a second.
  const { cruise } = await import('dependency-cruiser');
  const { tsConfig: _, ...options } = layers.options ?? {};
  const ruleSet = { forbidden: layers.forbidden ?? [] };
  const { output } = await cruise(['.'], { ...options, baseDir: folder, validate: true, ruleSet });
  const { violations } = (output as ICruiseResult).summary;
  expect(violations.map(({ rule }) => rule.name)).toEqual(['no-circles']);
});
