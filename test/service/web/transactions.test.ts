// The dashboard's pages about transactions: the list, one of them, cancelling it. No script, and nothing of another company.
import { beforeAll, expect, test } from 'vitest';
import { recordSealingFailure } from '../../../src/service/store/transactions/save-transaction.ts';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import {
  type BrowserClient,
  formsOf,
  openBrowserClient,
  registerUser,
} from '../../support/browser-client.ts';
import { describeDashboard } from '../../support/describe-dashboard.ts';
import {
  ADA,
  addAccount,
  BOB,
  createDraft,
  ENDS,
  endTransaction,
  eventTypesOf,
  fieldFor,
  readDetail,
  signWith,
  startTransaction,
  tokenOf,
  updateBodyOf,
} from '../../support/fixtures/transactions.ts';
import type { Harness } from '../../support/harness.ts';
import { SLOW } from '../../support/tier.ts';

/** A user of the company that sends. */
async function senderIn(harness: Harness): Promise<BrowserClient> {
  const { email, password = '' } = await harness.client['sandbox.set_password']({ body: {} });
  const visitor = openBrowserClient(harness);
  await visitor.send(await visitor.get('/sign-in'), '/sign-in', { email, password });
  return visitor;
}

/** Started with texts, for Ada and then Bob, and to end in two weeks. */
async function agreement(harness: Harness, name: string, people = [ADA, BOB]) {
  const draft = await createDraft(harness, people);
  const params = { transactionId: draft.id };
  const body = updateBodyOf(draft.detail, {
    name,
    description: 'For the analytical engine',
    email_subject: 'Please sign',
    email_body: 'Hello,\nplease sign.',
    expiration_days: 14,
    fields: people.map(({ email }) => fieldFor(draft, email)),
  });
  await harness.client['transaction.update']({ params, body });
  const { url } = await harness.client['transaction.start']({ params });
  return { id: draft.id, detail: draft.detail, url, token: tokenOf(url) };
}

