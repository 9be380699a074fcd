import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type History, openHistory } from '../../src/history/history.ts';

const PLAN = { id: 'plan-1', profile: 'sandbox', service: 'sandbox', content: { files: ['a'] } };
const STEPS = [
  { name: 'create', idempotencyKey: 'k1' },
  { name: 'start', idempotencyKey: 'k2' },
];

let folder: string;
let history: History;
let now = 1_000_000;
const alive = () => true;
const dead = () => false;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'esign-history-'));
  history = await openHistory(join(folder, 'deep', 'history.db'), () => now);
});

afterEach(async () => {
  await history.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the journal', () => {
  test('remembers a plan and how far it came, over a reopening', async () => {
    await history.journal.begin(PLAN, STEPS, 11);
    await history.journal.markSending('plan-1', 'create');
    await history.journal.markDone('plan-1', { step: 'create', answer: { id: 't1' } });
    await history.journal.markSending('plan-1', 'start');
    await history.close();
    history = await openHistory(join(folder, 'deep', 'history.db'), () => now + 5);
    expect(await history.journal.find('plan-1')).toEqual({
      plan: PLAN,
      ageMs: 5,
      steps: [
        { name: 'create', state: 'done', idempotencyKey: 'k1', answer: { id: 't1' } },
        { name: 'start', state: 'sending', idempotencyKey: 'k2', answer: undefined },
      ],
    });
    expect(await history.journal.find('plan-2')).toBeUndefined();
  });

  test('a step that was certainly not acted upon is pending again', async () => {
    await history.journal.begin(PLAN, STEPS, 11);
    await history.journal.markSending('plan-1', 'create');
    await history.journal.markPending('plan-1', 'create');
    expect((await history.journal.find('plan-1'))?.steps[0]?.state).toBe('pending');
  });

  test('one process at a time carries a plan out', async () => {
    await history.journal.begin(PLAN, STEPS, 11);
    expect(await history.journal.claim('plan-1', 22, alive)).toBe(false);
    expect(await history.journal.claim('plan-1', 11, alive)).toBe(true);
    expect(await history.journal.claim('plan-1', 22, dead)).toBe(true);
    await history.journal.release('plan-1');
    expect(await history.journal.claim('plan-1', 33, alive)).toBe(true);
  });

  test('a process that says nothing for long lets go', async () => {
    await history.journal.begin(PLAN, STEPS, 11);
    now += 10 * 60_000;
    expect(await history.journal.claim('plan-1', 22, alive)).toBe(true);
  });

  test('a process is not believed to keep a plan for longer than any does, after the clock was set back', async () => {
    await history.journal.begin(PLAN, STEPS, 11);
    now -= 10 * 24 * 60 * 60_000;
    expect(await history.journal.claim('plan-1', 22, alive)).toBe(true);
    expect(await history.journal.claim('plan-1', 33, alive)).toBe(false);
  });

  test('a process that read the clock before the holder did leaves the plan to it', async () => {
    await history.journal.begin(PLAN, STEPS, 11);
    now -= 5;
    expect(await history.journal.claim('plan-1', 22, alive)).toBe(false);
  });

  test('of many who claim at once, one gets it', async () => {
    await history.journal.begin(PLAN, STEPS, 11);
    await history.journal.release('plan-1');
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => history.journal.claim('plan-1', 100 + index, alive)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  test('is readable by its owner alone', async () => {
    expect((await stat(join(folder, 'deep', 'history.db'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700);
  });
});
