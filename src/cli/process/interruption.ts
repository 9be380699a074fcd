// A signal ends a command at the next safe place: before the next request, or in the wait for an answer.
import type { Transport } from '../../api/transport.ts';
import { Interrupted } from '../command/errors.ts';
import type { Signal } from './edges.ts';

export type Interruption = {
  stop(signal: Signal): void;
  stopped: Promise<Signal>;
  abort: AbortSignal;
  checkpoint(): void;
  during(transport: Transport): Transport;
};

export function createInterruption(): Interruption {
  const controller = new AbortController();
  let signalled: Signal | undefined;
  let stop: (signal: Signal) => void = () => undefined;
  const stopped = new Promise<Signal>((resolve) => {
    stop = (signal) => {
      signalled = signal;
      resolve(signal);
      controller.abort(new Interrupted(signal));
    };
  });
  const checkpoint = () => {
    if (signalled) throw new Interrupted(signalled);
  };
  return {
    stop: (signal) => stop(signal),
    stopped,
    abort: controller.signal,
    checkpoint,
    during: (transport) => (request) => {
      checkpoint();
      const { signal } = controller;
      return new Promise((resolve, reject) => {
        const cut = () => reject(signal.reason);
        signal.addEventListener('abort', cut);
        // Whoever follows events makes requests for days: nothing of one may stay behind.
        const done = () => signal.removeEventListener('abort', cut);
        transport(request).finally(done).then(resolve, reject);
      });
    },
  };
}
