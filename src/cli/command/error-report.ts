// Turns any error into a report for a person or a program: a code, a sentence, a hint and an exit code.
// It never compares the text of a message.

import type { ApiError } from '../../api/codec.ts';
import { ASSUMED_ROUTES } from '../../api/contract/assumed-routes.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import { CODE_OF_FAILURE, type ConnectionError } from '../../api/transport.ts';
import { didYouMean } from '../../common/nearest.ts';
import type { ConfigError } from '../../config/environment.ts';
import type { CredentialsError } from '../../credentials/keyring.ts';
import type { DatabaseError } from '../../database/database-error.ts';
import { diskFailureOf } from '../../files/disk-failure.ts';
import type { UntrustedError } from '../../files/trust.ts';
import { inSources } from '../process/source-places.ts';
import { safeLines } from '../terminal/safe-text.ts';
import { type CodeRow, ERROR_CODES, type ErrorCode, RETRYABLE } from './error-codes.ts';
import type { CliError, DoneSoFar, Interrupted, NextStep, PartialFailure, UnknownName } from './errors.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { serviceExit, serviceHint } from './service-errors.ts';
import { withoutCredentials } from './url-credentials.ts';

export type ErrorReport = {
  code: string;
  message: string;
  hint: string | undefined;
  exit: ExitCode;
  retryable: boolean;
  errors: readonly FieldError[];
  partial: DoneSoFar | undefined;
  http: { status: number; request_id: string | undefined; method: string; path: string } | undefined;
  next: readonly NextStep[];
};

const report = (
  facts: Pick<ErrorReport, 'code' | 'message' | 'exit'> & Partial<ErrorReport>,
): ErrorReport => ({
  hint: undefined,
  retryable: false,
  errors: [],
  partial: undefined,
  http: undefined,
  next: [],
  ...facts,
});

/** Writes the stack of an error and of its causes, in places of the sources, for `--debug`. */
export function traceOf(error: Error): string {
  const { stack, message, cause } = error;
  const trace = safeLines(withoutCredentials(inSources(stack ?? message)));
  return cause instanceof Error ? `${trace}\ncaused by: ${traceOf(cause)}` : trace;
}

/** Makes the report of an error. It removes passwords from URLs, because sentences name the values that are wrong. */
export function reportOf(error: unknown): ErrorReport {
  const { message, hint, errors, ...rest } = rawReportOf(error);
  return {
    ...rest,
    message: withoutCredentials(message),
    hint: hint && withoutCredentials(hint),
    errors: errors.map((fieldError) => ({ ...fieldError, message: withoutCredentials(fieldError.message) })),
  };
}

/** Recognizes errors by name: their classes are in modules that most commands never load. */
function rawReportOf(error: unknown): ErrorReport {
  if (!(error instanceof Error))
    return report({ code: 'unexpected', message: String(error), exit: EXIT.unexpected });
  switch (error.name) {
    case 'CliError':
      return report({ message: error.message, ...(error as CliError).facts });
    case 'PartialFailure':
      return partialFailureReport(error as PartialFailure);
    case 'UnknownName':
      return unknownNameReport(error as UnknownName);
    case 'ApiError':
      return reportOfApiError(error as ApiError);
    case 'ConnectionError':
      return reportOfConnectionError(error as ConnectionError);
    case 'ConfigError':
    case 'NewerStoreError':
    case 'UnreleasedStoreError':
    case 'DamagedStoreError':
    case 'StorageError':
    case 'StoreError':
    case 'UnavailableError':
    case 'LockTimeoutError':
    case 'KeyringError':
    case 'LoginUnreadableError':
    case 'UntrustedError':
      return lowerLayerReport(error as ConfigError | DatabaseError | CredentialsError | UntrustedError);
    case 'ProgramReplacedError':
      return report({ ...inTable('program_replaced'), message: ERROR_CODES.program_replaced[1] });
    case 'PathError':
      return report({ code: 'value_invalid', message: error.message, exit: EXIT.usage });
    case 'AbortError':
    case 'Interrupted': {
      const exit = (error as Interrupted).signal !== 'SIGTERM' ? EXIT.interrupted : EXIT.terminated;
      return report({ code: 'interrupted', message: error.message, exit });
    }
    default: {
      const storage = storageErrorIn(error);
      return storage ? unusableStorage(storage) : unexpected(error);
    }
  }
}