describeDashboard('transactions', (harness) => {
  let sender: BrowserClient;
  let eve: Awaited<ReturnType<typeof registerUser>>;
  beforeAll(async () => {
    sender = await senderIn(harness());
    eve = await registerUser(harness());
  });

  const lineOf = (html: string, name: string): string =>
    /<li>[\s\S]*?<\/li>/g[Symbol.match](html)?.find((line) => line.includes(name)) ?? '';

  test('are listed newest first, with the recipient that each waits for, who has opened and signed, and until when', async () => {
    const { token, detail } = await agreement(harness(), 'Lease of 2026');
    const line = async () =>
      lineOf((await sender.get('/transactions')).html, 'Lease of 2026').replaceAll(/<[^>]*>/g, '');
    expect(await line()).toContain('Lease of 2026 Started');
    expect(await line()).toContain(
      'Waiting for Ada, link not opened yet · 0 of 2 signed · until 2026-03-15 09:00 UTC',
    );
    const ada = openBrowserClient(harness());
    const opened = await ada.get(`/sign?token=${token}`);
    await ada.get(opened.location ?? '');
    expect(await line()).toContain('Waiting for Ada, link opened 2026-03-01 09:00 UTC · 0 of 2 signed');
    await signWith(harness(), token);
    expect(await line()).toContain('Waiting for Bob, link not opened yet · 1 of 2 signed');
    await createDraft(harness());
    const { html } = await sender.get('/transactions');
    expect(html.indexOf('Lease of 2026')).toBeGreaterThan(html.indexOf('>Draft</span>'));
    expect(detail.template.recipients).toHaveLength(3);
  });

  test.skipIf(!SLOW)('are shown by state', async () => {
    const ends = ENDS.filter((one) => one !== 'expired' && (SLOW || one !== 'completed'));
    for (const end of ends) {
      await endTransaction(harness(), end);
      const page = await sender.get(`/transactions?state=${end}`);
      expect(page.html).toContain(`class="state ${end}"`);
      expect(page.html.match(/class="state (\w+)"/g)).toEqual(
        Array(page.html.match(/class="state /g)?.length).fill(`class="state ${end}"`),
      );
      expect(page.html).toContain(`<a href="/transactions?state=${end}" aria-current="true">`);
    }
    expect((await eve.get('/transactions?state=draft')).text).toContain(
      'No transaction has the status draft.',
    );
    expect((await eve.get('/transactions')).text).toContain('There are no transactions yet.');
    // What is no state is not said.
    expect((await sender.get('/transactions?state=%3Cscript%3E')).text).toContain('Waiting for Bob');
  });

  test.skipIf(!SLOW)('go on at an older and come back to a newer page', async () => {
    const names = Array.from({ length: 28 }, (_, n) => `Series ${String(n).padStart(2, '0')}.`);
    const grace = await addAccount(harness(), 'Navy', 'grace-pages@example.com');
    for (const name of names) await grace.client['transaction.create']({ body: { name } });
    const password = 'correct horse';
    await harness().client['sandbox.set_password']({ body: { email: grace.email, password } });
    const visitor = openBrowserClient(harness());
    await visitor.send(await visitor.get('/sign-in'), '/sign-in', { email: grace.email, password });
    const namesOf = (html: string) => html.match(/Series \d\d\./g) ?? [];
    const linkIn = (html: string, label: string) =>
      new RegExp(`href="([^"]*)">${label}<`).exec(html)?.[1]?.replaceAll('&amp;', '&');
    const first = await visitor.get('/transactions?state=draft');
    expect(namesOf(first.html)).toEqual(names.slice(3).reverse());
    expect(linkIn(first.html, 'Newer')).toBeUndefined();
    const second = await visitor.get(linkIn(first.html, 'Older') ?? '');
    expect(namesOf(second.html)).toEqual(names.slice(0, 3).reverse());
    expect(linkIn(second.html, 'Older')).toBeUndefined();
    const back = await visitor.get(linkIn(second.html, 'Newer') ?? '');
    expect(namesOf(back.html)).toEqual(namesOf(first.html));
    expect(back.html).toContain('aria-current="true">Draft');
    expect((await visitor.get('/transactions?older=0')).text).toContain('There are no more transactions.');
  });

  test('are the home page of a user who has signed in', async () => {
    await agreement(harness(), 'At home');
    const [home, list] = [await sender.get('/'), await sender.get('/transactions')];
    expect(home.text).toContain('At home');
    expect(home.text).toBe(list.text);
    expect(lineOf(home.html, 'At home')).toContain('<p class="who"><bdi>Ada</bdi>, <bdi>Bob</bdi></p>');
    expect(lineOf(home.html, 'At home')).toContain('2026-03-01 09:00 UTC');
  });

  test.skipIf(!SLOW)(
    'are searched by name, recipient and ID, in any script and case, within a status',
    async () => {
      const { id } = await agreement(harness(), 'Überlassung', [
        { name: 'ΟΔΥΣΣΕΥΣ', email: 'odysseus@example.com' },
      ]);
      await createDraft(harness());
      const search = async (q: string, more: Record<string, string> = {}) => {
        const { html } = await sender.get(`/transactions?${new URLSearchParams({ q, ...more })}`);
        return [...html.matchAll(/href="\/transactions\/([0-9a-f-]{36})"/g)].map(([, found]) => found);
      };
      for (const text of [
        'überlassung',
        'LASSUNG',
        'οδυσσευς',
        'ODYSSEUS@example',
        id,
        id.slice(-12),
        'odysseus über',
      ])
        expect([text, await search(text)]).toEqual([text, [id]]);
      for (const text of ['%', '_', 'odysseus nothing', '00000000-0000-4000-8000-000000000000'])
        expect([text, await search(text)]).toEqual([text, []]);
      expect(await search('überlassung', { state: 'started' })).toEqual([id]);
      expect(await search('überlassung', { state: 'draft' })).toEqual([]);
      const none = await sender.get('/transactions?state=draft&q=%C3%BCberlassung');
      expect(none.text).toContain('No draft transaction contains “überlassung”.');
      expect(none.html).toContain('<input type="hidden" name="state" value="draft">');
      expect(none.html).toContain('href="/transactions?state=started&amp;q=%C3%BCberlassung"');
      const stranger = await eve.get(`/transactions?q=${id}`);
      expect(stranger.html).not.toContain('Überlassung');
    },
  );

  test('have a page each: texts, recipients in order with their times, documents, events', async () => {
    const { id, token } = await agreement(harness(), 'Page of its own');
    const visitor = openBrowserClient(harness());
    await visitor.get((await visitor.get(`/sign?token=${token}`)).location ?? '');
    await signWith(harness(), token);
    const { text, html } = await sender.get(`/transactions/${id}`);
    for (const words of [
      'Waiting for Bob, until 2026-03-15 09:00 UTC.',
      'Sandbox Sender sender@esign.test · sender Does not sign',
      'Ada ada@example.com · signer Signed 2026-03-01 09:00 UTC · link opened 2026-03-01 09:00 UTC',
      'Bob bob@example.com · signer Asked to sign now · link not opened yet',
      'contract.pdf 3 pages, as PDF',
      'For the analytical engine',
      'Please sign',
      'recipient_submitted Ada',
      id,
    ])
      expect(text).toContain(words);
    const types = [...html.matchAll(/<code>(\w+_\w+)<\/code>/g)].map(([, type]) => type);
    expect(types).toEqual(await eventTypesOf(harness(), id));
  });

  test.skipIf(!SLOW)('show how they ended, by which recipient and why', async () => {
    const told = async (id: string) => (await sender.get(`/transactions/${id}`)).text;
    const [completed, rejected, cancelled] = [
      await endTransaction(harness(), 'completed'),
      await endTransaction(harness(), 'rejected'),
      await endTransaction(harness(), 'cancelled'),
    ];
    expect(await told(completed.id)).toContain('Completed at 2026-03-01 09:00 UTC.');
    expect(await told(rejected.id)).toContain('Rejected by Ada at 2026-03-01 09:00 UTC. Reason: No');
    expect(await told(rejected.id)).toContain('Ada ada@example.com · signer Rejected 2026-03-01');
    expect(await told(cancelled.id)).toContain(
      'Cancelled by Sandbox Sender at 2026-03-01 09:00 UTC. Reason: Wrong contract',
    );
    for (const { id } of [completed, rejected, cancelled]) {
      const { html } = await sender.get(`/transactions/${id}`);
      expect(html).not.toContain(`/transactions/${id}/cancel`);
      expect(html).not.toContain('/sign?token=');
    }
  });

  test('say what could not be kept of a document', async () => {
    const { id, detail } = await createDraft(harness());
    const remarks = JSON.stringify([
      { code: 'approximate_layout' },
      { code: 'fonts_missing', page: 1, what: '<b>Arial' },
    ]);
    const documentId = detail.template.documents[0]?.id ?? '';
    await harness().store.database.write((db) =>
      db.updateTable('document').set({ remarks }).where('id', '=', documentId).execute(),
    );
    const { text, html } = await sender.get(`/transactions/${id}`);
    expect(text).toContain('install LibreOffice or send a PDF');
    expect(text).toContain('Some text on page 2 cannot be displayed');
    expect(html).not.toContain('<b>');
  });

  test.skipIf(!SLOW)('give out a document as PDF, under its name, to the company alone', async () => {
    const { id, detail } = await startTransaction(harness());
    const at = `/transactions/${id}/documents/${detail.template.documents[0]?.id}.pdf`;
    const page = await sender.get(at);
    expect(page.status).toBe(200);
    expect(page.html.slice(0, 5)).toBe('%PDF-');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="contract.pdf"; filename*=UTF-8''contract.pdf`,
      'cache-control': 'no-store',
    });
    expect((await eve.get(at)).status).toBe(404);
    const other = await startTransaction(harness());
    const mixed = `/transactions/${id}/documents/${other.detail.template.documents[0]?.id}.pdf`;
    expect((await sender.get(mixed)).status).toBe(404);
  });

  test('give out a sealed document once all have signed, to the company alone', async () => {
    const { id, token } = await startTransaction(harness());
    expect((await sender.get(`/transactions/${id}`)).text).not.toContain('Signed documents');
    await signWith(harness(), token);
    const [sealed] = (await readDetail(harness(), id)).sealed_documents;
    const { html, text } = await sender.get(`/transactions/${id}`);
    expect(text).toContain(`SHA-256 ${sealed?.sha256}`);
    const at = `/transactions/${id}/sealed/${sealed?.id}.pdf`;
    expect(html).toContain(`href="${at}"`);
    const page = await sender.get(at);
    expect([page.status, page.html.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await eve.get(at)).status).toBe(404);
    const other = await startTransaction(harness());
    expect((await sender.get(`/transactions/${other.id}/sealed/${sealed?.id}.pdf`)).status).toBe(404);
  });

  test('say why the last signature could not be taken', async () => {
    const { id } = await startTransaction(harness());
    const why = 'The <timestamp> authority does not answer.';
    const { database } = harness().store;
    await database.write((db) => recordSealingFailure(db, id, why, '2026-03-01T09:00:00.000Z'));
    expect((await sender.get(`/transactions/${id}`)).text).toContain(
      `The last recipient could not sign: ${why}`,
    );
  });

  test('show the signing address of users of the company only', async () => {
    const grace = await addAccount(harness(), undefined, 'Grace@esign.test');
    const her = { name: 'Grace', email: grace.email.toLowerCase() };
    const { id, url } = await agreement(harness(), 'For Grace', [her, ADA]);
    const { html, text } = await sender.get(`/transactions/${id}`);
    expect(html).toContain(`<input id="address" readonly value="${url}&amp;by=dashboard.`);
    expect(text).toContain('Signing URL of Grace');
    await signWith(harness(), tokenOf(url));
    const next = await sender.get(`/transactions/${id}`);
    expect(next.html).not.toContain('/sign?token=');
    expect(next.text).toContain('The signing URL is in the email to ada@example.com.');
    // A user of another company is a stranger to this one.
    await addAccount(harness(), 'Navy', 'navy@example.com');
    const theirs = await agreement(harness(), 'For Navy', [{ name: 'N', email: 'navy@example.com' }]);
    expect((await sender.get(`/transactions/${theirs.id}`)).html).not.toContain('/sign?token=');
    // The list has no address at all.
    expect((await sender.get('/transactions')).html).not.toContain('token=');
  });

  test('are unknown to another company', async () => {
    const { id } = await agreement(harness(), 'Ours alone');
    expect((await eve.get('/transactions')).text).not.toContain('Ours alone');
    for (const path of [`/transactions/${id}`, `/transactions/${id}/cancel`]) {
      const page = await eve.get(path);
      expect([page.status, page.text.includes('Ours alone')]).toEqual([404, false]);
    }
    const unknownId = '00000000-0000-4000-8000-000000000000';
    const [theirs, none] = [
      await eve.get(`/transactions/${id}`),
      await eve.get(`/transactions/${unknownId}`),
    ];
    expect(theirs.text).toBe(none.text);
    const [form] = formsOf(await eve.get('/applications'));
    const refused = await assertUnchanged(harness(), () =>
      eve.post(`/transactions/${id}/cancel`, `${new URLSearchParams({ ...form?.hidden, reason: 'No' })}`, {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      }),
    );
    expect(refused.status).toBe(404);
    expect((await readDetail(harness(), id)).status).toBe('started');
  });

  test('are cancelled with a reason, once', async () => {
    const { id, token } = await agreement(harness(), 'To be cancelled');
    const page = await sender.get(`/transactions/${id}/cancel`);
    expect(formsOf(page).map(({ action }) => action)).toContain(`/transactions/${id}/cancel`);
    const send = (reason: string) => sender.send(page, `/transactions/${id}/cancel`, { reason });
    for (const [reason, words] of [
      ['  ', 'Enter a reason'],
      ['x'.repeat(2001), 'must have at most 2000 characters'],
      ['a\u0000b', 'must not contain control characters'],
    ] as const) {
      const refused = await assertUnchanged(harness(), () => send(reason));
      expect(refused.status).toBe(422);
      expect(refused.text).toContain(words);
    }
    expect(await send('Wrong <b>party</b>\r\nSorry')).toMatchObject({
      status: 303,
      location: `/transactions/${id}`,
    });
    expect(await readDetail(harness(), id)).toMatchObject({
      status: 'expired',
      cancelled_reason: 'Wrong <b>party</b>\nSorry',
    });
    expect(await eventTypesOf(harness(), id)).toEqual([
      'transaction_created',
      'transaction_started',
      'transaction_cancelled',
    ]);
    const again = await assertUnchanged(harness(), () => send('Again'));
    expect(again.status).toBe(409);
    expect(again.text).toContain('is cancelled');
    expect((await openBrowserClient(harness()).get(`/sign?token=${token}`)).status).toBe(303);
    const shown = await sender.get(`/transactions/${id}`);
    expect(shown.html).toContain('Wrong &lt;b&gt;party');
  });

  test('are cancelled by a form of ours alone', async () => {
    const { id } = await agreement(harness(), 'Kept');
    const at = `/transactions/${id}/cancel`;
    const page = await sender.get(at);
    for (const changed of [
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { origin: 'https://evil.example', 'sec-fetch-site': undefined } },
      { hidden: { form_token: 'guessed' } },
      { hidden: { form_token: undefined } },
    ]) {
      const refused = await assertUnchanged(harness(), () =>
        sender.send(page, at, { reason: 'No' }, changed),
      );
      expect(refused.status).toBe(403);
    }
  });

  test('are nowhere else: no other path below a transaction leads to a page', async () => {
    const { id } = await createDraft(harness());
    for (const path of ['nothing', 'documents', 'documents/x.pdf', 'documents/../cancel/x', 'cancel/'])
      expect([path, (await sender.get(`/transactions/${id}/${path}`)).status]).toEqual([path, 404]);
    expect((await sender.get('/transactions/nothing')).status).toBe(404);
    expect((await sender.get(`/transactions/${id}/cancel`)).status).toBe(409);
    expect((await sender.post(`/transactions/${id}`, '', {})).status).toBe(405);
  });

  // Last: it takes the clock with it.
  test('expire before they are shown', async () => {
    const { id } = await agreement(harness(), 'Short-lived');
    harness().clock.advance(15 * 24 * 3600 * 1000);
    const again = await senderIn(harness());
    expect(lineOf((await again.get('/transactions')).html, 'Short-lived')).toContain('state expired');
    expect((await again.get(`/transactions/${id}`)).text).toContain('Expired at 2026-03-15 09:00 UTC.');
    expect(await eventTypesOf(harness(), id)).toContain('transaction_expired');
  });
});
