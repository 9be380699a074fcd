// A value reads the same wherever it is shown: in its field, in the review, in the sealed document with its certificate, and in the
// evidence. What only the sender fills in is the sender's on every page.
import { expect, test } from 'vitest';
import { DATE_FORMATS, formatDate } from '../../../../src/api/contract/languages.ts';
import { readText } from '../../../../src/pdf/text/text-layer.ts';
import { checkEvidence } from '../../../../src/pdf/write/certificate/evidence.ts';
import { evidenceIn } from '../../../../src/pdf/write/certificate/evidence-file.ts';
import { describeSharedService } from '../../../support/describe-service.ts';
import {
  adoptSignature,
  giveConsent,
  openSigningPages,
  SIGNER,
} from '../../../support/fixtures/signing-pages.ts';
import {
  createDraft,
  type Draft,
  fieldFor,
  readDetail,
  refusalOf,
  tokenOf,
} from '../../../support/fixtures/transactions.ts';
import type { Harness } from '../../../support/harness.ts';

type FieldBody = ReturnType<typeof fieldFor>;

async function start(harness: Harness, fieldsOf: (draft: Draft) => FieldBody[]) {
  const draft = await createDraft(harness, [SIGNER]);
  const params = { transactionId: draft.id };
  await harness.client['transaction.fields']({ params, body: { fields: fieldsOf(draft) } });
  const { url } = await harness.client['transaction.start']({ params });
  const guest = await giveConsent(await openSigningPages(harness, tokenOf(url)));
  const { template } = await readDetail(harness, draft.id);
  return { guest, id: draft.id, fields: template.fields };
}

const condensed = (text: string): string => text.replace(/\s+/g, '');

async function sealedOf({ client }: Harness, id: string) {
  const { sealed_documents, template } = await readDetail({ client }, id);
  const { bytes } = await client['file.content']({ params: { fileId: sealed_documents[0]?.id ?? '' } });
  const pages = template.documents[0]?.pages.length ?? 0;
  const textOf = async (page: number) => {
    const read = await readText(bytes, page);
    return read.ok ? condensed(read.drawn) : '';
  };
  const checked = checkEvidence(evidenceIn(bytes) ?? '');
  if (!checked.ok) throw new Error(checked.fault);
  return { page: await textOf(0), certificate: await textOf(pages), fields: checked.evidence.fields };
}

describeSharedService('a value', (harness) => {
  test('that is a date is read in the form that the sender chose, and stored as it was', async () => {
    const { guest, id, fields } = await start(harness(), (draft) =>
      DATE_FORMATS.map((date_format, index) =>
        fieldFor(draft, SIGNER.email, {
          type: 'date',
          label: date_format,
          date_format,
          date_language: 'pt',
          width: 150,
          height: 20,
          positionX: 72,
          positionY: 300 + index * 30,
          ...(index % 2 === 0 ? { value: '2026-03-05', readonly: index > 0 } : {}),
        }),
      ),
    );
    expect(fields.map(({ date_format }) => date_format)).toEqual([undefined, ...DATE_FORMATS.slice(1)]);
    expect(fields.map(({ date_language }) => date_language)).toEqual(DATE_FORMATS.map(() => 'pt'));
    // A browser without a control for dates sends what was typed.
    const values = Object.fromEntries(fields.map((field) => [`value-${field.id}`, '5 de março de 2026']));
    await guest.submitForm('document', 'values', values);
    const review = await guest.open('review');
    await guest.send(review, `${guest.base}/submit`, {});
    const sealed = await sealedOf(harness(), id);
    for (const format of DATE_FORMATS) {
      const written = formatDate('2026-03-05', { date_format: format, date_language: 'pt' });
      expect(review.text).toContain(written);
      expect(sealed.page).toContain(condensed(written));
      expect(sealed.certificate).toContain(condensed(written));
      const field = sealed.fields.find(({ label }) => label === format);
      expect(field).toMatchObject({ value: '2026-03-05' });
      expect(field?.written).toBe(format === 'YYYY-MM-DD' ? undefined : written);
    }
  });

  test('that only the sender fills in is named as such, can be read as a whole and is not offered for change', async () => {
    const long = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch '.repeat(8).trim();
    const { guest, id } = await start(harness(), (draft) => {
      const at = (positionY: number, more: Partial<FieldBody>) =>
        fieldFor(draft, SIGNER.email, { positionX: 72, positionY, width: 200, height: 40, ...more });
      return [
        at(120, { type: 'text', label: 'Place', value: long, readonly: true }),
        at(200, { type: 'checkbox', label: 'Insured', value: true, readonly: true }),
        at(240, { type: 'number', label: 'Price', value: '1500.5', readonly: true }),
        at(300, { type: 'select', label: 'Color', options: ['Red', 'Blue'], value: 'Red' }),
        at(400, { type: 'signature', label: 'Name' }),
      ];
    });
    const { html } = await guest.open('document');
    expect(html).toContain(`dir="auto">${long}</p>`);
    expect(html).not.toMatch(/<(input|textarea)[^>]* (readonly|disabled)/);
    await adoptSignature(guest);
    const review = await guest.open('review');
    const [sender = '', own = ''] = review.text.split('Your entries');
    expect(sender).toMatch(/Filled in by the sender.*Place.*Insured.*Checked.*Price.*1500\.5/s);
    expect(sender).not.toContain('Change:');
    expect(sender.split('Filled in by the sender')[1]).not.toMatch(/\bChange\b/);
    expect(own).toMatch(/Color Page 1, contract\.pdf · Filled in by the sender Red Change/);
    expect(review.html).not.toContain('Change: ⁨Place');
    await guest.send(review, `${guest.base}/submit`, {});
    const sealed = await sealedOf(harness(), id);
    for (const words of [condensed(long), '1500.5']) expect(sealed.page).toContain(words);
    expect(sealed.certificate).toMatch(/Insured.*Checked/);
  });

  test('of another type than a date has no form of a date', async () => {
    const refusal = await refusalOf(
      start(harness(), (draft) => [
        fieldFor(draft, SIGNER.email, { type: 'text', date_format: 'DD.MM.YYYY' }),
      ]),
    );
    expect(refusal).toMatchObject({
      status: 422,
      errors: [{ path: 'fields.0.date_format', message: 'is for date fields, not for text' }],
    });
    const named = await refusalOf(
      start(harness(), (draft) => [fieldFor(draft, SIGNER.email, { type: 'text', date_language: 'de' })]),
    );
    expect(named.errors).toEqual([
      { path: 'fields.0.date_language', message: 'is for date fields, not for text' },
    ]);
  });
});
