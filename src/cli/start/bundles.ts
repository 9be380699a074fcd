// Loads the bundles of the build: the program in a few of them (scripts/program-bundles.js), and one for each package
// that few commands need. Each runs with its cached compiled code. A bundle is one function around its text (see
// scripts/build.js), whose first line has the hash of its content.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { CodeCache, KeptCode } from './code-cache.ts';

export type Bundles = {
  /** Runs the bundle once, and returns its exports. */
  load(name: string): unknown;
  /** Caches the code of all bundles that were loaded, where that is worth it. Never throws. */
  keep(command: string, isWorth: (learned: readonly string[], run: string) => boolean): void;
};

export type BundlesParts = {
  folder: string;
  /** Loads what is not a bundle: parts of Node, and native packages. */
  requireOther: NodeJS.Require;
  openCache: CodeCache | undefined;
};

type Loaded = { script: Script; hash: string | undefined; kept: KeptCode | undefined; exports: unknown };
/** Each runs when it is used first. */
type Modules = Readonly<Record<string, () => unknown>>;
type Wrapped = (...parts: readonly [object, unknown, { exports: unknown }, string, string]) => void;

export function openBundles({ folder, requireOther, openCache }: BundlesParts): Bundles {
  const bundles = new Map<string, Loaded>();

  const requireFrom = Object.assign(
    (name: string): unknown => (name.startsWith('./') ? partOf(name.slice(2)) : requireOther(name)),
    { resolve: requireOther.resolve },
  );

  /** `main.cjs#src/api/codec.ts` is one module of a bundle of the program; `#later:src/…` is loaded with its first use. */
  function partOf(name: string): unknown {
    const [bundle = '', module] = name.split('#');
    if (module === undefined) return load(bundle);
    const isDeferred = module.startsWith(DEFERRED);
    const path = isDeferred ? module.slice(DEFERRED.length) : module;
    const read = () => (load(bundle) as { modules: Modules }).modules[path]?.();
    return isDeferred ? withFirstUse(read) : read();
  }

  function load(name: string): unknown {
    const before = bundles.get(name);
    if (before) return before.exports;
    const filename = join(folder, name);
    // The build writes only ASCII.
    const source = readFileSync(filename, 'latin1');
    const hash = HASH.exec(source.slice(0, HEAD_CHARACTERS))?.[1];
    let kept = hash === undefined ? undefined : openCache?.read(name, hash);
    const script = new Script(source, { filename, ...(kept && { cachedData: kept.code }) });
    // V8 refuses the code of a package that is loaded after its flags were changed; it will accept it the next time.
    if (script.cachedDataRejected && bundles.size === 0) kept = undefined;
    const module = { exports: {} as unknown };
    const loaded = { script, hash, kept, exports: module.exports };
    bundles.set(name, loaded);
    const run = script.runInThisContext() as Wrapped;
    run(module.exports as object, requireFrom, module, filename, folder);
    loaded.exports = module.exports;
    return module.exports;
  }

  return {
    load,
    keep(command, isWorth) {
      if (!openCache) return;
      const run = [command, ...[...bundles.keys()].slice(1)].join(' + ');
      let areFlagsBack = false;
      for (const [name, { script, hash, kept }] of bundles) {
        const learned = kept?.learned ?? [];
        if (hash === undefined || !isWorth(learned, run)) continue;
        if (!areFlagsBack) takeFlagsBack(requireOther);
        areFlagsBack = true;
        openCache.write(name, hash, { code: script.createCachedData(), learned: [...learned, run] });
      }
    },
  };
}

/** Makes exports of a module that is loaded when one of them is first used. */
function withFirstUse(read: () => unknown): unknown {
  let exports: Record<PropertyKey, unknown> | undefined;
  return new Proxy(
    {},
    {
      get(_, name) {
        exports ??= read() as Record<PropertyKey, unknown>;
        return exports[name];
      },
    },
  );
}

const DEFERRED = 'later:';
const HEAD_CHARACTERS = 200;
const HASH = /\/\*code ([0-9a-f]{16})\*\//;

/**
 * V8 rejects the code of a process that had other flags than the one that reads it. These are the flags that our own code
 * sets while a command runs, as they are before: src/pdf/read/pdfium.ts and src/api/remote.ts set those of WebAssembly, on
 * versions up to 22 alone, src/pdf/images/pixels.ts the last one.
 */
const WEBASSEMBLY = ['no-wasm-lazy-validation', 'no-liftoff-only', 'wasm-tier-up', 'wasm-dynamic-tiering'];
const ALWAYS = ['no-expose-gc'];

function takeFlagsBack(requireOther: NodeJS.Require): void {
  // It takes 3 ms to load.
  const { setFlagsFromString } = requireOther('node:v8') as typeof import('node:v8');
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-');
  const set = Number.parseInt(process.versions.node, 10) <= 22 ? [...WEBASSEMBLY, ...ALWAYS] : ALWAYS;
  for (const flag of set) if (!given.includes(flag.replace(/^no-/, ''))) setFlagsFromString(`--${flag}`);
}
