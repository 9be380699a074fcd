// Each module lies in one bundle of the program: in two it would run twice, and have its state twice.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** `main` → which source files are in it. Older builds are left for a day: the entry names those that belong to it. */
async function sourcesOfBundles(): Promise<Map<string, string[]>> {
  const main = await readFile(join(dist, 'main.cjs'), 'latin1');
  const build = /"\.\/local-(\w+)\.cjs#/.exec(main)?.[1];
  const names = await readdir(dist);
  const maps = ['main', `local-${build}`, `verify-${build}`, `rare-${build}`].filter((name) =>
    names.includes(`${name}.cjs.map`),
  );
  const read = maps.map(async (name): Promise<[string, string[]]> => {
    const { sources } = JSON.parse(await readFile(join(dist, `${name}.cjs.map`), 'utf8')) as {
      sources: string[];
    };
    return [name.replace(/-.*/, ''), sources.filter((path) => /(^|\/)src\/.*\.ts$/.test(path))];
  });
  return new Map(await Promise.all(read));
}

test('a source file lies in one bundle alone', async () => {
  const bundles = await sourcesOfBundles();
  expect([...bundles.keys()]).toEqual(['main', 'local', 'verify', 'rare']);
  const all = [...bundles.values()].flat();
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter((path, index) => all.indexOf(path) !== index)).toEqual([]);
});

test('what common commands do not need is in a bundle that they do not load', async () => {
  const { main = [], local = [] } = Object.fromEntries(await sourcesOfBundles());
  const rare =
    /src\/(service\/(web\/(?!paths)|outbox\/)|docx\/|pdf\/(fonts\/|stamp\/|certificate\/(?!evidence))|cli\/describe\/)/;
  expect([...main, ...local].filter((path) => rare.test(path))).toEqual([]);
});
