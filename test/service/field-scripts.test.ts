// Texts in every script, in fields with a pattern, through every way to hand them in. What can be drawn depends on the fonts of
// the machine, so each way has to agree with the fonts: the text is taken, or each character that no font has is named.
import { expect, test } from 'vitest';
import { missingFor } from '../../src/pdf/write/missing.ts';
import { describeSharedService } from '../support/describe-service.ts';
import { controlNamesOf, giveConsent, openSigningPages } from '../support/fixtures/signing-pages.ts';
import {
  ADA,
  BOB,
  createDraft,
  currentToken,
  fieldFor,
  readDetail,
  refusalOf,
} from '../support/fixtures/transactions.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

/** The text, the pattern it matches, and whether the fonts of esign have it. */
const TEXTS: [script: string, text: string, regex: string, isBundled: boolean][] = [
  ['Latin', 'Łódź', '^\\p{L}+$', true],
  ['Cyrillic', 'Москва', '^\\p{L}+$', true],
  ['Greek', 'Θεσσαλονίκη', '^\\p{Greek}+$', true],
  ['Hebrew', 'ירושלים', '^\\p{L}+$', true],
  ['Arabic', 'القاهرة', '^\\p{Arabic}+$', true],
  ['typographic punctuation', 'A – “B” …', '^[A-Z –“”…]+$', true],
  ['Vietnamese', 'Nguyễn', '^\\p{L}{6}$', true],
  ['combining marks', 'Zoe\u0308', '^[\\p{L}\\p{M}]+$', true],
  ['Chinese', '北京', '^\\p{Han}{2}$', false],
  ['Korean', '서울', '^\\p{Hangul}+$', false],
  ['emoji', 'Yes 👍', '^Yes .$', false],
  ['characters that no font has', 'A\u{10fffd}\u{e0ff}', '^A..$', false],
];

/** Through the pages in every run; the others in the slow tier only. */
const OFTEN = ['Cyrillic', 'typographic punctuation', 'emoji', 'characters that no font has'];

const LOOK = { type: 'text', font_family: 'Helvetica', is_bold: false, is_italic: false } as const;

const matching = (regex: string, text: string): boolean =>
  new RegExp(regex.replaceAll(/\\p\{(Greek|Arabic|Han|Hangul)\}/g, '\\p{Script=$1}'), 'u').test(text);

