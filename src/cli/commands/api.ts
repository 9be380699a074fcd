import { jsonOrUndefined, parseRoute, refusalOf } from '../../api/codec.ts';
import { ASSUMED_ROUTES } from '../../api/contract/assumed-routes.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { Operation } from '../../api/contract/operation.ts';
import { API_OPERATIONS } from '../../api/contract/operations.ts';
import type { Call, Reply } from '../../api/transport.ts';
import { isTooDeep } from '../../common/json.ts';
import { defineCommand } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import {
  anything,
  boolean,
  brief,
  list,
  mapOf,
  nameOnly,
  nullable,
  number,
  object,
  open,
  prints,
  text,
} from '../command/json-output.ts';
import type { BytesOutcome, Outcome } from '../command/outcome.ts';
import { optionsConflict } from '../command/wrong-input.ts';
import type { Connection } from '../connection/connection.ts';
import {
  API_ARGUMENTS,
  API_OPTIONS,
  type ApiCall,
  type ApiInput,
  apiCallOf,
  curlLine,
} from './api/api-call.ts';

export const command = defineCommand({
  summary: 'Make an authenticated API request',
  details:
    'There are two forms: `esign api OPERATION` calls an operation by its ID, and `esign api METHOD PATH` ' +
    'sends a request to any path of the service.\n\n' +
    'Use -f to add a field with a text value, -F to add a field with a typed value or the content of a file, and --input ' +
    'to send a file as the request body. Fields replace placeholders in the path. The remaining fields become ' +
    'query parameters for GET and DELETE and with --input, and properties of a JSON body otherwise: a[b]=c ' +
    'creates an object and a[]=x a list.\n\n' +
    'Without --json, the response body is printed unchanged, also for an error, whose description follows ' +
    'on stderr. With --json, the body is printed as JSON, or as an object with its content if it is not ' +
    'JSON.',
  arguments: API_ARGUMENTS,
  options: API_OPTIONS,
  json: prints(
    brief(open(object({}))),
    ' as the service responds; ',
    object({ content_type: text, text: text }),
    ' or ',
    object({ content_type: text, base64: text }),
    ' if it is not JSON; with --include ',
    object({ status: number, headers: nameOnly(mapOf(text)), body: anything }),
  ),
  examples: [
    { line: 'esign api transaction.detail -f transactionId=ID', about: 'Call an operation by its ID' },
    {
      line: 'esign api GET /v1/template -f limit=10 -f page=1',
      about: 'Send a request with method and path',
    },
    { line: 'esign api file.upload -F file=@contract.pdf', about: 'Upload a file and get its token' },
    { line: 'esign api template.list --paginate', about: 'Print all templates, one per line' },
    {
      line: 'esign api transaction.create -f name=Agreement --dry-run',
      about: 'Print a request as a curl command',
    },
  ],
  async run(context, input) {
    return callApi(context, input);
  },
});

export const commands = {
  routes: defineCommand({
    summary: 'List the API operations and their paths',
    details:
      "Paths that the service's specification does not define are marked as assumed. To override a path, " +
      'use `esign config set routes.OPERATION "METHOD /path"` or ESIGN_ROUTES.',
    arguments: [],
    options: {},
    json: prints(
      object({
        items: list(
          object({
            id: text,
            method: text,
            path: text,
            overridden: boolean,
            scope: nullable(text),
            assumed: nullable(text),
            extension: boolean,
            summary: text,
          }),
        ),
      }),
    ),
    examples: [{ line: 'esign api routes', about: 'List the operations with their methods and paths' }],
    async run(context) {
      const { routes } = await context.connections.profile();
      const items = Object.entries(API_OPERATIONS).map(([id, operation]: [string, Operation]) => {
        const other = parseRoute(routes[id] ?? '');
        const { method, path } = other ?? operation;
        return {
          id,
          method,
          path,
          overridden: other !== undefined,
          scope: typeof operation.access === 'object' ? operation.access.scope : null,
          assumed: other ? null : (ASSUMED_ROUTES[id] ?? null),
          extension: operation.extension === true,
          summary: operation.summary,
        };
      });
      const mark = ({ overridden, assumed, extension }: (typeof items)[number]): string =>
        [overridden ? 'overridden' : '', assumed ? `assumed ${assumed}` : '', extension ? 'extension' : '']
          .filter((word) => word !== '')
          .join(', ');
      return {
        kind: 'list',
        json: { items },
        empty: '',
        table: {
          columns: ['OPERATION', 'METHOD', 'PATH', 'SCOPE', ''],
          rows: items.map((item) => [item.id, item.method, item.path, item.scope, mark(item)]),
        },
      };
    },
  }),
};

