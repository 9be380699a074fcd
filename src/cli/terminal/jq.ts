// `--jq`: filters the output with jq itself (WebAssembly), in a thread that a signal ends, because a filter may run for ever.
// The thread has no environment, and jq has neither files nor a network there. It must never be loaded without `--jq`.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type CliError, cliError } from '../command/errors.ts';
import { processorMs, residentBytes } from '../process/edges.ts';
import { escapedJson } from './json.ts';

export type Filter = {
  /** Checks the expression before a command does anything. @throws CliError with exit 2 when jq cannot parse it */
  check(): Promise<void>;
  /** Filters JSON values, one after another. @returns a line for each result: text unchanged, anything else as JSON; undefined for none */
  apply(json: string): Promise<string | undefined>;
};

type JqResult = { stdout: string; stderr: string; exitCode: number };

/** An answer without `result` says why jq crashed. */
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

/** The exit code of jq when it cannot parse the expression. */
const NOT_COMPILED = 3;

export function createFilter(expression: string, abort: AbortSignal): Filter {
  let thread: Worker | undefined;
  const run = async (json: string): Promise<JqResult> => {
    thread ??= startThread();
    const asked = thread;
    // The space prevents that jq takes the expression for an option; it changes nothing else.
    const question = { json, expression: expression.startsWith('-') ? ` ${expression}` : expression };
    try {
      const { result, why } = await sendToThread(asked, question, abort);
      if (result) return result;
      throw failed(meaningOf(why));
    } catch (error) {
      // The thread may still be working, and would keep the process from ending.
      await asked.terminate();
      thread = undefined;
      throw error;
    }
  };
  return {
    async check() {
      const { exitCode, stderr } = await run('');
      if (exitCode === NOT_COMPILED)
        throw cliError('jq_invalid', {
          sentence: `"${expression}" is not a valid jq expression: ${firstLine(stderr)}.`,
          hint: "Quote the expression for the shell, for example --jq '.items[].id'.",
        });
    },
    async apply(json) {
      const { exitCode, stdout, stderr } = await run(json);
      if (exitCode !== 0) throw failed(firstLine(stderr));
      return stdout === '' ? undefined : stdout.split('\n').map(asText).join('\n');
    },
  };
}

/** Explains an error of the thread. WebAssembly reports only that it was aborted when it gets no more memory. */
const meaningOf = (why = 'jq ended unexpectedly'): string =>
  why.startsWith('Aborted(') ? 'the expression needed more memory than jq has' : why;

const asText = (line: string): string =>
  line.startsWith('"') ? String(JSON.parse(line)) : escapedJson(line);

const failed = (reason: string): CliError =>
  cliError('jq_failed', {
    sentence: `The command succeeded, but jq could not filter its output: ${reason}.`,
    hint: 'Use --json instead of --jq to see the whole output.',
  });

/** `jq: error (at /dev/stdin:0): Cannot index number` → `Cannot index number` */
const firstLine = (stderr: string): string =>
  (stderr.split('\n')[0] ?? '')
    .replace(/^jq: error(?: \(at [^)]*\))?: /, '')
    .replace(' at <top-level>,', ' at')
    .replace(/[.:\s]+$/, '');

function startThread(): Worker {
  const workerData = { package: createRequire(import.meta.url).resolve('jq-wasm') };
  // Its own output after a crash is not shown, because the error says the same.
  const thread = new Worker(THREAD, { eval: true, env: {}, stdout: true, stderr: true, workerData });
  // An idle thread must not keep the command alive.
  thread.unref();
  return thread;
}

/** The limits for jq. The command waits meanwhile, so the usage of the process is that of jq. A filter needs far less. */
const MOST_PROCESSOR_MS = 60_000;
const MOST_BYTES = 2 * 1024 * 1024 * 1024;
const LOOK_EVERY_MS = 100;

/** Watches the limits. The returned function says which one was exceeded. */
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

async function sendToThread(
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
