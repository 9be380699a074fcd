// `--jq`: what is printed, filtered by jq itself (WebAssembly), in a thread that a signal ends: a filter may run for ever.
// The thread is given no environment, and jq has neither files nor a network there. Must never be loaded without `--jq`.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type CliError, cliError } from '../command/errors.ts';
import { processorMs, residentBytes } from '../process/edges.ts';
import { escapedJson } from './json.ts';

export type Filter = {
  /** @throws CliError with exit 2 when jq does not understand the expression; asked before a command does anything */
  check(): Promise<void>;
  /** @param json JSON values, one after another @returns a line for each result: text as it is, anything else as JSON; undefined for none */
  apply(json: string): Promise<string | undefined>;
};

type JqResult = { stdout: string; stderr: string; exitCode: number };

/** An answer without `result` says why jq broke down. */
type JqAnswer = { result?: JqResult; why?: string };

const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const loading = require(workerData.package).loadJq();
parentPort.on('message', async ({ json, expression }) => {
  try {
    parentPort.postMessage({ result: (await loading).raw(json, expression, ['-c']) });
  } catch (error) {
    parentPort.postMessage({ why: String(error && error.message) });
  }
});`;

/** What jq ends with when it does not understand the expression. */
const NOT_COMPILED = 3;

export function createFilter(expression: string, abort: AbortSignal): Filter {
  let thread: Worker | undefined;
  const run = async (json: string): Promise<JqResult> => {
    thread ??= startThread();
    const asked = thread;
    // It would be an option of jq; a space before an expression means nothing.
    const question = { json, expression: expression.startsWith('-') ? ` ${expression}` : expression };
    try {
      const { result, why } = await ask(asked, question, abort);
      if (result) return result;
      throw failed(meaningOf(why));
    } catch (error) {
      // It may still be at work, and would keep the process from ending.
      await asked.terminate();
      thread = undefined;
      throw error;
    }
  };
  return {
    async check() {
      const { exitCode, stderr } = await run('');
      if (exitCode === NOT_COMPILED) throw cliError('jq_invalid', { expression, reason: firstLine(stderr) });
    },
    async apply(json) {
      const { exitCode, stdout, stderr } = await run(json);
      if (exitCode !== 0) throw failed(firstLine(stderr));
      return stdout === '' ? undefined : stdout.split('\n').map(asText).join('\n');
    },
  };
}

/** WebAssembly says no more than that it was aborted when it is given no more memory. */
const meaningOf = (why = 'jq ended unexpectedly'): string =>
  why.startsWith('Aborted(') ? 'the expression needed more memory than jq has' : why;

const asText = (line: string): string =>
  line.startsWith('"') ? String(JSON.parse(line)) : escapedJson(line);

const failed = (reason: string): CliError => cliError('jq_failed', { reason });

/** `jq: error (at /dev/stdin:0): Cannot index number` → `Cannot index number` */
const firstLine = (stderr: string): string =>
  (stderr.split('\n')[0] ?? '')
    .replace(/^jq: error(?: \(at [^)]*\))?: /, '')
    .replace(' at <top-level>,', ' at')
    .replace(/[.:\s]+$/, '');

function startThread(): Worker {
  const workerData = { package: createRequire(import.meta.url).resolve('jq-wasm') };
  // What it prints when it breaks down is nobody's to read: the error says it.
  const thread = new Worker(THREAD, { eval: true, env: {}, stdout: true, stderr: true, workerData });
  // A command ends by itself: a thread that has nothing to do does not keep it alive.
  thread.unref();
  return thread;
}

/** The command waits for jq meanwhile, so what the process uses is what jq uses. Both are far beyond what a filter needs. */
const MOST_PROCESSOR_MS = 60_000;
const MOST_BYTES = 2 * 1024 * 1024 * 1024;
const LOOK_EVERY_MS = 100;

/** Says why a filter is given up. */
function watch(): () => string | undefined {
  const startedMs = processorMs();
  const startBytes = residentBytes();
  return () => {
    if (processorMs() - startedMs > MOST_PROCESSOR_MS)
      return `it took more than ${MOST_PROCESSOR_MS / 1000} seconds of processor time`;
    if (residentBytes() - startBytes > MOST_BYTES) return 'it needed more than 2 GiB of memory';
    return undefined;
  };
}

async function ask(
  thread: Worker,
  question: { json: string; expression: string },
  abort: AbortSignal,
): Promise<JqAnswer> {
  const over = new AbortController();
  const { signal } = over;
  const whyTooMuch = watch();
  thread.ref();
  try {
    return await new Promise<JqAnswer>((resolve, reject) => {
      const stop = () => reject(abort.reason);
      const watching = setInterval(() => {
        const why = whyTooMuch();
        if (why !== undefined) resolve({ why });
      }, LOOK_EVERY_MS);
      signal.addEventListener('abort', () => clearInterval(watching));
      const listen = (name: string, heard: (value: unknown) => void) => {
        thread.once(name, heard);
        signal.addEventListener('abort', () => thread.off(name, heard));
      };
      listen('message', (answer) => resolve(answer as JqAnswer));
      listen('error', (error) => resolve({ why: error instanceof Error ? error.message : String(error) }));
      listen('exit', () => resolve({}));
      if (abort.aborted) return stop();
      abort.addEventListener('abort', stop, { once: true, signal });
      thread.postMessage(question);
    });
  } finally {
    over.abort();
    thread.unref();
  }
}
