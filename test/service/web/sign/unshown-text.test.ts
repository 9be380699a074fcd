// Text that no font of the service has: the recipient reads it on the page, and nothing is signed before they have confirmed it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isLanguage, LANGUAGES } from '../../../../src/api/contract/languages.ts';
import { useSystemFontFolders } from '../../../../src/pdf/fonts/system-fonts.ts';
import { checkEvidence } from '../../../../src/pdf/write/certificate/evidence.ts';
import { evidenceIn } from '../../../../src/pdf/write/certificate/evidence-file.ts';
import { loadWords } from '../../../../src/service/web/sign/words.ts';
import { wordsOnPage } from '../../../support/documents/certificate.ts';
import {
  adoptSignature,
  giveConsent,
  openSigningPages,
  type SigningBrowser,
  startWithEveryField,
  startWithUnshownText,
} from '../../../support/fixtures/signing-pages.ts';
import { readDetail, signWith } from '../../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../../support/harness.ts';

const LINES = ['7: 계약 9,000원 f', '김철수'];

beforeAll(() => useSystemFontFolders([]));
afterAll(() => useSystemFontFolders(undefined));

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness('in process');
});
afterEach(async () => {
  expect(harness.errors).toEqual([]);
  await harness.close();
});

type StartedTransaction = { id: string; token: string; recipientId: string };

/** At the review, with everything filled in. */
async function reviewing(transaction: StartedTransaction, language = 'en'): Promise<SigningBrowser> {
  const guest = await giveConsent(
    await openSigningPages(harness, transaction.token, { 'accept-language': language }),
  );
  await adoptSignature(guest);
  return guest;
}

const setRemarks = (id: string, remarks: object[]) =>
  harness.store.database.write((db) =>
    db
      .updateTable('document')
      .set({ remarks: JSON.stringify(remarks) })
      .where('template_id', '=', id)
      .execute(),
  );

