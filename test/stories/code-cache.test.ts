// Compiled code between runs, with the built program: whatever is kept, lost or damaged, a command says and does the same.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { photograph } from '../support/documents/pictures.ts';
import { openHarness } from '../support/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW, shareOf } from '../support/tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE = process.env.ESIGN_STORY_NODE ?? process.execPath;
const CONTRACT = join(ROOT, 'test', 'fixtures', 'contract.pdf');

let home: string;
let code: string;
beforeEach(async () => {
  home = await temporaryFolder();
  code = join(home, 'cache', 'code');
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function esign(words: readonly string[], more: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, HOME: home, ESIGN_HOME: home, ...more };
  const child = spawn(NODE, [join(ROOT, 'bin', 'esign.js'), ...words], { env, cwd: home });
  child.stdin.end();
  const [out, err, [exit]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { out, err, exit };
}

const kept = () => readdir(code).catch((): string[] => []);
const mainFile = async () => join(code, (await kept()).find((name) => name.startsWith('main-')) ?? 'none');

test('kept for the user alone, read again, and replaced when it is damaged', async () => {
  const first = await esign(['config', 'path']);
  expect(first.exit).toBe(0);
  expect((await stat(code)).mode & 0o777).toBe(0o700);
  expect((await stat(await mainFile())).mode & 0o777).toBe(0o600);
  const sound = await readFile(await mainFile());
  expect(await esign(['config', 'path'])).toEqual(first);
  expect((await readFile(await mainFile())).equals(sound)).toBe(true);

  const damaged = Buffer.from(sound);
  for (let at = 64; at < damaged.length; at += 997) damaged[at] = (damaged[at] ?? 0) ^ 0xff;
  await writeFile(await mainFile(), damaged);
  expect(await esign(['config', 'path'])).toEqual(first);
  expect((await readFile(await mainFile())).equals(damaged)).toBe(false);
});

test.skipIf(!SLOW)(
  'ESIGN_NO_CODE_CACHE: nothing is kept; a command that fails keeps nothing either',
  async () => {
    expect((await esign(['config', 'path'], { ESIGN_NO_CODE_CACHE: '1' })).exit).toBe(0);
    expect((await esign(['config', 'get', 'nothing.such'])).exit).not.toBe(0);
    expect(await kept()).toEqual([]);
  },
);

test.runIf(SLOW)(
  'damaged in many ways, a command says the same and ends well',
  { timeout: 600_000 },
  async () => {
    await esign(['config', 'path']);
    const first = await esign(['config', 'path']);
    const file = await mainFile();
    const sound = await readFile(file);
    for (const round of shareOf([...Array(60).keys()], 4)) {
      const damaged = Buffer.from(sound);
      const place = Math.floor((round / 60) * damaged.length);
      if (round % 3 === 0) damaged[place] = (damaged[place] ?? 0) ^ (1 << (round % 8));
      else if (round % 3 === 1) damaged.fill(0, place, place + 4096);
      await writeFile(file, round % 3 === 2 ? damaged.subarray(0, place) : damaged);
      expect(await esign(['config', 'path']), `round ${round}`).toEqual(first);
    }
  },
);

test.runIf(SLOW)('the code of another bundle under the name of this one', { timeout: 240_000 }, async () => {
  await esign(['tx', 'send', CONTRACT, '--to', 'Ada <ada@example.com>']);
  const first = await esign(['config', 'path']);
  const other = (await kept()).find((name) => name.startsWith('package-'));
  await copyFile(join(code, other ?? 'none'), await mainFile());
  expect(await esign(['config', 'path'])).toEqual(first);
});

test.runIf(SLOW)('many that write at once leave one sound file', { timeout: 240_000 }, async () => {
  const runs = await Promise.all(Array.from({ length: 6 }, () => esign(['config', 'path'])));
  for (const run of runs) expect(run).toEqual(runs[0]);
  expect((await kept()).filter((name) => name.startsWith('main-') || name.endsWith('.tmp'))).toHaveLength(1);
  const sound = await readFile(await mainFile());
  expect(await esign(['config', 'path'])).toEqual(runs[0]);
  expect((await readFile(await mainFile())).equals(sound)).toBe(true);
});

test.runIf(SLOW)(
  'a folder that nothing can be written to, and none at all',
  { timeout: 240_000 },
  async () => {
    const first = await esign(['config', 'path'], { ESIGN_NO_CODE_CACHE: '1' });
    await mkdir(join(home, 'cache'));
    await writeFile(code, '');
    expect(await esign(['config', 'path'])).toEqual(first);
    await rm(code);
    await mkdir(code, { mode: 0o500 });
    expect(await esign(['config', 'path'])).toEqual(first);
    await chmod(code, 0o777);
    await rm(code, { recursive: true });
    await mkdir(code);
    await chmod(code, 0o777);
    expect(await esign(['config', 'path'])).toEqual(first);
    expect(await kept()).toEqual([]);
  },
);

// V8 rejects what a process with other flags wrote: such a file would be written again by each run.
test.runIf(SLOW)(
  'what was kept after PDFium ran, pictures were read and a service was asked is accepted',
  { timeout: 240_000 },
  async () => {
    const photo = join(home, 'photo.jpg');
    await writeFile(photo, photograph());
    // What stands behind the end of a file makes PDFium read it.
    const odd = join(home, 'odd.pdf');
    await writeFile(odd, Buffer.concat([await readFile(CONTRACT), Buffer.from('\n% more\n')]));
    const files = [odd, photo];
    const served = await openHarness('over HTTP');
    try {
      const remote = {
        ESIGN_BASE_URL: served.baseUrl,
        ESIGN_ACCESS_TOKEN: served.service.ownToken,
        ESIGN_SENDER: 'Sandbox Sender <sender@esign.test>',
      };
      const send = ['tx', 'send', ...files, '--to', 'Ada <ada@example.com>', '--json'];
      const show = async (sent: { out: string }, env = {}) =>
        esign(['tx', 'show', (JSON.parse(sent.out) as { id: string }).id], env);
      const round = async () => {
        const far = await esign(send, remote);
        expect(far.exit, far.err).toBe(0);
        await show(far, remote);
        await show(await esign(send));
        const names = (await kept()).sort();
        return Promise.all(names.map(async (name) => [name, (await stat(join(code, name))).mtimeMs]));
      };
      await round();
      const second = await round();
      expect(await round()).toEqual(second);
      for (const name of ['main', 'package-undici', 'package-embedpdf-pdfium'])
        expect(second.map(([file]) => String(file).startsWith(name))).toContain(true);
    } finally {
      await served.close();
    }
  },
);
