// What a client reads of an answer, and what it cannot do without. Read leniently: what is not named here stays as it
// is, and what is named but of no use is left out; only what is needed and missing makes an answer incomplete.
import type { OperationId } from './contract/operations.ts';

type Shape =
  | { is: 'id' | 'text' | 'number' | 'flag' | 'any'; needed: boolean }
  | { is: 'record'; needed: boolean; of: Record<string, Shape> }
  | { is: 'list'; needed: boolean; of: Shape };

const ID: Shape = { is: 'id', needed: true };
const ANY: Shape = { is: 'any', needed: true };
const TEXT: Shape = { is: 'text', needed: true };
const SOME_TEXT: Shape = { is: 'text', needed: false };
const SOME_NUMBER: Shape = { is: 'number', needed: false };
const SOME_FLAG: Shape = { is: 'flag', needed: false };

const record = (of: Record<string, Shape>): Shape => ({ is: 'record', needed: true, of });
const perhaps = (shape: Shape): Shape => ({ ...shape, needed: false });
const listOf = (of: Shape): Shape => ({ is: 'list', needed: true, of });
const someOf = (of: Shape): Shape => perhaps(listOf(of));

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, SOME_TEXT]));
const numbers = (...names: string[]) => Object.fromEntries(names.map((name) => [name, SOME_NUMBER]));

const FIELD = record({
  type: TEXT,
  ...texts('id', 'document_id', 'recipient_id', 'label', 'help_text', 'value'),
  ...numbers('page', 'width', 'height', 'positionX', 'positionY'),
  is_required: SOME_FLAG,
});

const TRANSACTION = record({
  id: ID,
  status: ID,
  ...texts(
    'created_at',
    'sent_at',
    'completed_at',
    'rejected_at',
    'cancelled_at',
    'expired_at',
    'expires_at',
  ),
  ...texts('updated_at', 'cancelled_reason', 'sealing_failed_reason', 'rejected_reason'),
  expiration_days: SOME_NUMBER,
  sealed_documents: someOf(
    record({ id: ID, name: TEXT, ...texts('sha256'), document: perhaps(record(texts('id', 'name'))) }),
  ),
  template: perhaps(
    record({
      ...texts('name', 'description', 'email_alias', 'email_subject', 'email_body'),
      edit_navigation: SOME_FLAG,
      recipients: someOf(
        record({
          id: ID,
          name: TEXT,
          email: TEXT,
          ...texts('role', 'color', 'token', 'submitted_at'),
          index: SOME_NUMBER,
          is_current: SOME_FLAG,
        }),
      ),
      documents: someOf(
        record({
          id: ID,
          index: SOME_NUMBER,
          file: perhaps(record({ ...texts('id', 'original_name') })),
          pages: someOf(record({ ...numbers('width', 'height') })),
        }),
      ),
      fields: someOf(FIELD),
    }),
  ),
});

const PAGES = perhaps(record({ is_last_page: SOME_FLAG, ...numbers('next_page', 'page_count') }));

const SHAPES: Partial<Record<OperationId, Shape>> = {
  'transaction.create': record({ id: ID }),
  'transaction.add_document': record({ id: ID, document_id: SOME_TEXT }),
  'transaction.start': record({ url: ID }),
  'transaction.detail': TRANSACTION,
  'transaction.use_templates': TRANSACTION,
  'file.upload': record({ token: ID }),
  'template.detail': record({
    id: ID,
    name: TEXT,
    description: SOME_TEXT,
    fields: someOf(
      record({
        ...texts('id', 'label', 'type'),
        recipient: perhaps(record({ ...texts('id', 'name', 'email', 'role') })),
      }),
    ),
  }),
  'template.list': record({ items: listOf(record({ id: ID, name: SOME_TEXT })), meta: PAGES }),
  'webhook.create': record({ id: ID, secret: SOME_TEXT }),
  'webhook.list': record({
    items: listOf(record({ id: ID, ...texts('name', 'endpoint'), events: someOf(TEXT), enabled: SOME_FLAG })),
    meta: PAGES,
  }),
  'oauth.exchange_code': record({ access_token: ID, refresh_token: SOME_TEXT, expires_in: SOME_NUMBER }),
  'oauth.refresh_token': record({ access_token: ID, refresh_token: SOME_TEXT, expires_in: SOME_NUMBER }),
};

/** Answers that nobody reads need not even be objects. */
const UNREAD: Shape = record({ updated: SOME_FLAG, cancelled: SOME_FLAG, removed: SOME_FLAG });

export type Read = { value: unknown } | { missing: string };

/** @returns what can be relied on, or the path of what is missing, `template.recipients.0.email` */
export function readAnswer(id: string, needs: readonly string[], value: unknown): Read {
  const shape = SHAPES[id as OperationId];
  if (shape) return read(value, shape, '');
  if (needs.length > 0) return read(value, record(Object.fromEntries(needs.map((name) => [name, ANY]))), '');
  const unread = read(value, UNREAD, '');
  return 'missing' in unread ? { value: {} } : unread;
}

function read(value: unknown, shape: Shape, path: string): Read {
  switch (shape.is) {
    case 'record':
      return isRecord(value)
        ? readRecord(value, shape.of, path)
        : otherwise(shape, below(path, firstNeeded(shape.of)));
    case 'list':
      return Array.isArray(value) ? readList(value, shape.of, path) : otherwise(shape, path);
    default:
      if (value === null && !shape.needed) return { value };
      return FITS[shape.is](value) ? { value } : otherwise(shape, path);
  }
}

const FITS = {
  id: (value: unknown) => typeof value === 'string' && value !== '',
  text: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  flag: (value: unknown) => typeof value === 'boolean',
  any: (value: unknown) => value !== undefined && value !== null,
};

/** What is said to be missing where a whole record is. */
const firstNeeded = (of: Record<string, Shape>): string =>
  Object.entries(of).find(([, { needed }]) => needed)?.[0] ?? '';

const otherwise = ({ needed }: Shape, path: string): Read =>
  needed ? { missing: path } : { value: undefined };

const below = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}.${name}`;

function readRecord(value: Record<string, unknown>, of: Record<string, Shape>, path: string): Read {
  const result: Record<string, unknown> = { ...value };
  for (const [name, shape] of Object.entries(of)) {
    const part = read(value[name], shape, below(path, name));
    if ('missing' in part) return part;
    if (part.value === undefined) delete result[name];
    else result[name] = part.value;
  }
  return { value: result };
}

function readList(value: unknown[], of: Shape, path: string): Read {
  const result: unknown[] = [];
  for (const [index, item] of value.entries()) {
    const part = read(item, of, below(path, index));
    if ('missing' in part) return part;
    if (part.value !== undefined) result.push(part.value);
  }
  return { value: result };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deeper than any answer goes; what is printed is walked through by recursion. */
const DEPTH = 100;

/** Whether JSON is nested deeper than anything means. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === BRACKET || code === BRACE) {
      depth += 1;
      if (depth > DEPTH) return true;
    } else if (code === BRACKET_END || code === BRACE_END) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d];
