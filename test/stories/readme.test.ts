// README, carried out: its commands and its receiver as they stand there. Only addresses of services and the port are others, and
// `npm` and `npx` find what this folder has already. Only `login` is not run: test/browser has it.
import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/servers/ports.ts';
import { codeBlocks } from '../support/stories/code-blocks.ts';
import {
  createStoryFixture,
  runCommand,
  type StartedCommand,
  type StoryFixture,
  startCommand,
} from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let fixture: StoryFixture;
const running: StartedCommand[] = [];

beforeAll(async () => {
  fixture = await createStoryFixture();
  const bin = join(fixture.folder, '.bin');
  await mkdir(bin);
  await writeFile(
    join(bin, 'npm'),
    `#!/bin/sh\n[ "$*" != "install standardwebhooks" ] || ln -s ${ROOT}node_modules node_modules\n`,
    { mode: 0o755 },
  );
  await mkdir(join(fixture.folder, 'test', 'fixtures'), { recursive: true });
  await copyFile(
    join(fixture.folder, 'contract.pdf'),
    join(fixture.folder, 'test', 'fixtures', 'contract.pdf'),
  );
  await writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  fixture.env.PATH = `${bin}:${fixture.env.PATH}`;
});

afterAll(async () => {
  for (const { process } of running) {
    if (process.exitCode !== null || process.signalCode !== null) continue;
    process.kill('SIGKILL');
    await once(process, 'close');
  }
  await fixture.close();
});

