// A newer version was installed over the one that runs, so that no document can be opened. That is no failure of sealing: the last
// signature is refused, and the transaction waits for it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { ProgramReplacedError } from '../../../src/pdf/engine/program-replaced.ts';
import { createSubmissions } from '../../../src/service/signing/submissions.ts';
import { giveConsent, openSigningPages } from '../../support/fixtures/signing-pages.ts';
import { readDetail, refusalOf, signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

let harness: Harness;
let isReplaced: boolean;

beforeEach(async () => {
  isReplaced = false;
  const engine = createInProcessEngine();
  const orFail = <Args extends unknown[], Answer>(job: (...args: Args) => Promise<Answer>) =>
    (async (...args: Args) => {
      if (isReplaced) throw new ProgramReplacedError();
      return job(...args);
    }) as typeof job;
  const documents = { ...engine, stamp: orFail(engine.stamp), certify: orFail(engine.certify) };
  harness = await openHarness('in process', { documents });
});
afterEach(() => harness.close());

test('the last signature is refused, and nothing is recorded as a failure of sealing', async () => {
  const { id, token } = await startTransaction(harness);
  isReplaced = true;
  expect(await refusalOf(signWith(harness, token))).toMatchObject({ status: 503, code: 'program_replaced' });
  expect(harness.errors.splice(0)).not.toEqual([]);
  expect(await readDetail(harness, id)).toMatchObject({ status: 'started', sealing_failed_reason: null });
  isReplaced = false;
  await signWith(harness, token);
  expect((await readDetail(harness, id)).status).toBe('completed');
});

test('an error after the page was answered is kept by its cause', async () => {
  const submissions = createSubmissions({ pageWaitMs: 0, onError: () => undefined });
  let fail: (error: Error) => void = () => undefined;
  const failing = new Promise<never>((_, reject) => {
    fail = reject;
  });
  expect(await submissions.runBehindPage('one', () => failing)).toBe('under_way');
  fail(new ProgramReplacedError());
  await expect.poll(() => submissions.refusalOf('one')).toMatchObject({ code: 'program_replaced' });
});

test('the page of a signer asks to try again', async () => {
  const { token } = await startTransaction(harness);
  const guest = await giveConsent(await openSigningPages(harness, token));
  const { read } = harness.store.database;
  harness.store.database.read = () => Promise.reject(new ProgramReplacedError());
  try {
    const { status, headers, text } = await guest.open('document');
    expect([status, headers.get('refresh')]).toEqual([503, '5']);
    expect(text).toContain('This page reloads automatically');
  } finally {
    harness.store.database.read = read;
    harness.errors.splice(0);
  }
});
