// What is recorded of the pages of a document: that they were delivered, that the script reported them as in view, and when, by the clock of
// the service. A report is as untrusted as any form.
import { expect, test } from 'vitest';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { listAudit } from '../../../src/service/store/transactions/signing.ts';
import { describeSharedService } from '../../support/describe-service.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
} from '../../support/fixtures/signing-pages.ts';

describeSharedService('the record of pages', (harness) => {
  const pagesOf = async (id: string) => {
    const entries = await harness().store.database.read((db) => listAudit(db, id));
    return entries
      .filter(({ type }) => type.startsWith('page_'))
      .map(({ type, created, details: { page, last_at, form = null } }) => [
        type,
        page,
        secondsOf(created),
        secondsOf(last_at),
        form,
      ]);
  };
  let startMs = 0;
  const secondsOf = (instant: string | null | undefined) => (Date.parse(instant ?? '') - startMs) / 1000;

  async function enter() {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    startMs = harness().clock.now;
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    const pages = transaction.detail.template.documents[0]?.pages ?? [];
    const { html } = await guest.open('document');
    const form_token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    return {
      ...transaction,
      guest,
      at: (seconds: number) => {
        harness().clock.now = startMs + seconds * 1000;
      },
      deliver: (number: number) => guest.open(`pages/${pages[number - 1]?.id}.png?scale=1`),
      readText: (number: number) => guest.open(`text/${pages[number - 1]?.id}`),
      report: (pages: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
        guest.post(
          `${guest.base}/in-view`,
          new URLSearchParams({ form_token, pages, ...fields }).toString(),
          {
            'content-type': 'application/x-www-form-urlencoded',
            origin: new URL(harness().baseUrl).origin,
            'sec-fetch-site': 'same-origin',
            ...headers,
          },
        ),
    };
  }

  test('has the first and the last time of each page, delivered and in view', async () => {
    const { id, at, deliver, readText, report } = await enter();
    at(1);
    await deliver(1);
    at(2);
    await deliver(2);
    at(5);
    expect((await report('1')).status).toBe(204);
    at(60);
    await report('1 2');
    at(70);
    await deliver(1);
    await readText(2);
    expect(await pagesOf(id)).toEqual([
      ['page_delivered', '1', 1, 70, null],
      ['page_delivered', '2', 2, 2, null],
      ['page_in_view', '1', 5, 60, null],
      ['page_in_view', '2', 60, 60, null],
      ['page_delivered', '2', 70, 70, 'text'],
    ]);
  });

  test('has nothing of a report about pages that do not exist or were not delivered', async () => {
    const { id, deliver, report } = await enter();
    await deliver(1);
    const before = await pagesOf(id);
    const wrong = ['', '0', '3', '-1', '1.5', '1e0', '01', '2', '1 2', '1  1', 'all', '1,2', '9'.repeat(400)];
    const many = Array.from({ length: LIMITS.pagesInReport + 1 }, () => '1').join(' ');
    for (const pages of [...wrong, many]) expect((await report(pages)).status, pages).toBe(422);
    // Times and other facts of a browser are not taken.
    expect((await report('1', { at: '2020-01-01T00:00:00.000Z', last_at: 'x', form: 'text' })).status).toBe(
      204,
    );
    expect(await pagesOf(id)).toEqual([...before, ['page_in_view', '1', 0, 0, null]]);
  });

  test('has no page that is loaded again within a minute, and no last time before the first', async () => {
    const { id, at, deliver } = await enter();
    await deliver(1);
    at(30);
    await deliver(1);
    expect(await pagesOf(id)).toEqual([['page_delivered', '1', 0, 0, null]]);
    at(90);
    await deliver(1);
    at(20);
    await deliver(1);
    expect(await pagesOf(id)).toEqual([['page_delivered', '1', 0, 90, null]]);
  });

  test('has nothing of a report from elsewhere, before the consent or after the turn', async () => {
    const { id, token, guest, deliver, report, recipientId } = await enter();
    await deliver(1);
    const before = await pagesOf(id);
    expect((await report('1', { form_token: 'other' })).status).toBe(403);
    expect(
      (await report('1', {}, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403);
    const other = await startWithEveryField(harness());
    const early = await openSigningPages(harness(), other.token);
    const entered = await early.open();
    const form_token = /name="form_token" value="([^"]+)"/.exec(entered.html)?.[1] ?? '';
    const sent = await early.post(`${early.base}/in-view`, `form_token=${form_token}&pages=1`, {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(harness().baseUrl).origin,
      'sec-fetch-site': 'same-origin',
    });
    expect(sent.location).toBe(early.base);
    expect(await pagesOf(other.id)).toEqual([]);
    await fillInEverything(harness(), guest, { id, recipientId });
    await guest.submitForm('review', 'submit', {});
    expect((await report('1')).status).toBe(303);
    expect(await pagesOf(id)).toEqual(before);
    expect(token).not.toBe('');
  });
});
