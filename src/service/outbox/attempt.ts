// The result of one attempt to deliver something, over HTTP or SMTP, as it is recorded and shown.

export type AttemptResult = {
  ok: boolean;
  /** HTTP or SMTP status; null where none came. */
  status: number | null;
  /** Why it failed, as the end of a sentence: `it responded with HTTP status 500`. Null when it did not. */
  why: string | null;
  /** The beginning of the answer, as text without controls, at most 1,000 characters. */
  answer: string;
  /** The mail server, as `smtp.example.com:587`; absent where none was asked. */
  server?: string;
  durationMs: number;
  /** From Retry-After, at most a day. */
  retryAfterMs?: number;
  /** Nothing was sent and it counts as no attempt: it is due again after this time. */
  postponedMs?: number;
  /** No further attempt is worth anything: 410, SMTP 5xx. */
  isFinal?: boolean;
};
