// Reads the header `traceparent` of a request (W3C Trace Context §3.2). Any client can send it, so anything but a valid value is ignored.
import type { Call } from '../../api/transport.ts';

/** It has version, trace ID, parent ID and flags. A later version may have more after them. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const MOST_CHARACTERS = 200;

const SAMPLED = 1;

/** @returns the value as version 00 writes it; undefined where it is missing or not valid */
export function readTraceparent(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MOST_CHARACTERS) return undefined;
  const [, version, traceId, parentId, flags = '', more] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || (version === '00' && more !== undefined)) return undefined;
  return `00-${traceId}-${parentId}-0${Number.parseInt(flags, 16) & SAMPLED}`;
}

/** @param traceparent a checked one. @returns 32 hexadecimal digits */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** Replaces the trace of a call, so that its header has a checked value from there on. */
export function replaceTrace(call: Call, trace: string | undefined): Call {
  if (call.headers.traceparent === trace) return call;
  const { traceparent: _, ...headers } = call.headers;
  return { ...call, headers: trace === undefined ? headers : { ...headers, traceparent: trace } };
}