describe('text that no font has', () => {
  test('stands with its page on the page of the documents and on the review', async () => {
    const guest = await reviewing(await startWithUnshownText(harness, LINES));
    for (const path of ['document', 'review']) {
      const { text, html } = await guest.open(path);
      expect(text, path).toContain('Text that the pages do not show');
      expect(text, path).toContain('Page 1, contract.pdf');
      expect(html, path).toContain('<blockquote dir="auto">계약 9,000원\n김철수</blockquote>');
      const textPage = /href="([^"]+\/text\/[\w-]+)">Read as text/.exec(html)?.[1] ?? '';
      expect((await guest.get(textPage)).text, path).toContain('7: 계약 9,000원 f');
    }
  });

  test('stops the signature until it is confirmed', async () => {
    const transaction = await startWithUnshownText(harness, LINES);
    const guest = await reviewing(transaction);
    for (const given of [{}, { unshown: 'no' }]) {
      const refused = await guest.submitForm('review', 'submit', given);
      expect(refused.status).toBe(422);
      expect(refused.html).toContain('<title>Error: ');
      const [, target = ''] =
        /<a href="#([\w-]+)">Confirm that you know about the text/.exec(refused.html) ?? [];
      expect(refused.html).toMatch(
        new RegExp(
          `<input type="checkbox" id="${target}"[^>]* aria-invalid="true" aria-describedby="${target}-wrong"`,
        ),
      );
      expect(refused.html).toContain(`id="${target}-wrong"`);
      expect(refused.text).toContain('계약');
      expect(await readDetail(harness, transaction.id)).toMatchObject({ status: 'started' });
    }
    const signed = await guest.submitForm('review', 'submit', { unshown: 'yes' });
    expect(signed.location).toBe(guest.base);
    expect(await readDetail(harness, transaction.id)).toMatchObject({ status: 'completed' });
  });

  test('is in the evidence and on the certificate, with the confirmation', async () => {
    const transaction = await startWithUnshownText(harness, LINES);
    await (await reviewing(transaction)).submitForm('review', 'submit', { unshown: 'yes' });
    const [sealed] = (await readDetail(harness, transaction.id)).sealed_documents;
    const { bytes } = await harness.client['file.content']({ params: { fileId: sealed?.id ?? '' } });
    const checked = checkEvidence(evidenceIn(bytes) ?? '');
    const evidence = checked.ok ? checked.evidence : undefined;
    expect(evidence?.documents[0]?.remarks).toEqual([
      { code: 'fonts_missing', page: 0, what: 'HYSMyeongJo-Medium', text: '계약 9,000원\n김철수' },
    ]);
    const signed = evidence?.entries.filter(({ type }) => type === 'signed');
    expect(signed).toMatchObject([{ details: { unshown_text: 'confirmed' } }]);
    const words = (await wordsOnPage(bytes, 1)).replace(/\s+/g, ' ');
    expect(words).toContain('Confirmed knowing of text that');
    expect(words).toContain('no installed font has Korean characters.');
    expect(words).not.toContain('ESIGN_FONTS');
  });

  test('is confirmed on the page alone: a submission through the API needs and records nothing of it', async () => {
    const transaction = await startWithUnshownText(harness, LINES);
    await signWith(harness, transaction.token);
    expect(await readDetail(harness, transaction.id)).toMatchObject({ status: 'completed' });
    const details = await harness.store.database.read((db) =>
      db.selectFrom('audit').select('details').where('type', '=', 'signed').execute(),
    );
    expect(details).toHaveLength(1);
    expect(JSON.stringify(details)).not.toContain('unshown_text');
  });

  test('becomes no markup, and turns no sentence around', async () => {
    const transaction = await startWithUnshownText(harness, LINES);
    await setRemarks(await templateOf(transaction), [
      { code: 'fonts_missing', page: 0, what: '<i>', text: '</blockquote><script>김' },
    ]);
    const guest = await reviewing(transaction);
    for (const path of ['document', 'review'])
      expect((await guest.open(path)).html, path).toContain(
        '<blockquote dir="auto">&lt;/blockquote&gt;&lt;script&gt;김</blockquote>',
      );
  });

  test('is asked about as well where it is not known, or stands on pages that are not named', async () => {
    const transaction = await startWithUnshownText(harness, LINES);
    const remarks = [{ code: 'fonts_missing', page: 0, what: 'Wingdings' }, { code: 'fonts_missing' }];
    await setRemarks(await templateOf(transaction), remarks);
    const guest = await reviewing(transaction);
    const review = await guest.open('review');
    expect(review.text).toContain('This text cannot be read out of the file');
    expect(review.text).toContain('Other pages of contract.pdf may also contain text');
    expect(await guest.submitForm('review', 'submit', {})).toMatchObject({ status: 422 });
  });
});

const templateOf = async ({ id }: StartedTransaction): Promise<string> =>
  (
    await harness.store.database.read((db) =>
      db.selectFrom('transaction').select('template_id').where('id', '=', id).executeTakeFirstOrThrow(),
    )
  ).template_id;

test('a document whose text is all shown asks for no confirmation', async () => {
  const guest = await giveConsent(
    await openSigningPages(harness, (await startWithEveryField(harness)).token),
  );
  expect((await guest.open('document')).text).not.toContain('Text that the pages do not show');
});

test.each(Object.keys(LANGUAGES).filter(isLanguage))(
  '%s: says it, and what is wrong without the box',
  async (language) => {
    const words = await loadWords(language);
    const guest = await reviewing(await startWithUnshownText(harness, LINES), language);
    expect((await guest.open('document')).text).toContain(words.unshownTitle);
    const review = await guest.open('review');
    for (const sentence of [words.unshownTitle, words.unshownLead, words.unshownConfirm])
      expect(review.text).toContain(sentence);
    const refused = await guest.send(review, `${guest.base}/submit`, {});
    expect(refused.text.split(words.unshownFirst)).toHaveLength(3);
  },
);