/**
 * Reports an error of a layer below the command line. It brings its sentence, and sometimes its hint; a code that one of these layers
 * adds does not compile until the table has it.
 */
function lowerLayerReport(
  error: ConfigError | DatabaseError | CredentialsError | UntrustedError,
): ErrorReport {
  const message =
    error.name === 'KeyringError' ? `The keyring cannot be used: ${error.message}.` : error.message;
  const { hint } = error as { hint?: string };
  return report({ ...inTable(error.code), message, ...(hint !== undefined && { hint }) });
}

/** Looks up what the table says of a code. */
function inTable(code: ErrorCode): Pick<ErrorReport, 'code' | 'exit' | 'hint' | 'retryable'> {
  const [exit, , hint] = ERROR_CODES[code] as CodeRow;
  return { code, exit, hint, retryable: RETRYABLE.has(code) };
}

const unexpected = ({ message }: Error): ErrorReport => report({ ...inTable('unexpected'), message });

function unusableStorage(error: SystemError): ErrorReport {
  const failure = diskFailureOf(error);
  const place = error.path ?? 'A file that esign stores data in';
  const message = `${place} cannot be used${failure ? `: ${failure.why}` : ` (${error.code})`}.`;
  return report({ ...inTable(failure?.kind === 'full' ? 'storage_full' : 'storage_unusable'), message });
}

/** The system has these codes for a directory that cannot be written. Files that a person named are checked earlier, with better sentences. */
const STORAGE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT', 'ELOOP']);

/** These codes are about a disk, whatever was written there. */
const OF_DISKS = new Set(['EROFS', 'ENOSPC', 'EDQUOT']);

/** SQLite sets `errcode`. */
type SystemError = NodeJS.ErrnoException & { errcode?: number };

const MOST_CAUSES = 5;

/** Finds the error of the storage: an error may be one itself, or was caused by one. */
function storageErrorIn(error: unknown, depth = 0): SystemError | undefined {
  if (!(error instanceof Error) || depth > MOST_CAUSES) return undefined;
  const { path, code, errcode } = error as SystemError;
  const isOfFile = code !== undefined && (OF_DISKS.has(code) || (path !== undefined && STORAGE.has(code)));
  const isOfDatabase = errcode !== undefined && diskFailureOf(error) !== undefined;
  return isOfFile || isOfDatabase ? error : storageErrorIn(error.cause, depth + 1);
}

/** Reports a command that failed after it had done something. Exit code 2 says that nothing was sent, so it becomes "partly done". */
function partialFailureReport(error: PartialFailure): ErrorReport {
  const { partial, hint, exit, next } = error.facts;
  const cause = reportOf(error.cause);
  return {
    ...cause,
    partial,
    exit: exit ?? (cause.exit === EXIT.usage ? EXIT.partly : cause.exit),
    hint: joinSentences(cause.hint, hint),
    next: [...cause.next, ...next],
  };
}

/** Says what was meant before what to do otherwise. */
function unknownNameReport({ cause, meant: { name, ids, typed, kind } }: UnknownName): ErrorReport {
  const refusal = reportOf(cause);
  if (kind !== undefined && name !== undefined && name === typed)
    return nameIsNoId(refusal, { name, ids, kind });
  const isOne = ids.length === 1;
  const id =
    name === undefined
      ? undefined
      : `${isOne ? 'Its ID is' : 'The IDs with this name are'} ${ids.join(', ')}.`;
  return { ...refusal, hint: joinSentences(didYouMean(name ?? ids[0]), id, refusal.hint) };
}

/** The commands that show what an ID belongs to. */
const SHOWN_BY: Readonly<Record<string, string>> = {
  transaction: 'tx show',
  template: 'templates show',
  webhook: 'webhooks show',
};

function nameIsNoId(
  refusal: ErrorReport,
  { name, ids, kind }: { name: string; ids: readonly string[]; kind: string },
): ErrorReport {
  const isOne = ids.length === 1;
  const command = Object.hasOwn(SHOWN_BY, kind) ? SHOWN_BY[kind] : undefined;
  return {
    ...refusal,
    hint: joinSentences(
      `"${name}" is the name of ${isOne ? `the ${kind}` : `several ${kind}s`}, and the ID is needed: ${ids.join(' or ')}.`,
      refusal.hint,
    ),
    next: command
      ? ids.map((id) => ({ command: `esign ${command} ${id}`, when: `to see this ${kind}` }))
      : refusal.next,
  };
}

