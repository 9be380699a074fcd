// A date with the value "today" is the day on which its recipient signs, where they are. Pages, review, sealed document, certificate and
// evidence have the same day, and no other day than the one that was reviewed is signed.
import { beforeEach, describe, expect, test } from 'vitest';
import { instantOf } from '../../../../src/common/instant.ts';
import { readText } from '../../../../src/pdf/text/text-layer.ts';
import { checkEvidence } from '../../../../src/pdf/write/certificate/evidence.ts';
import { evidenceIn } from '../../../../src/pdf/write/certificate/evidence-file.ts';
import { loadWords } from '../../../../src/service/web/sign/words.ts';
import { describeService } from '../../../support/describe-service.ts';
import { openSigningPages, SIGNER } from '../../../support/fixtures/signing-pages.ts';
import {
  BOB,
  createDraft,
  fieldFor,
  readDetail,
  refusalOf,
  tokenOf,
} from '../../../support/fixtures/transactions.ts';
import type { Harness } from '../../../support/harness.ts';

const EN = await loadWords('en');

const DATE = {
  type: 'date',
  label: 'Date',
  value: 'today',
  date_format: 'DD.MM.YYYY',
  positionX: 72,
  positionY: 300,
  width: 150,
  height: 20,
} as const;

/** The first of December in Auckland, and the last of November in most of the world. */
const NOVEMBER_30 = Date.parse('2026-11-30T20:00:00.000Z');
const HOUR_MS = 3_600_000;

async function start(harness: Harness, more: Partial<Parameters<typeof fieldFor>[2]> = {}) {
  const draft = await createDraft(harness, [SIGNER, BOB]);
  const params = { transactionId: draft.id };
  const fields = [fieldFor(draft, SIGNER.email, { ...DATE, ...more })];
  await harness.client['transaction.fields']({ params, body: { fields } });
  const { url } = await harness.client['transaction.start']({ params });
  const { template } = await readDetail(harness, draft.id);
  return { id: draft.id, params, token: tokenOf(url), field: template.fields[0]! };
}

async function open(harness: Harness, token: string, time_zone: string) {
  const guest = await openSigningPages(harness, token);
  await guest.submitForm('', 'consent', { agree: 'yes', time_zone });
  return guest;
}

async function sealedOf({ client }: Harness, id: string) {
  const { sealed_documents, template } = await readDetail({ client }, id);
  const { bytes } = await client['file.content']({ params: { fileId: sealed_documents[0]?.id ?? '' } });
  const textOf = async (page: number) => {
    const read = await readText(bytes, page);
    return read.ok ? read.drawn.replace(/\s+/g, '') : '';
  };
  const checked = checkEvidence(evidenceIn(bytes) ?? '');
  if (!checked.ok) throw new Error(checked.fault);
  const pages = template.documents[0]?.pages.length ?? 0;
  return { page: await textOf(0), certificate: await textOf(pages), ...checked.evidence };
}

