// All timeouts and retry intervals for remote services.

const SECOND_MS = 1000;
const MEGABYTE = 1024 * 1024;

export const TIMEOUTS = {
  /** Name, connection, tunnel and TLS, each. */
  connectMs: 10 * SECOND_MS,
  /** Until the answer begins, and from each piece of it to the next; ESIGN_TIMEOUT says otherwise. */
  answerMs: 60 * SECOND_MS,
  /** The same where the service works on documents first: longer than what a busy service needs, which is bounded there. */
  longAnswerMs: 900 * SECOND_MS,
  answerMsMax: 3600 * SECOND_MS,
  /** All of a call that is brief, the connection included. */
  briefMs: 3 * SECOND_MS,
  /** From the first piece of an answer to its last. */
  wholeAnswerMs: 600 * SECOND_MS,
  answerBytes: 64 * MEGABYTE,
  /** Shorter than what servers commonly have, so that no request meets a connection that is being closed. */
  keepAliveMs: 2 * SECOND_MS,
  /** A body is handed to the socket in pieces of this size, so that progress can be seen. */
  pieceBytes: 64 * 1024,

  attempts: 4,
  /** The longest first pause between two attempts; it doubles with each. */
  pauseMs: 250,
  pauseMsMax: 8 * SECOND_MS,
  /** A service that asks for a longer pause is not asked again. */
  retryAfterMsMax: 60 * SECOND_MS,
  /** No attempt begins later than this after the first one began. */
  attemptsMs: 180 * SECOND_MS,
} as const;

/** How long the answer may take: the setting of the user, otherwise by the kind of call. */
export const answerMsFor = (call: { isLong?: true | undefined }, setMs: number | undefined): number =>
  setMs ?? (call.isLong ? TIMEOUTS.longAnswerMs : TIMEOUTS.answerMs);
