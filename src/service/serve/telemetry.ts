// Puts together what observes a node of a team server: metrics, and traces. The packages for each are loaded only where it is configured.
import { combineObservers, type Observer } from '../observer.ts';
import type { BucketWatch } from '../s3/bucket.ts';
import { schemaVersion } from '../store/migrations.ts';
import type { Metrics } from './metrics.ts';
import type { TeamStore } from './team-store.ts';
import type { Tracing } from './tracing.ts';

export type TelemetryOptions = {
  store: TeamStore;
  /** Undefined where files are in the database. */
  bucket: BucketWatch | undefined;
  /** Milliseconds since 1970, by the clock that deliveries are stored with. */
  clock: () => number;
  version: string;
  hasMetrics: boolean;
  hasTracing: boolean;
  /** Called when spans could not be sent. */
  onError: (error: Error) => void;
};

export type Telemetry = {
  observer: Observer;
  /** Undefined where no metrics are configured. */
  metrics: Metrics | undefined;
  close(): Promise<void>;
};

export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { store, bucket, clock, version, hasMetrics, hasTracing, onError } = options;
  let metrics: Metrics | undefined;
  let tracing: Tracing | undefined;
  if (hasMetrics) {
    const { createMetrics } = await import('./metrics.ts');
    metrics = createMetrics({ ...store, bucket, clock, version, schema: schemaVersion('postgres') });
  }
  if (hasTracing) {
    const { startTracing } = await import('./tracing.ts');
    tracing = startTracing({ version, installation: store.installation, onError });
  }
  const observers = [metrics?.observer, tracing?.observer];
  return {
    observer: combineObservers(observers.filter((observer) => observer !== undefined)),
    metrics,
    close: async () => tracing?.close(),
  };
}
