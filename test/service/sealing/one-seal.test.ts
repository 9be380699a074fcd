// Of a transaction one submission is processed at a time, and what is asked meanwhile is answered at once. Companies take turns.

import { afterEach, expect, test } from 'vitest';
import type { DocumentEngine } from '../../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { insertAudit } from '../../../src/service/store/transactions/signing.ts';
import { openBrowserClient } from '../../support/browser-client.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  SIGNER,
  startWithEveryField,
} from '../../support/fixtures/signing-pages.ts';
import {
  ADA,
  addAccount,
  createDraft,
  eventTypesOf,
  fieldFor,
  readDetail,
  refusalOf,
  signWith,
  startTransaction,
  tokenOf,
  uploadContract,
} from '../../support/fixtures/transactions.ts';
import { type Harness, type HarnessOptions, openHarness, type Way } from '../../support/harness.ts';
import { unnamedBlobs } from '../../support/stores/blob-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const engine = createInProcessEngine();

/** Long for a busy machine; what waits longer waits for an engine that is held. */
const SOON_MS = 30_000;

/** Fails if a response waits for documents while the engine is held, and does not hang with it. */
async function soon<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('This was not answered while documents are sealed.')), SOON_MS);
  });
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}

/** An engine that begins nothing while it is held, and writes down for which company it stamped and certified. */
function holdableEngine() {
  const begun: string[] = [];
  let gate: Promise<void> | undefined;
  let open = () => {};
  let isBroken = false;
  const passed = async (owner: string) => {
    begun.push(owner);
    await gate;
    if (!isBroken) return;
    isBroken = false;
    throw new Error('The engine broke.');
  };
  const held: DocumentEngine = {
    ...engine,
    async stamp(...asked) {
      await passed(asked[2]);
      return engine.stamp(...asked);
    },
    async certify(...asked) {
      await passed(asked[3]);
      return engine.certify(...asked);
    },
  };
  return {
    engine: held,
    begun,
    hold() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    /** The next document, or the one that is held, fails. */
    breakNext() {
      isBroken = true;
    },
    release() {
      gate = undefined;
      open();
    },
    /** Resolves when so many documents have been begun. */
    async hasBegun(count = 1): Promise<void> {
      await expect
        .poll(() => begun.length, { message: 'documents that were begun', timeout: SOON_MS })
        .toBeGreaterThanOrEqual(count);
    },
  };
}

const opened: { harness: Harness; release: () => void }[] = [];
afterEach(async () => {
  for (const { harness, release } of opened.splice(0)) {
    // A test that failed may still hold it.
    release();
    await harness.close();
    expect(harness.errors).toEqual([]);
    expect(harness.contractViolations).toEqual([]);
  }
});

async function heldService(options: HarnessOptions = {}, way: Way = 'in process') {
  const held = holdableEngine();
  const fixture = await openHarness(way, { ...options, documents: held.engine });
  opened.push({ harness: fixture, release: held.release });
  return { ...held, fixture };
}

/** A recipient who has filled in everything. */
async function readyToSign(fixture: Harness) {
  const transaction = await startWithEveryField(fixture, [SIGNER]);
  const guest = await giveConsent(await openSigningPages(fixture, transaction.token));
  await fillInEverything(fixture, guest, transaction);
  return { ...transaction, guest };
}

test('of forty submissions of one signing link at the same moment one is taken, and the others are refused at once', async () => {
  const { fixture, begun } = await heldService();
  const { id, token } = await startTransaction(fixture);
  const view = await fixture.client['signing.view']({ query: { token } });
  const values = view.fields.map((field) => ({ field_id: field.id, value: 'Ada' }));
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      fixture.client['signing.submit']({ query: { token }, body: { values } }).catch(
        (error: { code: string }) => ({ status: error.code }),
      ),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual(['completed', ...Array.from({ length: 39 }, () => 'submission_under_way')]);
  expect(begun).toHaveLength(2);
  expect(await unnamedBlobs(fixture)).toEqual([]);
  expect((await eventTypesOf(fixture, id)).filter((type) => type === 'transaction_completed')).toHaveLength(
    1,
  );
});

