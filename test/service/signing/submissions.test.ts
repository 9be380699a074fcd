// What became of a submission is kept for those who wait for it, until the transaction is submitted again.
import { expect, test } from 'vitest';
import { ok, refuse } from '../../../src/service/context.ts';
import { createSubmissions } from '../../../src/service/signing/submissions.ts';

const open = () =>
  createSubmissions({
    onError: (error) => {
      throw error;
    },
  });

test('the refusal of a submission is forgotten when the transaction is submitted again', async () => {
  const { run, refusalOf } = open();
  await run('one', async () => refuse('values_changed'));
  expect(refusalOf('one')).toMatchObject({ code: 'values_changed' });
  await run('one', async () => ok(undefined));
  expect(refusalOf('one')).toBeUndefined();
});

test('the refusals of the last thousand transactions are kept', async () => {
  const { run, refusalOf } = open();
  for (let count = 0; count < 1001; count += 1)
    await run(`transaction ${count}`, async () => refuse('values_changed'));
  expect(refusalOf('transaction 0')).toBeUndefined();
  expect(refusalOf('transaction 1')).toMatchObject({ code: 'values_changed' });
});

test('another node that submits the transaction keeps its result, and here is none', async () => {
  const { run, refusalOf } = createSubmissions({
    tryLock: async () => undefined,
    onError: () => undefined,
  });
  expect(await run('one', async () => ok(undefined))).toMatchObject({
    refusal: { code: 'submission_under_way' },
  });
  expect(refusalOf('one')).toBeUndefined();
});
