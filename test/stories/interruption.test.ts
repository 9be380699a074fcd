// `tx send` is ended before each request, and every answer of the service lost in turn; then resumed. Whatever
// happened, exactly one transaction is created, and it is started exactly once.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limitConcurrency } from '../support/stories/limit-concurrency.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../support/stories/story.ts';
import { FULL, SHARE, SLOW } from '../support/tier.ts';

const SEND = 'esign tx send contract.pdf --to "Ada <ada@example.com>" --json';
const REQUESTS = ['upload', 'create', 'add document', 'detail', 'update', 'start', 'detail'];
const CREATE = 2;
const TIMEOUT_MS = 400_000;

const twoAtATime = limitConcurrency(2);

type Fault = 'lose_answer' | 'refuse_connection' | 'exit';
type Case = { fault: Fault; at: number; keys: '0' | '1' };

/** All of them in the full tier, and a sixth of them at a landing; always the lost answer to a creation, which must not be asked for twice. */
const cases: Case[] = (['0', '1'] as const).flatMap((keys) =>
  (['lose_answer', 'refuse_connection', 'exit'] as const).flatMap((fault) =>
    REQUESTS.map((_, index) => ({ fault, at: index + 1, keys })).filter(
      ({ at }) =>
        FULL ||
        (SLOW && (at + Number(keys)) % 6 === SHARE % 6) ||
        (fault === 'lose_answer' && at === CREATE && (SLOW || keys === '1')),
    ),
  ),
);

const EXIT: Record<Fault, number[]> = { lose_answer: [10], refuse_connection: [7], exit: [137] };

describe('an interrupted tx send', () => {
  for (const { fault, at, keys } of cases)
    test.concurrent(
      `${fault} at request ${at} (${REQUESTS[at - 1]}), ${keys === '1' ? 'with' : 'without'} idempotency keys`,
      () => twoAtATime(() => interrupted({ fault, at, keys })),
      TIMEOUT_MS,
    );

  test
    .skipIf(!SLOW)
    .concurrent('refuses to resume with a file that has changed', () => twoAtATime(changedFile), TIMEOUT_MS);
  test
    .skipIf(!SLOW)
    .concurrent(
      'survives losing the answer of every step, one run after another',
      () => twoAtATime(everyAnswer),
      TIMEOUT_MS,
    );
});

async function interrupted({ fault, at, keys }: Case): Promise<void> {
  const fixture = await createStoryFixture();
  fixture.env.ESIGN_IDEMPOTENCY = keys;
  try {
    const first = await runCommand(fixture, `ESIGN_FAULTS=${fault}:${at} ${SEND}`);
    expect(EXIT[fault], first.err).toContain(first.code ?? 137);
    expect(first.out).toBe('');
    const plan = planIn(first.err);
    if (fault !== 'exit') expect(errorIn(first.err)).toMatchObject({ partial: { plan } });
    const second = await runCommand(fixture, `esign tx send --resume ${plan} --json`);
    if (keys === '0' && at === CREATE && fault !== 'refuse_connection') {
      // It is unknown whether the draft exists, so it must not be created again.
      expect(second.code, second.err).toBe(10);
      expect(errorIn(second.err)).toMatchObject({ code: 'outcome_unknown', partial: { plan } });
      await expectCounts(
        fixture,
        fault === 'exit' ? { draft: 0, started: 0, events: 0 } : { draft: 1, started: 0, events: 1 },
      );
      return;
    }
    expect(second.code, second.err).toBe(0);
    expectSent(second.out, plan);
    await expectCounts(fixture, { draft: 0, started: 1, events: 2 });
    await expectOneBox(fixture, second.out);
  } finally {
    await fixture.close();
  }
}

/** An update that is sent again names the same recipients by the same ids, and sets the same field. */
async function expectOneBox(fixture: StoryFixture, out: string): Promise<void> {
  const { id, recipients } = JSON.parse(out) as { id: string; recipients: { id: string; role: string }[] };
  const { items } = JSON.parse((await runCommand(fixture, `esign tx fields ${id} --json`)).out);
  const ada = recipients.find(({ role }) => role === 'signer');
  expect(items).toMatchObject([{ type: 'signature', recipient_id: ada?.id }]);
}

async function changedFile(): Promise<void> {
  const fixture = await createStoryFixture();
  try {
    const first = await runCommand(fixture, `ESIGN_FAULTS=refuse_connection:1 ${SEND}`);
    expect(first.code, first.err).toBe(7);
    await appendFile(join(fixture.folder, 'contract.pdf'), ' ');
    const second = await runCommand(fixture, `esign tx send --resume ${planIn(first.err)} --json`);
    expect(second.code, second.err).toBe(2);
    expect(errorIn(second.err)).toMatchObject({ code: 'file_changed' });
    await expectCounts(fixture, { draft: 0, started: 0, events: 0 });
  } finally {
    await fixture.close();
  }
}

/** With keys every request may be asked again; each run here loses its first new answer. */
async function everyAnswer(): Promise<void> {
  const fixture = await createStoryFixture();
  try {
    let run = await runCommand(fixture, `ESIGN_FAULTS=lose_answer:1 ${SEND}`);
    const plan = planIn(run.err);
    for (let count = 1; run.code === 10 && count < 2 * REQUESTS.length; count += 1)
      run = await runCommand(
        fixture,
        `ESIGN_FAULTS=lose_answer:${count % 2 === 0 ? 1 : 2} esign tx send --resume ${plan} --json`,
      );
    if (run.code !== 0) run = await runCommand(fixture, `esign tx send --resume ${plan} --json`);
    expect(run.code, run.err).toBe(0);
    expectSent(run.out, plan);
    await expectCounts(fixture, { draft: 0, started: 1, events: 2 });
  } finally {
    await fixture.close();
  }
}

const planIn = (err: string): string => /"plan":"(plan-\w+)"/.exec(err)?.[1] ?? '';

const errorIn = (err: string): unknown => JSON.parse(err.trimEnd().split('\n').at(-1) ?? 'null').error;

function expectSent(out: string, plan: string): void {
  const sent = JSON.parse(out);
  expect(sent).toMatchObject({
    status: 'started',
    outcome: 'started',
    plan,
    recipient: { email: 'ada@example.com' },
  });
  expect(sent.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign\?token=\S+$/);
  expect(sent.documents).toHaveLength(1);
  expect(sent.recipients).toHaveLength(2);
}

/** Two events, created and started, is one transaction that was created once and started once. */
async function expectCounts(
  fixture: StoryFixture,
  wanted: { draft: number; started: number; events: number },
): Promise<void> {
  const status = JSON.parse((await runCommand(fixture, 'esign sandbox status --json')).out);
  const { draft, started } = status.transactions;
  expect({ draft, started, events: status.events }).toEqual(wanted);
}
