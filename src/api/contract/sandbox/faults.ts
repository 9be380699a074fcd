// Faults of the sandbox, made on purpose: the kinds, what each of them meets and which values it takes, and the operations that add, list and
// remove them.
import * as z from 'zod';
import { durationOf } from '../../../common/instant.ts';
import { lazySchema } from '../lazy-schema.ts';
import { list, neededNumber, neededText, record, someNumber } from '../lenient.ts';
import { LIMITS } from '../limits.ts';
import { control, type Operation } from '../operation.ts';
import { id, nullable, oneOf, quoteInMessage } from '../values.ts';

/** Values that say more about a fault, by the names that requests use. */
export type FaultValue = 'latency' | 'jitter' | 'retry_after' | 'bytes';

type FaultKindRow = {
  /** `request`: requests to operations; `sending`: what the service sends by itself. */
  meets: 'request' | 'sending';
  values: readonly FaultValue[];
  /** The end of a sentence that says what happens. */
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

/** Stands for the ID of an operation where a fault meets every operation, or what the service sends. */
export const EVERY_OPERATION = '*';

/** The header that names the fault in an answer that was broken on purpose. */
export const FAULT_HEADER = 'x-esign-fault';

/** @returns milliseconds; 0 where the value is absent */
export const faultMsOf = (value: unknown): number =>
  typeof value === 'string' ? (durationOf(value) ?? 0) : typeof value === 'number' ? value : 0;

const isLatency = (value: string | number): boolean => {
  const ms = typeof value === 'string' ? durationOf(value) : value;
  return ms !== undefined && Number.isSafeInteger(ms) && ms >= 0 && ms <= LIMITS.faultLatencyMs;
};

/** A duration such as `2s`, or milliseconds. */
const latency = lazySchema(() =>
  z.union([z.number(), z.string()]).refine(isLatency, {
    error: quoteInMessage('is not a duration such as 2s or 10m, of at most 365 days'),
  }),
);

const whole = (min: number, max: number) =>
  z.number().refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, {
    error: `must be a whole number from ${min} to ${max}`,
  });

/**
 * A fault to add. `operation` is the ID of an operation of the API, or `*`. `seed` decides, with `probability`, which requests it
 * meets: always the same of a sequence.
 */
const newFault = lazySchema(() =>
  z
    .strictObject({
      operation: z.string(),
      kind: oneOf(FAULT_KIND_NAMES as [FaultKind, ...FaultKind[]], 'is not a kind of fault. The kinds are:'),
      count: whole(1, LIMITS.faultCount).optional(),
      probability: z
        .number()
        .refine((value) => value > 0 && value <= 1, { error: 'must be more than 0, and at most 1' })
        .optional(),
      seed: whole(0, LIMITS.faultSeed).optional(),
      latency: latency.optional(),
      jitter: latency.optional(),
      retry_after: whole(0, LIMITS.faultRetryAfterSeconds).optional(),
      bytes: whole(0, LIMITS.faultBytes).optional(),
    })
    .check(({ value, issues }) => {
      for (const { path, message } of contradictionsIn(value))
        issues.push({ code: 'custom', input: value, path: [path], message });
    }),
);

type NewFault = { kind: FaultKind; count?: number | undefined; probability?: number | undefined } & Record<
  string,
  unknown
>;

/** Finds values that exclude each other. `path` is the property that is wrong. */
function contradictionsIn(fault: NewFault): { path: string; message: string }[] {
  const { values } = faultKindRow(fault.kind);
  const unused = (['latency', 'jitter', 'retry_after', 'bytes'] as const).filter(
    (name) => fault[name] !== undefined && !values.includes(name),
  );
  const isTooLate =
    faultKindRow(fault.kind).meets === 'request' && faultMsOf(fault.latency) > LIMITS.faultRequestLatencyMs;
  return [
    ...(isTooLate ? [{ path: 'latency', message: 'must be at most 10m for this kind of fault' }] : []),
    ...unused.map((path) => ({ path, message: `has no effect on the fault ${fault.kind}` })),
    ...(fault.count !== undefined && fault.probability !== undefined
      ? [{ path: 'probability', message: 'cannot be combined with "count"' }]
      : []),
    ...(fault.seed !== undefined && fault.probability === undefined
      ? [{ path: 'seed', message: 'needs "probability"' }]
      : []),
  ];
}

/**
 * A fault. Null: without a limit, or not of this kind. `hits` counts how often it has met something. Times are milliseconds, and
 * seconds for `retry_after`.
 */
const fault = lazySchema(() =>
  z.strictObject({
    id,
    operation: z.string(),
    kind: z.enum(FAULT_KIND_NAMES as [FaultKind, ...FaultKind[]]),
    count: nullable(z.int()),
    probability: nullable(z.number()),
    seed: nullable(z.int()),
    latency: nullable(z.int()),
    jitter: nullable(z.int()),
    retry_after: nullable(z.int()),
    bytes: nullable(z.int()),
    hits: z.int(),
  }),
);

const receivedFault = record({
  id: neededText,
  operation: neededText,
  kind: neededText,
  count: someNumber,
  probability: someNumber,
  seed: someNumber,
  latency: someNumber,
  jitter: someNumber,
  retry_after: someNumber,
  bytes: someNumber,
  hits: neededNumber,
});

export const faultsOperations = {
  'sandbox.list_faults': {
    ...control,
    method: 'GET',
    path: '/_sandbox/fault',
    success: { status: 200, schema: lazySchema(() => z.strictObject({ items: z.array(fault) })) },
    received: record({ items: list(receivedFault) }),
    problems: [],
    summary: 'List the faults of the sandbox, with how often each was met',
  },
  'sandbox.add_fault': {
    ...control,
    method: 'POST',
    path: '/_sandbox/fault',
    body: newFault,
    success: { status: 201, schema: fault },
    received: receivedFault,
    problems: [],
    summary: 'Make requests, emails, seals or events of the sandbox fail on purpose',
    example: { operation: 'transaction.create', kind: 'error-after-commit', count: 1 },
  },
  'sandbox.clear_faults': {
    ...control,
    method: 'DELETE',
    path: '/_sandbox/fault',
    success: { status: 200, schema: lazySchema(() => z.strictObject({ removed: z.int() })) },
    received: record({ removed: neededNumber }),
    problems: [],
    summary: 'Remove all faults of the sandbox',
  },
} as const satisfies Record<string, Operation>;