const joinSentences = (...sentences: (string | undefined)[]): string | undefined =>
  sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined;

const MAY_HAVE_ACTED = 'The service may have acted on the request. Check the result before you try again.';

function reportOfConnectionError(error: ConnectionError): ErrorReport {
  const code = CODE_OF_FAILURE[error.kind];
  const { exit, hint } = inTable(code);
  const mayHaveActed =
    error.delivery === 'unknown' && (code === 'connection_failed' || code === 'answer_timeout');
  const own = code === 'connection_failed' && mayHaveActed ? undefined : hint;
  return report({
    code,
    message: error.message,
    hint: mayHaveActed ? joinSentences(MAY_HAVE_ACTED, own) : own,
    exit,
    retryable: error.isWorthAnotherTry,
  });
}

function reportOfApiError(error: ApiError): ErrorReport {
  const exit = serviceExit(error.status, error.code);
  const wrongId = wrongIdIn(error);
  return report({
    code: error.code,
    message: wrongId ?? countOf(error) ?? error.message,
    hint: hintOf(error) ?? waitHint(error),
    exit,
    // A service that says when to try again means that the same request will do.
    retryable: (exit === EXIT.network && error.code !== 'redirected') || waitHint(error) !== undefined,
    errors: wrongId === undefined ? error.errors : [],
    http: { status: error.status, request_id: error.requestId, method: error.method, path: error.path },
  });
}

/** Several wrong values are listed below the sentence, which then does not repeat them. */
const countOf = ({ code, message, errors }: ApiError): string | undefined =>
  code === 'validation_failed' && errors.length > 1 && message.includes(errors[0]?.message ?? '')
    ? `${errors.length} values are not valid.`
    : undefined;

/** A longer wait is told in minutes. */
const MOST_SECONDS = 90;

function waitHint({ waitMs }: ApiError): string | undefined {
  if (waitMs === undefined || Number.isNaN(waitMs)) return undefined;
  const seconds = Math.ceil(waitMs / 1000);
  return `Try again in ${seconds > MOST_SECONDS ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} s`}.`;
}

/** Replaces the name of a path parameter, which users never see: `transactionId holds …` → `The ID of the transaction holds …`. */
function wrongIdIn({ errors }: ApiError): string | undefined {
  const [first] = errors;
  const noun = /^([a-z]+)Id$/.exec(first?.path ?? '')?.[1];
  return noun && first ? `The ID of the ${noun} ${first.message}.` : undefined;
}

/** The paths of the specification begin with the version (spec §9): in the base address it would stand there twice. */
const DOUBLED_VERSION = /\/v\d+\/v\d+\//;

/** A 404 or 405 that the service did not explain, on a path we only assume, says how to correct the path. */
function hintOf(error: ApiError): string | undefined {
  if (DOUBLED_VERSION.test(error.path) && (error.status === 404 || error.status === 405))
    return 'The base URL ends with a version, such as /v1, but every path of the API already begins with it. Remove the version from ESIGN_BASE_URL, or from base_url in the profile.';
  const { operation, code, status } = error;
  // A path that `esign api` was given is no operation of ours.
  if (operation === '') return serviceHint('', code);
  const isRoute = status === 405 || (status === 404 && !code.endsWith('_not_found'));
  return isRoute || code === 'route_not_found' ? routeHint(error) : serviceHint(operation, code);
}

function routeHint({ operation, method, path }: ApiError): string {
  const why = Object.hasOwn(ASSUMED_ROUTES, operation)
    ? `The specification does not define the route of ${operation}, so esign assumes ${method} ${path}.`
    : `Your service may use another route than ${method} ${path}.`;
  return (
    `${why} Set the right one with \`esign config set routes.${operation} "METHOD /path"\`, or in ESIGN_ROUTES as ` +
    `{"${operation}": "METHOD /path"}. \`esign api routes\` lists all routes.`
  );
}

/** Makes the object that is the last line of stderr with `--json`. */
export function errorJson(shown: ErrorReport): unknown {
  const { code, message, hint, exit, retryable, errors, partial, http, next } = shown;
  return {
    error: {
      code,
      message,
      hint: hint ?? null,
      exit,
      retryable,
      ...(errors.length > 0 && { errors }),
      ...(partial && { partial }),
      ...(http && { http: { ...http, request_id: http.request_id ?? null } }),
      next,
    },
  };
}
