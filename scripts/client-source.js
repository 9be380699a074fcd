// Makes two files of the published client from the contract: its types (src/client/contract.ts), and the table of operations with
// readers of their answers (src/client/operations.ts). The schemas of the contract need zod and Node, which a client must not.

import { EVENT_TYPES } from '../src/api/contract/events.ts';
import { LIMITS } from '../src/api/contract/limits.ts';
import { documentWithPromises } from '../src/api/contract/openapi/document.ts';
import { pascal } from '../src/api/contract/openapi/schemas.ts';
import { ALL_SCOPES, isScoped, needsAccessToken } from '../src/api/contract/operation.ts';
import { OPERATIONS } from '../src/api/contract/operations.ts';
import { PROBLEMS } from '../src/api/contract/problems.ts';
import { FAULT_KIND_NAMES } from '../src/api/contract/sandbox/faults.ts';
import { FAULTED_OPERATIONS } from '../src/service/operations/sandbox/faults.ts';
import { responseReaders } from './client-readers.js';
import { propertyName, received, requestType, responseType, typeOf } from './client-types.js';

const HEAD = '// Written by `npm run generate` from src/api/contract. Do not edit.\n';

/** Groups of methods by the first part of an operation's ID, as the field names resources. */
const GROUPS = {
  transaction: 'transactions',
  file: 'files',
  template: 'templates',
  webhook: 'webhooks',
  event: 'events',
  user: 'users',
};

/** Methods that are not named like their operation. */
const METHODS = {
  'transaction.detail': 'get',
  'transaction.fields': 'setFields',
  'file.content': 'download',
  'file.presigned': 'downloadPresigned',
  'template.detail': 'get',
  'webhook.detail': 'get',
  'event.detail': 'get',
  'sandbox.clock': 'getClock',
  'sandbox.events': 'listEvents',
  'sandbox.mail': 'listMail',
  'sandbox.mail_detail': 'getMail',
  'sandbox.mail_message': 'downloadMail',
};

/** The method of an operation: `transaction.use_templates` is `transactions.useTemplates`. */
export function methodOf(id) {
  const [resource = '', name = ''] = id.split('.');
  const camel = name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return [GROUPS[resource] ?? resource, METHODS[id] ?? camel];
}

/** @returns the text of three files */
export function clientSource() {
  const { paths, components, tags } = documentWithPromises('/');
  const { schemas } = components;
  const described = new Map(
    Object.values(paths).flatMap((path) => Object.values(path).map((row) => [row.operationId, row])),
  );
  const readers = responseReaders(schemas);
  const operations = Object.entries(OPERATIONS).map(([id, operation]) =>
    operationOf(id, operation, described.get(id), readers),
  );
  const event = readers.event();
  return {
    'src/client/contract.ts': typesFile(operations, schemas, tags, readers),
    'src/client/operations.ts': operationsFile(operations, readers, event),
    'src/testing/contract.ts': testingFile(schemas, readers),
  };
}

function operationOf(id, operation, described, readers) {
  const [group, method] = methodOf(id);
  const success = described.responses[operation.success.status];
  const response = success.content['application/json']?.schema;
  const request = Object.values(described.requestBody?.content ?? {})[0]?.schema;
  return {
    id,
    group,
    method,
    operation,
    response,
    reader: response && readers.add(response, operation.received),
    request: request && refName(request),
    ids: described.parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name),
    query: described.parameters.filter(({ in: place }) => place === 'query').map(optionalPaging),
  };
}

/** The client says which page it wants where the caller does not. */
const optionalPaging = (parameter) =>
  ['limit', 'page'].includes(parameter.name) ? { ...parameter, required: false } : parameter;

export const refName = ({ $ref }) => $ref.split('/').at(-1);

// ── types ───────────────────────────────────────────────────────────────────────────────────────────────────────

