// Encodes and decodes what travels, for the service: Call → input, output → Reply. It writes strictly what the contract says;
// codec.ts is the half of the client.
import type * as z from 'zod';
import { isTooDeep } from '../common/json.ts';
import type { BinaryOutput, Operation } from './contract/operation.ts';
import { type FieldError, problemHeaders, problemOf, type Refusal, refusal } from './contract/problems.ts';
import { inSentences, wrongValuesIn } from './contract/wrong-values.ts';
import type { Reply } from './transport.ts';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

// ── Call → input ────────────────────────────────────────────────────────────────────────────────────────────────

/** Checks one part of a request against its schema. A part that does not match is refused, with a list of every wrong value. */
export function readPart<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { ok: true; value: z.output<S> } | { ok: false; refusal: Refusal } {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return { ok: true, value: read.data };
  return { ok: false, refusal: invalid(wrongValuesIn(read.error.issues)) };
}

const SHOWN = 3;

/** Makes the refusal of wrong values; its sentence names the first few. */
export function invalid(errors: FieldError[]): Refusal {
  return refusal('validation_failed', { summary: inSentences(errors, SHOWN) }, errors);
}

/** @param text the bytes of a JSON body */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false; refusal: Refusal } {
  // A nesting of some millions keeps the process busy for seconds.
  if (isTooDeep(text))
    return { ok: false, refusal: refusal('malformed_json', { why: 'it is nested too deeply' }) };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const why = text.trim() === '' ? 'it is empty' : (error as SyntaxError).message;
    return { ok: false, refusal: refusal('malformed_json', { why }) };
  }
}

// ── output → Reply ──────────────────────────────────────────────────────────────────────────────────────────────

/** @param encoded the output as JSON, if it was encoded before */
export function encodeOutput(operation: Operation, output: unknown, encoded?: Uint8Array): Reply {
  const { status, binary } = operation.success;
  if (!binary)
    return { status, headers: { 'content-type': JSON_TYPE }, body: encoded ?? JSON.stringify(output) };
  const { bytes, mediaType, documentName } = output as BinaryOutput;
  const named =
    documentName === undefined ? {} : { 'content-disposition': fileDisposition('inline', documentName) };
  return { status, headers: { 'content-type': mediaType, ...named }, body: bytes };
}

export function encodeRefusal(cause: Refusal, requestId: string): Reply {
  const problem = problemOf(cause, `urn:uuid:${requestId}`);
  return {
    status: problem.status,
    headers: { 'content-type': PROBLEM_TYPE, ...problemHeaders(cause) },
    body: JSON.stringify(problem),
  };
}

/** `inline`: a browser shows the document, and saves it under its name. `attachment`: it is saved at once. */
type FileDisposition = 'inline' | 'attachment';

/**
 * Names the file under which a browser or curl saves a document: its name, as PDF (RFC 6266, RFC 8187).
 * @param documentName any text; what cannot stand in a header is encoded, and replaced for clients such as curl that know ASCII alone
 */
export function fileDisposition(kind: FileDisposition, documentName: string): string {
  const title = (documentName.replace(/\.[^./\\]*$/, '') || documentName).replaceAll(/\p{Surrogate}/gu, '_');
  const plain = title.replaceAll(/[^ -~]|["\\%/]/gu, '_');
  const encoded = encodeURIComponent(title).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}.pdf"; filename*=UTF-8''${encoded}.pdf`;
}
