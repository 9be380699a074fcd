import { describe, expect, test } from 'vitest';
import type { AttemptResult } from '../../../src/service/outbox/attempt.ts';
import { nextAfter, SCHEDULE_MS } from '../../../src/service/outbox/delivery-turns.ts';

const NOW = '2026-03-01T09:00:00.000Z';
const FAILED: AttemptResult = { ok: false, status: 500, why: 'it broke', answer: '', durationMs: 1 };

const waitsMs = (made: number, chance: number, more: Partial<AttemptResult> = {}) => {
  const next = nextAfter({ ...FAILED, ...more }, made, NOW, () => chance);
  return next.state === 'waiting' ? Date.parse(next.due_at) - Date.parse(NOW) : next;
};

describe('the schedule of attempts', () => {
  test('has ten, over 75 hours 35 minutes and 5 seconds', () => {
    expect(SCHEDULE_MS).toHaveLength(10);
    expect(SCHEDULE_MS.reduce((sum, ms) => sum + ms, 0)).toBe(((75 * 60 + 35) * 60 + 5) * 1000);
  });

  test('spreads each pause by a fifth to both sides', () => {
    for (const [made, pauseMs] of SCHEDULE_MS.entries())
      if (made > 0)
        expect([0, 0.5, 1].map((chance) => waitsMs(made, chance))).toEqual([
          Math.round(pauseMs * 0.8),
          pauseMs,
          Math.round(pauseMs * 1.2),
        ]);
  });

  test('waits longer where the receiver asks for it, and never shorter', () => {
    expect(waitsMs(1, 0.5, { retryAfterMs: 60_000 })).toBe(60_000);
    expect(waitsMs(2, 0.5, { retryAfterMs: 1000 })).toBe(SCHEDULE_MS[2]);
  });

  test('ends with the tenth attempt, with a final answer, and with success', () => {
    expect(waitsMs(9, 0.5)).toBe(SCHEDULE_MS[9]);
    expect(waitsMs(10, 0.5)).toEqual({
      state: 'undelivered',
      reason: '10 attempts failed. The last one failed because it broke',
    });
    expect(waitsMs(1, 0.5, { isFinal: true })).toEqual({ state: 'undelivered', reason: 'it broke' });
    expect(waitsMs(1, 0.5, { ok: true })).toEqual({ state: 'delivered' });
  });
});
