// What the sender's program states that it did to a file before the upload: checked when it arrives, kept through templates, and recorded
// in the evidence and on the certificate as a statement of the sender.
import { expect, test } from 'vitest';
import type { PreparationInput } from '../../src/api/contract/files.ts';
import { LIMITS } from '../../src/api/contract/limits.ts';
import { readPdf } from '../../src/pdf/read/read-pdf.ts';
import { evidenceOf } from '../../src/pdf/verify/verify.ts';
import { describeService, describeSharedService } from '../support/describe-service.ts';
import { wordsOnPage } from '../support/documents/certificate.ts';
import {
  ADA,
  readDetail,
  refusalOf,
  SENDER,
  updateBodyOf,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import type { Harness } from '../support/harness.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const SHA256 = 'c0ffee00'.repeat(8);
const STATED: PreparationInput = {
  original: { sha256: SHA256, bytes: 4321 },
  removed_tags: [
    { page: 0, text: '{{signature, r1}}' },
    { page: 2, text: '{{Ort;type=text}}' },
  ],
  emptied_form_boxes: 3,
  drawn_values: 1,
};
/** Of the contract, before its certificate. */
const PAGES = 3;

async function createWith(harness: Harness, preparation: unknown): Promise<string> {
  const { client } = harness;
  const { id: transactionId } = await client['transaction.create']({ body: {} });
  const body = { token: await uploadContract(harness), preparation: preparation as PreparationInput };
  await client['transaction.add_document']({ params: { transactionId }, body });
  return transactionId;
}

const statedIn = async (harness: Harness, id: string): Promise<unknown[]> =>
  (await readDetail(harness, id)).template.documents.map((document) => document.preparation);

/** Asks Ada to sign, signs as her, and returns the sealed document. */
async function sealFor(harness: Harness, transactionId: string): Promise<Uint8Array> {
  const { client } = harness;
  const params = { transactionId };
  const detail = await readDetail(harness, transactionId);
  const recipients = [
    { ...SENDER, role: 'sender' as const, index: 0 },
    { ...ADA, role: 'signer' as const, index: 1 },
  ];
  await client['transaction.update']({ params, body: updateBodyOf(detail, { name: 'Stated', recipients }) });
  const { template } = await readDetail(harness, transactionId);
  const place = { page: 0, positionX: 100, positionY: 100, width: 200, height: 50 };
  const recipient_id = template.recipients[1]?.id ?? '';
  const document_id = template.documents[0]?.id ?? '';
  const fields = [{ ...place, type: 'signature' as const, document_id, recipient_id }];
  await client['transaction.fields']({ params, body: { fields } });
  await client['transaction.start']({ params });
  await client['sandbox.sign']({ params, body: {} });
  const [sealed] = (await readDetail(harness, transactionId)).sealed_documents;
  return (await client['file.content']({ params: { fileId: sealed?.id ?? '' } })).bytes;
}

describeSharedService('what was done to a file before its upload', (harness) => {
  test('is returned as it was stated, and counts as nothing where it is absent', async () => {
    expect(await statedIn(harness(), await createWith(harness(), STATED))).toEqual([STATED]);
    const least = { original: STATED.original };
    expect(await statedIn(harness(), await createWith(harness(), least))).toEqual([
      { ...least, removed_tags: [], emptied_form_boxes: 0, drawn_values: 0 },
    ]);
    expect(await statedIn(harness(), await createWith(harness(), undefined))).toEqual([undefined]);
  });

  test.each<[string, unknown, string]>(
    sampleOf(
      [
        ['no hash', { original: { sha256: 'abc', bytes: 1 } }, 'preparation.original.sha256'],
        ['no original', { removed_tags: [] }, 'preparation.original'],
        ['a size that is none', { original: { sha256: SHA256, bytes: -1 } }, 'preparation.original.bytes'],
        [
          'a size beyond exact numbers',
          { original: { sha256: SHA256, bytes: 1e300 } },
          'preparation.original.bytes',
        ],
        ...[
          'x'.repeat(LIMITS.tagLength + 1),
          '',
          'a\nb',
          '\u0000',
          '\u001b[31m',
          '\u202eevil',
          'half \ud800',
          7,
        ].map((text): [string, unknown, string] => [
          `the tag ${JSON.stringify(text).slice(0, 20)}`,
          { original: STATED.original, removed_tags: [{ page: 0, text }] },
          'preparation.removed_tags.0.text',
        ]),
        ...[-1, 0.5, LIMITS.pagesPerDocument, '0'].map((page): [string, unknown, string] => [
          `a tag on page ${JSON.stringify(page)}`,
          { original: STATED.original, removed_tags: [{ page, text: '{{a}}' }] },
          'preparation.removed_tags.0.page',
        ]),
        [
          'too many tags',
          {
            original: STATED.original,
            removed_tags: Array.from({ length: LIMITS.fieldsPerTransaction + 1 }, () => ({
              page: 0,
              text: '{{a}}',
            })),
          },
          'preparation.removed_tags',
        ],
        [
          'a number that is too large',
          { original: STATED.original, drawn_values: 1e9 },
          'preparation.drawn_values',
        ],
        ['something else', 'removed', 'preparation'],
      ],
      19,
    ),
  )('is refused with %s', async (_, preparation, path) => {
    const no = await refusalOf(createWith(harness(), preparation));
    expect(no).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(no.errors?.map((error) => error.path)).toContain(path);
  });

  test('is limited for all documents of a transaction together, also through templates', async () => {
    const { client } = harness();
    const tags = (count: number) => Array.from({ length: count }, () => ({ page: 0, text: '{{a}}' }));
    const most = { original: STATED.original, removed_tags: tags(LIMITS.fieldsPerTransaction) };
    const transactionId = await createWith(harness(), most);
    const more = { original: STATED.original, removed_tags: tags(1) };
    const token = await uploadContract(harness());
    const no = await refusalOf(
      client['transaction.add_document']({
        params: { transactionId },
        body: { token, preparation: more },
      }),
    );
    expect(no).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(no.errors?.map(({ path }) => path)).toEqual(['preparation.removed_tags']);
    const template = await client['sandbox.save_template']({
      params: { transactionId },
      body: { name: 'T' },
    });
    const other = await createWith(harness(), more);
    const alsoNo = await refusalOf(
      client['transaction.use_templates']({
        params: { transactionId: other },
        body: { templates: [{ id: template.id }] },
      }),
    );
    expect(alsoNo).toMatchObject({ status: 422, code: 'validation_failed' });
  });

  test('stays with the document in a template, in a draft of it, and when documents change places', async () => {
    const { client } = harness();
    const transactionId = await createWith(harness(), STATED);
    const { id } = await client['sandbox.save_template']({ params: { transactionId }, body: { name: 'T' } });
    const { id: draft } = await client['transaction.create']({ body: {} });
    const params = { transactionId: draft };
    await client['transaction.add_document']({ params, body: { token: await uploadContract(harness()) } });
    await client['transaction.use_templates']({ params, body: { templates: [{ id }] } });
    expect(await statedIn(harness(), draft)).toEqual([undefined, STATED]);
    const detail = await readDetail(harness(), draft);
    const documents = detail.template.documents.map((document) => ({
      id: document.id,
      index: 1 - document.index,
      isLoading: false,
    }));
    const recipients = [{ ...SENDER, role: 'sender' as const, index: 0 }];
    await client['transaction.update']({ params, body: updateBodyOf(detail, { documents, recipients }) });
    expect(await statedIn(harness(), draft)).toEqual([STATED, undefined]);
  });
});

describeService('what was done to a file before its upload', (harness) => {
  test('is in the evidence and on the certificate, as a statement of the sender', async () => {
    const pdf = await sealFor(harness(), await createWith(harness(), STATED));
    const file = readPdf(pdf);
    if (!file.ok) throw new Error(file.reason);
    const [document] = evidenceOf(file, undefined)?.evidence?.documents ?? [];
    expect(document?.preparation).toEqual({ stated_by: 'sender', ...STATED });
    expect(document?.original.sha256).not.toBe(SHA256);
    const words = await wordsOnPage(pdf, PAGES);
    expect(words).toContain(
      `Original ${SHA256} Before the upload, the sender's program removed 2 tags, made the form a part of the pages with 3 boxes empty and drew 1 value into the pages. This is a statement of that program: the service has not seen the original.`,
    );
    expect(words).toContain('Removed tags Page 1: {{signature, r1}} Page 3: {{Ort;type=text}}');
    expect(words).toContain(`Uploaded file ${document?.original.sha256}`);
  });

  test.skipIf(!SLOW)('is not mentioned where nothing was stated', async () => {
    const words = await wordsOnPage(await sealFor(harness(), await createWith(harness(), undefined)), PAGES);
    expect(words).not.toMatch(/Uploaded file|Before the upload/);
  });
});
