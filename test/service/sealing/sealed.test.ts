// A completed transaction has sealed documents, and nothing else completes one: what they are, what they carry, and that a
// last signature which cannot be sealed is not taken.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { DocumentEngine } from '../../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import type { Evidence } from '../../../src/pdf/write/certificate/evidence.ts';
import { ensureAuthority } from '../../../src/service/sealing/embedded-sealing.ts';
import { describeSharedService } from '../../support/describe-service.ts';
import { readEvidence } from '../../support/documents/evidence-in.ts';
import { expectAccepted, needsForeignVerifiers } from '../../support/documents/foreign-verifiers.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
} from '../../support/fixtures/signing-pages.ts';
import {
  ADA,
  addAccount,
  BOB,
  createDraft,
  currentToken,
  eventTypesOf,
  fieldFor,
  readDetail,
  refusalOf,
  signWith,
  startTransaction,
  tokenOf,
  updateBodyOf,
  uploadContract,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { SLOW } from '../../support/tier.ts';

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function sealedOf({ client }: Pick<Harness, 'client'>, id: string) {
  const { sealed_documents: documents } = await readDetail({ client }, id);
  const files: Uint8Array[] = [];
  for (const { id: fileId } of documents)
    files.push((await client['file.content']({ params: { fileId } })).bytes);
  return { documents, files };
}

const contentOf = (pdf: Uint8Array, { documents }: Evidence, index = 0) => {
  const { content } = documents[index]!;
  return { told: content.sha256, found: sha256Of(pdf.subarray(0, content.bytes)) };
};

const { skip, why } = needsForeignVerifiers();

describeSharedService('a completed transaction', (fixture) => {
  test('has a sealed document for each of its documents, as the event says', async () => {
    const { id, token } = await startTransaction(fixture());
    await signWith(fixture(), token);
    const detail = await readDetail(fixture(), id);
    expect(detail).toMatchObject({ status: 'completed', is_sealed: true });
    const { documents, files } = await sealedOf(fixture(), id);
    expect(documents).toMatchObject([
      { name: 'contract.sealed.pdf', document: { id: detail.template.documents[0]?.id } },
    ]);
    expect(documents[0]?.sha256).toBe(sha256Of(files[0]!));
    const { items } = await fixture().client['sandbox.events']({ query: { transaction_id: id } });
    const completed = items.find(({ type }) => type === 'transaction_completed');
    const { presigned_url, ...told } = documents[0]!;
    expect(completed?.data).toMatchObject({ sealed_documents: [told] });
    const response = await fixture().transport(new Request(presigned_url));
    expect(sha256Of(new Uint8Array(await response.arrayBuffer()))).toBe(told.sha256);
    // An address lapses; the next request gets another one.
    fixture().clock.advance(2 * 3600 * 1000);
    const [again] = (await readDetail(fixture(), id)).sealed_documents;
    expect((await fixture().transport(new Request(presigned_url))).status).toBe(403);
    expect((await fixture().transport(new Request(again?.presigned_url ?? ''))).status).toBe(200);
  });

  test('carries its evidence, and what was signed is the beginning of the file', async () => {
    const scenario = await startWithEveryField(fixture(), [SIGNER]);
    const guest = await giveConsent(
      await openSigningPages(fixture(), scenario.token, { 'user-agent': 'Evidence/1.0' }),
    );
    await guest.open('document');
    await fillInEverything(fixture(), guest, scenario);
    await guest.send(await guest.open('review'), `${guest.base}/submit`, {});
    const { files } = await sealedOf(fixture(), scenario.id);
    const pdf = files[0]!;
    const evidence = readEvidence(pdf);
    const { told, found } = contentOf(pdf, evidence);
    expect(found).toBe(told);
    expect(evidence.transaction).toMatchObject({ id: scenario.id, company: 'Sandbox' });
    expect(evidence.people.map(({ email }) => email)).toEqual(['sender@esign.test', SIGNER.email]);
    expect(evidence.entries.map(({ type }) => type).filter((type) => type !== 'filled')).toEqual([
      'created',
      'started',
      'email_kept',
      'link_opened',
      'consented',
      'signed',
      'completed',
    ]);
    const signed = evidence.entries.find(({ type }) => type === 'signed');
    expect(signed).toMatchObject({ person_id: scenario.recipientId, details: { browser: 'Evidence/1.0' } });
    expect(evidence.fields.find(({ label }) => label === 'Daily rate')).toMatchObject({ value: '1200.50' });
  });

  test.skipIf(!SLOW)(
    'gives documents of one name distinct names, in the event as in the detail',
    async () => {
      const draft = await createDraft(fixture());
      const params = { transactionId: draft.id };
      for (const name of ['contract.pdf', 'Contract-2.pdf']) {
        const token = await uploadContract(fixture(), name);
        await fixture().client['transaction.add_document']({ params, body: { token } });
      }
      const fields = [fieldFor(draft, ADA.email)];
      await fixture().client['transaction.fields']({ params, body: { fields } });
      await signWith(fixture(), tokenOf((await fixture().client['transaction.start']({ params })).url));
      const names = ['contract.sealed.pdf', 'contract-3.sealed.pdf', 'Contract-2.sealed.pdf'];
      const { documents } = await sealedOf(fixture(), draft.id);
      expect(documents.map(({ name }) => name)).toEqual(names);
      const { items } = await fixture().client['sandbox.events']({ query: { transaction_id: draft.id } });
      const completed = items.find(({ type }) => type === 'transaction_completed');
      expect(completed?.data).toMatchObject({ sealed_documents: names.map((name) => ({ name })) });
    },
  );

  test.skipIf(!SLOW)('names its other documents by the hash of their content', async () => {
    const draft = await createDraft(fixture());
    const params = { transactionId: draft.id };
    await fixture().client['transaction.add_document']({
      params,
      body: { token: await uploadContract(fixture(), 'annex.pdf') },
    });
    const fields = [fieldFor(draft, ADA.email)];
    await fixture().client['transaction.fields']({ params, body: { fields } });
    const token = tokenOf((await fixture().client['transaction.start']({ params })).url);
    await signWith(fixture(), token);
    const { documents, files } = await sealedOf(fixture(), draft.id);
    expect(documents.map(({ name }) => name)).toEqual(['contract.sealed.pdf', 'annex.sealed.pdf']);
    const all = files.map(readEvidence);
    expect(all[1]).toEqual(all[0]);
    for (const [index, pdf] of files.entries()) {
      const { told, found } = contentOf(pdf, all[0]!, index);
      expect(found).toBe(told);
    }
  });

  test.skipIf(skip)(`is accepted by pdfsig, openssl and qpdf${why}`, async () => {
    const { id, token } = await startTransaction(fixture(), [ADA, BOB]);
    await signWith(fixture(), token);
    await signWith(fixture(), await currentToken(fixture(), id));
    const { store } = fixture();
    const clock = () => new Date().toISOString();
    const { root } = await ensureAuthority({
      store,
      isSandbox: true,
      clock,
      random: (count) => new Uint8Array(count),
    });
    const { files } = await sealedOf(fixture(), id);
    await expectAccepted(files[0]!, { root: Buffer.from(root.certificate, 'base64'), level: 'LTA' });
  });

  test('gives its sealed documents to the recipients, and not before', async () => {
    const scenario = await startWithEveryField(fixture(), [SIGNER, PROXY]);
    const guest = await giveConsent(await openSigningPages(fixture(), scenario.token));
    await fillInEverything(fixture(), guest, scenario);
    await guest.send(await guest.open('review'), `${guest.base}/submit`, {});
    expect((await guest.open()).text).not.toContain('Signed documents');
    const params = { transactionId: scenario.id };
    await fixture().client['sandbox.sign']({ params, body: { values: { 'Tax number': 'DE123456789' } } });
    const end = await guest.open();
    expect(end.text).toContain('Signed documents');
    const [, path = ''] = /href="([^"]*\/sealed\/[^"]+)"/.exec(end.html) ?? [];
    const { documents } = await sealedOf(fixture(), scenario.id);
    expect(path).toContain(documents[0]?.id);
    expect((await guest.get(path)).status).toBe(200);
  });

  test.skipIf(!SLOW)('gives its sealed documents to no other company', async () => {
    const { id, token } = await startTransaction(fixture());
    await signWith(fixture(), token);
    const { client } = await addAccount(fixture(), 'Other Ltd', 'other@example.com');
    const fileId = (await readDetail(fixture(), id)).sealed_documents[0]?.id ?? '';
    expect(await refusalOf(client['file.content']({ params: { fileId } }))).toMatchObject({
      code: 'file_not_found',
    });
  });

  test.skipIf(!SLOW)('keeps its sealed documents when the store is swept', async () => {
    const { id, token } = await startTransaction(fixture());
    await signWith(fixture(), token);
    await fixture().service.sweep();
    expect((await sealedOf(fixture(), id)).files).toHaveLength(1);
  });

  test.skipIf(!SLOW)('takes no picture as a signature that cannot be drawn', async () => {
    const { id, token } = await startTransaction(fixture());
    const view = await fixture().client['signing.view']({ query: { token } });
    const values = [{ field_id: view.fields[0]!.id, value: 'data:image/png;base64,iVBORw0KGgo=' }];
    expect(
      await refusalOf(fixture().client['signing.submit']({ query: { token }, body: { values } })),
    ).toMatchObject({
      status: 422,
      errors: [{ message: expect.stringContaining('must be a PNG drawing') }],
    });
    expect((await readDetail(fixture(), id)).status).toBe('started');
  });

  test('takes no character that no font has, and names it', async () => {
    const draft = await createDraft(fixture());
    const params = { transactionId: draft.id };
    const fields = [fieldFor(draft, ADA.email, { type: 'text', label: 'Place' })];
    await fixture().client['transaction.update']({ params, body: updateBodyOf(draft.detail, { fields }) });
    const { url } = await fixture().client['transaction.start']({ params });
    const query = { token: tokenOf(url) };
    const view = await fixture().client['signing.view']({ query });
    const submit = (value: string) =>
      fixture().client['signing.submit']({
        query,
        body: { values: [{ field_id: view.fields[0]!.id, value }] },
      });
    // A private use character: no font can have it by right.
    const refused = await refusalOf(submit('Here: \u{10fffd}'));
    expect(refused.errors).toMatchObject([{ message: expect.stringContaining('\u{10fffd}') }]);
    expect(await submit('Ελλάδα, עברית, عربي')).toMatchObject({ status: 'completed' });
  });
});

/** A service whose document engine does something else in between. */
async function whileSealing(
  meanwhile: (harness: Harness) => Promise<unknown>,
  check: (harness: Harness, timesCertified: () => number) => Promise<void>,
): Promise<void> {
  const engine = createInProcessEngine();
  let certified = 0;
  const harness: Harness = await openHarness('in process', {
    documents: {
      ...engine,
      async certify(...asked) {
        certified += 1;
        if (certified === 1) await meanwhile(harness);
        return engine.certify(...asked);
      },
    },
  });
  try {
    await check(harness, () => certified);
    expect(harness.errors).toEqual([]);
  } finally {
    await harness.close();
  }
}

test('is not completed when it is cancelled while it is sealed', async () => {
  let id = '';
  await whileSealing(
    ({ client }) =>
      client['transaction.cancel']({ params: { transactionId: id }, body: { cancelled_reason: 'Wrong' } }),
    async (harness) => {
      const scenario = await startTransaction(harness);
      id = scenario.id;
      expect(await refusalOf(signWith(harness, scenario.token))).toMatchObject({
        code: 'signing_link_invalid',
      });
      const detail = await readDetail(harness, id);
      expect(detail).toMatchObject({ cancelled_reason: 'Wrong', is_sealed: false, completed_at: null });
      expect(await eventTypesOf(harness, id)).not.toContain('transaction_completed');
    },
  );
});

test.skipIf(!SLOW)('is sealed anew when something is written down while it is sealed', async () => {
  let open = async (): Promise<unknown> => undefined;
  await whileSealing(
    () => open(),
    async (harness) => {
      const { id, token } = await startTransaction(harness);
      await (await openSigningPages(harness, token, { 'user-agent': 'Early/1.0' })).open();
      // At another process of the same store: this one shows that the documents are being sealed.
      const other = await openHarness('in process', { folder: harness.folder });
      open = async () => (await openSigningPages(other, token, { 'user-agent': 'Late/1.0' })).open();
      await signWith(harness, token);
      const { files } = await sealedOf(harness, id);
      const opened = readEvidence(files[0]!).entries.filter(({ type }) => type === 'link_opened');
      expect(opened.map(({ details }) => details.browser)).toEqual(['Early/1.0', 'Late/1.0']);
      await other.close();
      expect(await eventTypesOf(harness, id)).toEqual([
        'transaction_created',
        'transaction_started',
        'recipient_submitted',
        'transaction_completed',
      ]);
    },
  );
});

test.skipIf(!SLOW)('is sealed once although a page is looked at again while it is sealed', async () => {
  let again = async (): Promise<unknown> => undefined;
  await whileSealing(
    () => again(),
    async (harness, timesCertified) => {
      const { id, token } = await startTransaction(harness);
      const guest = await giveConsent(await openSigningPages(harness, token));
      const page = (await readDetail(harness, id)).template.documents[0]?.pages[0]?.id;
      await guest.open(`pages/${page}.png`);
      const other = await openHarness('in process', { folder: harness.folder });
      other.clock.advance(120_000);
      const sameGuest = await openSigningPages(other, token);
      again = () => sameGuest.open(`pages/${page}.png`);
      await signWith(harness, token);
      await other.close();
      expect(timesCertified()).toBe(1);
      expect(await readDetail(harness, id)).toMatchObject({ status: 'completed' });
    },
  );
});

test.skipIf(!SLOW)(
  'is sealed alone: of several that are completed at the same moment, one after the other',
  async () => {
    const engine = createInProcessEngine();
    let [now, most] = [0, 0];
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      now += 1;
      most = Math.max(most, now);
      try {
        return await work();
      } finally {
        now -= 1;
      }
    };
    const harness = await openHarness('in process', {
      documents: { ...engine, stamp: (...asked) => counted(() => engine.stamp(...asked)) },
    });
    try {
      const transactions = await Promise.all(Array.from({ length: 4 }, () => startTransaction(harness)));
      await Promise.all(transactions.map(({ token }) => signWith(harness, token)));
      expect(most).toBe(1);
    } finally {
      await harness.close();
    }
  },
);

