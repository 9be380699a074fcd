// Describes what the service reports about its work, for metrics and traces (`serve/metrics.ts`, `serve/tracing.ts`). An observer changes
// nothing and never throws.

/** Such work takes time. The `channel` of a delivery says how it leaves the service. */
export type ObservedWork =
  | { kind: 'request'; method: string }
  | { kind: 'sealing' }
  | { kind: 'delivery'; channel: 'webhook' | 'notification' | 'mail' };

/**
 * It says how work ended. The `operation` of a request is the name of an operation in the contract, `page`, or `none` where
 * no route was found.
 */
export type WorkResult =
  | { kind: 'request'; operation: string; status: number }
  | { kind: 'sealing' | 'delivery'; isOk: boolean };

export type Observation = {
  /** Work that this causes is traced with its `traceparent`; undefined says that it belongs to no trace. */
  trace: string | undefined;
  /** The service calls this once, when the work has ended. */
  end(result: WorkResult): void;
};

export type Observer = {
  /** @param parent the checked `traceparent` of what caused the work */
  begin(work: ObservedWork, parent?: string): Observation;
  /** The service calls this when this process has claimed deliveries. */
  claimed(count: number): void;
};

/** Observes nothing, and passes traces on. */
export const UNOBSERVED: Observer = {
  begin: (_, trace) => ({ trace, end: () => undefined }),
  claimed: () => undefined,
};

/** Makes one observer of several. A trace that one begins is passed on to those after it. */
export const combineObservers = (observers: readonly Observer[]): Observer => ({
  begin(work, parent) {
    let trace = parent;
    const observations = observers.map((observer) => {
      const observation = observer.begin(work, trace);
      trace = observation.trace;
      return observation;
    });
    return {
      trace,
      end(result) {
        for (const observation of observations) observation.end(result);
      },
    };
  },
  claimed(count) {
    for (const observer of observers) observer.claimed(count);
  },
});