test('what is recorded while the documents are sealed is in their evidence: they are sealed again', async () => {
  const { fixture, hold, release, hasBegun, begun } = await heldService();
  const { id, token } = await startTransaction(fixture);
  const { recipient } = await fixture.client['signing.view']({ query: { token } });
  hold();
  const signing = signWith(fixture, token);
  await hasBegun();
  await fixture.store.database.write(
    (db) =>
      insertAudit(db, [
        {
          id: 'meanwhile',
          company_id: 'any',
          transaction_id: id,
          recipient_id: recipient.id,
          type: 'opened',
          subject: 'another browser',
          created: new Date(fixture.clock.now).toISOString(),
          details: {},
        },
      ]),
    [],
    'locked',
  );
  release();
  expect(await signing).toMatchObject({ status: 'completed' });
  expect(begun).toHaveLength(4);
  expect(await unnamedBlobs(fixture)).toEqual([]);
});

test('a sandbox sign is refused at once while the recipient signs, and names the transaction', async () => {
  const { fixture, hold, release, hasBegun } = await heldService();
  const { id, token } = await startTransaction(fixture);
  hold();
  const signing = signWith(fixture, token);
  await hasBegun();
  const params = { transactionId: id };
  expect(await soon(refusalOf(fixture.client['sandbox.sign']({ params, body: {} })))).toMatchObject({
    code: 'submission_under_way',
    status: 409,
    message: expect.stringContaining(id),
  });
  release();
  expect(await signing).toMatchObject({ status: 'completed' });
});

test('a click whose form arrives while an earlier one is processed leads to its result', async () => {
  const { fixture, hold, release, hasBegun } = await heldService({ pageWaitMs: 0 });
  const ready = await readyToSign(fixture);
  const review = await ready.guest.open('review');
  let isRead = (): void => undefined;
  const reading = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  let sendRest = (): void => undefined;
  const rest = new Promise<void>((resolve) => {
    sendRest = resolve;
  });
  const slowly = async (request: Request): Promise<Response> => {
    const bytes = new Uint8Array(await request.arrayBuffer());
    async function* body() {
      yield bytes.subarray(0, 1);
      isRead();
      await rest;
      yield bytes.subarray(1);
    }
    const { url, method, headers } = request;
    const slow = { method, headers, body: ReadableStream.from(body()), duplex: 'half' as const };
    return fixture.transport(new Request(url, slow));
  };
  const other = openBrowserClient({ baseUrl: fixture.baseUrl, transport: slowly });
  for (const [name, value] of ready.guest.jar) other.jar.set(name, value);
  const action = `${ready.guest.base}/submit`;
  const late = other.send(review, action, {});
  await reading;
  hold();
  await ready.guest.send(review, action, {});
  await hasBegun();
  sendRest();
  expect(await soon(late)).toMatchObject({ status: 303, location: `${ready.guest.base}?waited=1` });
  release();
  await fixture.service.waitUntilSettled();
  expect((await ready.guest.get(`${ready.guest.base}?waited=1`)).text).toContain('Everyone has signed');
});

test('a signing page says that the documents are being sealed, and later that everyone has signed', async () => {
  const { fixture, hold, release, hasBegun } = await heldService({ pageWaitMs: 0 });
  const { id, token, guest } = await readyToSign(fixture);
  const review = await guest.open('review');
  hold();
  const sent = await soon(guest.send(review, `${guest.base}/submit`, {}));
  expect(sent).toMatchObject({ status: 303, location: `${guest.base}?waited=1` });
  await hasBegun();
  // A reload, another tab and a double click.
  for (const path of [guest.base, `${guest.base}?waited=1`]) {
    const page = await guest.get(path);
    expect(page.text).toContain('Your signature is being processed');
    expect(page.headers.get('refresh')).toBe(`2; url=${guest.base}?waited=1`);
  }
  // Another node that knows nothing of it redirects to these pages, so that they do not redirect back.
  for (const page of ['document', 'review', 'reject'])
    expect((await guest.open(page)).text).toContain('Your signature is being processed');
  for (const page of ['fields', 'sheets', 'signature'])
    expect(await guest.open(page)).toMatchObject({ status: 303, location: guest.base });
  expect(await soon(guest.send(review, `${guest.base}/submit`, {}))).toMatchObject({
    status: 303,
    location: guest.base,
  });
  expect(await soon(refusalOf(signWith(fixture, token)))).toMatchObject({ code: 'submission_under_way' });
  expect(await readDetail(fixture, id)).toMatchObject({ status: 'started' });
  release();
  await fixture.service.waitUntilSettled();
  const done = await guest.get(`${guest.base}?waited=1`);
  expect(done.text).toContain('Everyone has signed');
  expect(done.headers.get('refresh')).toBeNull();
});