async function callApi(
  context: Uses<'connections' | 'process' | 'terminal'>,
  input: ApiInput,
): Promise<Outcome> {
  const { options } = input;
  if (options.include && options.paginate) throw optionsConflict('--include', '--paginate');
  const connection = await context.connections.connect();
  const asked = await apiCallOf(context, connection, input);
  if (options['dry-run']) {
    const line = curlLine(asked);
    return {
      kind: 'bytes',
      bytes: new TextEncoder().encode(`${line}\n`),
      mediaType: 'text/plain',
      json: { curl: line },
    };
  }
  return options.paginate
    ? callEveryPage(context, connection, asked)
    : sendOnePage(context, connection, asked, options.include);
}

/** Sends one request. The body of an error response is printed like any other; the error follows on stderr. */
async function sendOnePage(
  context: Uses<'terminal'>,
  connection: Connection,
  { call, operation }: ApiCall,
  withHead: boolean,
): Promise<Outcome> {
  const reply = await connection.transport(call);
  const outcome = outcomeOf(reply, withHead);
  const refusal = refusalOf(operation, call, reply);
  if (!refusal) return outcome;
  await printRefused(context, outcome);
  throw refusal;
}

/** Prints the body of a refusal unchanged. Both streams may go to one log: there, the error begins on a line of its own. */
async function printRefused({ terminal }: Uses<'terminal'>, outcome: BytesOutcome): Promise<void> {
  await terminal.print(outcome);
  const { out, err } = terminal.streams;
  if (!out.isTerminal && outcome.bytes.length > 0 && outcome.bytes.at(-1) !== LINE_END) err.write('\n');
}

const LINE_END = 0x0a;

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

function outcomeOf({ status, headers, body }: Reply, withHead: boolean): BytesOutcome {
  const bytes = bytesOf(body);
  const mediaType = headers['content-type'] ?? '';
  const json = bodyAsJson(bytes, mediaType);
  if (!withHead) return { kind: 'bytes', bytes, mediaType, json };
  const head = [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return {
    kind: 'bytes',
    head: `${head.join('\n')}\n\n`,
    bytes,
    mediaType,
    json: { status, headers, body: json },
  };
}

/** Describes a body that is not JSON for `--json`. */
function bodyAsJson(bytes: Uint8Array, mediaType: string): unknown {
  const text = new TextDecoder().decode(bytes);
  // JSON that is nested too deep cannot be printed.
  const value = isTooDeep(text) ? undefined : jsonOrUndefined(text);
  if (value !== undefined) return value;
  if (bytes.length === 0) return null;
  return /^text\/|json|xml/.test(mediaType)
    ? { content_type: mediaType, text }
    : { content_type: mediaType, base64: Buffer.from(bytes).toString('base64') };
}

/** Reads a list page after page. `--all` prints one item a line. */
async function callEveryPage(
  context: Uses<'process' | 'terminal'>,
  connection: Connection,
  asked: ApiCall,
): Promise<Outcome> {
  if (asked.call.method !== 'GET')
    throw optionsConflict('--paginate', asked.call.method, { why: 'Only GET has pages.' });
  const url = new URL(asked.call.url);
  if (!url.searchParams.has('limit')) url.searchParams.set('limit', String(LIMITS.pageSizeMax));
  for (let page = Number(url.searchParams.get('page') ?? 1); ; ) {
    context.process.checkpoint();
    url.searchParams.set('page', String(page));
    const call: Call = { ...asked.call, url: url.href };
    const reply = await connection.transport(call);
    const refusal = refusalOf(asked.operation, call, reply);
    const outcome = outcomeOf(reply, false);
    const { items, meta } = (outcome.json ?? {}) as {
      items?: unknown;
      meta?: { next_page?: unknown } | null;
    };
    if (refusal) {
      await printRefused(context, outcome);
      throw refusal;
    }
    // A response that is not a list has no further pages.
    if (!Array.isArray(items)) return outcome;
    const lines = items.map((item) => `${JSON.stringify(item)}\n`).join('');
    const printed: BytesOutcome = {
      kind: 'bytes',
      bytes: new TextEncoder().encode(lines),
      mediaType: 'application/x-ndjson',
      json: undefined,
      lines: items,
    };
    const next = meta?.next_page;
    // A service that always returns the same page must not keep the command running for ever.
    if (typeof next !== 'number' || !(next > page)) return printed;
    await context.terminal.print(printed);
    page = next;
  }
}
