// package.json agrees with the checkout: everything that it names exists, every linked file is packed,
// and every bundled package has a license that allows it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const described = JSON.parse(read('package.json'));

const isPacked = (path: string): boolean =>
  ['README.md', 'LICENSE', 'package.json'].includes(path) ||
  (described.files as string[]).some((name) => path === name || path.startsWith(`${name}/`));

const NATIVE = ['@napi-rs/keyring', '@photostructure/sqlite'];

/** Packages that are installed and not bundled: they are native, or have WebAssembly in a separate file. */
const OUTSIDE = ['@embedpdf/pdfium', '@jsquash/webp', ...NATIVE, 'jq-wasm'];

describe('the package', () => {
  test('exports files that it has, types included', () => {
    const targets = Object.values(described.exports).flatMap((entry) =>
      typeof entry === 'string' ? [entry] : Object.values(entry as object),
    ) as string[];
    expect(targets.length).toBeGreaterThan(3);
    for (const target of targets) {
      expect([target, existsSync(new URL(target, ROOT))]).toEqual([target, true]);
      expect([target, isPacked(target.slice(2))]).toEqual([target, true]);
    }
  });

  test('installs only what is not bundled', () => {
    expect(Object.keys({ ...described.dependencies, ...described.optionalDependencies }).sort()).toEqual(
      OUTSIDE,
    );
  });

  const pages = ['README.md', ...(described.files as string[]).filter((path) => /^docs\/.*\.md$/.test(path))];

  test.each(pages)('has what %s links to', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
    const files = links.flatMap((to) =>
      /^(?:https:|#)/.test(to) ? [] : [posix.join(posix.dirname(page), to.replace(/#.*/, ''))],
    );
    expect(files.filter((path) => !isPacked(path))).toEqual([]);
  });

  test('names the licence of everything that is bundled, and bundles nothing native', () => {
    const notices = read('dist/THIRD-PARTY-NOTICES.txt');
    const titles = [...notices.matchAll(/^-{80}\n\n(\S+) \d+\.\d+\.\d+\S*\n(\S.*)$/gm)];
    const bundled = titles.map(([, name]) => name);
    expect(bundled).toEqual(
      expect.arrayContaining(['commander', 'fontkit', 'kysely', 'signature_pad', 'undici', 'zod']),
    );
    expect(bundled.length).toBeGreaterThan(60);
    expect(NATIVE.filter((name) => bundled.includes(name))).toEqual([]);
  });

  test('needs the Node that .nvmrc names', () => {
    expect(described.engines.node).toBe(`>=${read('.nvmrc').trim()}`);
  });

  test('has commands that git keeps executable, so that npm changes nothing in a checkout', () => {
    for (const path of Object.values(described.bin) as string[]) {
      const { stdout } = spawnSync('git', ['ls-files', '-s', path], { cwd: ROOT, encoding: 'utf8' });
      // Outside of a checkout, or without git, there is nothing to check.
      if (stdout) expect(stdout).toMatch(/^100755 /);
    }
  });
});