test('who waited for the documents to be sealed sees why they were not, and signs again', async () => {
  let tsa: string | undefined = 'http://127.0.0.1:9/';
  const { fixture, hold, release } = await heldService({
    pageWaitMs: 0,
    sealing: async () => (tsa === undefined ? {} : { tsa }),
  });
  const { id, guest } = await readyToSign(fixture);
  hold();
  await soon(guest.send(await guest.open('review'), `${guest.base}/submit`, {}));
  release();
  await fixture.service.waitUntilSettled();
  const refused = await guest.get(`${guest.base}?waited=1`);
  expect(refused.status).toBe(503);
  expect(refused.text).toContain('Nothing was signed.');
  expect((await guest.open()).text).not.toContain('Nothing was signed.');
  expect(await unnamedBlobs(fixture)).toEqual([]);
  tsa = undefined;
  await guest.send(await guest.open('review'), `${guest.base}/submit`, {});
  await fixture.service.waitUntilSettled();
  expect(await readDetail(fixture, id)).toMatchObject({ status: 'completed' });
  expect((await guest.get(`${guest.base}?waited=1`)).text).toContain('Everyone has signed');
});

test('an error of the storage after the page was answered is reported in the log and to the recipient', async () => {
  const { fixture, hold, release } = await heldService({ pageWaitMs: 0 });
  // The certificates are made with the first seal.
  await signWith(fixture, (await startTransaction(fixture)).token);
  const { guest } = await readyToSign(fixture);
  const review = await guest.open('review');
  const { database } = fixture.store;
  const { write } = database;
  let isBroken = false;
  database.write = async (...given) => {
    if (isBroken) throw new Error('The commit failed.');
    return write(...given);
  };
  hold();
  await soon(guest.send(review, `${guest.base}/submit`, {}));
  isBroken = true;
  release();
  await fixture.service.waitUntilSettled();
  isBroken = false;
  expect(fixture.errors.splice(0)).toMatchObject([{ message: 'The commit failed.' }]);
  expect((await guest.get(`${guest.base}?waited=1`)).status).toBe(503);
});

