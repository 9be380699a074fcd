// Sends spans of requests, seals and deliveries to a collector by OpenTelemetry. Spans have no path, ID or text of a user. Loaded only where
// a collector is configured; OpenTelemetry itself reads the variables OTEL_*.
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { readTraceparent } from '../http/trace-context.ts';
import type { ObservedWork, Observer, WorkResult } from '../observer.ts';

export type Tracing = {
  observer: Observer;
  /** Sends what has not been sent yet, for at most two seconds. */
  close(): Promise<void>;
};

export type TracingOptions = {
  version: string;
  /** The identity of the installation. */
  installation: string;
  /** Called when spans could not be sent, at most once a minute. */
  onError: (error: Error) => void;
};

const CLOSE_WITHIN_MS = 2000;

const REPORT_EVERY_MS = 60_000;

export function startTracing({ version, installation, onError }: TracingOptions): Tracing {
  const own = { 'service.name': 'esign', 'service.version': version, 'service.namespace': installation };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reportFailures(new OTLPTraceExporter(), onError))],
  });
  const tracer = provider.getTracer('esign', version);
  return {
    observer: {
      begin(work, parent) {
        const span = tracer.startSpan(work.kind, { kind: KINDS[work.kind] }, contextOf(parent));
        return {
          trace: traceparentOf(span),
          end(result) {
            describe(span, work, result);
            span.end();
          },
        };
      },
      claimed: () => undefined,
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_WITHIN_MS);
      });
      // What could not be sent has been reported.
      await Promise.race([provider.shutdown().catch(() => undefined), tooLong]);
      clearTimeout(timer);
    },
  };
}

const KINDS = { request: SpanKind.SERVER, sealing: SpanKind.INTERNAL, delivery: SpanKind.CLIENT } as const;

function contextOf(traceparent: string | undefined): Context {
  if (readTraceparent(traceparent) === undefined) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = (traceparent ?? '').split('-');
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags), isRemote: true });
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

/** Attributes of HTTP are named as OpenTelemetry's conventions name them. */
function describe(span: Span, work: ObservedWork, result: WorkResult): void {
  if (result.kind === 'request') {
    span.updateName(result.operation);
    span.setAttribute('http.response.status_code', result.status);
    span.setAttribute('esign.operation', result.operation);
    if (result.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  } else if (!result.isOk) span.setStatus({ code: SpanStatusCode.ERROR });
  if (work.kind === 'request') span.setAttribute('http.request.method', work.method);
  if (work.kind === 'delivery') span.setAttribute('esign.channel', work.channel);
}

/** OpenTelemetry itself reports nothing: a wrong address would lose every span without a word. */
function reportFailures(exporter: SpanExporter, onError: TracingOptions['onError']): SpanExporter {
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const nowMs = performance.now();
        if (result.error && nowMs - lastMs >= REPORT_EVERY_MS) {
          lastMs = nowMs;
          onError(result.error);
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