test.skipIf(!SLOW)('completes each of many transactions that are signed at the same moment', async () => {
  const harness = await openHarness('in process');
  try {
    const transactions = await Promise.all(Array.from({ length: 6 }, () => startTransaction(harness)));
    // Twice each: of the two, one finds that the link is used.
    const answers = await Promise.allSettled(
      [...transactions, ...transactions].map(({ token }) => signWith(harness, token)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(transactions.length);
    for (const { id } of transactions) {
      const { files } = await sealedOf(harness, id);
      expect(files).toHaveLength(1);
      expect(readEvidence(files[0]!).transaction.id).toBe(id);
    }
    expect(harness.errors).toEqual([]);
  } finally {
    await harness.close();
  }
});

test('takes no last signature while the timestamp authority does not answer, and keeps what was filled in', async () => {
  let tsa: string | undefined = 'http://127.0.0.1:9/';
  const harness = await openHarness('in process', {
    sealing: async () => (tsa === undefined ? {} : { tsa }),
  });
  try {
    const scenario = await startWithEveryField(harness, [SIGNER]);
    const guest = await giveConsent(await openSigningPages(harness, scenario.token));
    await fillInEverything(harness, guest, scenario);
    const late = await guest.send(await guest.open('review'), `${guest.base}/submit`, {});
    expect(late.status).toBe(503);
    expect(await readDetail(harness, scenario.id)).toMatchObject({
      status: 'started',
      is_sealed: false,
      sealing_failed_at: new Date(harness.clock.now).toISOString(),
      sealing_failed_reason: expect.stringContaining('127.0.0.1:9'),
    });
    tsa = undefined;
    const review = await guest.open('review');
    expect(review.text).toContain('1200.50');
    await guest.send(review, `${guest.base}/submit`, {});
    expect(await readDetail(harness, scenario.id)).toMatchObject({
      status: 'completed',
      is_sealed: true,
      sealing_failed_reason: null,
    });
  } finally {
    await harness.close();
  }
});

test.skipIf(!SLOW)('names an error that was not foreseen to the sender, and takes no signature', async () => {
  const sound = createInProcessEngine();
  let isBroken = true;
  const certify: DocumentEngine['certify'] = async (...given) => {
    if (isBroken) throw new Error('No font has U+27E8.\n  at a line of the program');
    return sound.certify(...given);
  };
  const harness = await openHarness('in process', { documents: { ...sound, certify } });
  try {
    const scenario = await startWithEveryField(harness, [SIGNER]);
    const guest = await giveConsent(await openSigningPages(harness, scenario.token));
    await fillInEverything(harness, guest, scenario);
    const page = await guest.send(await guest.open('review'), `${guest.base}/submit`, {});
    expect(page.status).toBe(500);
    expect(page.text).toContain('Nothing was signed.');
    expect(page.text).not.toContain('U+27E8');
    const reason =
      'The documents could not be sealed because of an error in the service: No font has U+27E8.';
    expect(await readDetail(harness, scenario.id)).toMatchObject({
      status: 'started',
      is_sealed: false,
      sealing_failed_at: new Date(harness.clock.now).toISOString(),
      sealing_failed_reason: reason,
    });
    const other = await startTransaction(harness);
    expect(await refusalOf(signWith(harness, other.token))).toMatchObject({
      code: 'sealing_failed',
      status: 500,
    });
    expect(harness.errors.splice(0)).toMatchObject([{ message: /^No font/ }, { message: /^No font/ }]);
    expect(harness.failed.splice(0)).toEqual([`transaction ${scenario.id}`, `transaction ${other.id}`]);
    isBroken = false;
    await guest.send(await guest.open('review'), `${guest.base}/submit`, {});
    expect(await readDetail(harness, scenario.id)).toMatchObject({
      status: 'completed',
      sealing_failed_at: null,
      sealing_failed_reason: null,
    });
  } finally {
    await harness.close();
  }
});

test('tells the sender of a disk that is full while the documents are sealed', async () => {
  const certify = async () => {
    throw Object.assign(new Error('write'), { code: 'ENOSPC' });
  };
  const harness = await openHarness('in process', { documents: { ...createInProcessEngine(), certify } });
  try {
    const { id, token } = await startTransaction(harness);
    expect(await refusalOf(signWith(harness, token))).toMatchObject({ code: 'storage_full', status: 507 });
    expect(await readDetail(harness, id)).toMatchObject({
      status: 'started',
      sealing_failed_reason: expect.stringContaining('No space is left on the disk'),
    });
    expect(harness.errors.splice(0)).toMatchObject([{ code: 'ENOSPC' }]);
  } finally {
    await harness.close();
  }
});
