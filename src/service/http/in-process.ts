// Calls the service from the same process as long as it is open. An answer that a fault breaks is the error that a connection would cause.
import { fetchOver, type Transport, type WebTransport } from '../../api/transport.ts';

/** @param served the service as a server calls it: a reply says how its connection is to be broken */
export const inProcess = (served: Transport): { transport: Transport; fetch: WebTransport } => ({
  transport: broken(served, async (call) => {
    const { connectionError } = await import('./faulty-answers.ts');
    return (cause) => connectionError(call.url, cause);
  }),
  fetch: fetchOver(broken(served, async () => (await import('./faulty-answers.ts')).fetchError)),
});

type Fail = (cause: Error) => Error;

const broken =
  (served: Transport, failing: (call: Parameters<Transport>[0]) => Promise<Fail>): Transport =>
  async (call) => {
    const reply = await served(call);
    if (!reply.wireFault) return reply;
    const { breakInProcess } = await import('./faulty-answers.ts');
    return breakInProcess(reply, await failing(call));
  };

// --- Closing ---

/** It is thrown when a call came after `close`, or was still running then. */
export class ServiceClosed extends Error {
  override readonly name = 'ServiceClosed';

  constructor(options?: ErrorOptions) {
    super('The service is closed. Open it again with createService before you call it.', options);
  }
}

type Closing = {
  /**
   * Runs the work while the service is open. @throws ServiceClosed after that, and when the work failed because the store was
   * closed
   */
  whileOpen<Args extends unknown[], Result>(
    work: (...args: Args) => Promise<Result>,
    isDone?: (result: Result) => boolean,
  ): (...args: Args) => Promise<Result>;
  /** Closes the service, with the same promise for every caller. */
  close(): Promise<void>;
};

export function createClosing(end: () => Promise<void>): Closing {
  let closed: Promise<void> | undefined;
  return {
    whileOpen:
      (work, isDone = () => true) =>
      async (...args) => {
        if (closed) throw new ServiceClosed();
        const result = await work(...args).catch((error: unknown) => {
          throw closed ? new ServiceClosed({ cause: error }) : error;
        });
        if (closed && !isDone(result)) throw new ServiceClosed();
        return result;
      },
    close() {
      closed ??= end();
      return closed;
    },
  };
}
