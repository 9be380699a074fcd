// Measures whole processes compared with bare Node of the same version, and their processor time, which other work on the machine
// changes less. NODE_EXTRA_CA_CERTS makes bare Node 20 take twice as long, so ratios there look twice as good: `bench.js`
// says whether it was set.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.js';

const RUNS = 21;
const CPU_RUNS = 5;
/** The shell counts in hundredths of a second. */
const TIMES_IN_ONE = 5;
const esign = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));
const contract = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

/** Measures both commands in turn, so that other load slows both. */
export function startUp(node, words, env = process.env) {
  return ratioToBare(node, [node, esign, ...words], env);
}

function ratioToBare(node, command, env) {
  const bare = [node, '-e', '0'];
  const wall = inTurn(RUNS, bare, command, (words) => time(words, env));
  const cpu = inTurn(CPU_RUNS, bare, command, (words) => cpuTime(words, env));
  return `${ratio(wall)}   (${median(wall.ours).toFixed(0)} ms ÷ ${median(wall.bare).toFixed(0)} ms; CPU ${ratio(cpu)})`;
}

const ratio = ({ ours, bare }) => (median(ours) / median(bare)).toFixed(2);

/** The first two pairs warm up. */
function inTurn(runs, bare, ours, measure) {
  const pairs = Array.from({ length: runs + 2 }, () => [measure(bare), measure(ours)]).slice(2);
  return { bare: pairs.map(([one]) => one), ours: pairs.map(([, other]) => other) };
}

export const txSend = (node) =>
  withHome((env) => startUp(node, ['tx', 'send', contract, '--to', 'Ada <ada@example.com>'], env));

/** Measures the gain of the compiled code cache. */
export const txSendUncached = () =>
  withHome((env) =>
    startUp(process.execPath, ['tx', 'send', contract, '--to', 'Ada <ada@example.com>'], {
      ...env,
      ESIGN_NO_CODE_CACHE: '1',
    }),
  );

/** Measures one TAB, with a transaction that was seen. */
export const tab = (node) =>
  withHome((env) => {
    sendContract(env);
    const line = { ESIGN_COMPLETE_LINE: 'esign tx show ', ESIGN_COMPLETE_BREAKS: ' \t\n"\'><=;|&(:' };
    return startUp(node, ['__complete', 'bash'], { ...env, ...line });
  });

export const txShow = (node) => withHome((env) => startUp(node, ['tx', 'show', sendContract(env)], env));

/** Measures the same with a service on loopback: this one, in another process. */
export const txShowRemote = (node) =>
  withHome(async (env) => {
    const id = sendContract(env);
    const child = spawn(process.execPath, [esign, 'sandbox', 'serve', '--port', '0', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(child.stdout, 'data');
      const { base_url } = JSON.parse(String(line));
      const token = said(['sandbox', 'token', '--raw'], env).trim();
      const remote = { ESIGN_BASE_URL: base_url, ESIGN_ACCESS_TOKEN: token };
      return startUp(node, ['tx', 'show', id], { ...env, ...remote });
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });

/** Measures another program compared with the Node of this run. @param command an executable, or a script for Node */
export function peer(command, word) {
  const isScript = /\.[cm]?js$/.test(command);
  const words = isScript ? [process.execPath, command, word] : [command, word];
  return ratioToBare(process.execPath, words, { ...process.env, CI: '1', NO_UPDATE_NOTIFIER: '1' });
}

export async function withHome(use) {
  const home = mkdtempSync(join(tmpdir(), 'esign-bench-'));
  try {
    return await use({ ...process.env, ESIGN_HOME: home });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @returns the id of a transaction like the README's */
export const sendContract = (env) =>
  JSON.parse(said(['tx', 'send', contract, '--to', 'Ada <ada@example.com>', '--json'], env)).id;

export const said = (words, env) =>
  spawnSync(process.execPath, [esign, ...words], { env, encoding: 'utf8' }).stdout;

function time([program, ...words], env) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(program, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}

/** Processor time of one run, in milliseconds. The shell prints it for all its commands: `0m0.093s 0m0.024s` in the last line. Not on Windows. */
export function cpuTime(words, env) {
  const script = `for _ in ${'x '.repeat(TIMES_IN_ONE)}; do "$@" 2>/dev/null || exit 1; done; times >&2`;
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', ...words], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with an error.`);
  const parts = [
    ...stderr
      .trim()
      .split('\n')
      .at(-1)
      .matchAll(/(\d+)m([\d.]+)s/g),
  ];
  const seconds = parts.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
  return (seconds * 1000) / TIMES_IN_ONE;
}
