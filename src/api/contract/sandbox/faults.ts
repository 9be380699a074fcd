// Faults of the sandbox, made on purpose: which requests, emails, seals and events fail, how and how often.
import * as z from 'zod';
import { durationOf } from '../../../common/instant.ts';
import { lazySchema } from '../lazy-schema.ts';
import { list, neededNumber, neededText, record, someNumber } from '../lenient.ts';
import { LIMITS } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { id, nullable, oneOf, quoteInMessage } from '../values.ts';
import { control } from './control.ts';
import { FAULT_KIND_NAMES, type FaultKind, faultKindRow } from './fault-kinds.ts';

/** @returns milliseconds; 0 where none are given */
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

/** What does not go together. `path` is the property that is wrong. */
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
