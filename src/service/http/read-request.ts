// Reads a request and checks it against the contract: path, query, then a body as JSON or a form. A file is written to disk.
import { LIMITS } from '../../api/contract/limits.ts';
import type { Operation } from '../../api/contract/operation.ts';
import { parseJson, readPart } from '../../api/service-codec.ts';
import type { Call } from '../../api/transport.ts';
import { ok, type Result, refuse } from '../context.ts';
import type { Store } from '../store/store.ts';
import { findLink } from '../store/transactions/signing.ts';
import { hasNoBody, readBody } from './body.ts';
import type { RequestParts } from './request-context.ts';

/** The caller has to discard the file, if there is one. */
export async function readRequest(
  call: Call,
  url: URL,
  operation: Operation,
  params: Record<string, string>,
  store: Store,
): Promise<Result<RequestParts>> {
  const sent: RequestParts = { params: undefined, query: undefined, body: undefined, form: undefined };
  if (operation.params) {
    const read = readPart(operation.params, params);
    if (!read.ok) return read;
    sent.params = read.value;
  }
  if (operation.query) {
    const read = readPart(operation.query, Object.fromEntries(url.searchParams));
    if (!read.ok) return read;
    sent.query = read.value;
  }
  if (operation.body) {
    const body = await readJson(call, await bodyLimitOf(operation, sent.query, store));
    if (!body.ok) return body;
    const read = readPart(operation.body, body.output);
    if (!read.ok) return read;
    sent.body = read.value;
  }
  return operation.multipart ? readUpload(call, operation, sent, store) : ok(sent);
}

/**
 * Finds the limit of a body. A client without a token, a secret or a known link may send little. Secrets and access tokens
 * were checked before.
 */
async function bodyLimitOf({ access }: Operation, query: unknown, store: Store): Promise<number> {
  if (access === 'signing') {
    const { token } = query as { token: string };
    const isKnown = await store.database.read((db) => findLink(db, token));
    return isKnown ? LIMITS.jsonBytes : LIMITS.openBodyBytes;
  }
  return access === 'client' || access === 'public' ? LIMITS.openBodyBytes : LIMITS.jsonBytes;
}

/** Reads JSON. Nothing sent means nothing chosen, an empty object, whatever type the request states. */
async function readJson(call: Call, limit: number): Promise<Result<unknown>> {
  if (hasNoBody(call)) return ok({});
  const type = call.headers['content-type'];
  if (!/^application\/json\s*(;|$)/i.test(type ?? ''))
    return refuse('unsupported_media_type', { expected: 'application/json', received: type?.split(';')[0] });
  const text = await readBody(call, limit);
  if (text === 'too_large') return refuse('body_too_large', { limit });
  if (text === 'refused') return refuse('receiving_busy');
  if (text === 'cut_off') return refuse('malformed_json', { why: 'it is incomplete' });
  if (text === 'not_utf8') return refuse('malformed_json', { why: 'it is not UTF-8' });
  if (text.text === '') return ok({});
  const parsed = parseJson(text.text);
  return parsed.ok ? ok(parsed.value) : parsed;
}

async function readUpload(
  call: Call,
  operation: Operation,
  sent: RequestParts,
  store: Store,
): Promise<Result<RequestParts>> {
  const { readUploadForm } = await import('./form.ts');
  const form = await readUploadForm(call, store.blobs);
  if (!form.ok) return form;
  const { fields, upload } = form.output;
  const schema = operation.multipart as NonNullable<Operation['multipart']>;
  // A name that only the part's filename gives has to be a name all the same.
  const read = readPart(schema, { ...fields, name: fields.name ?? upload.name });
  if (read.ok) return ok({ ...sent, form: read.value, upload });
  await upload.spooled.discard();
  return read;
}
