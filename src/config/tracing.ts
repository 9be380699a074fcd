// Reads from the standard variables of OpenTelemetry whether spans are to be sent, and refuses what is not supported. The other variables
// OTEL_* are read by OpenTelemetry itself.
import { parseUrl } from '../common/parse-url.ts';
import { ConfigError } from './config-error.ts';
import { type Variables, variable } from './environment.ts';

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const PROTOCOL = 'http/protobuf';

/** @throws ConfigError for an endpoint that is no URL, and for a protocol other than http/protobuf */
export function isTracingConfigured(variables: Variables): boolean {
  const isOff =
    /^true$/i.test(variable(variables, 'OTEL_SDK_DISABLED') ?? '') ||
    variable(variables, 'OTEL_TRACES_EXPORTER') === 'none';
  const endpoint = ENDPOINTS.find((name) => variable(variables, name) !== undefined);
  if (isOff || endpoint === undefined) return false;
  const url = parseUrl(variables[endpoint] ?? '');
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigError(
      'variable_invalid',
      `The value of ${endpoint} is not an http:// or https:// URL.`,
      'Use the address of a collector that takes OTLP over HTTP, for example http://127.0.0.1:4318.',
    );
  const protocol = PROTOCOLS.find((name) => variable(variables, name) !== undefined);
  if (protocol !== undefined && variables[protocol] !== PROTOCOL)
    throw new ConfigError(
      'variable_invalid',
      `${protocol} is "${variables[protocol]}", which is not supported.`,
      `Unset it, or use ${PROTOCOL}. Collectors take it on port 4318.`,
    );
  return true;
}
