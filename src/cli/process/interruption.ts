// Ends a command after a signal at the next safe place: before the next request, or while it waits for an answer. The system
// ends a command that has begun nothing yet, so that nothing it reads or computes can delay a signal.
import type { Transport } from '../../api/transport.ts';
import { Interrupted } from '../command/errors.ts';
import type { Signal } from './edges.ts';

export type Interruption = {
  stop(signal: Signal): void;
  /** Subscribes to signals, which call `stop` from here on. Called when the command has begun something that it must end in order. */
  listen(): void;
  /** A command that waits for it has more time to end, because it closes connections of others in order. */
  readonly stopped: Promise<Signal>;
  /** Calls `to` with each signal, and ends nothing, until the function that it returns is called. */
  passSignals(to: (signal: Signal) => void): () => void;
  /** Runs work that a signal would leave half done. A signal stops the command after it, after five seconds, or when it comes twice. */
  postpone<T>(work: () => Promise<T>): Promise<T>;
  /** How long the command may take to end; Infinity while signals are passed on. */
  endingMs(): number;
  abort: AbortSignal;
  checkpoint(): void;
  interruptible(transport: Transport): Transport;
};

const ENDING_MS = 900;
const ENDING_CONNECTIONS_MS = 8000;
const POSTPONED_MS = 5000;

/** Makes the interruption of one command. @param onListen subscribes to signals; called once */
export function createInterruption(onListen: () => void = () => undefined): Interruption {
  const controller = new AbortController();
  let signalled: Signal | undefined;
  let isListening = false;
  let endingMs = ENDING_MS;
  let pass: ((signal: Signal) => void) | undefined;
  let tell: (signal: Signal) => void = () => undefined;
  const stopped = new Promise<Signal>((resolve) => {
    tell = resolve;
  });
  const listen = () => {
    if (!isListening) onListen();
    isListening = true;
  };
  const checkpoint = () => {
    if (signalled) throw new Interrupted(signalled);
  };
  const stop = (signal: Signal) => {
    if (pass) return pass(signal);
    signalled = signal;
    tell(signal);
    controller.abort(new Interrupted(signal));
  };
  const passSignals = (to: (signal: Signal) => void) => {
    listen();
    pass = to;
    return () => {
      pass = undefined;
    };
  };
  return {
    stop,
    listen,
    get stopped() {
      listen();
      endingMs = ENDING_CONNECTIONS_MS;
      return stopped;
    },
    passSignals,
    async postpone(work) {
      let postponed: Signal | undefined;
      let timer: NodeJS.Timeout | undefined;
      const release = () => {
        clearTimeout(timer);
        stopPassing();
        if (postponed && !signalled) stop(postponed);
      };
      const stopPassing = passSignals((signal) => {
        if (postponed) return release();
        postponed = signal;
        timer = setTimeout(release, POSTPONED_MS);
      });
      try {
        return await work();
      } finally {
        release();
      }
    },
    endingMs: () => (pass ? Number.POSITIVE_INFINITY : endingMs),
    abort: controller.signal,
    checkpoint,
    interruptible: (transport) => (request) => {
      listen();
      checkpoint();
      const { signal } = controller;
      return new Promise((resolve, reject) => {
        const cut = () => reject(signal.reason);
        signal.addEventListener('abort', cut);
        // A command that follows events makes requests for days, so each must remove its listener.
        const done = () => signal.removeEventListener('abort', cut);
        transport(request).finally(done).then(resolve, reject);
      });
    },
  };
}
