// Maps an error of the service to an exit code and a hint. It is typed over the codes of the contract: a code that is added
// there does not compile until it is listed here. The service brings the sentences.
import type { ProblemCode } from '../../api/contract/problems.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

const NEW_TOKEN =
  'Log in again with `esign login`. If ESIGN_ACCESS_TOKEN is set, set it to a valid access token.';
const FIX_VALUES = 'Correct the values and try again.';
const CHECK_ID = 'Check the ID. `esign whoami` shows the service and the account in use.';
const LATER = 'Try again in a minute.';
const END_FAULTS = 'To remove the faults of the sandbox, run `esign sandbox faults clear`.';

/** What to do next. Undefined where the sentence of the service says it: then {@link SAID_BY_SERVICE} has it for the documents. */
export const SERVICE_HINTS: Record<ProblemCode, string | undefined> = {
  malformed_json: FIX_VALUES,
  malformed_multipart: FIX_VALUES,
  malformed_path: 'Check the ID or the path.',
  host_not_allowed:
    'Use the URL of the service exactly: of a sandbox, the one that `esign sandbox serve` prints; of a server, its origin.',
  invalid_grant: 'A code works once, for ten minutes. Log in again with `esign login`.',
  token_missing: 'Log in with `esign login`, or set ESIGN_ACCESS_TOKEN.',
  token_invalid: NEW_TOKEN,
  token_expired: NEW_TOKEN,
  invalid_client:
    'Check the client ID and the client secret. The dashboard shows both when an OAuth application is created.',
  insufficient_scope: 'Log in again with this scope: `esign login --scopes SCOPES`.',
  control_secret_required:
    'Print the secret with `esign sandbox token --control`. With --sandbox, esign sends it automatically.',
  link_invalid: undefined,
  route_not_found:
    '`esign api routes` lists the operations. If all of them fail like this, check the URL of the service with `esign whoami`.',
  transaction_not_found: CHECK_ID,
  template_not_found: 'List the templates with `esign templates list`.',
  webhook_not_found: 'List the webhooks with `esign webhooks list`.',
  event_not_found: 'List the events with `esign events list`.',
  file_not_found: 'Upload the file again.',
  client_not_found: 'List the OAuth applications with `esign sandbox apps list`.',
  mail_not_found: 'List the emails with `esign sandbox mailbox list`.',
  snapshot_not_found: 'List the snapshots with `esign sandbox snapshot list`.',
  user_not_found: 'List the users with `esign sandbox users list`.',
  signing_link_invalid: 'Ask the sender for a new link.',
  method_not_allowed:
    '`esign api routes` lists the operations. If all of them fail like this, check the URL of the service with `esign whoami`.',
  transaction_not_draft:
    'A started transaction cannot be changed. Send a new one. To end a transaction that is still open, use `esign tx cancel ID --reason TEXT`.',
  transaction_not_started: 'List started transactions with `esign tx list --refresh --status started`.',
  not_your_turn: 'See who has to sign now with `esign tx show ID`.',
  values_changed: undefined,
  transaction_changed: undefined,
  submission_under_way: undefined,
  client_is_own: 'Create another OAuth application with `esign sandbox apps create`.',
  user_exists: 'List the users with `esign sandbox users list`.',
  documents_not_checked: undefined,
  file_too_large: 'Make the file smaller, or split it.',
  body_too_large: 'Send less at once.',
  unsupported_media_type: undefined,
  file_type_not_accepted: 'Save the file as PDF and try again.',
  validation_failed: FIX_VALUES,
  sender_email_mismatch:
    'The sender must be the user that the access token belongs to. Specify this user with --sender.',
  transaction_incomplete: 'Complete it with `esign tx update` and `esign tx fields`, then start it.',
  file_empty: 'Check the file.',
  file_missing: 'Add the file to the request.',
  file_token_unknown: undefined,
  document_encrypted: undefined,
  document_unreadable: undefined,
  document_too_long: undefined,
  document_too_complex: undefined,
  document_not_drawable: undefined,
  document_not_sealable: undefined,
  document_not_as_shown: undefined,
  too_many_events: undefined,
  idempotency_key_reused: undefined,
  reminded_recently: undefined,
  rate_limited: END_FAULTS,
  failed_on_purpose: END_FAULTS,
  sealing_unavailable: undefined,
  sealing_failed:
    'Read the reason with `esign tx show`, and run `esign doctor` on the machine where the service runs.',
  receiving_busy: undefined,
  documents_busy: undefined,
  internal_error: `${LATER} If it happens again, report the request ID.`,
  program_replaced: undefined,
  storage_damaged: 'Run `esign doctor --deep` on the machine where the service runs.',
  storage_unusable: 'Run `esign doctor` on the machine where the service runs.',
  storage_unavailable: undefined,
  storage_full: undefined,
};

