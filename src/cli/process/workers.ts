// Runs the same command in several processes that share a port (node:cluster), and replaces those that end. The first process serves nothing
// itself. When it ends in any way, Node ends its workers.
import cluster, { type Worker } from 'node:cluster';
import { env } from 'node:process';
import { workerLaunch } from '../../common/own-program.ts';
import type { Signal } from './edges.ts';

type ToWorker = { esign: 'stop'; signal: Signal };
/** The error of a worker: its report is made by name and code. */
type FromWorker = { esign: 'failed'; name: string; code: string | undefined; message: string };

/** What a worker knows of the process that began it. */
export type WorkerLink = {
  /** Counts from 1; one that replaces another has the next number. */
  number: number;
  /** Names of checks that warned when the first process ran them. */
  warnings: readonly string[];
  /** Resolves when the first process asks the worker to end. */
  stopped: Promise<Signal>;
  /** Reports that no worker can do anything more. */
  reportFailure(error: Error): void;
  /** Lets this process end: it would otherwise wait for messages of the first one. */
  release(): void;
};

/** @returns undefined in a process that is no worker */
export function findWorkerLink(): WorkerLink | undefined {
  const { worker } = cluster;
  if (!cluster.isWorker || !worker) return undefined;
  return {
    number: worker.id,
    warnings: (env[WARNINGS] ?? '').split(' ').filter(Boolean),
    stopped: new Promise((resolve) => {
      worker.on('message', (message: Partial<ToWorker>) => {
        if (message.esign === 'stop' && message.signal) resolve(message.signal);
      });
    }),
    reportFailure: ({ name, message, ...rest }: Error & { code?: string }) =>
      worker.send({ esign: 'failed', name, code: rest.code, message } satisfies FromWorker),
    release: () => worker.disconnect(),
  };
}

/** The variable by which a worker gets the warnings. */
const WARNINGS = 'ESIGN_WORKER_WARNINGS';

export type WorkersOptions = {
  count: number;
  /** Names of checks that warned at the start. */
  warnings: readonly string[];
  /** @param inMs when it is replaced */
  onLost: (worker: number, reason: string, inMs: number) => void;
};

export type Workers = {
  /** The port that they share. */
  port: number;
  /** Resolves when the workers can do nothing more, with the reason. */
  failed: Promise<Error>;
  /** Asks all workers to end in order. Resolves when they have. */
  stop(signal: Signal): Promise<void>;
};

/** A worker that ends soon after its start would be started again and again. */
const BACKOFF_MS = { first: 100, most: 30_000 };

/** A worker that has served for this time has started well. */
const SETTLED_MS = 60_000;

/** Thrown when a worker ends before it serves for the first time. It has printed why. */
export class WorkerStartError extends Error {
  override name = 'WorkerStartError';
  readonly exit: number;

  constructor(exit: number) {
    super('A worker could not start.');
    this.exit = exit;
  }
}

/** Resolves when all workers serve. @throws WorkerStartError */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const pool = new WorkerPool(options);
  try {
    const port = await pool.start();
    return { port, failed: pool.failed, stop: (signal) => pool.stop(signal) };
  } catch (error) {
    await pool.stop('SIGINT');
    throw error;
  }
}

class WorkerPool {
  readonly failed: Promise<Error>;
  readonly #options: WorkersOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Worker>();
  #fail: (error: Error) => void = () => undefined;
  #isStopping = false;
  #isStarted = false;
  #backoffMs = BACKOFF_MS.first;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
  }

  /** @returns the port */
  async start(): Promise<number> {
    // Each worker accepts connections itself. With Node's other policy the first process hands them out, and one on its way to a worker that
    // is killed stays open without an answer.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const launch = workerLaunch();
    if (launch) cluster.setupPrimary(launch);
    const starting = Array.from({ length: this.#options.count }, () => this.#fork());
    const [port = 0] = await Promise.all(starting);
    this.#isStarted = true;
    return port;
  }

  async stop(signal: Signal): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(
      [...this.#running].map((worker) => {
        const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
        if (worker.isConnected()) worker.send({ esign: 'stop', signal } satisfies ToWorker);
        else worker.process.kill();
        return ended;
      }),
    );
  }

  /** Resolves with the port when the worker listens. */
  #fork(): Promise<number> {
    const worker = cluster.fork({ [WARNINGS]: this.#options.warnings.join(' ') });
    const startedMs = performance.now();
    this.#running.add(worker);
    worker.on('error', () => undefined);
    worker.on('message', ({ esign, name, code, message }: Partial<FromWorker>) => {
      if (esign === 'failed') this.#fail(Object.assign(new Error(message), { name, code }));
    });
    return new Promise((resolve, reject) => {
      let isListening = false;
      worker.once('listening', ({ port }) => {
        isListening = true;
        resolve(port);
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.#running.delete(worker);
        if (!this.#isStarted && !isListening) reject(new WorkerStartError(code ?? 1));
        else if (!this.#isStopping)
          this.#replace(worker.id, signal ?? `exit code ${code}`, performance.now() - startedMs);
      });
    });
  }

  #replace(worker: number, reason: string, livedMs: number): void {
    if (livedMs >= SETTLED_MS) this.#backoffMs = BACKOFF_MS.first;
    const inMs = this.#backoffMs;
    this.#backoffMs = Math.min(2 * inMs, BACKOFF_MS.most);
    this.#options.onLost(worker, reason, inMs);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#fork();
    }, inMs);
    this.#timers.add(timer);
  }
}
