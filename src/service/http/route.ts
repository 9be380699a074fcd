// Reads the address of a request and finds its operation by method and path. A Host header that names another host is refused first: a foreign
// page whose domain resolves to this machine must not be answered (DNS rebinding).

import { isIP } from 'node:net';
import { matchSegments } from '../../api/codec.ts';
import type { Operation } from '../../api/contract/operation.ts';
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../../api/contract/operations.ts';
import { type Refusal, refusal } from '../../api/contract/problems.ts';
import type { Call } from '../../api/transport.ts';
import { ok, type Result, refuse } from '../context.ts';

export type FoundRoute = { ok: true; id: OperationId; operation: Operation; params: Record<string, string> };

type Route = { id: OperationId; operation: Operation; segments: string[] };

/** Paths of the same length and beginning share a bucket, so that a lookup compares a handful. */
const bucketOf = (segments: string[]): string => `${segments.length} ${segments[1]}`;

type Router = (method: string, path: string) => FoundRoute | { ok: false; refusal: Refusal };

/** A team server does not know the operations that only a sandbox has. */
export function createRouter({ isSandbox }: { isSandbox: boolean }): Router {
  const buckets = new Map<string, Route[]>();
  for (const id of OPERATION_IDS) {
    const operation: Operation = OPERATIONS[id];
    if (operation.access === 'control' && !isSandbox) continue;
    const segments = operation.path.split('/');
    const bucket = bucketOf(segments);
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), { id, operation, segments }]);
  }

  return (method, path) => {
    const segmentsOfPath = path.split('/');
    const allowed: string[] = [];
    for (const { id, operation, segments } of buckets.get(bucketOf(segmentsOfPath)) ?? []) {
      const params = readPath(segments, segmentsOfPath);
      if (params === 'malformed') return { ok: false, refusal: refusal('malformed_path') };
      if (!params) continue;
      if (operation.method === method) return { ok: true, id, operation, params };
      allowed.push(operation.method);
    }
    if (allowed.length > 0)
      return {
        ok: false,
        refusal: refusal('method_not_allowed', { method, path, allow: allowed.join(', ') }),
      };
    return { ok: false, refusal: refusal('route_not_found', { method, path }) };
  };
}

function readPath(pattern: string[], segments: string[]): Record<string, string> | 'malformed' | undefined {
  try {
    return matchSegments(pattern, segments);
  } catch (error) {
    if (error instanceof URIError) return 'malformed';
    throw error;
  }
}

// --- The host ---

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
/** A service that listens on all addresses is reached under any of them. Only a name can be made to resolve to this machine. */
const UNSPECIFIED = new Set(['0.0.0.0', '[::]']);

/**
 * Reads the address of a call.
 * @param origin the address that the service is reached at
 * @param allowedHosts other names under which it is reached
 */
export function readAddress(
  { url: text }: Call,
  origin: string,
  allowedHosts: readonly string[],
): Result<URL> {
  const url = parsedUrl(text);
  if (!url) return refuse('malformed_path');
  const served = new URL(origin).hostname;
  const isOurs =
    LOOPBACK.has(url.hostname) ||
    url.hostname === served ||
    allowedHosts.includes(url.hostname) ||
    (UNSPECIFIED.has(served) && isIP(url.hostname.replace(/[[\]]/g, '')) !== 0);
  return isOurs ? ok(url) : refuse('host_not_allowed', { host: url.host });
}

/** Parses once instead of testing first, because it runs for every request. */
export function parsedUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
