// Finds the operation of a request by method and path.
import type { Operation } from '../../api/contract/operation.ts';
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../../api/contract/operations.ts';
import { type Refusal, refusal } from '../../api/contract/problems.ts';
import { matchSegments } from '../../api/path.ts';

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
    const given = path.split('/');
    const allowed: string[] = [];
    for (const { id, operation, segments } of buckets.get(bucketOf(given)) ?? []) {
      const params = readPath(segments, given);
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

function readPath(wanted: string[], given: string[]): Record<string, string> | 'malformed' | undefined {
  try {
    return matchSegments(wanted, given);
  } catch (error) {
    if (error instanceof URIError) return 'malformed';
    throw error;
  }
}
