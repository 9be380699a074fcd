// action.yml, setup/action.yml and templates/sign.yml, carried out as far as a machine without GitHub and GitLab can: their steps run in their
// order with the inputs as variables, against a served sandbox in the place of the service. The release that the first step installs is
// one of this machine, whose executable leads to the built program.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type CiService, startCiService } from '../support/stories/ci-service.ts';
import { runCommand, startCommand } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

type Step = { id: string; shell: string; env: Record<string, string>; run: string };
type Input = { required?: boolean; default?: string };
type Action = {
  inputs: Record<string, Input>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
};
type Component = [
  { spec: { inputs: Record<string, Input> } },
  {
    sign: {
      image: { name: string };
      variables: Record<string, string>;
      script: string[];
      artifacts: { paths: string[] };
    };
  },
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');
const actions = {
  sign: parse(await read('action.yml')) as Action,
  setup: parse(await read('setup/action.yml')) as Action,
};
const component = parseAllDocuments(await read('templates/sign.yml')).map((document) =>
  document.toJS(),
) as unknown as Component;
const { version } = JSON.parse(await read('package.json')) as { version: string };

const described: [string, Action][] = Object.entries(actions);

test.each(described)(
  'the action %s hands its inputs on as variables, never into a script',
  (_, { inputs, outputs, runs }) => {
    expect(runs.using).toBe('composite');
    const values = runs.steps.flatMap(({ env }) => Object.values(env));
    expect([...new Set(values)].sort()).toEqual(
      Object.keys(inputs)
        .map((name) => `\${{ inputs.${name} }}`)
        .sort(),
    );
    for (const { shell, run } of runs.steps) {
      expect(shell).toBe('bash');
      expect(run).not.toContain('${{');
    }
    const ids = runs.steps.map(({ id }) => id);
    for (const { value } of Object.values(outputs))
      expect(ids).toContain(/^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/.exec(value)?.[1]);
  },
);

test('the component of GitLab uses the image of this version, and hands its inputs on as variables', () => {
  const [{ spec }, { sign }] = component;
  expect(spec.inputs.version?.default).toBe(version);
  expect(sign.image.name).toBe('ghcr.io/esign-cli/esign:$[[ inputs.version ]]');
  expect(sign.script.join('\n')).not.toContain('$[[');
});

describe.skipIf(!SLOW)('a job', () => {
  let service: CiService;
  let releases: Server;
  let base: string;
  let checksums: string;

  beforeAll(async () => {
    service = await startCiService();
    const files = await makeRelease(join(service.fixture.folder, 'release'));
    checksums = files['checksums.txt']?.toString() ?? '';
    releases = createServer(({ url = '' }, response) => {
      const body = url.startsWith(`/download/v${version}/`) ? files[url.split('/').at(-1) ?? ''] : undefined;
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    releases.listen(0, '127.0.0.1');
    await once(releases, 'listening');
    base = `http://127.0.0.1:${(releases.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    releases.close();
    await service.close();
  });

  /** Makes an archive with a script in the place of the executable, and its checksum. @returns the files by name */
  async function makeRelease(folder: string): Promise<Record<string, Buffer>> {
    await mkdir(folder);
    await writeFile(join(folder, 'esign'), `#!/bin/sh\nexec node ${root}bin/esign.js "$@"\n`);
    await chmod(join(folder, 'esign'), 0o755);
    const machine = { x64: 'x64', arm64: 'arm64' }[process.arch as string] ?? 'x64';
    const name = `esign-v${version}-${process.platform}-${machine}.tar.gz`;
    expect(spawnSync('tar', ['-czf', name, 'esign'], { cwd: folder }).status).toBe(0);
    const archive = await readFile(join(folder, name));
    const line = `${createHash('sha256').update(archive).digest('hex')}  ${name}\n`;
    return { [name]: archive, 'checksums.txt': Buffer.from(line) };
  }

  /** A runner of GitHub, whose steps find in PATH what earlier steps have put there. */
  async function startRunner(name: string) {
    const { fixture, settings } = service;
    const { SERVICE_ROOT: _, ...variables } = settings;
    const folder = join(fixture.folder, name);
    await mkdir(folder);
    await copyFile(join(fixture.folder, 'contract.pdf'), join(fixture.folder, 'release.pdf'));
    const path = (fixture.env.PATH ?? '').split(':').filter((part) => !part.includes('stories/bin'));
    const env: Record<string, string> = {
      ...fixture.env,
      ...variables,
      PATH: path.join(':'),
      ESIGN_HOME: folder,
      RUNNER_TEMP: folder,
      RUNNER_OS: 'Linux',
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_PATH: join(folder, 'path'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      ESIGN_INSTALL_BASE: base,
    };
    const added = async () =>
      (await readFile(join(folder, 'path'), 'utf8').catch(() => '')).trim().split('\n');
    return {
      added,
      output: (step: string) => readFile(join(folder, `output-${step}`), 'utf8').catch(() => ''),
      async job(action: Action, { id, env: inputs }: Step, values: Record<string, string>, place: string) {
        const value = (text: string) => {
          const input = /^\$\{\{ inputs\.(\S+) \}\}$/.exec(text)?.[1] ?? '';
          return values[input] ?? action.inputs[input]?.default ?? '';
        };
        const variablesOfStep = Object.fromEntries(
          Object.entries(inputs).map(([variable, text]) => [variable, value(text)]),
        );
        return {
          ...fixture,
          env: {
            ...env,
            ...variablesOfStep,
            PATH: [...(await added()), env.PATH].join(':'),
            GITHUB_ACTION_PATH: join(root, place),
            GITHUB_OUTPUT: join(folder, `output-${id}`),
          },
          commandProcess: undefined,
        };
      },
    };
  }

  test('with the action `setup` has esign in its PATH', async () => {
    const runner = await startRunner('setup');
    const [step] = actions.setup.runs.steps as [Step];
    const checksum = createHash('sha256').update(checksums).digest('hex');
    const job = await runner.job(actions.setup, step, { checksum }, 'setup');
    const ran = await runCommand(job, step.run);
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(await runner.output('install')).toBe(`version=${version}\n`);
    const [folder] = await runner.added();
    expect(await runCommand(job, `${folder}/esign --version`)).toMatchObject({ out: `${version}\n` });
  });

  test.each([
    ['another checksum than that of checksums.txt', { checksum: '0'.repeat(64) }],
    ['a version that is none', { version: '1.0; touch x' }],
    ['a version that was never released', { version: '99.0.0' }],
  ])('with %s has nothing', async (name, values) => {
    const runner = await startRunner(`refused ${name}`);
    const [step] = actions.setup.runs.steps as [Step];
    const job = await runner.job(actions.setup, step, values, 'setup');
    expect((await runCommand(job, step.run)).code).not.toBe(0);
    expect(await runner.added()).toEqual(['']);
    expect(await runner.output('install')).toBe('');
  });

  test('with the action `sign` sends a file, waits, verifies, and has the outputs', async () => {
    const runner = await startRunner('sign');
    const [install, sign] = actions.sign.runs.steps as [Step, Step];
    const values = {
      file: 'release.pdf\n\n',
      to: 'Ada <ada@example.com>',
      field: 'signature@"For the Customer",at=below',
      message: 'The first line.\n\nThe last line.',
      trust: service.settings.SERVICE_ROOT,
    };
    const ran = await runCommand(await runner.job(actions.sign, install, values, '.'), install.run);
    expect(ran, ran.err).toMatchObject({ code: 0 });
    const sending = startCommand(await runner.job(actions.sign, sign, values, '.'), sign.run);
    const id = await service.signNext();
    if (sending.process.exitCode === null) await once(sending.process, 'close');
    expect(sending.process.exitCode, sending.said().err).toBe(0);
    const output = await runner.output('sign');
    for (const name of Object.keys(actions.sign.outputs))
      expect(output).toMatch(new RegExp(`^${name}<<`, 'm'));
    expect(output).toContain(id);
    expect(output).toContain('signed/release.sealed.pdf');
    expect(await service.run(`esign api transaction.detail -f transactionId=${id}`)).toContain(
      JSON.stringify('The first line.\n\nThe last line.').slice(1, -1),
    );
  });

  test('of GitLab sends a file, waits and verifies', async () => {
    const { fixture, settings } = service;
    const { SERVICE_ROOT, ...variables } = settings;
    const [{ spec }, { sign }] = component;
    const inputs: Record<string, string> = {
      ...Object.fromEntries(Object.entries(spec.inputs).map(([name, input]) => [name, input.default ?? ''])),
      file: 'contract.pdf',
      to: 'Ada <ada@example.com>',
      directory: 'signed by gitlab',
    };
    const home = join(fixture.folder, 'gitlab');
    await mkdir(home);
    await writeFile(join(home, 'root.pem'), SERVICE_ROOT);
    const own = Object.fromEntries(
      Object.entries(sign.variables).map(([name, text]) => [
        name,
        text.replace(/\$\[\[ inputs\.(\w+) \]\]/, (_, input: string) => inputs[input] ?? ''),
      ]),
    );
    const env = {
      ...fixture.env,
      ...variables,
      ...own,
      CI: 'true',
      ESIGN_HOME: home,
      SERVICE_ROOT: join(home, 'root.pem'),
    };
    const script = ['set -e', ...sign.script].join('\n');
    const job = startCommand({ ...fixture, env, commandProcess: undefined }, script);
    await service.signNext();
    if (job.process.exitCode === null) await once(job.process, 'close');
    expect(job.process.exitCode, job.said().err).toBe(0);
    expect(job.said().out).toContain('signed by gitlab/contract.sealed.pdf');
  });
});
