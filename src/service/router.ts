// Which operation a request means: looked up in the table by method and path.
import type { Operation } from '../api/contract/operation.ts';
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../api/contract/operations.ts';
import { type Refusal, refusal } from '../api/contract/problems.ts';
import { matchPath } from '../api/path.ts';

export type Found = { ok: true; id: OperationId; operation: Operation; params: Record<string, string> };

type Route = { id: OperationId; operation: Operation };

/** By number of segments and first two of them, so that a lookup compares a handful of paths. */
const shelfOf = (path: string): string => {
  const segments = path.split('/');
  return `${segments.length}/${segments[1]}/${segments[2]?.startsWith('{') ? '*' : segments[2]}`;
};

export function createRouter(): (method: string, path: string) => Found | { ok: false; refusal: Refusal } {
  const shelves = new Map<string, Route[]>();
  for (const id of OPERATION_IDS) {
    const operation: Operation = OPERATIONS[id];
    const shelf = shelfOf(operation.path);
    shelves.set(shelf, [...(shelves.get(shelf) ?? []), { id, operation }]);
  }
  const routesFor = (path: string): Route[] => {
    const [, first, ...rest] = path.split('/');
    return shelves.get(shelfOf(path)) ?? shelves.get(`${rest.length + 2}/${first}/*`) ?? [];
  };

  return (method, path) => {
    const allowed: string[] = [];
    for (const { id, operation } of routesFor(path)) {
      const params = readPath(operation.path, path);
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

function readPath(template: string, path: string): Record<string, string> | 'malformed' | undefined {
  try {
    return matchPath(template, path);
  } catch (error) {
    if (error instanceof URIError) return 'malformed';
    throw error;
  }
}
