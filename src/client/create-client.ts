// Makes the published client: a method for each row of the table of operations.
import { type LooseInput, parseRoute } from '../api/codec.ts';
import { parseServiceAddress, SERVICE_ADDRESS_HINT } from '../api/contract/service-address.ts';
import type { Client, ListPage, ServiceKind } from './contract.ts';
import { EsignError } from './errors.ts';
import type { ClientOperation } from './operation.ts';
import { CLIENT_OPERATIONS, PAGE_SIZE } from './operations.ts';
import type { CallOptions, ClientOptions, FileContent } from './options.ts';
import { createPages } from './pages.ts';
import { publicError } from './public-error.ts';
import { callOperation, type Session } from './session.ts';

/**
 * Makes a client of a service. `createClient<'other'>` is for a service that is not esign's own, and may leave out what the types promise otherwise.
 * @throws {EsignError} `address_invalid`, `option_invalid`
 */
export function createClient<S extends ServiceKind = 'esign'>(options: ClientOptions): Client<S> {
  const session = openSession(options);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries<ClientOperation>(CLIENT_OPERATIONS)) {
    const [group, method] = operation.name;
    groups[group] = { ...groups[group], [method]: methodFor(session, id, operation) };
  }
  // The table and the types are made of the same contract; test/client/methods.test.ts compares them.
  return groups as unknown as Client<S>;
}

function openSession(options: ClientOptions): Session {
  const baseUrl = parseServiceAddress(String(options.baseUrl));
  if (baseUrl === undefined)
    throw new EsignError(
      `"${options.baseUrl}" (baseUrl) is not a valid URL of a service. ${SERVICE_ADDRESS_HINT}`,
      {
        code: 'address_invalid',
      },
    );
  for (const [id, route] of Object.entries(options.routes ?? {}))
    if (!parseRoute(route))
      throw new EsignError(`"${route}" (routes, ${id}) is not a route. Use METHOD /path.`, {
        code: 'option_invalid',
      });
  checkNumbers(options);
  return { ...options, baseUrl };
}

function checkNumbers({ maxRetries, timeoutMs }: CallOptions & ClientOptions): void {
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new EsignError(`${maxRetries} (maxRetries) is not valid. Use a whole number from 0.`, {
      code: 'option_invalid',
    });
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS))
    throw new EsignError(
      `${timeoutMs} (timeoutMs) is not valid. Use milliseconds, at most ${LONGEST_TIMER_MS}.`,
      {
        code: 'option_invalid',
      },
    );
}

/** A timer that is set for longer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Method = (...given: unknown[]) => unknown;

const isList = ({ received }: ClientOperation): boolean =>
  received?.shape?.items !== undefined && received.shape.meta !== undefined;

/** The arguments of a method: the IDs of the path, the input where there is one, and the options. */
function methodFor(session: Session, id: string, operation: ClientOperation): Method {
  return (...given) => {
    const ids = given.slice(0, operation.ids?.length ?? 0);
    const rest = given.slice(ids.length);
    const file = operation.isUpload ? rest.shift() : undefined;
    const values = takesInput(operation) ? (rest.shift() ?? {}) : {};
    const options = (rest[0] ?? {}) as CallOptions;
    const call = async (more: object = {}) => {
      try {
        checkNumbers(options as CallOptions & ClientOptions);
        const input = await inputOf(operation, ids, { ...values, ...more }, file);
        return await callOperation(session, id, operation, input, options);
      } catch (error) {
        throw publicError(id, error);
      }
    };
    if (!isList(operation)) return call();
    const { limit = PAGE_SIZE, page: first = 1 } = values as { limit?: number; page?: number };
    return createPages(first, (page) => call({ limit, page }) as Promise<ListPage<unknown>>);
  };
}

const takesInput = ({ query, body, isBodyEmpty, isUpload }: ClientOperation): boolean =>
  query !== undefined || isUpload === true || (body === true && !isBodyEmpty);

async function inputOf(
  operation: ClientOperation,
  ids: readonly unknown[],
  values: Record<string, unknown>,
  file: unknown,
): Promise<LooseInput> {
  const params = Object.fromEntries((operation.ids ?? []).map((name, at) => [name, textOf(ids[at])]));
  if (operation.isUpload) {
    const name = values.name as string | undefined;
    return { params, form: { name }, file: await readFile(file as FileContent, name) };
  }
  const isQuery = (name: string) => operation.query?.includes(name) === true;
  const entries = Object.entries(values);
  return {
    params,
    query: Object.fromEntries(entries.filter(([name]) => isQuery(name))) as NonNullable<LooseInput['query']>,
    ...(operation.body && { body: Object.fromEntries(entries.filter(([name]) => !isQuery(name))) }),
  };
}

/** An ID that is not a text is treated as missing. */
const textOf = (id: unknown): string => (typeof id === 'string' ? id : '');

async function readFile(
  file: FileContent,
  name: string | undefined,
): Promise<{ name: string; content: Blob | Uint8Array }> {
  const content =
    file instanceof ReadableStream
      ? await new Response(file as ConstructorParameters<typeof Response>[0]).blob()
      : file;
  const own = 'name' in content && typeof content.name === 'string' ? content.name : undefined;
  return {
    name: name ?? own ?? 'document',
    content: content instanceof ArrayBuffer ? new Uint8Array(content) : content,
  };
}
