// A stranger who opens the link sees on every step who asks, for which company, and where that company says who it is; and
// before they sign, what it is that they sign.
import { beforeAll, expect, test } from 'vitest';
import { saveCompanyAddresses } from '../../../../src/service/store/accounts/accounts.ts';
import { describeSharedService } from '../../../support/describe-service.ts';
import {
  fillInEverything,
  openSigningPages,
  PROXY,
  SIGNER,
  type SigningBrowser,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import { createDraft, fieldFor, tokenOf, updateBodyOf } from '../../../support/fixtures/transactions.ts';
import type { Harness } from '../../../support/harness.ts';

const IMPRINT = 'https://engines.example/imprint?a=1&b=2';
const PRIVACY = 'mailto:privacy@engines.example';

describeSharedService('who asks for a signature', (harness) => {
  let guest: SigningBrowser;
  let transaction: Awaited<ReturnType<typeof startWithEveryField>>;
  const name = (imprint_url: string | null, privacy_url: string | null) =>
    nameAddresses(harness(), { imprint_url, privacy_url });

  beforeAll(async () => {
    transaction = await startWithEveryField(harness(), [SIGNER, PROXY], 'Engines & Sons');
    guest = await openSigningPages(harness(), transaction.token);
  });

  test('is named on every step, with company, address and links', async () => {
    await name(IMPRINT, PRIVACY);
    const pages = { start: await guest.open() };
    await guest.submitForm('', 'consent', { agree: 'yes' });
    const pageId = transaction.detail.template.documents[0]?.pages[0]?.id;
    const others = ['document', 'signature', 'reject', `text/${pageId}`];
    for (const other of others) Object.assign(pages, { [other]: await guest.open(other) });
    await fillInEverything(harness(), guest, transaction);
    Object.assign(pages, { review: await guest.open('review') });
    await guest.submitForm('review', 'submit', {});
    Object.assign(pages, { signed: await guest.open() });
    for (const [step, { html, text, status }] of Object.entries(pages)) {
      expect(status, step).toBe(200);
      expect(text, step).toContain('From Engines & Sons · Sandbox Sender · Sandbox · sender@esign.test');
      const linked = (href: string, label: string) =>
        `<a href="${href}" target="_blank" rel="noopener noreferrer">${label}</a>`;
      expect(html, step).toContain(linked(IMPRINT.replace('&', '&amp;'), 'Imprint'));
      expect(html, step).toContain(linked(PRIVACY, 'Privacy notice'));
    }
  });

  test('has no links where the company names none, or what a store holds is no such address', async () => {
    for (const stored of [
      null,
      '',
      'javascript:alert(1)',
      'http://engines.example/',
      'https://a:b@c.example/',
    ]) {
      await name(stored, stored);
      expect((await guest.open()).html).not.toMatch(/Imprint|Privacy notice|<footer/);
    }
  });

  test('is named in invitations, whose only link is the one to sign', async () => {
    await name(IMPRINT, PRIVACY);
    const { id } = await startOne(harness());
    const { items } = await harness().client['sandbox.mail']({ query: { transaction_id: id } });
    const params = { mailId: items[0]?.id ?? '' };
    const { body, html } = await harness().client['sandbox.mail_detail']({ params });
    expect(body).toContain('From: Sandbox Sender, Sandbox (sender@esign.test)');
    expect(body).toContain(`Imprint: ${IMPRINT}\nPrivacy notice: privacy@engines.example`);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => new URL(to).pathname);
    expect(new Set(links)).toEqual(new Set(['/sign']));
  });

  test('is separate from what the sender writes in an invitation', async () => {
    const { id } = await startOne(harness(), 'Dear Ada,\nplease sign.\n\n> Kind regards');
    const { items } = await harness().client['sandbox.mail']({ query: { transaction_id: id } });
    const { body, html } = await harness().client['sandbox.mail_detail']({
      params: { mailId: items[0]?.id ?? '' },
    });
    expect(body).toMatch(/^Hello Ada Lovelace,\n\nSandbox Sender asks you to sign/);
    expect(body).toContain(
      '\n\nSandbox Sender writes:\n> Dear Ada,\n> please sign.\n> \n> > Kind regards\n\n',
    );
    expect(html).toMatch(/Sandbox Sender writes:<\/p>\s*<blockquote [^>]*>Dear Ada,\nplease sign\./);
  });
});

describeSharedService('the review', (harness) => {
  test('names the request, its sender, the signer, each document with its pages, and each value with its place', async () => {
    const transaction = await startWithEveryField(harness());
    const guest = await openSigningPages(harness(), transaction.token);
    await guest.submitForm('', 'consent', { agree: 'yes' });
    await fillInEverything(harness(), guest, transaction);
    const { text, html } = await guest.open('review');
    expect(text).toContain('Consulting agreement 2026');
    expect(text).toContain('Sandbox Sender asks you to sign');
    expect(text).toContain('You sign asAda Lovelace, ada@example.com');
    expect(text).toContain('Documentscontract.pdf 3 pages');
    expect(text).toContain('Daily rate Page 1, contract.pdf 1200.50 Change');
    expect(text).toContain('Signature of the annex Page 3, contract.pdf');
    const [document] = transaction.detail.template.documents;
    expect(html).toContain(`href="${guest.base}/document?page=1#document-${document?.id}"`);
    const links = [...html.matchAll(/href="([^"]*\/document\?page=(\d+)#(field-[\w-]+))"/g)];
    expect(links.map(([, , page]) => page)).toEqual([...Array.from({ length: 10 }, () => '1'), '3', '3']);
    for (const [, href = '', page, id] of links) {
      const led = await guest.open(href.slice(guest.base.length + 1).replace(/#.*/, ''));
      expect(led.html).toContain(`id="${id}"`);
      expect(led.html).toContain(
        `<figure class="sheet-of-document" id="page-${document?.pages[Number(page) - 1]?.id}"`,
      );
    }
  });
});

const nameAddresses = (
  { store }: Harness,
  addresses: { imprint_url: string | null; privacy_url: string | null },
): Promise<void> =>
  store.database.write(async (db) => {
    const companies = await db.selectFrom('company').select('id').execute();
    for (const { id } of companies) await saveCompanyAddresses(db, id, addresses);
  });

async function startOne(harness: Harness, email_body = ''): Promise<{ id: string; token: string }> {
  const draft = await createDraft(harness, [SIGNER]);
  const params = { transactionId: draft.id };
  const body = updateBodyOf(draft.detail, { email_body, fields: [fieldFor(draft, SIGNER.email)] });
  await harness.client['transaction.update']({ params, body });
  const { url } = await harness.client['transaction.start']({ params });
  return { id: draft.id, token: tokenOf(url) };
}
