// The clock of the sandbox: what people see and rules compare. Certificates, seals, TLS and signatures of deliveries use real time.
import * as z from 'zod';
import { durationOf } from '../../../common/instant.ts';
import { lazySchema } from '../lazy-schema.ts';
import {
  list,
  neededFlag,
  neededNumber,
  neededText,
  record,
  someNumber,
  someRecord,
  someText,
} from '../lenient.ts';
import { LIMITS } from '../limits.ts';
import { control, type Operation } from '../operation.ts';
import { id, instant, nullable, quoteInMessage } from '../values.ts';

const settable = lazySchema(() =>
  z.string().refine(isSettable, {
    error: quoteInMessage(`is not an instant from 1970 to 8999 in the form 2026-12-31T09:00:00.000Z`),
  }),
);

function isSettable(text: string): boolean {
  return instant.safeParse(text).success && text >= LIMITS.clockEarliest && text < LIMITS.clockLatest;
}

const isDuration = (by: string | number): boolean =>
  typeof by === 'string' ? durationOf(by) !== undefined : Number.isSafeInteger(by) && by >= 0;

/** `real_time` is what the clock of the machine shows. */
const clockNow = () => ({ now: instant, real_time: instant, is_paused: z.boolean() });

/** `id` is that of the event or the email. `attempt` is null for what is no attempt to deliver. */
const fired = lazySchema(() =>
  z.strictObject({
    type: z.enum(['transaction_expired', 'delivery_attempted']),
    at: instant,
    transaction_id: id,
    id,
    attempt: nullable(
      z.strictObject({
        kind: z.enum(['webhook', 'notification', 'mail']),
        endpoint: z.string(),
        ok: z.boolean(),
        status: nullable(z.int()),
        why: nullable(z.string()),
        next_at: nullable(instant),
      }),
    ),
  }),
);

const receivedClock = { now: neededText, real_time: neededText, is_paused: neededFlag };

const answer = {
  success: { status: 200, schema: lazySchema(() => z.strictObject(clockNow())) },
  received: record(receivedClock),
  problems: [],
} as const;

export const clockOperations = {
  'sandbox.clock': {
    ...control,
    ...answer,
    method: 'GET',
    path: '/_sandbox/clock',
    summary: 'Show the time by the clock of the sandbox',
  },
  'sandbox.set_clock': {
    ...control,
    ...answer,
    method: 'POST',
    path: '/_sandbox/clock/set',
    body: lazySchema(() => z.object({ to: settable })),
    summary: 'Set the clock of the sandbox, forward or back',
    example: { to: '2026-12-31T09:00:00.000Z' },
  },
  'sandbox.advance_clock': {
    ...control,
    method: 'POST',
    path: '/_sandbox/clock/advance',
    once: true,
    body: lazySchema(() =>
      z
        .object({
          /** A duration such as `30d`, or milliseconds. */
          by: z
            .union([z.number(), z.string()])
            .refine(isDuration, { error: quoteInMessage('is not a duration such as 30d, 12h or 90s') })
            .optional(),
          to: settable.optional(),
        })
        .refine(({ by, to }) => (by === undefined) !== (to === undefined), {
          error: 'must have either "by" or "to"',
        }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          ...clockNow(),
          status: z.literal('ready'),
          fired: z.array(fired),
          /** `fired` lists the first 10,000 of them. */
          fired_total: z.int(),
        }),
      ),
    },
    received: record({
      ...receivedClock,
      fired: list(
        record({
          type: neededText,
          at: neededText,
          transaction_id: neededText,
          id: neededText,
          attempt: someRecord({
            kind: neededText,
            endpoint: neededText,
            ok: neededFlag,
            status: someNumber,
            why: someText,
            next_at: someText,
          }),
        }),
      ),
      fired_total: neededNumber,
    }),
    problems: [],
    summary: 'Move the clock of the sandbox forward, and do all that becomes due on the way',
    example: { by: '30d' },
  },
  'sandbox.pause_clock': {
    ...control,
    ...answer,
    method: 'POST',
    path: '/_sandbox/clock/pause',
    body: lazySchema(() => z.object({ at: settable.optional() })),
    summary: 'Stop the clock of the sandbox',
    example: {},
  },
  'sandbox.resume_clock': {
    ...control,
    ...answer,
    method: 'POST',
    path: '/_sandbox/clock/resume',
    body: lazySchema(() => z.object({})),
    summary: 'Let the clock of the sandbox run on from where it is',
    example: {},
  },
  'sandbox.reset_clock': {
    ...control,
    ...answer,
    method: 'POST',
    path: '/_sandbox/clock/reset',
    body: lazySchema(() => z.object({})),
    summary: 'Set the clock of the sandbox to the time of the machine again',
    example: {},
  },
} as const satisfies Record<string, Operation>;
