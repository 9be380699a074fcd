// The dashboard's pages about templates: saved from a transaction, listed, searched and shown to their company alone.
import { beforeAll, expect, test } from 'vitest';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import { type BrowserClient, openBrowserClient, registerUser } from '../../support/browser-client.ts';
import { describeDashboard } from '../../support/describe-dashboard.ts';
import { ADA, BOB, createDraft, startTransaction } from '../../support/fixtures/transactions.ts';
import { SLOW } from '../../support/tier.ts';

describeDashboard('templates in the dashboard', (harness) => {
  let sender: BrowserClient;
  let eve: Awaited<ReturnType<typeof registerUser>>;
  beforeAll(async () => {
    const { email, password = '' } = await harness().client['sandbox.set_password']({ body: {} });
    sender = openBrowserClient(harness());
    await sender.send(await sender.get('/sign-in'), '/sign-in', { email, password });
    eve = await registerUser(harness());
  });

  /** Through the form on the page of a transaction. @returns the path of the template */
  async function save(name: string, description = ''): Promise<string> {
    const { id } = await startTransaction(harness(), [ADA, BOB]);
    const at = `/transactions/${id}/template`;
    expect((await sender.get(`/transactions/${id}`)).html).toContain(`href="${at}"`);
    const saved = await sender.send(await sender.get(at), at, { name, description });
    expect(saved.status).toBe(303);
    return saved.location?.replace('?saved', '') ?? '';
  }

  test('are saved from a transaction and can be used', async () => {
    const path = await save('Maintenance', 'For customers');
    const page = await sender.get(`${path}?saved`);
    for (const words of [
      'The template was saved.',
      'Maintenance',
      'For customers',
      'contract.pdf 3 pages, as PDF',
    ])
      expect(page.text).toContain(words);
    expect(page.text).toMatch(/Ada ada@example\.com · signer .*signature/i);
    const [, , id = ''] = path.split('/');
    expect(page.text).toContain(`esign tx send --template ${id}`);
    const { id: draft } = await harness().client['transaction.create']({ body: { name: 'From it' } });
    await harness().client['transaction.use_templates']({
      params: { transactionId: draft },
      body: { templates: [{ id }] },
    });
    const { template } = await harness().client['transaction.detail']({ params: { transactionId: draft } });
    expect(template.recipients.map(({ name }) => name)).toEqual(expect.arrayContaining(['Ada', 'Bob']));
    const document = /href="(\/templates\/[^"]*\.pdf)"/.exec(page.html)?.[1] ?? '';
    const pdf = await sender.get(document);
    expect([pdf.status, pdf.html.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await eve.get(document)).status).toBe(404);
  });

  test('are searched by a part of their name, whatever its case', async () => {
    await save('Übernahme 100%');
    await save('Lease');
    const found = await sender.get(`/templates?${new URLSearchParams({ q: 'übernahme 100%' })}`);
    expect(found.text).toContain('Übernahme 100%');
    expect(found.text).not.toContain('Lease');
    expect((await sender.get('/templates?q=nothing')).text).toContain(
      'No template’s name contains “nothing”.',
    );
  });

  test.skipIf(!SLOW)('are listed in pages', async () => {
    const { id } = await createDraft(harness());
    for (let count = 0; count < 26; count += 1)
      await harness().client['sandbox.save_template']({
        params: { transactionId: id },
        body: { name: `Series ${String(count).padStart(2, '0')}.` },
      });
    const first = await sender.get('/templates?q=series');
    expect(first.html.match(/Series \d\d\./g)).toHaveLength(25);
    const next = /rel="next" href="([^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await sender.get(next);
    expect(second.html.match(/Series \d\d\./g)).toHaveLength(1);
    expect(second.html).not.toContain('rel="next"');
    expect((await sender.get('/templates?page=0')).text).toContain('Series');
  });

  test('need a name', async () => {
    const { id } = await startTransaction(harness());
    const at = `/transactions/${id}/template`;
    const form = await sender.get(at);
    for (const [name, words] of [
      ['  ', 'Enter a name for the template'],
      ['x'.repeat(256), 'The name must have at most 255 characters'],
      ['a\u0000b', 'must not contain control characters'],
    ] as const) {
      const refused = await assertUnchanged(harness(), () => sender.send(form, at, { name }));
      expect([refused.status, refused.text.includes(words)]).toEqual([422, true]);
    }
    const forged = await assertUnchanged(harness(), () =>
      sender.send(form, at, { name: 'Forged' }, { headers: { 'sec-fetch-site': 'cross-site' } }),
    );
    expect(forged.status).toBe(403);
  });

  test('are unknown to another company', async () => {
    const path = await save('Ours alone');
    expect((await eve.get('/templates')).text).toContain('There are no templates yet.');
    const [theirs, none] = [
      await eve.get(path),
      await eve.get('/templates/00000000-0000-4000-8000-000000000000'),
    ];
    expect([theirs.status, theirs.text]).toEqual([404, none.text]);
    const { id } = await startTransaction(harness());
    expect((await eve.get(`/transactions/${id}/template`)).status).toBe(404);
  });
});
