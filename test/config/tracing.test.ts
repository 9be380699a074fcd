// Whether spans are sent, by the standard variables of OpenTelemetry.
import { describe, expect, test } from 'vitest';
import { isTracingConfigured } from '../../src/config/serve.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('spans', () => {
  test.each([
    ENDPOINT,
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example.com/v1/traces' },
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf', OTEL_SDK_DISABLED: 'false' },
  ])('are sent with %j', (variables) => {
    expect(isTracingConfigured(variables)).toBe(true);
  });

  test.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' },
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
    // What is turned off is not checked.
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'wrong', OTEL_SDK_DISABLED: 'true' },
  ])('are not sent with %j', (variables) => {
    expect(isTracingConfigured(variables)).toBe(false);
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://example.com' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, '"grpc"'],
    // The variable for traces wins.
    [
      {
        ...ENDPOINT,
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      },
      '"http/json"',
    ],
  ])('are refused with %j', (variables, named) => {
    expect(() => isTracingConfigured(variables)).toThrow(
      expect.objectContaining({ code: 'variable_invalid', message: expect.stringContaining(named) }),
    );
  });
});