describeSharedService('a text in a field with a pattern', (harness) => {
  /** Started; another recipient signs afterwards, so that nothing has to be sealed. */
  async function started(regex: string) {
    const draft = await createDraft(harness(), [ADA, BOB]);
    const params = { transactionId: draft.id };
    const fields = [
      fieldFor(draft, ADA.email, { type: 'text', label: 'City', regex }),
      fieldFor(draft, BOB.email),
    ];
    await harness().client['transaction.fields']({ params, body: { fields } });
    await harness().client['transaction.start']({ params });
    const { template } = await readDetail(harness(), draft.id);
    return {
      id: draft.id,
      token: await currentToken(harness(), draft.id),
      recipientId: template.recipients.find(({ email }) => email === ADA.email)?.id ?? '',
      fieldId: template.fields.find(({ label }) => label === 'City')?.id ?? '',
    };
  }

  const storedValue = (fieldId: string) =>
    harness()
      .store.database.read((db) =>
        db.selectFrom('field').select('value').where('id', '=', fieldId).executeTakeFirstOrThrow(),
      )
      .then(({ value }) => value);

  /** Signs with the text. @returns what is said against it, or undefined when it was taken */
  const WAYS: Record<string, (regex: string, text: string) => Promise<string | undefined>> = {
    async 'the API'(regex, text) {
      const transaction = await started(regex);
      const submit = () =>
        harness().client['signing.submit']({
          query: { token: transaction.token },
          body: { values: [{ field_id: transaction.fieldId, value: text }] },
        });
      return takenOrRefused(transaction, text, submit);
    },
    async 'sandbox sign'(regex, text) {
      const transaction = await started(regex);
      const params = { transactionId: transaction.id };
      const sign = () => harness().client['sandbox.sign']({ params, body: { values: { City: text } } });
      return takenOrRefused(transaction, text, sign);
    },
    async 'the signing page without a script'(regex, text) {
      const { transaction, guest, name } = await opened(regex);
      const kept = await guest.submitForm('document', 'values', { [name]: text, go: 'review' });
      expect(kept.location).toBe(`${guest.base}/review`);
      return reviewedAndSigned(transaction, guest, text);
    },
    async 'the signing page that saves while typing'(regex, text) {
      const { transaction, guest, name } = await opened(regex);
      const document = await guest.open('document');
      const json = { headers: { accept: 'application/json' } };
      // A part of it first, as while a person types.
      await guest.send(document, `${guest.base}/values`, { [name]: [...text][0] ?? '' }, json);
      const saved = await guest.send(document, `${guest.base}/values`, { [name]: text }, json);
      const { left, wrong } = JSON.parse(saved.html) as { left: number; wrong: Record<string, string> };
      expect(left).toBe(Object.keys(wrong).length);
      const refused = await reviewedAndSigned(transaction, guest, text);
      expect(wrong[transaction.fieldId] === undefined).toBe(refused === undefined);
      return refused;
    },
  };

  type StartedTransaction = Awaited<ReturnType<typeof started>>;

  async function takenOrRefused(transaction: StartedTransaction, text: string, sign: () => Promise<unknown>) {
    const refusal = await sign().then(
      () => undefined,
      (error) => refusalOf(Promise.reject(error)),
    );
    if (refusal === undefined) expect(await storedValue(transaction.fieldId)).toBe(text);
    else expect(refusal).toMatchObject({ status: 422, code: 'validation_failed' });
    return refusal?.errors.map(({ message }) => message).join('\n');
  }

  async function opened(regex: string) {
    const transaction = await started(regex);
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    const { City: name = '' } = await controlNamesOf(harness(), transaction);
    return { transaction, guest, name };
  }

  async function reviewedAndSigned(
    transaction: StartedTransaction,
    guest: Awaited<ReturnType<typeof giveConsent>>,
    text: string,
  ) {
    const review = await guest.open('review');
    if (review.status !== 200) {
      expect(review.location).toBe(`${guest.base}/document?check=1`);
      return (await guest.open('document?check=1')).text;
    }
    expect((await guest.send(review, `${guest.base}/submit`, {})).location).toBe(guest.base);
    expect(await storedValue(transaction.fieldId)).toBe(text);
    return undefined;
  }

  test.each(
    sampleOf(
      TEXTS.flatMap(([script, text, regex, isBundled]) =>
        Object.keys(WAYS)
          .filter((way) => SLOW || !way.includes('page') || OFTEN.includes(script))
          .map((way) => [script, way, text, regex, isBundled] as const),
      ),
      5,
    ),
  )(
    'in %s through %s is taken, or each character that no font has is named',
    async (_, way, text, regex, isBundled) => {
      expect(matching(regex, text)).toBe(true);
      const missing = missingFor(text, LOOK);
      if (isBundled) expect(missing).toEqual([]);
      const refused = await WAYS[way]?.(regex, text);
      if (missing.length === 0) expect(refused).toBeUndefined();
      else {
        expect(refused).toMatch(/cannot be written into the document/);
        for (const character of missing) expect(refused).toContain(character);
      }
    },
  );

  test.each(sampleOf(Object.keys(WAYS), 2))(
    'that does not match is refused for that alone, through %s',
    async (way) => {
      const refused = await WAYS[way]?.('^[a-z]+$', 'Москва');
      expect(refused).toMatch(/(required form|required format)/);
      expect(refused).not.toMatch(/cannot be written|checked yet|send the documents? again/);
    },
  );
});
