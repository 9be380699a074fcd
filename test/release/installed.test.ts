// The package works as a user installs it: packed, installed into an empty folder without a network, and used there. Its
// dependencies are packed from our own node_modules.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const described = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const man = needsCommand('man');
const hasOwnSqlite = isBuiltin('node:sqlite');

let folder: string;
let app: string;
let installed: string;
let tarball: string;

type Ran = { code: number | null; out: string; err: string };

function run(command: string, words: string[], env: Record<string, string> = {}): Ran {
  const { PATH = '' } = process.env;
  const ran = spawnSync(command, words, {
    cwd: app,
    encoding: 'utf8',
    env: { PATH, HOME: folder, ESIGN_HOME: join(folder, 'esign'), ...env },
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

const esign = (...words: string[]): Ran => run(join(app, 'node_modules/.bin/esign'), words);

/** Every package that this one needs, directly or not, except optional native keyrings. */
function neededPackages(): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const path = join(root, 'node_modules', name, 'package.json');
    if (found.has(name) || !existsSync(path)) return;
    found.add(name);
    Object.keys(JSON.parse(readFileSync(path, 'utf8')).dependencies ?? {}).forEach(visit);
  };
  [...Object.keys(described.dependencies), '@photostructure/sqlite'].forEach(visit);
  return [...found];
}

/** @returns the path of the tarball */
function pack(path: string): string {
  const ran = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, path], {
    cwd: folder,
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(ran.stdout);
  return join(folder, filename);
}

describe.skipIf(!SLOW)('the installed package', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'esign-installed-'));
    app = join(folder, 'app');
    installed = join(app, 'node_modules/@esign-cli/esign');
    mkdirSync(app);
    const overrides = Object.fromEntries(
      neededPackages().map((name) => [name, `file:${pack(join(root, 'node_modules', name))}`]),
    );
    tarball = pack(root);
    writeFileSync(
      join(app, 'package.json'),
      JSON.stringify({
        name: 'app',
        version: '1.0.0',
        type: 'module',
        dependencies: { '@esign-cli/esign': `file:${tarball}` },
        overrides,
      }),
    );
    const ran = run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']);
    if (ran.code !== 0) throw new Error(ran.err);
    cpSync(join(root, 'test/fixtures/contract.pdf'), join(app, 'contract.pdf'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('sends a document and shows it', () => {
    const sent = esign('tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', '--json');
    expect([sent.code, sent.err]).toEqual([0, expect.not.stringContaining('error')]);
    const { id, status } = JSON.parse(sent.out);
    expect(status).toBe('started');
    const shown = esign('tx', 'show', id, '--json');
    expect([shown.code, JSON.parse(shown.out).id]).toEqual([0, id]);
  });

  test('signs and seals, with the fonts and certificates that come along', () => {
    const { id } = JSON.parse(
      esign('tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', '--json').out,
    );
    expect(esign('sandbox', 'sign', id).code).toBe(0);
    expect(esign('tx', 'download', id, '-o', 'signed').code).toBe(0);
    expect(esign('verify', 'signed/contract.sealed.pdf').code).toBe(0);
  });

  test('answers help, version and TAB', () => {
    expect(esign('--version').out.trim()).toBe(described.version);
    expect(esign('tx', 'send', '--help').out).toContain('--to');
    expect(esign('completion', 'bash').out).toContain('__complete');
  });

  test('is packed under the name that docs/client.md installs', () => {
    const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
    expect(page).toContain(`npm install "$HOME/${basename(tarball)}"`);
    expect(page).toContain(`'${described.name}'`);
  });

  test('has the man pages and completions that it lists', () => {
    for (const page of described.man as string[]) expect(existsSync(join(installed, page))).toBe(true);
    for (const name of ['esign.bash', 'esign.fish'])
      expect(existsSync(join(installed, 'completions', name))).toBe(true);
  });

  test.skipIf(man.skip)(`shows its man pages in man${man.why}`, () => {
    const { code, out } = run('man', ['-l', join(installed, 'man/esign-tx-send.1')], { MANPAGER: 'cat' });
    expect(code).toBe(0);
    expect(out).toContain('esign tx send');
  });

  test('has types that need no other package', () => {
    writeFileSync(
      join(app, 'use.ts'),
      `import { createService, serve, type Service } from '@esign-cli/esign/service';
const service: Service = await createService({ dataDir: 'store', clock: () => 0 });
const { url } = await serve(service, { host: '127.0.0.1', port: 0 });
const answer: Response = await service.fetch(new Request(url));
// @ts-expect-error There is no such option.
await createService({ folder: 'store' });
console.log(answer.status);
`,
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = '--noEmit --strict --module nodenext --target es2023 --lib es2023,dom';
    expect(run(process.execPath, [tsc, ...options.split(' '), 'use.ts'])).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  });

  test('has nothing that publint would change', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages).toEqual([]);
  });

  test('can be used by a program', () => {
    writeFileSync(
      join(app, 'use.mjs'),
      `import { createService, serve } from '@esign-cli/esign/service';
import contract from '@esign-cli/esign/openapi.json' with { type: 'json' };
const service = await createService({ dataDir: 'store' });
const serving = await serve(service, { host: '127.0.0.1', port: 0 });
const answer = await fetch(serving.url + '/v1/transaction', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + service.ownToken, 'content-type': 'application/json' },
  body: '{}',
});
console.log(answer.status, contract.openapi);
await serving.close();
await service.close();
`,
    );
    expect(run(process.execPath, ['--no-warnings', 'use.mjs'])).toEqual({
      code: 0,
      out: '201 3.1.0\n',
      err: '',
    });
  });

  test('goes without the optional packages, or says what to do where Node has no SQLite', () => {
    const optional = join(app, 'node_modules/@photostructure');
    renameSync(optional, `${optional}-away`);
    const { code, out, err } = esign('tx', 'create', '--json');
    renameSync(`${optional}-away`, optional);
    if (hasOwnSqlite) {
      expect([code, JSON.parse(out).status]).toEqual([0, 'draft']);
      return;
    }
    expect([code, out]).toEqual([2, '']);
    const { error } = JSON.parse(err.trim().split('\n').at(-1) ?? '');
    expect(error.code).toBe('storage_unusable');
    expect(error.message).toContain('@photostructure/sqlite');
    expect(error.hint).toContain('Node 22.13');
  });
});
