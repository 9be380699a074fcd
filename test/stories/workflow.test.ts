// docs/github-actions.yml, carried out as far as a machine without GitHub can: its steps run in their order and their environment, against a
// served sandbox in the place of the service. The installation takes esign from a repository of this machine, as far as its files; only
// the checkout, npm and the upload are not run.
import { once } from 'node:events';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type CiService, startCiService } from '../support/stories/ci-service.ts';
import { createStoryFixture, runCommand, startCommand } from '../support/stories/story.ts';
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
  let service: CiService;

  beforeAll(async () => {
    service = await startCiService();
  });
  afterAll(() => service.close());

  test('send a document, wait until it is signed, and write the summary of the job', async () => {
    const { fixture } = service;
    const { ESIGN_REVISION: _, ...secrets } = env;
    const settingFor = (expression: string): string => {
      const name = /^\$\{\{ (?:vars|secrets)\.(\S+) \}\}$/.exec(expression)?.[1] ?? '';
      expect(Object.keys(service.settings)).toContain(name);
      return service.settings[name as keyof typeof service.settings];
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
    const id = await service.signNext();
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
