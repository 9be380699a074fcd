// A recipient sees what others have filled in before: their signature covers it as well.
import { expect, test } from 'vitest';
import { describeSharedService } from '../../../support/describe-service.ts';
import { pngOf } from '../../../support/documents/pictures.ts';
import {
  adoptSignature,
  fillInEverything,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import {
  createDraft,
  currentToken,
  fieldFor,
  readDetail,
  tokenOf,
} from '../../../support/fixtures/transactions.ts';

const INK = pngOf({
  width: 120,
  height: 40,
  bits: 8,
  colorType: 6,
  pixel: (x, y) => (x > 5 && x < 114 && y > 5 && y < 34 ? [0, 0, 0, 255] : [0, 0, 0, 0]),
});

describeSharedService('what others have filled in', (harness) => {
  /** The pages of the second recipient after the first has signed. */
  const afterFirst = async () => {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const first = await giveConsent(await openSigningPages(harness(), transaction.token));
    const before = await first.open('document');
    await fillInEverything(harness(), first, transaction);
    await first.submitForm('review', 'submit', {});
    const token = await currentToken(harness(), transaction.id);
    return {
      transaction,
      first,
      before,
      second: await giveConsent(await openSigningPages(harness(), token)),
    };
  };

  test('is drawn on the pages, listed in the review, and read with the text of a page', async () => {
    const { transaction, before, second } = await afterFirst();
    const document = await second.open('document');
    const drawings = (html: string) => html.split('<path transform="matrix(').length - 1;
    // Both have their own name and email address filled in; beside these the second one has everything of the first.
    expect(drawings(document.html)).toBeGreaterThan(drawings(before.html) * 2);
    const names = await readDetail(harness(), transaction.id);
    const grace = names.template.recipients.find(({ name }) => name === 'Grace Hopper')!;
    await fillInEverything(harness(), second, { ...transaction, recipientId: grace.id });
    const { text } = await second.open('review');
    const [, others = ''] = text.split('In the fields of others');
    for (const value of ['2026-04-01', '1200.50', 'France', 'DE123456789', 'Checked'])
      expect(others).toContain(value);
    expect(others).toContain('Ada Lovelace');
    const page = names.template.documents[0]!.pages[0]!;
    const read = await second.open(`text/${page.id}`);
    expect(read.text).toContain('In the fields of others');
    expect(read.text).toContain('DE123456789');
  });

  test('is not shown before it has been submitted', async () => {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const first = await giveConsent(await openSigningPages(harness(), transaction.token));
    await fillInEverything(harness(), first, transaction);
    expect((await first.open('review')).text).not.toContain('In the fields of others');
  });

  test('shows what the sender has fixed for a recipient who signs later', async () => {
    const draft = await createDraft(harness(), [SIGNER, PROXY]);
    const params = { transactionId: draft.id };
    const own = fieldFor(draft, SIGNER.email, { type: 'signature', label: 'Signature' });
    const price = { type: 'text' as const, label: 'Price', positionY: 300 };
    const fixed = fieldFor(draft, PROXY.email, { ...price, value: '4,200 EUR', readonly: true });
    const changeable = fieldFor(draft, PROXY.email, {
      ...price,
      label: 'City',
      value: 'Berlin',
      positionY: 360,
    });
    const day = fieldFor(draft, PROXY.email, {
      ...price,
      type: 'date',
      label: 'Day',
      value: 'today',
      positionY: 420,
    });
    const fields = [own, fixed, changeable, day];
    await harness().client['transaction.fields']({ params, body: { fields } });
    const { url } = await harness().client['transaction.start']({ params });
    const first = await giveConsent(await openSigningPages(harness(), tokenOf(url)));
    await adoptSignature(first);
    const { text } = await first.open('review');
    expect(text).toMatch(/Price Page 1, contract.pdf · Grace Hopper · Filled in by the sender 4,200 EUR/);
    expect(text).not.toContain('Berlin');
    expect(text).not.toContain('Day');
  });

  test('has the drawn signature of another only after that one has signed', async () => {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const first = await giveConsent(await openSigningPages(harness(), transaction.token));
    await fillInEverything(harness(), first, transaction);
    const form = await first.open('signature');
    await first.sendFile(form, `${first.base}/signature`, {}, new File([Uint8Array.from(INK)], 'ink.png'));
    const { template } = await readDetail(harness(), transaction.id);
    const { id } = template.fields.find(
      ({ label, recipient_id }) => label === 'Signature' && recipient_id === transaction.recipientId,
    )!;
    await first.submitForm('review', 'submit', {});
    const token = await currentToken(harness(), transaction.id);
    const second = await giveConsent(await openSigningPages(harness(), token));
    expect((await second.open('document')).html).toContain(`${second.base}/marks/${id}.png`);
    expect((await second.open(`marks/${id}.png`)).status).toBe(200);
    const ofSecond = template.fields.find(
      ({ label, recipient_id }) => label === 'Signature' && recipient_id !== transaction.recipientId,
    )!;
    await adoptSignature(second);
    expect((await first.open(`marks/${ofSecond.id}.png`)).status).toBe(404);
  });
});