/** Reads the blocks of code of a section, in their order. */
const blocksOf = async (heading: string) =>
  codeBlocks(await readFile(join(ROOT, 'README.md'), 'utf8'), heading);

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !holds(); tries += 1) {
    if (tries > 1500) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The last line of a block that runs on takes the place of its shell, so that it can be ended. */
const inBackground = (code: string): StartedCommand => {
  const lines = code
    .replaceAll(/ +#.*$/gm, '')
    .trim()
    .split('\n');
  const child = startCommand(fixture, [...lines.slice(0, -1), `exec ${lines.at(-1)}`].join('\n'));
  running.push(child);
  return child;
};

/** Runs the lines, of which none may fail. */
const succeeds = async (code: string, env: Record<string, string> = {}) => {
  const ran = await runCommand({ ...fixture, env: { ...fixture.env, ...env } }, `set -e\n${code}`);
  expect(ran, code).toMatchObject({ code: 0 });
  return ran;
};

const end = async ({ process }: StartedCommand) => {
  const closed = once(process, 'close');
  process.kill('SIGINT');
  await closed;
};

describe.skipIf(!SLOW)('README', () => {
  test('from an empty folder to events that are verified, forwarded and replayed', async () => {
    const port = await freePort();
    const blocks = (await blocksOf('Receive events')).map(({ language, code }) => ({
      language,
      code: code.replaceAll('3000', String(port)),
    }));
    expect(blocks.map(({ language }) => language)).toEqual(['sh', 'js', 'sh', 'sh', 'sh', 'sh']);
    const [install, receiver, first, second, third, fourth] = blocks.map(({ code }) => code);
    expect(await runCommand(fixture, install ?? '')).toMatchObject({ code: 0 });
    await writeFile(join(fixture.folder, 'receiver.mjs'), receiver ?? '');
    const receiving = inBackground(first ?? '');
    const listening = inBackground(second ?? '');
    await until(() => listening.said().err.includes('Press Ctrl-C to stop'), 'the listener');
    const triggered = await runCommand(fixture, third ?? '');
    expect(triggered).toMatchObject({ code: 0 });
    const lines = () => receiving.said().out.trim().split('\n');
    await until(() => lines().length === 4, 'four events');
    const id = /^id\t(\S+)$/m.exec(triggered.out)?.[1];
    const history = [
      'transaction_created',
      'transaction_started',
      'recipient_submitted',
      'transaction_completed',
    ];
    expect(lines()).toEqual(history.map((type) => `${type} ${id}`));
    await until(() => listening.said().out.trim().split('\n').length === 4, 'four lines');
    expect(listening.said().out.match(/\t204\t/g)).toHaveLength(4);
    expect(await runCommand(fixture, fourth ?? '')).toMatchObject({ code: 0 });
    await until(() => lines().length === 8, 'the same four again');
    expect(lines().slice(4)).toEqual(lines().slice(0, 4));
    const closed = once(listening.process, 'close');
    listening.process.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    // The secret of another receiver.
    const forged = {
      ...fixture,
      env: { ...fixture.env, ESIGN_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    };
    const refused = await runCommand(forged, fourth ?? '');
    expect(refused).toMatchObject({ code: 7, out: expect.stringContaining('HTTP status 401') });
  });

  test('has two commands that work at once', async () => {
    const [first, second, third] = await blocksOf('esign');
    expect((await succeeds(first?.code ?? '')).out).toContain('asked to sign now');
    expect(second?.code).toBe('npm ci && npm test\n');
    // test/release installs the package.
    expect(third?.code).toBe('npm install --global .\n');
  });

  test('sends, signs and verifies', async () => {
    const [send, open, sign, verify, preview] = (await blocksOf('Send, sign and verify')).map(
      ({ code }) => code,
    );
    const serving = inBackground(send ?? '');
    await until(() => /^base_url\t/m.test(serving.said().out), 'the service');
    expect(serving.said().out).toContain('asked to sign now');
    expect((await succeeds(open ?? '')).out).toContain('/sign?token=');
    await succeeds(sign ?? '');
    expect((await succeeds(verify ?? '')).out).toContain('contract.sealed.pdf');
    expect((await succeeds(preview ?? '')).out).toContain('contract-3.png');
    await end(serving);
  });

  test('works in CI', async () => {
    const elsewhere = { ESIGN_HOME: join(fixture.folder, 'service') };
    const service = { ...fixture, env: { ...fixture.env, ...elsewhere }, commandProcess: undefined };
    const serving = startCommand(service, 'exec esign sandbox serve --port 0');
    running.push(serving);
    await until(() => /http:\S+/.test(serving.said().out), 'the service');
    const [url = ''] = /http:\/\/[^/\s"]+/.exec(serving.said().out) ?? [];
    await succeeds('esign sandbox users add "Release Bot <release@example.com>"', elsewhere);
    const { out } = await succeeds('esign sandbox token --user release@example.com --raw', elsewhere);
    const [set, send] = (await blocksOf('Use it in CI')).map(({ code }) => code);
    await copyFile(join(fixture.folder, 'contract.pdf'), join(fixture.folder, 'release.pdf'));
    fixture.env.SIGNING_TOKEN = out.trim();
    const sending = inBackground(`${set?.replace('https://api.example.com', url)}${send}`);
    const id = async () =>
      /^\S+/m.exec(
        (
          await runCommand(
            service,
            'esign events list --jq ".items[] | select(.type == \\"transaction_started\\") | .data.id"',
          )
        ).out,
      )?.[0];
    let found: string | undefined;
    for (let tries = 0; found === undefined && tries < 60; tries += 1) found = await id();
    await succeeds(`esign sandbox sign ${found}`, elsewhere);
    if (sending.process.exitCode === null) await once(sending.process, 'close');
    expect(sending.process.exitCode, sending.said().err).toBe(0);
    await readFile(join(fixture.folder, 'signed', 'release.sealed.pdf'));
    await end(serving);
  });

  test('gets a token for CI', async () => {
    const elsewhere = { ESIGN_HOME: join(fixture.folder, 'issuer') };
    const service = { ...fixture, env: { ...fixture.env, ...elsewhere }, commandProcess: undefined };
    const serving = startCommand(service, 'exec esign sandbox serve --port 0');
    running.push(serving);
    await until(() => /http:\S+/.test(serving.said().out), 'the service');
    const [url = ''] = /http:\/\/[^/\s"]+/.exec(serving.said().out) ?? [];
    await succeeds('esign sandbox users add "Release Bot <release@example.com>"', elsewhere);
    const app = 'esign sandbox apps create CI --callback-url http://127.0.0.1:8976/callback --json';
    const { client_id: id, client_secret: secret } = JSON.parse((await succeeds(app, elsewhere)).out);
    const [block] = (await blocksOf('Get a token for CI')).map(({ code }) => code.trim().split('\n'));
    const [login = '', ...others] = block ?? [];
    expect(others).toHaveLength(4);
    // What a person does in the browser ends with a code.
    const here = login.replace(/https:\/\/(api|dashboard)\.example\.com/g, url);
    const own = {
      ESIGN_HOME: join(fixture.folder, 'laptop'),
      ESIGN_CLIENT_ID: id,
      ESIGN_CLIENT_SECRET: secret,
    };
    const { out: begun } = await succeeds(`${here} --start`, own);
    const [, challenge] = /code_challenge=([\w-]+)/.exec(begun) ?? [];
    const code = `esign sandbox token --code --code-challenge ${challenge} --raw --client ${id} --user release@example.com`;
    await succeeds(`esign login --complete ${(await succeeds(code, elsewhere)).out.trim()}`, own);
    const [account, access, refresh, logout] = others;
    expect((await succeeds(account ?? '', own)).out).toMatch(/^is_accepted\ttrue$/m);
    const token = (await succeeds(access ?? '', own)).out.trim();
    const refreshToken = (await succeeds(refresh ?? '', own)).out.trim();
    await succeeds(logout ?? '', own);
    // Two jobs, one with each.
    const job = {
      ESIGN_HOME: join(fixture.folder, 'job'),
      ESIGN_BASE_URL: url,
      ESIGN_SENDER: 'release@example.com',
    };
    const send = 'esign tx send contract.pdf --to "Ada <ada@example.com>" --draft';
    await succeeds(send, { ...job, ESIGN_ACCESS_TOKEN: token });
    await succeeds(send, {
      ...job,
      ESIGN_CLIENT_ID: id,
      ESIGN_CLIENT_SECRET: secret,
      ESIGN_REFRESH_TOKEN: refreshToken,
    });
    await end(serving);
  });

  test('works for a team', async () => {
    const blocks = await blocksOf('Profiles, defaults and aliases');
    expect(blocks.map(({ language }) => language)).toEqual(['sh', 'json', 'sh']);
    const own = { ESIGN_HOME: join(fixture.folder, 'team') };
    const [profiles, config, alias] = blocks.map(({ code }) => code);
    const withoutLogin = profiles?.replace(/^esign login .*\n/m, '');
    expect((await succeeds(withoutLogin ?? '', own)).out).toContain('staging');
    await writeFile(join(fixture.folder, 'esign.config.json'), config ?? '');
    const planned = await succeeds(
      'esign tx send contract.pdf --to "Ada <ada@example.com>" --sandbox --dry-run --yes',
      own,
    );
    expect(planned.out).toMatch(/signature/);
    await succeeds(alias ?? '', own);
  });

  test('installs shell completion', async () => {
    const [block] = await blocksOf('Shell completion and man pages');
    await writeFile(join(fixture.folder, 'completion.sh'), block?.code ?? '');
    await succeeds('bash -e completion.sh');
  });
});