describeService('a date of signing', (harness) => {
  beforeEach(() => {
    harness().clock.now = NOVEMBER_30;
  });

  test('is read-only, whatever the request says, and the sender sees that it is filled in', async () => {
    const { field } = await start(harness(), { readonly: false });
    expect(field).toMatchObject({ value: 'today', readonly: true });
  });

  test('reads the same on the pages, in the sealed document, its certificate and the evidence', async () => {
    const { id, params, token } = await start(harness());
    const guest = await open(harness(), token, 'Pacific/Auckland');
    const note = 'Date of signing, filled in automatically (time zone: Pacific/Auckland)';
    const page = await guest.open('document');
    expect(page.text).toContain('01.12.2026');
    expect(page.text).toContain(note);
    expect(page.html).not.toMatch(/<input[^>]* type="date"/);
    const review = await guest.open('review');
    expect(review.text.split('Your entries')[1]).toContain(`${note} 01.12.2026`);
    expect(review.text).not.toContain('Change: ');
    expect(review.text).not.toContain('Filled in by the sender');
    await guest.send(review, `${guest.base}/submit`, {});
    await harness().client['sandbox.sign']({ params, body: { values: {} } });
    const sealed = await sealedOf(harness(), id);
    expect(sealed.page).toContain('01.12.2026');
    expect(sealed.certificate).toContain('01.12.2026');
    expect(sealed.certificate).toContain('Dateofsigning(Pacific/Auckland),filledinbytheservice');
    expect(sealed.fields[0]).toMatchObject({
      value: '2026-12-01',
      written: '01.12.2026',
      filled_in_by: 'service',
    });
  });

  test('names the time zone in the entry of a command of the sandbox that signs for a person who agreed before', async () => {
    const { id, params, token } = await start(harness());
    await open(harness(), token, 'Pacific/Auckland');
    await harness().client['sandbox.sign']({ params, body: { values: {} } });
    await harness().client['sandbox.sign']({ params, body: { values: {} } });
    const { fields, entries } = await sealedOf(harness(), id);
    expect(fields[0]).toMatchObject({ value: '2026-12-01' });
    expect(entries.find(({ type }) => type === 'signed')?.details).toMatchObject({
      by: 'sandbox sign',
      time_zone: 'Pacific/Auckland',
    });
  });

  test('is that of UTC, which is named, for a browser that names no time zone', async () => {
    const { token } = await start(harness());
    const guest = await open(harness(), token, '');
    expect((await guest.open('review')).text).toContain('(time zone: UTC) 30.11.2026');
  });

  test('cannot be changed on the page, and is not stored before it is signed', async () => {
    const { id, token, field } = await start(harness());
    const guest = await open(harness(), token, 'Pacific/Auckland');
    await guest.submitForm('document', 'values', { [`value-${field.id}`]: '2020-01-01' });
    expect((await guest.open('review')).text).toContain('01.12.2026');
    harness().clock.advance(24 * HOUR_MS);
    expect((await guest.open('review')).text).toContain('02.12.2026');
    expect((await readDetail(harness(), id)).template.fields[0]?.value).toBe('today');
  });

  describe('that changes between review and submission', () => {
    test('leads back to the review, which says so, and is signed as it is shown there', async () => {
      const { id, params, token } = await start(harness());
      const guest = await open(harness(), token, 'Europe/Berlin');
      const review = await guest.open('review');
      expect(review.text).toContain('30.11.2026');
      harness().clock.advance(3 * HOUR_MS);
      const sent = await guest.send(review, `${guest.base}/submit`, {});
      expect(sent.location).toBe(`${guest.base}/review?new_day=1`);
      const again = await guest.open('review?new_day=1');
      expect(again.text).toContain(EN.dateChanged);
      expect(again.text).toContain('01.12.2026');
      expect((await readDetail(harness(), id)).template.recipients.map((one) => one.submitted_at)).toEqual([
        null,
        null,
        null,
      ]);
      await guest.send(again, `${guest.base}/submit`, {});
      await harness().client['sandbox.sign']({ params, body: { values: {} } });
      expect((await sealedOf(harness(), id)).fields[0]).toMatchObject({ value: '2026-12-01' });
    });

    test('is not signed for a form that claims the new day with what was shown before', async () => {
      const { token } = await start(harness());
      const guest = await open(harness(), token, 'Europe/Berlin');
      const review = await guest.open('review');
      harness().clock.advance(3 * HOUR_MS);
      const sent = await guest.send(review, `${guest.base}/submit`, { day: '2026-12-01' });
      expect(sent.location).toBe(`${guest.base}/review?changed=1`);
    });
  });

  describe('of a program that shows its own page', () => {
    const see = (token: string) => harness().client['signing.view']({ query: { token } });
    const submit = (token: string, values: { field_id: string; value: string }[]) =>
      harness().client['signing.submit']({ query: { token }, body: { values } });

    test('is submitted as it was shown', async () => {
      const { token } = await start(harness());
      const { id, value, readonly } = (await see(token)).fields[0]!;
      expect([value, readonly]).toEqual(['2026-11-30', true]);
      expect(await submit(token, [{ field_id: id, value: value ?? '' }])).toMatchObject({
        submitted_at: instantOf(NOVEMBER_30),
      });
    });

    test.each([
      ['another day than it is now', '2026-11-30'],
      ['a day that was not shown', 'today'],
      ['no day', undefined],
    ])('is refused with %s', async (_, value) => {
      const { token, field } = await start(harness());
      await see(token);
      harness().clock.advance(4 * HOUR_MS);
      const values = value === undefined ? [] : [{ field_id: field.id, value }];
      expect((await refusalOf(submit(token, values))).errors).toEqual([
        {
          path: `values.${field.id}`,
          message:
            'Date is the date of signing, which is 2026-12-01 now. Show this date to the recipient and submit it as the value',
        },
      ]);
    });
  });

  test('is kept by a template, for whoever signs a transaction that is made with it', async () => {
    const { params } = await start(harness());
    const { id } = await harness().client['sandbox.save_template']({ params, body: { name: 'Standard' } });
    const draft = await harness().client['transaction.create']({ body: {} });
    await harness().client['transaction.use_templates']({
      params: { transactionId: draft.id },
      body: { templates: [{ id }] },
    });
    const { template } = await readDetail(harness(), draft.id);
    expect(template.fields.at(-1)).toMatchObject({ type: 'date', value: 'today', readonly: true });
  });

  test.each([
    [
      'another spelling',
      { value: 'Today' },
      'value',
      'must be a date in the form YYYY-MM-DD, or "today" for the date of signing',
    ],
    ['a pattern', { regex: '^2026' }, 'regex', 'must be null for a date with the value "today"'],
    ['a length that no date has', { max_length: 4 }, 'value', 'must have at most 4 characters'],
  ])('is refused with %s', async (_, more, property, message) => {
    const refusal = await refusalOf(start(harness(), more));
    expect(refusal.errors).toEqual([{ path: `fields.0.${property}`, message }]);
  });
});
