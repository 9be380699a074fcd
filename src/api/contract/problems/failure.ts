// 429 and 5xx: the service does not do it now, or failed.
import { type Because, row } from './row.ts';

export const failureProblems = {
  reminded_recently: row<{ email: string; at: string; wait_seconds: number }>(
    429,
    'The recipient was reminded recently',
    (f) => `${f.email} was reminded less than an hour ago. Try again after ${f.at}.`,
  ),
  /** Only a sandbox answers this, by a fault that was added to it. */
  rate_limited: row<{ wait_seconds: number }>(
    429,
    'Too many requests',
    (f) =>
      `The sandbox refuses this request on purpose, because of the fault rate-limit. Nothing was done. Try again in ${f.wait_seconds} s.`,
  ),
  /** As `rate_limited`. */
  failed_on_purpose: row<{ kind: string }>(
    500,
    'Failed on purpose',
    (f) => `The sandbox answers this request with an error on purpose, because of the fault ${f.kind}.`,
  ),
  /** Both facts are whole sentences. */
  sealing_unavailable: row<Because & { way_out: string }>(
    503,
    'The documents cannot be sealed now',
    (f) => `The documents cannot be sealed now. Nothing was signed. ${f.why} ${f.way_out}`,
  ),
  /** `why` is for the sender and the log: it may name what a recipient does not need to know. */
  sealing_failed: row<Because>(
    500,
    'The documents could not be sealed',
    () =>
      'The documents could not be sealed because of an error in the service. Nothing was signed, and everything that was filled in is kept. The sender can see the reason.',
  ),
  receiving_busy: row(
    503,
    'Too much data at once',
    () =>
      'The service is receiving too much data at the moment, or too much from this client. Send the request again in a few seconds.',
  ),
  documents_busy: row(
    503,
    'Too many documents at once',
    () => 'The service is processing too many documents at the moment. Try again in a minute.',
  ),
  internal_error: row<{ request_id: string }>(
    500,
    'Internal error',
    (f) =>
      `The service failed to process this request. This is a bug: report it with the request ID ${f.request_id}.`,
  ),
  /** Both facts are whole sentences. */
  storage_damaged: row<{ what: string; way_out: string | undefined }>(
    500,
    'Stored data is damaged',
    (f) => `${f.what}${f.way_out ? ` ${f.way_out}` : ''}`,
  ),
  storage_unusable: row<Because>(
    503,
    'The storage cannot be used',
    (f) => `The storage of the service cannot be used: ${f.why}.`,
  ),
  /** Whether a commit that was under way was stored is not known: a repeated Idempotency-Key decides. */
  storage_unavailable: row<Because>(
    503,
    'The database cannot be used now',
    (f) => `The database of the service cannot be used now: ${f.why}. Try again in a moment.`,
  ),
  storage_full: row(
    507,
    'The disk is full',
    () =>
      'No space is left on the disk where the service stores its data. Nothing was changed. Free some space on that disk, then try again.',
  ),
};
