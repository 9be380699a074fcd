// Every error a command can end with, turned into a code, a sentence, a hint and an exit code, in one place.
// Nobody here matches on the text of a message.
import type { ApiError } from '../../api/codec.ts';
import { ASSUMED_ROUTES } from '../../api/contract/assumed-routes.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import type { ConnectionError, ConnectionFailure } from '../../api/transport.ts';
import type { ConfigError } from '../../config/config-error.ts';

/** design: exit codes of the program. 8 and 9 belong to commands that wait. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  access: 4,
  notFound: 5,
  conflict: 6,
  network: 7,
  pending: 8,
  endedBadly: 9,
  partly: 10,
  interrupted: 130,
  terminated: 143,
} as const;

export const EXIT_MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT.done, 'done'],
  [EXIT.unexpected, 'unexpected'],
  [EXIT.usage, 'usage, or refused here before anything was sent'],
  [EXIT.refused, 'the service refused the input'],
  [EXIT.access, 'not logged in, or the token or its scope was refused'],
  [EXIT.notFound, 'not found'],
  [EXIT.conflict, 'not in this state'],
  [EXIT.network, 'network, TLS, or the service is in trouble: worth another try'],
  [EXIT.pending, 'still pending when a wait ended'],
  [EXIT.endedBadly, 'ended badly: rejected, expired, cancelled; a signature that is missing or not valid'],
  [EXIT.partly, 'partly done, can be resumed'],
  [EXIT.interrupted, 'interrupted (SIGINT)'],
  [EXIT.terminated, 'interrupted (SIGTERM)'],
];

export type NextStep = { command: string; when: string };

/** What exists already when a command fails on the way. */
export type Partial = { id?: string | undefined; plan?: string | undefined };

export type ErrorReport = {
  code: string;
  message: string;
  hint: string | undefined;
  exit: number;
  retryable: boolean;
  errors: readonly FieldError[];
  partial: Partial | undefined;
  http: { status: number; request_id: string | undefined; method: string; path: string } | undefined;
  next: readonly NextStep[];
};

/** An error that a command knows how to explain. */
export class CliError extends Error {
  override name = 'CliError';
  readonly facts: Omit<ErrorReport, 'message' | 'http'>;

  constructor(
    message: string,
    facts: { code: string; exit: number } & globalThis.Partial<Omit<ErrorReport, 'message' | 'http'>>,
  ) {
    super(message);
    this.facts = { hint: undefined, retryable: false, errors: [], partial: undefined, next: [], ...facts };
  }
}

/** Refused here, before anything was sent. */
export const usageError = (code: string, message: string, hint?: string): CliError =>
  new CliError(message, { code, exit: EXIT.usage, hint });

/** Any error, with what was done by then. It keeps its own exit code unless `exit` says otherwise. */
export class StoppedOnTheWay extends Error {
  override name = 'StoppedOnTheWay';
  readonly facts: { partial: Partial; hint?: string; exit?: number; next: readonly NextStep[] };

  constructor(
    cause: unknown,
    facts: { partial: Partial; hint?: string; exit?: number; next?: readonly NextStep[] },
  ) {
    super('Stopped on the way.', { cause });
    this.facts = { next: [], ...facts };
  }
}

/** A signal came, and the command stopped at the next safe place. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted.');
    this.signal = signal;
  }
}

const plain = (
  report: { code: string; message: string; exit: number } & globalThis.Partial<ErrorReport>,
): ErrorReport => ({
  hint: undefined,
  retryable: false,
  errors: [],
  partial: undefined,
  http: undefined,
  next: [],
  ...report,
});

/** Errors are told apart by name: their classes live in modules that most commands never load. */
export function reportOf(error: unknown): ErrorReport {
  if (!(error instanceof Error))
    return plain({ code: 'unexpected', message: String(error), exit: EXIT.unexpected });
  switch (error.name) {
    case 'CliError':
      return plain({ message: error.message, ...(error as CliError).facts });
    case 'StoppedOnTheWay':
      return stopped(error as StoppedOnTheWay);
    case 'ApiError':
      return reportOfApiError(error as ApiError);
    case 'ConnectionError':
      return reportOfConnectionError(error as ConnectionError);
    case 'ConfigError': {
      const { code, hint } = error as ConfigError;
      return plain({ code, message: error.message, hint, exit: EXIT.usage });
    }
    case 'PathError':
      return plain({ code: 'value_invalid', message: error.message, exit: EXIT.usage });
    case 'NewerStoreError':
      return plain({ code: 'store_newer', message: error.message, exit: EXIT.unexpected });
    case 'DamagedStoreError':
      return plain({
        code: 'storage_damaged',
        message: error.message,
        exit: EXIT.unexpected,
        hint:
          (error as Error & { wayOut?: string }).wayOut ??
          'Put a copy of it back, or move it away to begin with a new one.',
      });
    case 'StorageError':
      return (error as Error & { kind: string }).kind === 'full'
        ? diskFull(error.message)
        : plain({ code: 'storage_unusable', message: error.message, exit: EXIT.usage, hint: STORAGE_HINT });
    case 'KeyringError':
      return plain({
        code: 'keyring_unusable',
        message: `The keyring cannot be used: ${error.message}.`,
        exit: EXIT.access,
        hint: 'Unlock it; or set ESIGN_CREDENTIAL_STORE=file, which keeps the login in a file that only you may read, and log in again.',
      });
    case 'LoginUnreadableError':
      return plain({
        code: 'login_unreadable',
        message: error.message,
        exit: EXIT.access,
        hint: 'Log in again with `esign login`.',
      });
    case 'LockTimeoutError':
      return plain({
        code: 'locked',
        message: error.message,
        exit: EXIT.network,
        retryable: true,
        hint: 'Another command keeps it: look which one hangs, then try again.',
      });
    case 'AbortError':
    case 'Interrupted': {
      const exit = (error as Interrupted).signal !== 'SIGTERM' ? EXIT.interrupted : EXIT.terminated;
      return plain({ code: 'interrupted', message: error.message, exit });
    }
    default:
      return isAboutStorage(error) ? unusableStorage(error) : unexpected(error);
  }
}

