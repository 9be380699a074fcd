// Each command loads only the packages on its list, because every call pays for loading. Before you add
// a package, measure its cost (`npm run bench`).
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealPdfNow } from '../support/documents/sealed-pdf.ts';
import { createDraft } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'bin', 'esign.js');

/** The packages of the store: one bundle has its own; the driver is one of the two, depending on the version of Node. */
const STORE = ['kysely', '@photostructure/sqlite', 'node-gyp-build'];

let home: string;
let local: string;
let served: Harness;
let remote: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'esign-loaded-'));
  const inside = await openHarness('in process', { folder: join(home, 'data', 'sandbox') });
  local = (await createDraft(inside)).id;
  await inside.close();
  served = await openHarness('over HTTP');
  remote = (await createDraft(served)).id;
});
afterAll(async () => {
  await served.close();
  await rm(home, { recursive: true, force: true });
});

type Script = { url: string; functions: { functionName: string; ranges: { count: number }[] }[] };

/** Reads from V8's coverage which files Node ran, and which of their functions. */
async function packagesOf(words: readonly string[], more: Record<string, string> = {}) {
  const coverage = await mkdtemp(join(tmpdir(), 'esign-coverage-'));
  try {
    const env = { PATH: process.env.PATH, HOME: home, ESIGN_HOME: home, ESIGN_NO_CODE_CACHE: '1', ...more };
    await promisify(execFile)(process.execPath, [program, ...words], {
      env: { ...env, NODE_V8_COVERAGE: coverage },
    });
    const scripts: Script[] = [];
    for (const name of await readdir(coverage)) {
      const { result } = JSON.parse(await readFile(join(coverage, name), 'utf8')) as { result: Script[] };
      scripts.push(...result.filter(({ url }) => /^(file:\/\/)?\//.test(url)));
    }
    return await packagesIn(scripts);
  } finally {
    await rm(coverage, { recursive: true, force: true });
  }
}

/** Lists the modules of the program that ran: each module that is imported later is a function with its name. */
const modulesRunIn = ({ functions }: Script): string[] =>
  functions.flatMap(({ functionName, ranges }) =>
    /^(src\/|node_modules\/|as-one:)/.test(functionName) && ranges[0]?.count ? [functionName] : [],
  );

/** The function that zod calls for each schema it builds, once for each kind of the schema. */
const SCHEMA_BUILDER = 'init';

const schemaStepsIn = (scripts: readonly Script[]): number =>
  scripts
    .filter(({ url }) => basename(url) === 'main.cjs')
    .flatMap(({ functions }) => functions)
    .filter(({ functionName }) => functionName === SCHEMA_BUILDER)
    .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);

async function packagesIn(scripts: readonly Script[]) {
  const contents = JSON.parse(await readFile(join(root, 'dist', 'contents.json'), 'utf8')) as Record<
    string,
    string[]
  >;
  const modules = scripts.flatMap(modulesRunIn);
  const packages = scripts.flatMap(({ url }) => contents[basename(url)] ?? []);
  for (const path of [...scripts.map(({ url }) => url), ...modules]) {
    const named = /(?:.*node_modules\/|^as-one:)((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
    if (named) packages.push(named);
  }
  return {
    packages: [...new Set(packages)].sort(),
    files: scripts.map(({ url }) => basename(url)),
    modules,
    schemaSteps: schemaStepsIn(scripts),
  };
}

const beyond = (packages: readonly string[], allowed: readonly string[]) =>
  packages.filter((name) => !allowed.includes(name));

/** A command that sends no request runs no schema of the contract. */
const isOfZod = (module: string): boolean => module.startsWith('node_modules/zod/');

const TAB = { ESIGN_COMPLETE_LINE: 'esign tx show ', ESIGN_COMPLETE_BREAKS: ' ' };

test.each(
  sampleOf(
    [
      ['--version', ['--version'], {}, ['esign.js']],
      ['--help', ['--help'], {}, ['esign.js', 'help.cjs']],
      ['tx send --help', ['tx', 'send', '--help'], {}, ['esign.js', 'help.cjs']],
      ['help exit-codes', ['help', 'exit-codes'], {}, ['esign.js', 'help.cjs']],
      ['one TAB', ['__complete', 'bash'], TAB, ['esign.js', 'completion.cjs']],
    ],
    3,
  ),
)('%s: no package, and these files alone', async (_, words, env, files) => {
  expect(await packagesOf(words, env)).toEqual({ packages: [], files, modules: [], schemaSteps: 0 });
});

test.skipIf(!SLOW)('a setting that is read: no store, and no conf', async () => {
  expect(beyond((await packagesOf(['config', 'list'])).packages, ['commander', 'zod'])).toEqual([]);
});

test.skipIf(!SLOW)('a command in the sandbox: no HTTP, no PDF, nothing of a terminal', async () => {
  const { packages, files, modules, schemaSteps } = await packagesOf(['tx', 'show', local]);
  expect(beyond(packages, ['commander', 'zod', ...STORE])).toEqual([]);
  expect(packages).toContain('kysely');
  expect(files.slice(0, 3)).toEqual(['esign.js', 'start.cjs', 'main.cjs']);
  expect(
    files.slice(3).filter((name) => !/^(local-\w+\.cjs|index\.c?js|node-gyp-build\.js)$/.test(name)),
  ).toEqual([]);
  const unwanted =
    /^src\/(pdf\/(?!limits|engine\/(engine|in-parts|one-shot|program-replaced|waiting-line)|sign\/sealing-unavailable)|service\/web\/(?!paths)|api\/remote|history|credentials)/;
  expect(modules.filter((name) => unwanted.test(name))).toEqual([]);
  expect(modules.length).toBeLessThan(310);
  // The contract has a hundred and fifty schemas. Those that this command needs take 41 steps.
  expect(schemaSteps).toBeGreaterThan(20);
  expect(schemaSteps).toBeLessThan(50);
});

test('a contract that is sent in the sandbox: no PDFium, and no code of rare commands', async () => {
  const words = ['tx', 'send', 'test/fixtures/contract.pdf', '--to', 'ada@example.com'];
  const { packages, files } = await packagesOf(words);
  expect(beyond(packages, ['commander', 'zod', '@fastify/busboy', ...STORE])).toEqual([]);
  expect(files.filter((name) => /^(rare|verify)-/.test(name))).toEqual([]);
});

test('the first bundle, which every command reads, has nothing of the service', async () => {
  const text = await readFile(join(root, 'dist', 'main.cjs'), 'utf8');
  const contents = JSON.parse(await readFile(join(root, 'dist', 'contents.json'), 'utf8'));
  expect(contents['main.cjs']).not.toContain('kysely');
  expect(text).not.toContain('as-one:kysely');
  expect(text).not.toContain('create table');
});

test.skipIf(!SLOW)('a preview of files: no store, no HTTP, and PDF in its own process', async () => {
  const words = ['tx', 'preview', 'test/fixtures/contract.pdf', '--to', 'ada@example.com'];
  const { packages } = await packagesOf([...words, '--page', '1', '-o', join(home, 'pictures')]);
  expect(beyond(packages, ['commander', 'zod', '@embedpdf/pdfium'])).toEqual([]);
});

test.skipIf(!SLOW)('a file that is verified: no store, no HTTP, no PDF library, and no schema', async () => {
  const { pdf, pem } = await sealPdfNow();
  await writeFile(join(home, 'sealed.pdf'), pdf);
  await writeFile(join(home, 'ca.pem'), pem);
  const words = ['verify', join(home, 'sealed.pdf'), '--trust', join(home, 'ca.pem')];
  const { packages, modules } = await packagesOf(words);
  expect(beyond(packages, ['commander', 'zod', 'canonicalize'])).toEqual([]);
  expect(modules.filter(isOfZod)).toEqual([]);
});

test.skipIf(!SLOW)('the root that seals: no PDF, and nothing that takes PKCS #12 apart', async () => {
  const { packages } = await packagesOf(['sandbox', 'ca', 'export', '-o', join(home, 'ca')]);
  expect(beyond(packages, ['commander', 'zod', 'canonicalize', ...STORE])).toEqual([]);
});

test.skipIf(!SLOW)('a certificate for a server on this machine: no PDF, no HTTP', async () => {
  const words = ['sandbox', 'ca', 'issue', 'localhost', '-o', join(home, 'certificates')];
  expect(beyond((await packagesOf(words)).packages, ['commander', 'zod', 'canonicalize', ...STORE])).toEqual(
    [],
  );
});

test.skipIf(!SLOW)('the engine of patterns: with the first pattern, and not before', async () => {
  const field = 'text@1:72pt,72pt,100x20=ada@example.com';
  expect((await packagesOf(['tx', 'fields', local, '--field', field])).packages).not.toContain('re2js');
  const { packages } = await packagesOf(['tx', 'fields', local, '--field', `${field};regex=[a-z]+`]);
  expect(packages).toContain('re2js');
});

test.skipIf(!SLOW)('a command against a remote: no store', async () => {
  const env = { ESIGN_BASE_URL: served.baseUrl, ESIGN_ACCESS_TOKEN: served.service.ownToken };
  const { packages } = await packagesOf(['tx', 'show', remote, '--json'], env);
  expect(beyond(packages, ['commander', 'zod', 'undici'])).toEqual([]);
  expect(packages).toContain('undici');
});
