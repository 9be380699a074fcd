// A newer version is installed over the one that a server runs from: its next process for documents is of another build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../support/processes/run.ts';
import { SLOW } from '../support/tier.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = readFileSync(join(root, 'dist/built-from'), 'utf8').slice(0, 16);

let folder: string;
let program: string;
const env = () => ({ PATH: process.env.PATH, HOME: folder, ESIGN_HOME: join(folder, 'home') });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'esign-replaced-'));
  program = join(folder, 'bin/esign.js');
  for (const name of ['bin', 'dist', 'fonts', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes the files that are loaded as modules those of another build. */
function replaceBuild(): void {
  const dist = join(folder, 'dist');
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'));
  const texts = files.map((name) => [name, readFileSync(join(dist, name), 'latin1')] as const);
  const changed = texts.filter(([, text]) => text.includes(build));
  expect(changed).not.toEqual([]);
  for (const [name, text] of changed)
    writeFileSync(join(dist, name), text.replaceAll(build, build.replaceAll(/./g, '0')), 'latin1');
}

test.skipIf(!SLOW)('a server whose files were replaced says that it has to be restarted', async () => {
  const server = spawn(process.execPath, [program, 'sandbox', 'serve', '--port', '0', '--json'], {
    env: env(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(server, 'exit');
  try {
    const [line] = await once(server.stdout, 'data');
    const { base_url: url } = JSON.parse(String(line)) as { base_url: string };
    const token = (await run(process.execPath, [program, 'sandbox', 'token', '--raw'], { env: env() })).out;
    const upload = async () => {
      const body = new FormData();
      body.append('file', new Blob([readFileSync(join(root, 'test/fixtures/contract.pdf'))]), 'contract.pdf');
      const headers = { authorization: `Bearer ${token.trim()}` };
      const response = await fetch(`${url}/v1/file/upload`, { method: 'POST', headers, body });
      return { status: response.status, answer: (await response.json()) as { code?: string } };
    };
    replaceBuild();
    expect(await upload()).toMatchObject({ status: 503, answer: { code: 'program_replaced' } });
    await expect.poll(() => log).toContain('replaced by another version');
    expect(log).toContain('Restart');
  } finally {
    server.kill('SIGKILL');
    await ended;
  }
});
