import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ADA, BOB, SENDER } from '../support/fixtures/transactions.ts';
import { openHarness, START } from '../support/harness.ts';
import { roundsOf, SEED } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FULL } from '../support/tier.ts';
import {
  attachFile,
  type ClockMove,
  cancelTransaction,
  create,
  defineFields,
  moveClock,
  passTime,
  rejectTransaction,
  reopenStore,
  startTransaction,
  submitTransaction,
  submitWrongly,
  updateTransaction,
  uploadFile,
  WAYS_TO_ACT,
  work,
} from './commands.ts';
import { emptyModel, type Model, type Update } from './model.ts';
import type { Real } from './real.ts';
import { attempted, type Step } from './step.ts';

const RUNS = roundsOf({ short: 1, landing: 15, full: 300 });

/** How often a quarter of the runs is added while a pair of command and state was not met. */
const MORE_ROUNDS = 12;
const STEPS = 30;
const MOST_MS = 600_000;

const PEOPLE: Update['people'] = [
  { ...SENDER, role: 'sender' },
  { ...ADA, role: 'signer' },
  { ...BOB, role: 'signer' },
  { name: 'Eve', email: 'eve@example.com', role: 'proxy' },
  { name: 'Robert', email: BOB.email, role: 'signer' },
  { name: 'Signing sender', email: SENDER.email, role: 'signer' },
];

/** The first one more often than others: it is the one that gets far. */
const transaction = fc.constantFrom(0, 0, 0, 1, 2);
const rarely = fc.integer({ min: 0, max: 7 }).map((number) => number === 7);
const names = fc.shuffledSubarray(PEOPLE.map(({ name }) => name));
const hours = fc.constantFrom(1, 23, 24, 25, 48);
const CLOCK_MOVES: ClockMove[] = ['advance', 'advance', 'set back', 'pause', 'resume'];
const way = fc.constantFrom(...WAYS_TO_ACT, 'link' as const, 'sandbox' as const);
const people = fc.oneof(
  { weight: 2, arbitrary: fc.constant(PEOPLE.slice(0, 3)) },
  fc.shuffledSubarray(PEOPLE, { minLength: 1 }),
);
const change = fc.record<Update>({
  people,
  ids: fc.constantFrom('given', 'left out', 'left out', 'new'),
  isTwice: rarely,
  dropsFirst: rarely,
  days: fc.constantFrom(undefined, null, 1, 2),
  isStranger: rarely,
});

/** Named as often as it shall come up. */
const steps: fc.Arbitrary<Step>[] = [
  fc.constant(create()),
  fc.constant(uploadFile()),
  fc.tuple(transaction, fc.nat({ max: 3 })).map((given) => attachFile(...given)),
  fc.tuple(transaction, change).map((given) => updateTransaction(...given)),
  fc.tuple(transaction, names, rarely).map((given) => defineFields(...given)),
  transaction.map(startTransaction),
  transaction.map(startTransaction),
  fc.tuple(transaction, way).map((given) => submitTransaction(...given)),
  fc.tuple(transaction, way).map((given) => submitTransaction(...given)),
  fc.tuple(transaction, way).map((given) => submitTransaction(...given)),
  transaction.map(submitWrongly),
  fc.tuple(transaction, way).map((given) => rejectTransaction(...given)),
  transaction.map(cancelTransaction),
  hours.map(passTime),
  fc.tuple(fc.constantFrom(...CLOCK_MOVES), hours, fc.boolean()).map((given) => moveClock(...given)),
  fc.constant(work()),
  fc.constant(reopenStore()),
];

const ready = (days: number | null): Update => ({
  people: PEOPLE.slice(0, 3),
  ids: 'left out',
  isTwice: false,
  dropsFirst: false,
  days,
  isStranger: false,
});

const DRAFT = () => [create(), uploadFile(), attachFile(0, 0)];
const READY = () => [
  ...DRAFT(),
  updateTransaction(0, ready(1)),
  defineFields(0, [ADA.name, BOB.name], false),
];

/** How far things are when a run begins: most of life comes after the start. */
const BEGINNINGS: Record<string, () => Step[]> = {
  nothing: () => [],
  draft: DRAFT,
  ready: READY,
  started: () => [...READY(), startTransaction(0)],
  completed: () => [
    ...READY(),
    startTransaction(0),
    submitTransaction(0, 'link'),
    submitTransaction(0, 'link'),
  ],
  rejected: () => [...READY(), startTransaction(0), rejectTransaction(0, 'link')],
  cancelled: () => [...READY(), startTransaction(0), cancelTransaction(0)],
};

async function run(beginning: string, commands: Iterable<Step>): Promise<void> {
  const folder = await temporaryFolder();
  const model: Model = emptyModel(START);
  const real: Real = {
    harness: await openHarness('in process', { folder }),
    folder,
    transactions: [],
    fileTokens: [],
  };
  try {
    for (const step of BEGINNINGS[beginning]?.() ?? []) await step.run(model, real);
    await fc.asyncModelRun(
      () => ({ model, real }),
      commands as Iterable<fc.AsyncCommand<Model, Real, false>>,
    );
  } finally {
    await real.harness.close();
    await rm(folder, { recursive: true, force: true });
  }
}

describe('the service and its model', () => {
  const compare = (numRuns: number, round = 0) => {
    const beginning = fc.constantFrom(...Object.keys(BEGINNINGS));
    const commands = fc.commands(steps, { maxCommands: STEPS, size: 'max' });
    return fc.assert(fc.asyncProperty(beginning, commands, run), {
      numRuns,
      seed: SEED + round,
      interruptAfterTimeLimit: MOST_MS,
    });
  };

  test(`agree on every step of ${RUNS} runs of up to ${STEPS}`, () => compare(RUNS));

  test.runIf(FULL)('have met every command in every state', async () => {
    const commands = ['edit', 'start', 'submit', 'reject', 'cancel'] as const;
    const states = ['draft', 'started', 'completed', 'rejected', 'expired', 'cancelled'] as const;
    const cells = commands.flatMap((command) => states.map((state) => `${command} when ${state}` as const));
    const wanted = [...cells, 'submit_last when started' as const, 'expire when started' as const];
    const missed = () => wanted.filter((cell) => !attempted.has(cell));
    // Runs are random: a rare pair is met by some more of them.
    for (let round = 0; round < MORE_ROUNDS && missed().length > 0; round += 1)
      await compare(RUNS / 4, round + 1);
    expect(missed()).toEqual([]);
  });
});
