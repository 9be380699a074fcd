// Measures whole processes by their processor time, which other work on the machine changes less than the time on the clock: compared
// with bare Node of the same version, or with another build of esign. Each pair is measured in turn.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.js';

const RUNS = 21;
/** They fill the caches of the program and of the disk. */
const WARM_UP_RUNS = 2;
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const contract = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

const SEND = ['tx', 'send', contract, '--to', 'Ada <ada@example.com>'];
const COMPLETED_LINE = {
  ESIGN_COMPLETE_LINE: 'esign tx show ',
  ESIGN_COMPLETE_BREAKS: ' \t\n"\'><=;|&(:',
};

/** What each row runs: words after `esign`, and more variables. `id` is a transaction that was sent before. */
const COMMANDS = {
  version: () => ({ words: ['--version'] }),
  help: () => ({ words: ['--help'] }),
  tab: (id) => id() && { words: ['__complete', 'bash'], variables: COMPLETED_LINE },
  show: (id) => ({ words: ['tx', 'show', id()] }),
  send: () => ({ words: SEND }),
  'send-uncached': () => ({ words: SEND, variables: { ESIGN_NO_CODE_CACHE: '1' } }),
};
export const COMPARED_PROCESSES = Object.keys(COMMANDS);

/** Measures a command compared with bare Node. @param node the Node that runs both */
export const startUp = (name, node = process.execPath) =>
  withHome((env) => ratioToBare(node, commandOf(name, { root: ROOT, node, env })));

/** Measures a command compared with the one of another build. @returns the ratio of each pair of runs */
export const compareProcesses = (name, otherRoot, node = process.execPath) =>
  withHome((env) =>
    withHome((otherEnv) => {
      const ours = commandOf(name, { root: ROOT, node, env });
      const other = commandOf(name, { root: otherRoot, node, env: otherEnv });
      return inTurn(other, ours).map(([theirs, mine]) => mine / theirs);
    }),
  );

export function commandOf(name, { root, node, env }) {
  const program = [node, join(root, 'bin', 'esign.js')];
  const { words, variables } = COMMANDS[name](() => sendContract(program, env));
  return { words: [...program, ...words], env: { ...env, ...variables } };
}

/** Measures `tx show` of a service on loopback: this one, in another process. */
export const showRemote = (node) =>
  withHome(async (env) => {
    const program = [node, join(ROOT, 'bin', 'esign.js')];
    const id = sendContract(program, env);
    const child = spawn(node, [program[1], 'sandbox', 'serve', '--port', '0', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(child.stdout, 'data');
      const { base_url } = JSON.parse(String(line));
      const token = outputOf([...program, 'sandbox', 'token', '--raw'], env).trim();
      const remote = { ESIGN_BASE_URL: base_url, ESIGN_ACCESS_TOKEN: token };
      return ratioToBare(node, { words: [...program, 'tx', 'show', id], env: { ...env, ...remote } });
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });

/** Measures another program compared with the Node of this run. @param command an executable, or a script for Node */
export function peer(command, word) {
  const isScript = /\.[cm]?js$/.test(command);
  const words = isScript ? [process.execPath, command, word] : [command, word];
  return ratioToBare(process.execPath, {
    words,
    env: withoutCertificates({ CI: '1', NO_UPDATE_NOTIFIER: '1' }),
  });
}

const ratioToBare = (node, command) => ratioToOther({ words: [node, '-e', '0'], env: command.env }, command);

/** Compares the processor time of a command with that of another one. @param runs of each */
export function ratioToOther(other, command, runs = RUNS) {
  const pairs = inTurn(other, command, runs);
  const [theirs, ours] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])));
  return `${(ours / theirs).toFixed(2)}   (${ours.toFixed(0)} ÷ ${theirs.toFixed(0)} ms of processor time)`;
}

/** @returns the processor times of both commands, run by run */
export function inTurn(first, second, runs = RUNS) {
  const pairs = Array.from({ length: WARM_UP_RUNS + runs }, () => [cpuTime(first), cpuTime(second)]);
  return pairs.slice(WARM_UP_RUNS);
}

export async function withHome(use) {
  const home = mkdtempSync(join(tmpdir(), 'esign-bench-'));
  try {
    return await use(withoutCertificates({ ESIGN_HOME: home }));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** NODE_EXTRA_CA_CERTS makes bare Node 20 take twice as long, so that ratios to it look twice as good. */
export function withoutCertificates(variables) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return { ...env, ...variables };
}

/** @returns the ID of a transaction like the README's */
export const sendContract = (program, env) => JSON.parse(outputOf([...program, ...SEND, '--json'], env)).id;

export const outputOf = ([program, ...words], env) =>
  spawnSync(program, words, { env, encoding: 'utf8' }).stdout;

/** Processor time of a run, in milliseconds. bash prints it for its commands: `0m0.093s 0m0.024s` in the last line. Not on Windows. */
export function cpuTime({ words, env }) {
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', '"$@" 2>/dev/null || exit 1; times >&2', 'bash', ...words],
    {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`${words.join(' ')} ended with an error.`);
  const times = stderr
    .trim()
    .split('\n')
    .at(-1)
    .matchAll(/(\d+)m([\d.]+)s/g);
  return [...times].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}
