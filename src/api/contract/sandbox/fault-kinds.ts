// The faults that a sandbox can be told to have, as data: what each of them meets, and which values it takes. Kept apart from the
// operations, because commands list the kinds.

/** Values that say more about a fault, by the names that requests use. */
export type FaultValue = 'latency' | 'jitter' | 'retry_after' | 'bytes';

type FaultKindRow = {
  /** What it meets: requests to operations, or what the service sends by itself. */
  meets: 'request' | 'sending';
  values: readonly FaultValue[];
  /** What happens, as the end of a sentence. */
  about: string;
};

/** Wire faults have the names of WireMock, `latency`, `jitter` and `limit_data` those of toxiproxy. */
export const FAULT_KINDS = {
  latency: {
    meets: 'request',
    values: ['latency', 'jitter'],
    about: 'the request is processed later',
  },
  'rate-limit': {
    meets: 'request',
    values: ['retry_after'],
    about: 'the response is 429 with Retry-After, and nothing is done',
  },
  'expired-token': {
    meets: 'request',
    values: [],
    about: 'the response is 401 for an expired access token, and nothing is done',
  },
  'error-before-commit': {
    meets: 'request',
    values: [],
    about: 'the response is 500, and nothing is done',
  },
  'error-after-commit': {
    meets: 'request',
    values: [],
    about: 'everything is done, and the response is 500',
  },
  EMPTY_RESPONSE: {
    meets: 'request',
    values: [],
    about: 'everything is done, and the connection is closed without a response',
  },
  CONNECTION_RESET_BY_PEER: {
    meets: 'request',
    values: [],
    about: 'everything is done, and the connection is reset without a response',
  },
  MALFORMED_RESPONSE_CHUNK: {
    meets: 'request',
    values: [],
    about: 'everything is done, and the response has a valid head and garbage for a body',
  },
  RANDOM_DATA_THEN_CLOSE: {
    meets: 'request',
    values: [],
    about: 'everything is done, and garbage comes instead of a response',
  },
  limit_data: {
    meets: 'request',
    values: ['bytes'],
    about: 'everything is done, and the connection is closed after a part of the body',
  },
  'slow-body': {
    meets: 'request',
    values: ['latency'],
    about: 'everything is done, and the body of the response arrives slowly',
  },
  'timestamps-unavailable': {
    meets: 'sending',
    values: [],
    about: 'documents get no timestamp, so that they cannot be sealed',
  },
  'smtp-unavailable': {
    meets: 'sending',
    values: [],
    about: 'the mail server that is configured cannot be reached',
  },
  'webhook-drop': {
    meets: 'sending',
    values: [],
    about: 'an event is not sent, and is kept as undelivered',
  },
  'webhook-duplicate': {
    meets: 'sending',
    values: [],
    about: 'an event is sent twice',
  },
  'webhook-reorder': {
    meets: 'sending',
    values: [],
    about: 'the first attempt to send an event fails, so that later events overtake it',
  },
  'webhook-delay': {
    meets: 'sending',
    values: ['latency'],
    about: 'an event is sent later, by the clock of the sandbox',
  },
} as const satisfies Record<string, FaultKindRow>;

export type FaultKind = keyof typeof FAULT_KINDS;

export const FAULT_KIND_NAMES = Object.keys(FAULT_KINDS) as FaultKind[];

export const faultKindRow = (kind: FaultKind): FaultKindRow => FAULT_KINDS[kind];

/** A fault that meets every operation, or what the service sends. */
export const EVERY_OPERATION = '*';

/** Named in answers that were broken on purpose. */
export const FAULT_HEADER = 'x-esign-fault';
