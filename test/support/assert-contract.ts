// Checks every answer of the service against its contract: an error must be a problem that the contract declares for that operation,
// or a general one of any request. Violations are collected and not thrown: the test continues and fails at its end.

import { matchPath } from '../../src/api/codec.ts';
import { openApiDocument } from '../../src/api/contract/openapi/document.ts';
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../../src/api/contract/operations.ts';
import { PROBLEMS, type Problem, type ProblemCode } from '../../src/api/contract/problems.ts';
import type { WebTransport } from '../../src/api/transport.ts';

/** Problems that any request can get. */
export const GENERAL_PROBLEMS: readonly ProblemCode[] = [
  'host_not_allowed',
  'malformed_path',
  'route_not_found',
  'method_not_allowed',
];

/** Internal failures, and those of faults, which operations do not declare. */
const INTERNAL_PROBLEMS: readonly ProblemCode[] = [
  'internal_error',
  'storage_damaged',
  'storage_unusable',
  'storage_full',
  'rate_limited',
  'failed_on_purpose',
];

type Documented = Record<
  string,
  Record<string, { operationId: string; responses: Record<string, { description: string }> }>
>;

const documented = openApiDocument('http://127.0.0.1').paths as Documented;

/** Returns the problems that the OpenAPI document declares for an operation: the promise that callers read. */
export function declaredProblems(id: OperationId): string[] {
  const { method, path } = OPERATIONS[id];
  const responses = documented[path]?.[method.toLowerCase()]?.responses ?? {};
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { description }]) => description.split(', '));
}

const declared = new Map<string, string[]>(OPERATION_IDS.map((id) => [id, declaredProblems(id)]));

export function operationOf(request: Request): OperationId | undefined {
  const path = new URL(request.url).pathname;
  return OPERATION_IDS.find((id) => {
    try {
      return OPERATIONS[id].method === request.method && matchPath(OPERATIONS[id].path, path) !== undefined;
    } catch {
      return false;
    }
  });
}

export const withContractCheck =
  (transport: WebTransport, report: (violation: string) => void): WebTransport =>
  async (request) => {
    const response = await transport(request);
    if (request.method === 'HEAD' || isPage(request, response)) return response;
    const violation = response.status >= 400 ? await violationIn(request, response.clone()) : undefined;
    if (violation)
      report(`${request.method} ${new URL(request.url).pathname} answered ${response.status}: ${violation}`);
    return response;
  };

/** Pages state problems in words. Among the operations only the signing address has a page (assumed: A48). */
const isPage = (request: Request, response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/html') === true &&
  [undefined, 'signing.view'].includes(operationOf(request));

async function violationIn(request: Request, response: Response): Promise<string | undefined> {
  if (response.headers.get('content-type') !== 'application/problem+json') return 'not a problem document';
  const body = (await response.json()) as Problem;
  const row = Object.hasOwn(PROBLEMS, body.code) ? PROBLEMS[body.code] : undefined;
  if (!row) return `the code "${body.code}" is not in the contract`;
  if (row.status !== response.status || body.status !== response.status)
    return `${body.code} has the status ${row.status}`;
  if (body.detail === '' || body.detail.includes('undefined'))
    return `the sentence of ${body.code} is "${body.detail}"`;
  if (INTERNAL_PROBLEMS.includes(body.code) || GENERAL_PROBLEMS.includes(body.code)) return undefined;
  const id = operationOf(request);
  return id && declared.get(id)?.includes(body.code) ? undefined : `${body.code} is not declared for ${id}`;
}
