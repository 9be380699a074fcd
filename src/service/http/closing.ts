// Closes a service once, and refuses later calls with an error of its own.

/** A call came after `close`, or was still running then. */
export class ServiceClosed extends Error {
  override readonly name = 'ServiceClosed';

  constructor(options?: ErrorOptions) {
    super('The service is closed. Open it again with createService before you call it.', options);
  }
}

export type Closing = {
  /**
   * Runs the work while the service is open. @throws ServiceClosed after that, and when the work failed because the store was
   * closed
   */
  whileOpen<Args extends unknown[], Result>(
    work: (...args: Args) => Promise<Result>,
    isDone?: (result: Result) => boolean,
  ): (...args: Args) => Promise<Result>;
  /** The same promise for every caller. */
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
