// Evidence and certificate show what a recipient adopted: the typed name in its face, the drawing or the picture, with its kind. A face
// that comes with a picture is dropped, whichever way it comes.
import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { checkEvidence, type Evidence } from '../../../src/pdf/write/certificate/evidence.ts';
import { evidenceIn } from '../../../src/pdf/write/certificate/evidence-file.ts';
import { describeSharedService } from '../../support/describe-service.ts';
import { inkDifference, inkOfPng, inkOfText, marksOnCertificate } from '../../support/documents/ink.ts';
import { giveConsent, openSigningPages } from '../../support/fixtures/signing-pages.ts';
import {
  ADA,
  createDraft,
  fieldFor,
  type Person,
  readDetail,
  tokenOf,
} from '../../support/fixtures/transactions.ts';
import type { Harness } from '../../support/harness.ts';
import { SLOW } from '../../support/tier.ts';

const ALIKE = 0.25;
const UNLIKE = 0.4;
/** Of the contract, before its certificate. */
const PAGES = 3;

/** A stroke on paper, as a pad or a camera hands it in. */
function strokes(y: (x: number) => number): Buffer {
  const png = new PNG({ width: 260, height: 100 });
  png.data.fill(255);
  for (let x = 10; x < 250; x += 1)
    for (let row = 0; row < 100; row += 1)
      if (Math.abs(row - y(x)) < 4) png.data.set([20, 20, 90, 255], (row * 260 + x) * 4);
  return PNG.sync.write(png);
}

const WAVE = strokes((x) => 50 + 35 * Math.sin(x / 18));
const RISING = strokes((x) => 85 - x / 3.5 + 6 * Math.sin(x / 5));
const asValue = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;
const asFile = (png: Buffer): File => new File([Uint8Array.from(png)], 'signature.png');

/** A signature and initials for each of these people. */
async function start(harness: Harness, people: Person[] = [ADA]) {
  const draft = await createDraft(harness, people);
  const fields = people.flatMap(({ email }) => [
    fieldFor(draft, email, { label: 'Signature' }),
    fieldFor(draft, email, { type: 'initials', label: 'Initials', positionY: 700 }),
  ]);
  const params = { transactionId: draft.id };
  await harness.client['transaction.fields']({ params, body: { fields } });
  const { url } = await harness.client['transaction.start']({ params });
  return { id: draft.id, token: tokenOf(url) };
}

type Form = { mark?: string; fields: Record<string, string>; file?: File };

/** Adopts on the page without a script, one form after the other, and submits. */
async function signOnPages(harness: Harness, token: string, ...forms: Form[]): Promise<void> {
  const guest = await giveConsent(await openSigningPages(harness, token));
  for (const { mark = 'signature', fields, file } of forms) {
    const page = await guest.open(`signature?for=${mark}`);
    const sent = await guest.sendFile(page, `${guest.base}/signature`, fields, file);
    expect(sent.location).toBe(`${guest.base}/document`);
  }
  await guest.send(await guest.open('review'), `${guest.base}/submit`, {});
}

async function sealedPdf({ client }: Harness, id: string): Promise<{ pdf: Uint8Array; evidence: Evidence }> {
  const [sealed] = (await readDetail({ client }, id)).sealed_documents;
  const { bytes: pdf } = await client['file.content']({ params: { fileId: sealed?.id ?? '' } });
  const checked = checkEvidence(evidenceIn(pdf) ?? '');
  if (!checked.ok) throw new Error(checked.fault);
  return { pdf, evidence: checked.evidence };
}

const toldOf = ({ fields }: Evidence) =>
  fields.map(({ label, kind, face, value, picture_sha256 }) => ({
    label,
    kind,
    ...(face !== undefined && { face }),
    ...(value !== undefined && { value }),
    ...(picture_sha256 !== undefined && { picture: true }),
  }));

const stepsWithFace = ({ entries }: Evidence) => entries.filter(({ details }) => 'face' in details);