function typesFile(operations, schemas, tags, readers) {
  const requests = new Set();
  for (const { request } of operations) if (request) collect(schemas, request, requests);
  const groups = groupsOf(operations);
  const purposeOf = (group) =>
    tags.find(({ name }) => (GROUPS[name] ?? name) === group)?.description ?? 'The user of the access token';
  const parts = [
    HEAD,
    "import type { CallOptions, FileContent } from './options.ts';",
    '/** A time as ISO 8601 in UTC with milliseconds: `2026-03-01T09:00:00.000Z`. */\nexport type Instant = string;',
    `/** Every code with which the service refuses a request. A newer service may have more. */\nexport type ProblemCode =\n${Object.keys(
      PROBLEMS,
    )
      .map((code) => `  | '${code}'`)
      .join('\n')};`,
    FAULTED,
    SERVICES,
    `/** A client: one method for each operation of the service. */\nexport interface Client<S extends ServiceKind = 'esign'> {\n${[
      ...groups.keys(),
    ]
      .map((group) => `  /** ${purposeOf(group)}. */\n  readonly ${group}: ${pascal(group)}Methods<S>;`)
      .join('\n')}\n}`,
    PAGES,
    ...[...groups].map(
      ([group, rows]) =>
        `/** ${purposeOf(group)}. */\nexport interface ${pascal(group)}Methods<S extends ServiceKind = 'esign'> {\n${rows.map((row) => methodText(row, schemas)).join('\n')}\n}`,
    ),
    "/** What a webhook or a notification endpoint receives. */\nexport type WebhookEvent<S extends ServiceKind = 'esign'> = Event<S> | PingEvent<S>;",
    ...operations.filter(({ query }) => query.length > 0).map(queryText),
    ...Object.entries(schemas)
      .filter(([name, schema]) => isTyped(name, schema, requests, readers))
      .map(([name, schema]) =>
        requests.has(name) ? requestType(name, schema) : responseType(name, schema, readers.needs(name)),
      ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The members of a union, a line each. */
const unionOf = (names) => names.map((name) => `\n  | '${name}'`).join('');

const FAULTED = `/** The ID of an operation that can have a fault. */\nexport type FaultedOperation =${unionOf(FAULTED_OPERATIONS)};`;

const SERVICES = `/**
 * The service that a client is for: \`esign\` is the sandbox or a team server of this version; \`other\` is another service with this API, which may
 * leave out what the client does not need. It changes the types only: whatever the service, the client checks what it needs.
 */
export type ServiceKind = 'esign' | 'other';

/** A value that esign always sends, and another service may leave out. */
export type Sent<S extends ServiceKind, T> = S extends 'other' ? T | null | undefined : T;

/** A name of a set, of which another service may know more. */
export type Open<S extends ServiceKind, T extends string> = S extends 'other' ? T | (string & {}) : T;`;

const PAGES = `/** One page of a list. */
export type ListPage<Item, S extends ServiceKind = 'esign'> = {
  items: Item[];
  meta: Sent<S, Pagination<S>>;
};

/**
 * A list that comes in pages. \`await\` returns the first page (or the page that was asked for); \`for await\` goes through the items
 * of this page and of all that follow, and requests each page when it is needed. Nothing is sent before.
 */
export interface Pages<Item, S extends ServiceKind = 'esign'>
  extends PromiseLike<ListPage<Item, S>>,
    AsyncIterable<Item> {}`;

function groupsOf(operations) {
  const groups = new Map();
  for (const row of operations) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  return groups;
}

/** Bodies without properties, and the form of an upload, are no types of their own. */
const isTyped = (name, { properties }, requests, readers) =>
  name !== 'FileUploadRequest' &&
  !(properties && Object.keys(properties).length === 0) &&
  !isPage({ properties }) &&
  (requests.has(name) || readers.has(name));

function collect(schemas, name, found) {
  if (found.has(name)) return;
  found.add(name);
  for (const [, inside] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    collect(schemas, inside, found);
}

const isPage = (schema) => schema?.properties?.items !== undefined && schema.properties.meta !== undefined;

const queryName = (id) => `${pascal(id)}Query`;

const queryText = ({ id, query }) =>
  requestType(queryName(id), {
    description: 'Parameters of the query.',
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  });

function methodText(row, schemas) {
  const { method, operation } = row;
  const parameters = [
    ...row.ids.map((name) => `${propertyName(name)}: string`),
    ...(operation.multipart ? ['file: FileContent', 'input?: { name?: string }'] : inputText(row, schemas)),
    'options?: CallOptions',
  ];
  return `${methodDoc(row)}\n  ${method}(${parameters.join(', ')}): ${resultText(row, schemas)};`;
}

function inputText({ id, query, request }, schemas) {
  const types = [];
  if (query.length > 0) types.push(queryName(id));
  if (hasProperties(schemas[request])) types.push(request);
  if (types.length === 0) return [];
  const isNeeded = query.some(({ required }) => required) || (schemas[request]?.required ?? []).length > 0;
  return [`input${isNeeded ? '' : '?'}: ${types.join(' & ')}`];
}

const hasProperties = (schema) => Object.keys(schema?.properties ?? {}).length > 0;

function resultText({ response }, schemas) {
  if (!response) return 'Promise<Response>';
  const schema = schemas[refName(response)];
  return isPage(schema)
    ? `Pages<${typeOf(schema.properties.items.items, received)}, S>`
    : `Promise<${refName(response)}<S>>`;
}

function methodDoc({ operation }) {
  const { access, problems, summary, idempotent, once } = operation;
  const lines = [
    `${summary}.`,
    isScoped(access) && `Scope: \`${access.scope}\`.`,
    access === 'control' && 'Needs the control secret of the sandbox.',
    once &&
      `Sent once: not repeated when its response is lost${idempotent ? ', unless there is an idempotency key' : ''}.`,
    idempotent && 'Honors an idempotency key.',
    problems.length > 0 && `@throws {EsignError} ${problems.map((code) => `\`${code}\``).join(', ')}`,
  ];
  return `  /**\n${lines
    .filter(Boolean)
    .map((line) => `   * ${line}`)
    .join('\n')}\n   */`;
}

// ── types of `@esign-cli/esign/testing` ────────────────────────────────────────────────────────────────────────────────────

/** Events and faults, whose names and data are those of this service. */
function testingFile(schemas, readers) {
  const events = new Set();
  for (const name of ['Event', 'PingEvent']) collect(schemas, name, events);
  const parts = [
    HEAD,
    '/** A time as ISO 8601 in UTC with milliseconds: `2026-03-01T09:00:00.000Z`. */\nexport type Instant = string;',
    `/** What an event is about. */\nexport type SandboxEventType =${unionOf(EVENT_TYPES)};`,
    `/** What goes wrong, as in \`esign sandbox faults add\`. */\nexport type SandboxFaultKind =${unionOf(FAULT_KIND_NAMES)};`,
    `/** The ID of an operation that fails, or \`*\` for all. */\nexport type SandboxOperation =\n  | '*'${unionOf(FAULTED_OPERATIONS)};`,
    `/** What an access token allows. */\nexport type SandboxScope =${unionOf(ALL_SCOPES)};`,
    ...Object.entries(schemas)
      .filter(([name]) => events.has(name))
      .map(([name, schema]) => responseType(name, schema, readers.needs(name))),
  ];
  return withoutService(`${parts.join('\n\n')}\n`);
}

/** The types for esign's own service alone. */
const withoutService = (text) =>
  text
    .replaceAll("<S extends ServiceKind = 'esign'>", '')
    .replaceAll(/\b(?:Sent|Open)<S, ((?:[^<>]|<S>)*)>/g, '$1')
    .replaceAll('<S>', '')
    .replace(
      'export type Event =',
      '/** As it is delivered to webhooks: `type` says which `data` it has. */\nexport type SandboxEvent =',
    );

// ── table ───────────────────────────────────────────────────────────────────────────────────────────────────────

function operationsFile(operations, readers, event) {
  const rows = operations.map((row) => `  '${row.id}': ${rowText(row)},`);
  return `${HEAD}import {\n  ${readers.imports().join(',\n  ')},\n} from '../api/contract/lenient.ts';\nimport type { ClientOperation } from './operation.ts';\n\n${readers.source()}\n\nexport const CLIENT_OPERATIONS = {\n${rows.join('\n')}\n} as const satisfies Record<string, ClientOperation>;\n\nexport const eventReader = ${event};\n\n/** The most items that a page of a list can have. */\nexport const PAGE_SIZE = ${LIMITS.pageSizeMax};\n`;
}

function rowText({ group, method, operation, ids, query, request, reader }) {
  const facts = {
    name: [group, method],
    method: operation.method,
    path: operation.path,
    ...(ids.length > 0 && { ids }),
    ...(query.length > 0 && { query: query.map(({ name }) => name) }),
    ...(operation.body && { body: true }),
    ...(operation.body && request && isEmptyBody(operation) && { isBodyEmpty: true }),
    ...(operation.multipart && { isUpload: true }),
    ...(needsAccessToken(operation.access) && { token: true }),
    ...(operation.access === 'control' && { control: true }),
    ...(operation.idempotent && { idempotent: true }),
    ...(operation.once && { once: true }),
    ...(operation.isLong && { isLong: true }),
    success: operation.success.binary ? { binary: true } : {},
  };
  const text = JSON.stringify(facts).slice(0, -1);
  return reader ? `${text}, received: ${reader} }` : `${text} }`;
}

const isEmptyBody = ({ body }) => Object.keys(body.shape ?? { any: true }).length === 0;