test('a client that goes away while the documents are sealed has signed', async () => {
  const { fixture, hold, release, hasBegun } = await heldService({}, 'over HTTP');
  const { id, token } = await startTransaction(fixture);
  const view = await fixture.client['signing.view']({ query: { token } });
  const values = view.fields.map((field) => ({ field_id: field.id, value: 'Ada' }));
  hold();
  const leaving = new AbortController();
  const left = fetch(`${fixture.baseUrl}/sign/submit?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ values }),
    signal: leaving.signal,
  });
  await hasBegun();
  leaving.abort();
  await expect(left).rejects.toThrow();
  release();
  await fixture.service.waitUntilSettled();
  expect(await readDetail(fixture, id)).toMatchObject({ status: 'completed' });
});

test('a service that is stopped completes what a signing page was told is being sealed', async () => {
  const folder = await temporaryFolder();
  const { fixture, hold, release, hasBegun } = await heldService({ folder, pageWaitMs: 0 }, 'over HTTP');
  const { id, guest } = await readyToSign(fixture);
  hold();
  await soon(guest.send(await guest.open('review'), `${guest.base}/submit`, {}));
  await hasBegun();
  const closing = fixture.close();
  release();
  await closing;
  opened.splice(0);
  const { fixture: next } = await heldService({ folder });
  expect(await readDetail(next, id)).toMatchObject({ status: 'completed' });
});

test('of two processes that seal one transaction the second one does nothing, and leaves nothing behind', async () => {
  const folder = await temporaryFolder();
  const [first, second] = [await heldService({ folder }), await heldService({ folder })];
  const { id, token } = await startTransaction(first.fixture);
  for (const one of [first, second]) one.hold();
  const [one, other] = [signWith(first.fixture, token), refusalOf(signWith(second.fixture, token))];
  await Promise.all([first.hasBegun(), second.hasBegun()]);
  first.release();
  expect(await one).toMatchObject({ status: 'completed' });
  second.release();
  expect(await other).toMatchObject({ code: 'signing_link_invalid' });
  expect(second.begun).toHaveLength(2);
  expect(await unnamedBlobs(first.fixture)).toEqual([]);
  expect(
    (await eventTypesOf(first.fixture, id)).filter((type) => type === 'transaction_completed'),
  ).toHaveLength(1);
});

test('a transaction is looked at again when its turn has come', async () => {
  const { fixture, hold, release, hasBegun, begun } = await heldService();
  const [first, cancelled] = [await startTransaction(fixture), await startTransaction(fixture)];
  hold();
  const one = signWith(fixture, first.token);
  await hasBegun();
  const other = refusalOf(signWith(fixture, cancelled.token));
  const params = { transactionId: cancelled.id };
  await fixture.client['transaction.cancel']({ params, body: { cancelled_reason: 'Wrong' } });
  release();
  expect(await one).toMatchObject({ status: 'completed' });
  expect(await other).toMatchObject({ code: 'signing_link_invalid' });
  expect(begun).toHaveLength(2);
});

test('a transaction whose documents fail does not stop the next one of the company', async () => {
  const { fixture, hold, release, hasBegun, breakNext } = await heldService();
  const [failing, next] = [await startTransaction(fixture), await startTransaction(fixture)];
  hold();
  const one = refusalOf(signWith(fixture, failing.token));
  await hasBegun();
  const other = signWith(fixture, next.token);
  breakNext();
  release();
  expect(await one).toMatchObject({ code: 'sealing_failed' });
  expect(await soon(other)).toMatchObject({ status: 'completed' });
  expect(fixture.errors.splice(0)).toMatchObject([{ message: 'The engine broke.' }]);
  expect(fixture.failed).toEqual([`transaction ${failing.id}`]);
});

test('of several companies one document is worked on at a time', async () => {
  const { fixture, hold, release, hasBegun, begun } = await heldService();
  const account = await addAccount(fixture, 'Other Ltd', 'other@example.com');
  const own = await startTransaction(fixture);
  const theirs = await startTransaction(account, [ADA], { name: 'Grace', email: account.email });
  hold();
  const signing = [own, theirs].map(({ token }) => signWith(fixture, token));
  await hasBegun();
  // Time enough for the other one to come as far.
  for (let count = 0; count < 20; count += 1) await readDetail(fixture, own.id);
  expect(begun).toHaveLength(1);
  release();
  await Promise.all(signing);
});

test('a company with many documents delays another one by one of them', async () => {
  const { fixture, hold, release, hasBegun, begun } = await heldService();
  const busy = await Promise.all([severalDocuments(fixture, 3), severalDocuments(fixture, 3)]);
  const account = await addAccount(fixture, 'Other Ltd', 'other@example.com');
  const other = await startTransaction(account, [ADA], { name: 'Grace', email: account.email });
  begun.length = 0;
  hold();
  const signing = busy.map((token) => signWith(fixture, token));
  await hasBegun();
  const theirs = signWith(fixture, other.token);
  // Time enough for it to wait for its turn.
  for (let count = 0; count < 20; count += 1) await readDetail(account, other.id);
  release();
  await theirs;
  const [own = ''] = begun;
  const [stamped, certified] = begun.flatMap((owner, index) => (owner === own ? [] : [index]));
  expect(stamped).toBe(1);
  // What comes between its two steps takes the time of one or two steps of the other company, whose transaction has six.
  expect(certified).toBeLessThan(6);
  await Promise.all(signing);
  // Of one company, one transaction after the other: 3 documents, stamped and certified.
  expect(begun.filter((owner) => owner === own)).toHaveLength(12);
});

/** @returns the signing token of the only recipient */
async function severalDocuments(fixture: Harness, count: number): Promise<string> {
  const draft = await createDraft(fixture);
  const params = { transactionId: draft.id };
  for (let more = 1; more < count; more += 1) {
    const token = await uploadContract(fixture, `annex-${more}.pdf`);
    await fixture.client['transaction.add_document']({ params, body: { token } });
  }
  const fields = [fieldFor(draft, ADA.email)];
  await fixture.client['transaction.fields']({ params, body: { fields } });
  return tokenOf((await fixture.client['transaction.start']({ params })).url);
}
