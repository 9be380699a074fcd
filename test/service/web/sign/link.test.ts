// The address of a recipient: the token becomes a cookie of theirs alone, and stands nowhere else.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openBrowserClient } from '../../../support/browser-client.ts';
import { describeSharedService } from '../../../support/describe-service.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import {
  currentToken,
  endTransaction,
  readDetail,
  startTransaction,
} from '../../../support/fixtures/transactions.ts';
import { sendRequest } from '../../../support/http-client.ts';
import { SLOW } from '../../../support/tier.ts';

describeSharedService('the address of a recipient', (harness) => {
  test('gives a program data, and a browser a cookie and a clean address', async () => {
    const { token, recipientId } = await startWithEveryField(harness());
    const data = await sendRequest(harness(), `GET /sign?token=${token}`);
    expect(data).toMatchObject({ status: 200, body: { recipient: { email: SIGNER.email } } });
    const entered = await openBrowserClient(harness()).get(`/sign?token=${token}`);
    expect(entered).toMatchObject({ status: 303, location: `/sign/${recipientId}` });
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^esign-sign-\d+=[\w-]+; Path=\/sign\/[0-9a-f-]{36}; HttpOnly; SameSite=Lax$/);
    expect(cookie).toContain(`Path=/sign/${recipientId};`);
    expect(entered.headers.get('cache-control')).toBe('no-store');
  });

  test('puts the token into no page, no address and no picture', async () => {
    const transaction = await startWithEveryField(harness());
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    await fillInEverything(harness(), guest, transaction);
    for (const path of ['', 'document', 'signature', 'reject', 'review', 'sheets']) {
      const { html, headers } = await guest.open(path);
      expect(html + [...headers].join()).not.toContain(transaction.token);
      expect(html).not.toContain(createHash('sha256').update(transaction.token).digest('hex'));
    }
  });

  test.skipIf(!SLOW)('keeps two recipients apart in one browser', async () => {
    const first = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const second = await startWithEveryField(harness(), [PROXY]);
    const one = await openSigningPages(harness(), first.token);
    const other = await openSigningPages(harness(), second.token);
    expect((await one.open()).text).toContain(SIGNER.email);
    expect((await other.open()).text).toContain(PROXY.email);
    // A cookie is bound to its path; one that is sent elsewhere opens nothing there.
    const stolen = await one.get(other.base);
    expect(stolen).toMatchObject({ status: 403 });
    expect(stolen.text).not.toContain(PROXY.email);
  });

  test('tells a browser that keeps no cookies what it lacks', async () => {
    const { token } = await startWithEveryField(harness());
    const { location } = await openBrowserClient(harness()).get(`/sign?token=${token}`);
    const page = await openBrowserClient(harness()).get(location ?? '');
    expect(page.status).toBe(403);
    expect(page.text).toMatch(/must accept cookies/);
  });

  test('that is unknown, or of a recipient who is not asked yet, shows nothing else', async () => {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const visitor = openBrowserClient(harness());
    const later = transaction.detail.template.recipients.find(({ email }) => email === PROXY.email)?.id;
    const early = await visitor.get(`/sign/${later}`);
    expect(early).toMatchObject({ status: 403 });
    expect(early.text).toContain('It is not your turn yet');
    expect(early.text).not.toContain('Consulting agreement');
    const unknown = await visitor.get('/sign/00000000-0000-7000-8000-000000000000/document');
    expect(unknown.text).toContain('Open the link in your email');
    expect((await visitor.get(`/sign/${transaction.recipientId}`)).text).toContain(
      'Open the link in your email',
    );
    const wrong = await visitor.get('/sign?token=unknown');
    expect(wrong).toMatchObject({ status: 404, location: null });
    // A bar with nothing in it looks like a page that failed to load.
    expect(wrong.html).not.toContain('<header');
    expect(await visitor.get('/sign')).toMatchObject({ status: 404 });
  });

  test('stays good for a look after the turn, and never for more', async () => {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    await fillInEverything(harness(), guest, transaction);
    const review = await guest.open('review');
    const rejection = await guest.open('reject');
    await guest.send(review, `${guest.base}/submit`, {});
    const again = await openSigningPages(harness(), transaction.token);
    expect((await again.open()).text).toContain('You have signed');
    expect(await sendRequest(harness(), `GET /sign?token=${transaction.token}`)).toMatchObject({
      status: 404,
    });
    for (const [page, action] of [
      [review, 'submit'],
      [rejection, 'reject'],
    ] as const)
      expect((await guest.send(page, `${guest.base}/${action}`, { reason: 'No' })).location).toBe(guest.base);
    expect(await readDetail(harness(), transaction.id)).toMatchObject({
      status: 'started',
      rejected_at: null,
    });
    expect(await currentToken(harness(), transaction.id)).not.toBe(transaction.token);
  });

  test('opens no page of another transaction', async () => {
    const transaction = await startWithEveryField(harness());
    const other = await startTransaction(harness());
    const guest = await openSigningPages(harness(), transaction.token);
    const page = other.detail.template.documents[0]?.pages[0]?.id;
    const document = other.detail.template.documents[0]?.id;
    expect(await guest.open(`pages/${page}.png`)).toMatchObject({ status: 404 });
    expect(await guest.open(`files/${document}.pdf`)).toMatchObject({ status: 404 });
    const own = transaction.detail.template.documents[0];
    const picture = await guest.open(`pages/${own?.pages[0]?.id}.png`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    const file = await guest.open(`files/${own?.id}.pdf`);
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="contract.pdf"; filename*=UTF-8''contract.pdf`,
    );
  });

  test.each([
    ['rejected', 'This request was rejected'],
    ['expired', 'This request has expired'],
    ['cancelled', 'This request was cancelled'],
  ] as const)('shows nothing of what was %s, but how it ended', async (end, sentence) => {
    const { id, token } = await endTransaction(harness(), end);
    const { template } = await readDetail(harness(), id);
    const [document] = template.documents;
    const [page] = document?.pages ?? [];
    const guest = await openSigningPages(harness(), token);
    for (const path of [
      `pages/${page?.id}.png`,
      `pages/${page?.id}.png?scale=2`,
      `text/${page?.id}`,
      `files/${document?.id}.pdf`,
      `sealed/${document?.id}.pdf`,
      `marks/${template.fields[0]?.id}.png`,
    ]) {
      const gone = await guest.open(path);
      expect([path, gone.status, gone.headers.get('content-type')]).toEqual([
        path,
        410,
        'text/html; charset=utf-8',
      ]);
      expect(gone.text).toContain(sentence);
    }
    const start = await guest.open();
    expect(start.status).toBe(200);
    expect(start.html).not.toContain('.pdf"');
    expect(await sendRequest(harness(), `GET /sign?token=${token}`)).toMatchObject({ status: 404 });
    expect(await sendRequest(harness(), `GET /sign/page/${page?.id}?token=${token}`)).toMatchObject({
      status: 404,
    });
  });

  test.skipIf(!SLOW)('still shows what was signed and completed', async () => {
    const { id, token } = await endTransaction(harness(), 'completed');
    const { template } = await readDetail(harness(), id);
    const [document] = template.documents;
    const guest = await openSigningPages(harness(), token);
    for (const path of [`pages/${document?.pages[0]?.id}.png`, `files/${document?.id}.pdf`])
      expect([path, (await guest.open(path)).status]).toEqual([path, 200]);
    expect((await guest.open()).html).toContain(`files/${document?.id}.pdf`);
  });

  test('takes no form from another site, and none of another recipient', async () => {
    const transaction = await startWithEveryField(harness());
    const other = await startWithEveryField(harness());
    const guest = await openSigningPages(harness(), transaction.token);
    const strange = await openSigningPages(harness(), other.token);
    const page = await guest.open();
    const foreign = [
      { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
      { headers: { origin: undefined, 'sec-fetch-site': undefined } },
      { hidden: { form_token: undefined } },
      {
        hidden: { form_token: /name="form_token" value="([^"]*)"/.exec((await strange.open()).html)?.[1] },
      },
    ];
    for (const changed of foreign)
      expect(
        await guest.send(page, `${guest.base}/consent`, { agree: 'yes' }, changed),
        JSON.stringify(changed),
      ).toMatchObject({ status: 403 });
    expect((await guest.open('document')).location).toBe(guest.base);
  });

  test.skipIf(!SLOW)(
    'is not answered with a page that may be framed, kept, or fed with scripts',
    async () => {
      const { token } = await endTransaction(harness(), 'completed');
      const { headers } = await (await openSigningPages(harness(), token)).open();
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https:|data:|\*/);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    },
  );
});
