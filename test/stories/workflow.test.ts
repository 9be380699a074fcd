// docs/github-actions.yml, carried out as far as a machine without GitHub can: its steps run in their order and their environment, against a
// served sandbox in the place of the service. Only the checkout, the installation and the upload are not run.
import { once } from 'node:events';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import {
  createStoryFixture,
  runCommand,
  type StartedCommand,
  type StoryFixture,
  startCommand,
} from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

type Step = { name?: string; uses?: string; run?: string; with?: Record<string, string> };
type Workflow = { jobs: { sign: { env: Record<string, string>; steps: Step[] } } };

const file = new URL('../../docs/github-actions.yml', import.meta.url);
const { env, steps } = (parse(await readFile(file, 'utf8')) as Workflow).jobs.sign;
const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

test('the workflow file installs esign, then runs three commands and keeps what they made', () => {
  expect(commands).toHaveLength(4);
  expect(commands[0]).toContain('npm install --global');
  expect(steps.at(-1)).toMatchObject({
    uses: expect.stringMatching(/^actions\/upload-artifact@/),
    with: { path: 'signed' },
  });
});

describe.skipIf(!SLOW)('the steps of the workflow', () => {
  let fixture: StoryFixture;
  let serving: StartedCommand;
  let url: string;

  beforeAll(async () => {
    fixture = await createStoryFixture();
    serving = startCommand(service(), 'exec esign sandbox serve --port 0');
    await vi.waitFor(() => expect(serving.said().out).toMatch(/http:\S+/), { timeout: 60_000 });
    [url = ''] = /http:\/\/[^/\s"]+/.exec(serving.said().out) ?? [];
  });
  afterAll(async () => {
    const closed = once(serving.process, 'close');
    serving.process.kill('SIGKILL');
    await closed;
    await fixture.close();
  });

  const service = (): StoryFixture => ({
    ...fixture,
    env: { ...fixture.env, ESIGN_HOME: join(fixture.folder, 'service') },
    commandProcess: undefined,
  });

  async function onService(command: string): Promise<string> {
    const ran = await runCommand(service(), command);
    expect(ran, command).toMatchObject({ code: 0 });
    return ran.out.trim();
  }

  /** What the settings of the repository hold. */
  async function settings(): Promise<Record<string, string>> {
    await onService('esign sandbox users add "Release Bot <release@example.com>"');
    const app = 'esign sandbox apps create CI --callback-url http://127.0.0.1:8976/callback --json';
    const { client_id, client_secret } = JSON.parse(await onService(app));
    const given = await onService(
      `esign sandbox token --code --raw --client ${client_id} --user release@example.com`,
    );
    const response = await fetch(`${url}/v1/oauth/exchange/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, client_secret, code: /[?&]code=([^&]+)/.exec(given)?.[1] ?? given }),
    });
    expect(response.status).toBe(200);
    const { refresh_token } = (await response.json()) as { refresh_token: string };
    return {
      'vars.ESIGN_BASE_URL': url,
      'vars.ESIGN_SENDER': 'Release Bot <release@example.com>',
      'secrets.ESIGN_CLIENT_ID': client_id,
      'secrets.ESIGN_CLIENT_SECRET': client_secret,
      'secrets.ESIGN_REFRESH_TOKEN': refresh_token,
    };
  }

  test('send a document, wait until it is signed, and write the summary of the job', async () => {
    const known = await settings();
    const settingFor = (expression: string): string => {
      const name = /^\$\{\{ (\S+) \}\}$/.exec(expression)?.[1] ?? '';
      expect(Object.keys(known)).toContain(name);
      return known[name] ?? '';
    };
    const runner = join(fixture.folder, 'runner');
    await mkdir(runner);
    await copyFile(join(fixture.folder, 'contract.pdf'), join(fixture.folder, 'release.pdf'));
    const job = {
      ...fixture,
      env: {
        ...fixture.env,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, settingFor(value)])),
        ESIGN_HOME: runner,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: join(runner, 'output'),
        GITHUB_STEP_SUMMARY: join(runner, 'summary.md'),
      },
      commandProcess: undefined,
    };
    const [, check = '', send = '', checksum = ''] = commands;
    expect(await runCommand(job, check)).toMatchObject({ code: 0 });
    const sending = startCommand(job, send);
    const waiting = '.items[] | select(.type == "transaction_started") | .data.id';
    let id = '';
    await expect
      .poll(async () => {
        id = await onService(`esign events list --jq '${waiting}' | tr -d '"'`);
        return id;
      })
      .toMatch(/^\S+$/);
    await onService(`esign sandbox sign ${id}`);
    if (sending.process.exitCode === null) await once(sending.process, 'close');
    expect(sending.process.exitCode, sending.said().err).toBe(0);
    expect(await runCommand(job, checksum)).toMatchObject({ code: 0 });
    expect(await readFile(join(runner, 'summary.md'), 'utf8')).toMatch(
      /[0-9a-f]{64} {2}signed\/release\.sealed\.pdf/,
    );
    expect(await readFile(join(runner, 'output'), 'utf8')).toContain(id);
  });
});
