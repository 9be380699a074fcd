// Shows, sets, advances, stops and resumes the clock of the sandbox.

import { LIMITS } from '../../../api/contract/limits.ts';
import { durationOf, epochMsOf, type Instant, instantOf } from '../../../common/instant.ts';
import { type Handlers, ok, refuse } from '../../context.ts';
import type { SandboxClock } from '../../sandbox/clock.ts';
import { REAL_TIME, timeBy } from '../../store/sandbox/clock.ts';

export const clockHandlers = {
  'sandbox.clock': async ({ clock }) => ok(clockNow(clock)),

  'sandbox.set_clock': async ({ clock }, { body: { to } }) => {
    await clock.change(({ paused_at }, machineMs) =>
      paused_at === null
        ? { offset_ms: epochMsOf(to) - machineMs, paused_at }
        : { offset_ms: 0, paused_at: to },
    );
    return ok(clockNow(clock));
  },

  'sandbox.pause_clock': async ({ clock }, { body: { at } }) => {
    await clock.change((setting, machineMs) => ({
      offset_ms: 0,
      paused_at: at ?? instantOf(timeBy(setting, machineMs)),
    }));
    return ok(clockNow(clock));
  },

  'sandbox.resume_clock': async ({ clock }) => {
    await clock.change(({ paused_at }, machineMs) =>
      paused_at === null ? undefined : { offset_ms: epochMsOf(paused_at) - machineMs, paused_at: null },
    );
    return ok(clockNow(clock));
  },

  'sandbox.reset_clock': async ({ clock }) => {
    await clock.change(() => REAL_TIME);
    return ok(clockNow(clock));
  },

  'sandbox.advance_clock': async (context, { body: { by, to } }) => {
    const { clock } = context;
    const target = by === undefined ? (to as Instant) : laterBy(context.now, by);
    if (target === undefined || target >= LIMITS.clockLatest)
      return refuseAdvance(`body.${by === undefined ? 'to' : 'by'}`, `ends after the year 8999`);
    if (target < context.now)
      return refuseAdvance(
        'body.to',
        `"${target}" is before ${context.now}, the time of the clock, which only \`sandbox clock set\` moves back`,
      );
    const ms = epochMsOf(target) - epochMsOf(context.now);
    const done = await context.advance((nowMs) => nowMs + ms);
    return ok({ ...clockNow(clock), status: 'ready' as const, ...done });
  },
} satisfies Partial<Handlers<'sandbox'>>;

const clockNow = (clock: SandboxClock) => ({
  now: instantOf(clock.now()),
  real_time: instantOf(clock.machine()),
  is_paused: clock.setting.paused_at !== null,
});

/** Adds to the time; undefined where the result cannot be written as an instant. */
function laterBy(now: Instant, by: string | number): Instant | undefined {
  const ms = epochMsOf(now) + (typeof by === 'number' ? by : (durationOf(by) as number));
  return ms < epochMsOf(LIMITS.clockLatest) ? instantOf(ms) : undefined;
}

const refuseAdvance = (path: string, message: string) =>
  refuse('validation_failed', { summary: `${path} ${message}.` }, [{ path, message }]);
