// 413, 415 and 422: the request can be read, but what it contains is not accepted.
import { ACCEPTED_TYPES } from '../file-types.ts';
import { encrypted, meaningOf, tooComplex, type Unusable, unreadable } from '../unusable.ts';
import { type Because, type Id, type Named, row } from './row.ts';

const unusable = ({ name }: Named, { what, hint }: Unusable): string =>
  `"${name}" ${what}. ${hint} and upload it again.`;

export const contentProblems = {
  file_too_large: row<{ limit: number }>(
    413,
    'The file is too large',
    (f) => `The file is larger than ${f.limit} bytes (10 MB). Upload a smaller file.`,
  ),
  body_too_large: row<{ limit: number }>(
    413,
    'The request body is too large',
    (f) => `The request body is larger than ${f.limit} bytes. Send a smaller request.`,
  ),
  unsupported_media_type: row<{ expected: string; given: string | undefined }>(
    415,
    'The content type is not supported',
    (f) =>
      `This operation ${f.given ? `does not accept Content-Type: ${f.given}` : 'requires a Content-Type'}. Use ${f.expected}.`,
  ),
  file_type_not_accepted: row<Named & { found?: string; hint?: string | undefined }>(
    415,
    'The file type is not accepted',
    (f) =>
      `"${f.name}" is ${f.found ?? 'a file of an unknown type'}, which is not accepted. ${f.hint ?? `Upload ${ACCEPTED_TYPES}`}.`,
  ),
  validation_failed: row<{ summary: string }>(422, 'Some values are not valid', (f) => f.summary),
  sender_email_mismatch: row<{ given: string; expected: string }>(
    422,
    'The sender is not the current user',
    (f) =>
      `The sender has the email address ${f.given}, but the access token belongs to ${f.expected}. Use ${f.expected} as the sender.`,
  ),
  /** `summary` is a whole sentence. */
  transaction_incomplete: row<Id & { summary: string }>(
    422,
    'The transaction cannot start yet',
    (f) => `Transaction ${f.id} cannot start: ${f.summary}`,
  ),
  file_empty: row<Named>(422, 'The file is empty', (f) => `"${f.name}" is empty. Choose another file.`),
  file_missing: row(422, 'No file was sent', () => 'The form has no file in the part "file". Add one.'),
  file_token_unknown: row(
    422,
    'The file token is not valid',
    () =>
      'The file token is unknown, belongs to another company, or was not used within 24 hours. Upload the file again.',
  ),
  document_encrypted: row<Named & { by: 'password' | 'certificate' }>(422, 'The PDF is encrypted', (f) =>
    unusable(f, encrypted(f.by)),
  ),
  document_unreadable: row<Named & { reason: string }>(422, 'The document cannot be read', (f) =>
    unusable(f, unreadable(f.reason)),
  ),
  document_too_long: row<Named & { maxPages: number }>(
    422,
    'The document has too many pages',
    (f) => `"${f.name}" has more than ${f.maxPages} pages. Split it into several documents.`,
  ),
  document_too_complex: row<
    Named & {
      limit: string;
      page?: number;
      actual?: number;
      allowed?: number;
      type?: string;
      near?: string;
    }
  >(422, 'The document is too complex', (f) => unusable(f, tooComplex(f))),
  document_not_drawable: row<Id & Named & { page: number; limit: string | undefined }>(
    422,
    'A page of the document cannot be displayed',
    (f) =>
      `Transaction ${f.id} cannot start: page ${f.page} of "${f.name}" cannot be displayed, because ${meaningOf(f.limit)}. Remove the document, or print it to a new PDF and use that one.`,
  ),
  document_not_sealable: row<Named & Because>(
    422,
    'The document cannot be sealed',
    (f) =>
      `"${f.name}" cannot be sealed: ${f.why}. Nothing was signed. The sender has to print the document to a new PDF and send that one.`,
  ),
  document_not_as_shown: row<Named & { page: number }>(
    422,
    'The sealed document would not show what the document shows',
    (f) =>
      `"${f.name}" cannot be sealed: page ${f.page} would show something else than its recipients see. Nothing was signed. The sender has to print the document to a new PDF and send that one.`,
  ),
  too_many_events: row<{ count: string; limit: number }>(
    422,
    'Too many events at once',
    (f) =>
      `This would send ${f.count} events again, but at most ${f.limit} can be sent at once. Choose a later time, or a single transaction.`,
  ),
  idempotency_key_reused: row(
    422,
    'The Idempotency-Key was already used',
    () => 'This Idempotency-Key was used for a request with different content. Use a new key.',
  ),
};
