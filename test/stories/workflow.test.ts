// docs/github-actions.yml, carried out as far as a machine without GitHub can: its steps run in their order and their environment, against a
// served sandbox in the place of the service. The installation takes esign from a repository of this machine, as far as its files; only
// the checkout, npm and the upload are not run.
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

type Step = {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
};
type Workflow = { jobs: { sign: { env: Record<string, string>; steps: Step[] } } };

const file = new URL('../../docs/github-actions.yml', import.meta.url);
const { env, steps } = (parse(await readFile(file, 'utf8')) as Workflow).jobs.sign;
const revision = { ESIGN_REVISION: env.ESIGN_REVISION ?? '' };
const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

test('the workflow file installs one revision of esign, then runs four commands and keeps what they made', () => {
  expect(commands).toHaveLength(5);
  expect(env.ESIGN_REVISION).toMatch(/^(v\d+\.\d+\.\d+|[0-9a-f]{40})$/);
  expect(commands[0]).toContain('"$ESIGN_REVISION"');
  expect(commands[0]).toContain('npm install --global');
  expect(steps.at(-1)).toMatchObject({
    uses: expect.stringMatching(/^actions\/upload-artifact@/),
    with: { path: 'signed' },
  });
});

describe.skipIf(!SLOW)('the installation of the workflow', () => {
  test('fetches the revision that it names, and no other', async () => {
    const fixture = await createStoryFixture();
    const origin = join(fixture.folder, 'origin');
    const git = (words: string) =>
      runCommand(fixture, `git -c user.name=T -c user.email=t@example.com -C ${origin} ${words}`);
    await runCommand(fixture, `git init --quiet ${origin}`);
    for (const text of ['first', 'second']) await git(`commit --quiet --allow-empty -m ${text}`);
    await git('tag v0.1.0 HEAD~1');
    const fetches = commands[0]
      ?.split('\n')
      .filter((line) => line.startsWith('git '))
      .join('\n')
      .replace('https://github.com/esign-cli/esign', origin);
    const job = { ...fixture, env: { ...fixture.env, RUNNER_TEMP: fixture.folder, ...revision } };
    expect(await runCommand(job, fetches ?? '')).toMatchObject({ code: 0 });
    expect((await runCommand(job, 'git -C esign log --format=%s')).out.trim()).toBe('first');
    await fixture.close();
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
      'vars.SERVICE_ROOT': await onService(
        'esign sandbox ca export --pem >/dev/null && cat esign-sandbox-root.pem',
      ),
      'vars.ESIGN_SENDER': 'Release Bot <release@example.com>',
      'secrets.ESIGN_CLIENT_ID': client_id,
      'secrets.ESIGN_CLIENT_SECRET': client_secret,
      'secrets.ESIGN_REFRESH_TOKEN': refresh_token,
    };
  }

  test('send a document, wait until it is signed, and write the summary of the job', async () => {
    const known = await settings();
    const { ESIGN_REVISION: _, ...secrets } = env;
    const settingFor = (expression: string): string => {
      const name = /^\$\{\{ (\S+) \}\}$/.exec(expression)?.[1] ?? '';
      expect(Object.keys(known)).toContain(name);
      return known[name] ?? '';
    };
    const settingsOf = (variables: Record<string, string>) =>
      Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, settingFor(value)]));
    const runner = join(fixture.folder, 'runner');
    await mkdir(runner);
    await copyFile(join(fixture.folder, 'contract.pdf'), join(fixture.folder, 'release.pdf'));
    const job = {
      ...fixture,
      env: {
        ...fixture.env,
        ...settingsOf(secrets),
        ESIGN_HOME: runner,
        RUNNER_TEMP: runner,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: join(runner, 'output'),
        GITHUB_STEP_SUMMARY: join(runner, 'summary.md'),
      },
      commandProcess: undefined,
    };
    const [, check = '', send = '', verify = '', checksum = ''] = commands;
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
    // The runner is another machine than the service, so it trusts nothing without the root of the service.
    const unverified = await runCommand(job, 'esign verify signed/*.sealed.pdf');
    expect(unverified.code).not.toBe(0);
    const variables = settingsOf(steps.find(({ run }) => run === verify)?.env ?? {});
    const verified = await runCommand({ ...job, env: { ...job.env, ...variables } }, verify);
    expect(verified, verified.err).toMatchObject({ code: 0 });
    expect(await runCommand(job, checksum)).toMatchObject({ code: 0 });
    expect(await readFile(join(runner, 'summary.md'), 'utf8')).toMatch(
      /[0-9a-f]{64} {2}signed\/release\.sealed\.pdf/,
    );
    expect(await readFile(join(runner, 'output'), 'utf8')).toContain(id);
  });
});
