// The pages in .github are correct: the commands, files and variables that they name exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const GITHUB = new URL('.github/', ROOT);
const pages = readdirSync(GITHUB, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(md|yml)$/.test(name),
);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));

describe('pages for newcomers', () => {
  test.each(pages)('%s names scripts and files that exist', (name) => {
    const text = readFileSync(new URL(name, GITHUB), 'utf8');
    const named = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
    const paths = [...text.matchAll(/(?<![\w/.])(?:\.ci|src|test|scripts|docs|bin)\/[\w./-]*[\w/]/g)].map(
      ([path]) => path,
    );
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  });

  test('CONTRIBUTING.md has every variable that tests read from their environment', () => {
    const text = readFileSync(new URL('CONTRIBUTING.md', GITHUB), 'utf8');
    const told = new Set(
      [...text.matchAll(/`(ESIGN_[A-Z0-9_]+)(?:=\w+)?`/g)].map(([, variable]) => variable),
    );
    const used = new Set<string>();
    for (const name of readdirSync(new URL('test', ROOT), { recursive: true, encoding: 'utf8' }))
      if (/\.(ts|js|mjs)$/.test(name))
        for (const [, variable = ''] of readFileSync(new URL(`test/${name}`, ROOT), 'utf8').matchAll(
          /process\.env\.(ESIGN_[A-Z0-9_]+)/g,
        ))
          used.add(variable);
    expect([...used].filter((variable) => !told.has(variable)).sort()).toEqual([]);
  });
});