const unexpected = ({ message }: Error): ErrorReport =>
  plain({
    code: 'unexpected',
    message,
    exit: EXIT.unexpected,
    hint: 'Run it again with --debug to see where.',
  });

const STORAGE_HINT = 'ESIGN_HOME names the folder where everything is stored.';

function unusableStorage({ path, code }: Error & { path: string; code: string }): ErrorReport {
  const message = `${path} cannot be used (${code}).`;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? diskFull(message)
    : plain({ code: 'storage_unusable', message, exit: EXIT.usage, hint: STORAGE_HINT });
}

/** Worth another try, once there is space. */
const diskFull = (message: string): ErrorReport =>
  plain({
    code: 'storage_full',
    message,
    exit: EXIT.network,
    retryable: true,
    hint: 'Free some space on that disk, then try again.',
  });

/** What a folder that cannot be written says; files a person named are looked at before, and say more. */
const STORAGE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT', 'ELOOP']);

const isAboutStorage = (error: Error): error is Error & { path: string; code: string } => {
  const { path, code } = error as NodeJS.ErrnoException;
  return path !== undefined && code !== undefined && STORAGE.has(code);
};

function stopped(error: StoppedOnTheWay): ErrorReport {
  const { partial, hint, exit, next } = error.facts;
  const cause = reportOf(error.cause);
  return {
    ...cause,
    partial,
    exit: exit ?? cause.exit,
    hint: joined(cause.hint, hint),
    next: [...cause.next, ...next],
  };
}

const joined = (...sentences: (string | undefined)[]): string | undefined =>
  sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined;

/** Code and way out, by what was in the way. */
const CONNECTION_FAILURES: Record<ConnectionFailure, { code: string; hint?: string }> = {
  connection: { code: 'connection_failed' },
  timeout: { code: 'answer_timeout' },
  certificate: {
    code: 'certificate_refused',
    hint: 'Where the authority of your own network is missing, name the file of its certificate (PEM) in ESIGN_CA_CERT. Certificates are always checked.',
  },
  tls: { code: 'tls_failed', hint: 'Check that the address is the one of a service that speaks TLS there.' },
  proxy: {
    code: 'proxy_failed',
    hint: 'The proxy comes from HTTPS_PROXY (http://NAME:PASSWORD@HOST:PORT); hosts in NO_PROXY are reached without it.',
  },
  answer_too_large: { code: 'answer_too_large', hint: 'Check the address of the service.' },
  answer_unreadable: { code: 'answer_unreadable', hint: 'Check the address of the service, https or http.' },
};

function reportOfConnectionError(error: ConnectionError): ErrorReport {
  const { code, hint } = CONNECTION_FAILURES[error.kind];
  const look =
    error.delivery === 'not_sent'
      ? 'Check the address of the service and the network, then try again.'
      : 'The service may have acted on it: look before trying again.';
  const slow = error.kind === 'timeout' ? 'ESIGN_TIMEOUT is how many seconds an answer may take.' : undefined;
  return plain({
    code,
    message: error.message,
    hint: hint ?? joined(look, slow),
    exit: EXIT.network,
    retryable: error.isWorthAnotherTry,
  });
}

/** Codes of the service that mean something else than their status does. */
const EXIT_BY_CODE: Record<string, number> = {
  answer_incomplete: EXIT.unexpected,
  redirected: EXIT.network,
  storage_damaged: EXIT.unexpected,
};

const EXIT_BY_STATUS: Record<number, number> = {
  401: EXIT.access,
  403: EXIT.access,
  404: EXIT.notFound,
  405: EXIT.notFound,
  409: EXIT.conflict,
  408: EXIT.network,
  429: EXIT.network,
};

function exitOf(status: number, code: string): number {
  const exit = EXIT_BY_CODE[code] ?? EXIT_BY_STATUS[status];
  if (exit !== undefined) return exit;
  if (status >= 500) return EXIT.network;
  return status >= 400 ? EXIT.refused : EXIT.unexpected;
}

