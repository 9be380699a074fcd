// Makes one call from what was typed after `esign api`. It must go to the service that is in use and to no other one, because
// the access token is sent with it.
import { randomUUID } from 'node:crypto';
import { encodeCall, fillPath, matchPath, parseRoute } from '../../../api/codec.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { OPERATIONS, type OperationId } from '../../../api/contract/operations.ts';
import type { Call } from '../../../api/transport.ts';
import { didYouMean, nearest } from '../../../common/nearest.ts';
import { parseUrl } from '../../../common/parse-url.ts';
import type { CommandInput } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { shellWord } from '../../command/shell-word.ts';
import { invalidValue } from '../../command/wrong-input.ts';
import type { Connection } from '../../connection/connection.ts';
import { type ApiField, objectOf, parseTypedField, rawField } from '../../input/api-fields.ts';
import { createFileReader, type FileReader } from '../../input/files.ts';

export const API_ARGUMENTS = [
  {
    name: 'operation|method',
    summary: 'Operation ID, or a method: GET, HEAD, POST, PUT, PATCH, DELETE',
    completes: 'operation',
  },
  { name: 'path', optional: true, summary: 'Path below the base URL; required after a method' },
] as const;

export const API_OPTIONS = {
  'raw-field': { value: 'KEY=VALUE', short: 'f', repeat: true, summary: 'Field with a text value' },
  field: {
    value: 'KEY=VALUE',
    short: 'F',
    repeat: true,
    summary: 'Field with a typed value: true, false, null, a number, or @FILE for the content of a file',
  },
  input: { value: 'FILE', summary: 'File with the request body; - reads standard input', completes: 'file' },
  paginate: { summary: 'Request every page of a list and print one item per line' },
  include: { short: 'i', summary: 'Print the status and headers before the body' },
  'dry-run': { summary: 'Print an equivalent curl command without sending anything' },
} as const;

export type ApiInput = CommandInput<typeof API_ARGUMENTS, typeof API_OPTIONS>;

/** @property form what a form would hold, for a line of curl */
export type ApiCall = { call: Call; operation: string; bodyFile?: string; form?: ApiForm };

type ApiForm = { texts: [string, string][]; file: string };

/** The fields of the request are not known yet. */
type RequestTarget = { method: string; path: string; id: string; operation: Operation | undefined };

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE']);

export async function apiCallOf(
  context: Uses<'process' | 'terminal'>,
  connection: Connection,
  input: ApiInput,
): Promise<ApiCall> {
  const { args, options } = input;
  const target =
    args.path === undefined
      ? operationTarget(args['operation|method'], connection)
      : pathTarget(args['operation|method'], args.path, connection);
  const reader = createFileReader(context);
  const fields = await fieldsOf(options, reader, target.operation?.multipart !== undefined);
  const url = addressOf(target, fields, connection);
  const rest = fields.filter(
    ({ keys: [name = '', inner] }) => inner !== undefined || !hasPlace(target.path, name),
  );
  const headers: Record<string, string> = { accept: 'application/json' };
  if (target.operation?.access === 'control' && connection.controlSecret)
    headers['x-esign-control'] = connection.controlSecret;
  const once = target.operation ? target.operation.once : METHODS.indexOf(target.method) > 1 || undefined;
  const call: Call = { method: target.method, url: url.href, headers, once };
  if (options.input !== undefined) {
    addToQuery(url, rest);
    const body = await reader.read(options.input);
    return {
      call: { ...call, url: url.href, headers: { ...headers, ...typeAndLength(body) }, body },
      operation: target.id,
      bodyFile: options.input,
    };
  }
  if (target.operation?.multipart) return formCall(call, target, rest, connection);
  if (WITHOUT_BODY.has(target.method)) {
    addToQuery(url, rest);
    return { call: { ...call, url: url.href }, operation: target.id };
  }
  if (rest.length === 0 && target.operation?.body === undefined) return { call, operation: target.id };
  const body = new TextEncoder().encode(JSON.stringify(objectOf(rest)));
  return { call: { ...call, headers: { ...headers, ...typeAndLength(body) }, body }, operation: target.id };
}

const typeAndLength = (body: Uint8Array) => ({
  'content-type': 'application/json',
  'content-length': String(body.length),
});

async function fieldsOf(
  options: ApiInput['options'],
  reader: FileReader,
  asFile: boolean,
): Promise<ApiField[]> {
  const fields = options['raw-field'].map(rawField);
  for (const text of options.field) fields.push(await parseTypedField(text, reader, asFile));
  return fields;
}

// ── which address ───────────────────────────────────────────────────────────────────────────────────────────────

function operationTarget(id: string, { routes }: Connection): RequestTarget {
  if (!Object.hasOwn(OPERATIONS, id)) throw unknownOperation(id);
  const operation: Operation = OPERATIONS[id as OperationId];
  const { method, path } = parseRoute(routes[id] ?? '') ?? operation;
  return { method, path, id, operation };
}