/** The sentences of our service contain these hints. The documents show the hints without the sentences. */
export const SAID_BY_SERVICE = {
  link_invalid: 'Request a new link.',
  values_changed: 'Review the values again, then submit them.',
  transaction_changed: 'Try again.',
  submission_under_way: 'Look at the transaction again in a few seconds.',
  documents_not_checked: 'Start the transaction again in a moment.',
  unsupported_media_type: 'Send the content type that the message names.',
  file_token_unknown: 'Upload the file again.',
  document_encrypted: 'Remove the password and upload the document again.',
  document_unreadable: 'Save the document again and upload it again.',
  document_too_long: 'Split the document into several documents.',
  document_too_complex: 'Print the document to a new PDF and upload it again.',
  document_not_drawable: 'Remove the document, or print it to a new PDF and use that.',
  document_not_as_shown: 'Print the document to a new PDF and send that.',
  document_not_sealable: 'Print the document to a new PDF and send that.',
  too_many_events: 'Choose a later time, or one transaction.',
  idempotency_key_reused: 'Use a new idempotency key.',
  reminded_recently: 'Wait until the time that the message names.',
  sealing_unavailable: 'Follow the message of the service. Nothing was signed.',
  receiving_busy: LATER,
  documents_busy: LATER,
  program_replaced: 'Restart the service, then try again.',
  storage_full: 'Free some space on the disk of the service, then try again.',
} satisfies Partial<Record<ProblemCode, string>>;

/** Codes that the client itself gives a response of the service. */
export const ANSWER_HINTS = {
  redirected: 'Check the URL of the service: http or https, host and path.',
  answer_incomplete: 'Check the URL of the service. `esign api` prints a response unchanged.',
} as const;

export const ANSWER_MEANINGS: Record<keyof typeof ANSWER_HINTS, string> = {
  redirected: 'The service answered with a redirect, which is not followed.',
  answer_incomplete: 'The response of the service lacks a value that esign needs.',
};

/** Hints for one operation, where they differ from those of the code. */
const HINTS_OF_OPERATION: Readonly<Record<string, string>> = {
  'transaction.start transaction_not_draft':
    'Only a draft can be started. `esign tx show ID` shows its status; `esign tx send` sends a new transaction.',
} satisfies Partial<Record<`${string} ${ProblemCode}`, string>>;

const HINTS: Readonly<Record<string, string | undefined>> = { ...SERVICE_HINTS, ...ANSWER_HINTS };

/** @param operation empty for a path that `esign api` was given */
export const serviceHint = (operation: string, code: string): string | undefined =>
  HINTS_OF_OPERATION[`${operation} ${code}`] ?? (Object.hasOwn(HINTS, code) ? HINTS[code] : undefined);

/** Codes whose exit code differs from that of their status. */
const EXIT_BY_CODE: Readonly<Record<string, ExitCode>> = {
  answer_incomplete: EXIT.unexpected,
  redirected: EXIT.network,
  invalid_grant: EXIT.access,
  // Trying again at once does not help.
  reminded_recently: EXIT.conflict,
  storage_damaged: EXIT.unexpected,
} satisfies Partial<Record<ProblemCode | keyof typeof ANSWER_HINTS, ExitCode>>;

const EXIT_BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.access,
  403: EXIT.access,
  404: EXIT.notFound,
  405: EXIT.notFound,
  409: EXIT.conflict,
  408: EXIT.network,
  429: EXIT.network,
};

export function serviceExit(status: number, code: string): ExitCode {
  const exit = (Object.hasOwn(EXIT_BY_CODE, code) ? EXIT_BY_CODE[code] : undefined) ?? EXIT_BY_STATUS[status];
  if (exit !== undefined) return exit;
  if (status >= 500) return EXIT.network;
  return status >= 400 ? EXIT.refused : EXIT.unexpected;
}