function reportOfApiError(error: ApiError): ErrorReport {
  const exit = exitOf(error.status, error.code);
  const wrongId = wrongIdIn(error);
  return plain({
    code: error.code,
    message: wrongId ?? error.message,
    hint: hintOf(error) ?? waitHint(error),
    exit,
    retryable: exit === EXIT.network && error.code !== 'redirected',
    errors: wrongId === undefined ? error.errors : [],
    http: { status: error.status, request_id: error.requestId, method: error.method, path: error.path },
  });
}

const waitHint = ({ waitMs }: ApiError): string | undefined =>
  waitMs === undefined || Number.isNaN(waitMs) ? undefined : `Try again in ${Math.ceil(waitMs / 1000)} s.`;
/** People give an id, and never see what the wire calls it: `transactionId holds …` → `The id of the transaction holds …`. */
function wrongIdIn({ errors }: ApiError): string | undefined {
  const [first] = errors;
  const noun = /^([a-z]+)Id$/.exec(first?.path ?? '')?.[1];
  return noun && first ? `The id of the ${noun} ${first.message}.` : undefined;
}

const HINTS: Record<string, string> = {
  redirected: 'Check the address of the service: http or https, host and path as they are in the end.',
  answer_incomplete: 'Check the address of the service; `esign api` shows an answer as it came.',
  transaction_not_draft:
    'A started transaction cannot be edited: send a new one. While nobody has rejected it and somebody still has to sign, `esign tx cancel ID --reason TEXT` ends this one.',
  transaction_not_started: 'See where it stands with `esign tx show ID`.',
  transaction_not_found: 'Check the id, and that it belongs to this service and company.',
  template_not_found: 'List the templates with `esign templates list`.',
  webhook_not_found: 'List the webhooks with `esign webhooks list`.',
  user_not_found: 'List the users with `esign sandbox users list`.',
  client_not_found: 'List the applications with `esign sandbox apps list`.',
  control_secret_required:
    '`esign sandbox token --control` prints the secret; without ESIGN_BASE_URL or with --sandbox, esign sends it by itself.',
  insufficient_scope: 'Log in again and ask for this scope: `esign login --scopes …`.',
  sender_email_mismatch: 'The sender must be the user whose token is used: name them with --sender.',
  token_missing: 'Log in with `esign login`, or set ESIGN_ACCESS_TOKEN.',
  token_invalid: 'Log in again with `esign login`; where ESIGN_ACCESS_TOKEN is set, set it to a live token.',
  token_expired: 'Log in again with `esign login`; where ESIGN_ACCESS_TOKEN is set, set it to a live token.',
  storage_unusable: 'Where the sandbox is stored, `esign doctor` says what is in the way.',
  storage_damaged: 'Where the sandbox is stored, `esign doctor --deep` says what is damaged.',
  transaction_incomplete: 'Complete it with `esign tx update` and `esign tx fields`, then start it.',
};

/** Where the same code has another way out for one operation. */
const HINTS_OF_OPERATION: Record<string, string> = {
  'transaction.start transaction_not_draft':
    'Only a draft can be started. `esign tx show ID` shows where it stands; `esign tx send` sends a new one.',
};

/** The paths of the specification begin with the version (spec §9): in the base address it would stand there twice. */
const DOUBLED_VERSION = /\/v\d+\/v\d+\//;

/** A 404 or 405 that the service did not explain, on a path we only assume, says how to correct the path. */
function hintOf(error: ApiError): string | undefined {
  if (DOUBLED_VERSION.test(error.path) && (error.status === 404 || error.status === 405))
    return 'The base address ends with the version, and every path of the API begins with it. Leave the version out of ESIGN_BASE_URL, or of base_url in the profile.';
  // A path that `esign api` was given is no operation of ours.
  if (error.operation === '') return HINTS[error.code];
  const isRoute = error.status === 405 || (error.status === 404 && !error.code.endsWith('_not_found'));
  if (!isRoute && error.code !== 'route_not_found')
    return HINTS_OF_OPERATION[`${error.operation} ${error.code}`] ?? HINTS[error.code];
  const point = Object.hasOwn(ASSUMED_ROUTES, error.operation) ? ASSUMED_ROUTES[error.operation] : undefined;
  const why = point
    ? `The specification does not show the address of ${error.operation}; ${error.method} ${error.path} is assumed (${point}).`
    : `The address ${error.method} ${error.path} may be another one at this service.`;
  return (
    `${why} Set it with \`esign config set routes.${error.operation} "METHOD /path"\`, or in ESIGN_ROUTES as ` +
    `{"${error.operation}": "METHOD /path"}. \`esign api routes\` says which are assumed.`
  );
}

/** The object that is the last line of stderr with `--json`. */
export function errorJson(report: ErrorReport): unknown {
  const { code, message, hint, exit, retryable, errors, partial, http, next } = report;
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