function unknownOperation(word: string): Error {
  if (METHODS.includes(word.toUpperCase()))
    return cliError('argument_missing', {
      sentence: 'No path given.',
      hint: `Use \`esign api ${word.toUpperCase()} /v1/…\`.`,
    });
  if (word.startsWith('/'))
    return cliError('argument_missing', {
      sentence: 'No method given.',
      hint: `Use \`esign api GET ${word}\`.`,
    });
  return cliError('operation_unknown', {
    sentence: `Unknown operation "${word}".`,
    hint: didYouMean(nearest(word, Object.keys(OPERATIONS)), 'List the operations with `esign api routes`.'),
  });
}

function pathTarget(word: string, pathOrUrl: string, connection: Connection): RequestTarget {
  const method = word.toUpperCase();
  if (!METHODS.includes(method))
    throw invalidValue({ name: 'the method', value: word, use: `one of ${METHODS.join(', ')}` });
  const path = pathWithin(pathOrUrl, connection.baseUrl);
  const bare = path.split(/[?#]/)[0] ?? '';
  const id = Object.keys(OPERATIONS).find((operation) => {
    const route = parseRoute(connection.routes[operation] ?? '') ?? OPERATIONS[operation as OperationId];
    return route.method === method && isPathOf(route.path, bare);
  });
  return { method, path, id: id ?? '', operation: id ? OPERATIONS[id as OperationId] : undefined };
}

function isPathOf(template: string, path: string): boolean {
  try {
    return matchPath(template, path) !== undefined;
  } catch {
    return false; // an escape that cannot be decoded
  }
}

/** Makes a path relative to the base address. A whole address must be one of this service. */
function pathWithin(pathOrUrl: string, baseUrl: string): string {
  const base = new URL(baseUrl);
  if (pathOrUrl.startsWith('/')) return pathOrUrl;
  const url = parseUrl(pathOrUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  if (url?.origin === base.origin && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`)))
    return (url.pathname.slice(prefix.length) || '/') + url.search;
  if (!url)
    throw cliError('address_elsewhere', {
      sentence: `"${pathOrUrl}" is not a path.`,
      hint: 'Start the path with a slash, for example /v1/template.',
    });
  throw cliError('address_elsewhere', {
    sentence: `The URL ${pathOrUrl} does not belong to the service ${baseUrl}.`,
    hint: 'An access token is sent only to its own service. To call another service, use its profile with --profile NAME.',
  });
}

const hasPlace = (path: string, name: string): boolean => path.includes(`{${name}}`);

function addressOf({ path }: RequestTarget, fields: readonly ApiField[], { baseUrl }: Connection): URL {
  const params = Object.fromEntries(
    fields
      .filter(({ keys }) => keys.length === 1)
      .map(({ keys: [name = ''], value }) => [name, String(value)]),
  );
  const url = new URL(baseUrl.replace(/\/+$/, '') + fillPath(path, params));
  url.hash = '';
  return url;
}

/** Puts fields into the query. Keys stay as they are typed: `a[b]=c`. */
function addToQuery(url: URL, fields: readonly ApiField[]): void {
  for (const { text, value } of fields) {
    const key = text.slice(0, text.indexOf('='));
    if (key.endsWith('[]')) url.searchParams.append(key, String(value));
    else url.searchParams.set(key, String(value));
  }
}

async function formCall(
  call: Call,
  { id, operation, path, method }: RequestTarget,
  fields: readonly ApiField[],
  { baseUrl }: Connection,
): Promise<ApiCall> {
  const part = fields.find(({ keys }) => keys[0] === 'file');
  if (!operation || part?.file === undefined)
    throw cliError('file_missing', {
      sentence: `No file given for ${id}.`,
      hint: 'Specify it with -F file=@contract.pdf.',
    });
  const texts = fields
    .filter((field) => field !== part)
    .map(({ keys: [name = ''], value }): [string, string] => [name, String(value)]);
  const name = part.file === '-' ? 'document' : (part.file.split(/[/\\]/).at(-1) ?? part.file);
  const encoded = await encodeCall(
    operation,
    { form: Object.fromEntries(texts), file: { name, content: part.value as Uint8Array } },
    { baseUrl, boundary: `esign-${randomUUID()}`, route: { method, path } },
  );
  return {
    call: { ...call, headers: { ...call.headers, ...encoded.headers }, body: encoded.body },
    operation: id,
    form: { texts, file: part.file },
  };
}

/** curl reads `@"NAME"` with backslashes before quotes and backslashes. */
const formFile = (file: string): string => `file=@"${file.replace(/(["\\])/g, '\\$1')}"`;

export function curlLine({ call, bodyFile, form }: ApiCall): string {
  const { method, url, headers, body } = call;
  const words = ['curl', '-X', method, shellWord(url), '-H', '"Authorization: Bearer $ESIGN_ACCESS_TOKEN"'];
  if ('x-esign-control' in headers) words.push('-H', '"X-Esign-Control: $ESIGN_CONTROL_SECRET"');
  for (const [name, value] of Object.entries(headers))
    if (name === 'accept' || (name === 'content-type' && !form))
      words.push('-H', shellWord(`${name}: ${value}`));
  if (form) {
    for (const [name, value] of form.texts) words.push('--form-string', shellWord(`${name}=${value}`));
    words.push('-F', shellWord(formFile(form.file)));
  } else if (bodyFile !== undefined) words.push('--data-binary', shellWord(`@${bodyFile}`));
  else if (body instanceof Uint8Array) words.push('--data-raw', shellWord(new TextDecoder().decode(body)));
  return words.join(' ');
}
