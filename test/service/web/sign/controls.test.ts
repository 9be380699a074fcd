// Controls fit what they are for: a line for a line, an example that the field takes, and boxes that say what to do in them.
import { expect, test } from 'vitest';
import { describeSharedService } from '../../../support/describe-service.ts';
import { giveConsent, openSigningPages, SIGNER } from '../../../support/fixtures/signing-pages.ts';
import {
  createDraft,
  type Draft,
  fieldFor,
  readDetail,
  tokenOf,
  updateBodyOf,
} from '../../../support/fixtures/transactions.ts';
import { SLOW, sampleOf } from '../../../support/tier.ts';

type FieldBody = ReturnType<typeof fieldFor>;

describeSharedService('the controls of fields', (harness) => {
  async function withFields(fieldsOf: (draft: Draft) => FieldBody[]) {
    const draft = await createDraft(harness(), [SIGNER]);
    const params = { transactionId: draft.id };
    const body = updateBodyOf(draft.detail, { fields: fieldsOf(draft) });
    await harness().client['transaction.update']({ params, body });
    const { url } = await harness().client['transaction.start']({ params });
    const guest = await giveConsent(await openSigningPages(harness(), tokenOf(url)));
    const { template } = await readDetail(harness(), draft.id);
    const idOf = (label: string) => template.fields.find((field) => field.label === label)?.id ?? '';
    return { guest, idOf };
  }

  test.skipIf(!SLOW)('a text field asks for several lines where its box has room for three', async () => {
    const heights = { low: 24, line: 40, lines: 44, large: 16 };
    const { guest, idOf } = await withFields((draft) =>
      Object.entries(heights).map(([label, height], index) =>
        fieldFor(draft, SIGNER.email, {
          type: 'text',
          label,
          height,
          positionY: 100 + index * 60,
          ...(label === 'large' && { height: 60, font_size: 20 }),
        }),
      ),
    );
    const { html } = await guest.open('document');
    const kindOf = (label: string) => new RegExp(`<(\\w+) id="field-${idOf(label)}"`).exec(html)?.[1];
    expect(Object.keys(heights).map(kindOf)).toEqual(['input', 'input', 'textarea', 'input']);
    const value = `value-${idOf('line')}`;
    await guest.submitForm('document', 'values', { [value]: 'two\r\nlines' });
    expect((await guest.open('document')).html).toContain('>\ntwo\nlines</textarea>');
  });

  test.each(
    sampleOf(
      [
        [{ min_value: 1, max_value: 50 }, 'such as 25'],
        [{ min_value: 0.5, max_value: 0.9 }, 'such as 0.7'],
        [{}, 'such as 1,500.50'],
      ],
      3,
    ),
  )('the example for a number with the limits %j is one that the field takes', async (limits, example) => {
    const { guest, idOf } = await withFields((draft) => [
      fieldFor(draft, SIGNER.email, { type: 'number', label: 'Days', ...limits }),
    ]);
    const value = `value-${idOf('Days')}`;
    await guest.submitForm('document', 'values', { [value]: 'many' });
    expect((await guest.open('document')).text).toContain(`Enter a number in “Days”, ${example}`);
    await guest.submitForm('document', 'values', { [value]: example.replace('such as ', '') });
    expect((await guest.open('review')).status).toBe(200);
  });

  test('a very small value is told, whichever pages come with the fields', async () => {
    const { guest, idOf } = await withFields((draft) => [
      fieldFor(draft, SIGNER.email, { type: 'text', label: 'Place', width: 30, height: 10 }),
    ]);
    const id = idOf('Place');
    await guest.submitForm('document', 'values', { [`value-${id}`]: 'Long names of places. '.repeat(10) });
    for (const page of ['document', 'document?page=2', 'fields'])
      expect((await guest.open(page)).html, page).toMatch(
        new RegExp(`id="field-${id}-small" data-small aria-live="polite">[^<]`),
      );
  });

  test('the boxes of signatures and initials say what to do in them, and the panel how they are called', async () => {
    const { guest } = await withFields((draft) => [
      fieldFor(draft, SIGNER.email, { label: 'Buyer' }),
      fieldFor(draft, SIGNER.email, { type: 'initials', positionY: 700 }),
      fieldFor(draft, SIGNER.email, { type: 'date', label: 'Today', positionY: 500 }),
    ]);
    const { html } = await guest.open('document');
    const labels = [...html.matchAll(/<text class="label[^>]*>([^<]*)</g)].map(([, text = '']) =>
      text.replaceAll(/[\u2068\u2069]/g, ''),
    );
    expect(labels).toEqual(['Today *', 'Sign here', 'Initial here']);
    expect(html).toContain('<legend><bdi>Buyer</bdi>');
  });

  test('each page has one button that leads on, and rejecting is apart from it', async () => {
    const { guest } = await withFields((draft) => [fieldFor(draft, SIGNER.email)]);
    await guest.sendFile(await guest.open('signature'), `${guest.base}/signature`, { text: 'Ada' });
    for (const [page, primary] of [
      ['document', 'Review'],
      ['signature', 'Use this signature'],
      ['review', 'Sign now'],
    ] as const) {
      const { html } = await guest.open(page);
      const buttons = [...html.matchAll(/<(?:a|button)\b([^>]*)>([^<]*)</g)].filter(
        ([, attributes = '']) =>
          !/hidden|unseen|data-(next|all|previous|today|zoom)/.test(attributes) &&
          !/class="[^"]*\b(plain|danger)\b/.test(attributes) &&
          (/class="button/.test(attributes) || !/href=/.test(attributes)),
      );
      expect(buttons.map(([, , text]) => text)).toEqual([primary]);
      if (page !== 'signature') expect(html).toMatch(/<a class="button danger apart" href="[^"]*\/reject">/);
      expect(/<header[\s\S]*?<\/header>/.exec(html)?.[0]).not.toContain('/reject');
    }
  });
});