describeSharedService('what was adopted', (harness) => {
  test.skipIf(!SLOW)('is a typed name in its face, and initials in theirs', async () => {
    const { id, token } = await start(harness());
    await signOnPages(
      harness(),
      token,
      { fields: { text: 'Ada King-Noel', face: 'script' } },
      { mark: 'initials', fields: { text: 'AKN', face: 'handwriting' } },
    );
    const { pdf, evidence } = await sealedPdf(harness(), id);
    expect(toldOf(evidence)).toEqual([
      { label: 'Signature', kind: 'typed', face: 'script', value: 'Ada King-Noel' },
      { label: 'Initials', kind: 'typed', face: 'handwriting', value: 'AKN' },
    ]);
    const [signature, initials, ...more] = await marksOnCertificate(pdf, PAGES);
    expect(more).toEqual([]);
    expect(inkDifference(signature!.ink, await inkOfText('Ada King-Noel', 'script'))).toBeLessThan(ALIKE);
    expect(inkDifference(initials!.ink, await inkOfText('AKN', 'handwriting'))).toBeLessThan(ALIKE);
  });

  test.skipIf(!SLOW).each([
    ['drawn', 'Drawn'],
    ['uploaded', 'Uploaded as an image'],
  ])('is a picture and no face, although the form had one: %s', async (kind, word) => {
    const { id, token } = await start(harness());
    const fields = { kind, text: ADA.name, face: 'handwriting' };
    await signOnPages(harness(), token, { fields, file: asFile(WAVE) });
    const { pdf, evidence } = await sealedPdf(harness(), id);
    expect(toldOf(evidence)).toEqual([
      { label: 'Signature', kind, picture: true },
      { label: 'Initials', kind, picture: true },
    ]);
    expect(stepsWithFace(evidence)).toEqual([]);
    const [signature, initials, ...more] = await marksOnCertificate(pdf, PAGES);
    expect([signature?.kind, initials?.kind, more]).toEqual([word, word, []]);
    expect(inkDifference(signature!.ink, inkOfPng(WAVE))).toBeLessThan(ALIKE);
    expect(inkDifference(signature!.ink, inkOfPng(RISING))).toBeGreaterThan(UNLIKE);
  });

  test('is an uploaded picture where the page without a script says typed', async () => {
    const { id, token } = await start(harness());
    const fields = { kind: 'typed', text: ADA.name, face: 'script' };
    await signOnPages(harness(), token, { fields, file: asFile(WAVE) });
    expect(toldOf((await sealedPdf(harness(), id)).evidence)).toMatchObject([
      { kind: 'uploaded', picture: true },
      { kind: 'uploaded' },
    ]);
  });

  test.skipIf(!SLOW)('is what a program submits: a picture has no face', async () => {
    const { id, token } = await start(harness());
    const query = { token };
    const view = await harness().client['signing.view']({ query });
    const values = view.fields.map(({ id: field_id, type }) => ({
      field_id,
      value: type === 'signature' ? asValue(RISING) : 'AL',
    }));
    await harness().client['signing.submit']({ query, body: { values } });
    const { pdf, evidence } = await sealedPdf(harness(), id);
    expect(toldOf(evidence)).toEqual([
      { label: 'Signature', kind: 'uploaded', picture: true },
      { label: 'Initials', kind: 'typed', face: 'handwriting', value: 'AL' },
    ]);
    const [signature, initials] = await marksOnCertificate(pdf, PAGES);
    expect(inkDifference(signature!.ink, inkOfPng(RISING))).toBeLessThan(ALIKE);
    expect(inkDifference(initials!.ink, await inkOfText('AL', 'handwriting'))).toBeLessThan(ALIKE);
  });

  test('is what a command of the sandbox submits', async () => {
    const { id } = await start(harness());
    const values = { Signature: asValue(WAVE), Initials: 'AL' };
    await harness().client['sandbox.sign']({ params: { transactionId: id }, body: { values } });
    const { evidence } = await sealedPdf(harness(), id);
    expect(toldOf(evidence)).toEqual([
      { label: 'Signature', kind: 'uploaded', picture: true },
      { label: 'Initials', kind: 'typed', face: 'handwriting', value: 'AL' },
    ]);
  });

  test('is signed as it was reviewed: another face meanwhile is shown first', async () => {
    const { id, token } = await start(harness());
    const guest = await giveConsent(await openSigningPages(harness(), token));
    const adopt = async (face: string) =>
      guest.sendFile(await guest.open('signature'), `${guest.base}/signature`, { text: 'Ada', face });
    await adopt('handwriting');
    const review = await guest.open('review');
    await adopt('script');
    const sent = await guest.send(review, `${guest.base}/submit`, {});
    expect(sent.location).toBe(`${guest.base}/review?changed=1`);
    expect((await readDetail(harness(), id)).status).toBe('started');
  });

  test('names a picture in the evidence by the hash of its PNG', async () => {
    const { id, token } = await start(harness());
    await signOnPages(harness(), token, { fields: { kind: 'drawn' }, file: asFile(WAVE) });
    const { store } = harness();
    const row = await store.database.read((db) =>
      db
        .selectFrom('field')
        .select('value')
        .where('label', '=', 'Signature')
        .where('value', 'is not', null)
        .orderBy('id', 'desc')
        .executeTakeFirst(),
    );
    const png = Buffer.from(row?.value?.split(',')[1] ?? '', 'base64');
    const { evidence } = await sealedPdf(harness(), id);
    expect(evidence.fields[0]?.picture_sha256).toBe(createHash('sha256').update(png).digest('hex'));
  });
});
