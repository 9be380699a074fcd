// Every file of a folder from upload to seal: sealed and accepted by programs from elsewhere and by `esign verify`, or refused
// by a name. `npm run test:corpus -- DIR` takes any folder and prints a table.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../src/api/contract/operations.ts';
import { startWhenChecked } from '../../src/cli/transactions/start-when-checked.ts';
import { readCertificates, verifyPdf } from '../../src/pdf/signature/verify.ts';
import { authorityOf } from '../../src/service/completion/embedded-sealing.ts';
import { expectAccepted, needsForeignVerifiers } from '../support/documents/foreign-verifiers.ts';
import { readDetail, SENDER, tokenOf } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { CORPUS, needsCorpus, unmet } from '../support/tools.ts';

/** What a person accepts as the reason why a file is not taken. */
const REFUSALS = new Set([
  'document_encrypted',
  'document_too_complex',
  'document_too_long',
  'document_unreadable',
  'file_empty',
  'file_too_large',
  'file_type_not_accepted',
]);

type Row = { file: string; outcome: 'sealed' | 'refused' | 'FAILED'; pages: number; why: string };

const rows: Row[] = [];
let world: Harness;
let root: Uint8Array;

beforeAll(async () => {
  world = await openHarness('in process');
  const { root: holder } = await authorityOf({
    store: world.store,
    clock: () => new Date().toISOString(),
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
  });
  root = Buffer.from(holder.certificate, 'base64');
});
afterAll(async () => {
  await world.close();
  if (rows.length > 0) process.stdout.write(tableOf(rows));
});

const filesIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(pdf|docx|png|jpe?g|tiff?|webp|gif|bmp)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

type Fields = InputOf<'transaction.fields'>['body']['fields'];

/** Signed by one recipient who filled in a text, a tick and a signature on the first page. @returns the sealed file */
async function sealed(name: string, content: Blob): Promise<{ pdf: Uint8Array; pages: number }> {
  const { client } = world;
  const { token } = await client['file.upload']({ form: { name }, file: { name, content } });
  const { id } = await client['transaction.create']({ body: { name: 'Corpus' } });
  const params = { transactionId: id };
  await client['transaction.add_document']({ params, body: { token } });
  const [document] = (await readDetail(world, id)).template.documents;
  const people = [
    { ...SENDER, role: 'sender' as const, index: 0 },
    { name: 'Ada Lovelace', email: 'ada@example.com', role: 'signer' as const, index: 1 },
  ];
  const documents = [{ id: document!.id, index: 0, isLoading: false }];
  await client['transaction.update']({ params, body: { name: 'Corpus', documents, recipients: people } });
  const detail = await readDetail(world, id);
  const { width, height } = detail.template.documents[0]!.pages[0]!;
  const place = { document_id: document!.id, recipient_id: detail.template.recipients[1]!.id, page: 0 };
  const box = (y: number) => ({
    positionX: width * 0.1,
    positionY: height * y,
    width: width * 0.4,
    height: height * 0.05,
  });
  const fields: Fields = [
    { ...place, ...box(0.7), type: 'text', label: 'Place' },
    { ...place, ...box(0.77), type: 'checkbox', label: 'Read' },
    { ...place, ...box(0.85), type: 'signature', label: 'Signature' },
  ];
  await client['transaction.fields']({ params, body: { fields } });
  const { url } = await startWhenChecked(world, id);
  expect(tokenOf(url)).not.toBe('');
  await client['sandbox.sign']({ params, body: { values: { Place: 'Zürich' } } });
  const [one] = (await readDetail(world, id)).sealed_documents;
  const { bytes } = await client['file.content']({ params: { fileId: one!.id } });
  return { pdf: bytes, pages: document!.pages.length };
}

function expectVerified(pdf: Uint8Array): void {
  const anchors = readCertificates(root).map((certificate) => ({ certificate, why: 'test' }));
  const report = verifyPdf(pdf, { trust: { anchors }, now: Date.now() });
  if (!report.ok) throw new Error(`verify cannot read it: ${report.reason}`);
  expect(report.signatures.flatMap(({ faults }) => faults)).toEqual([]);
  expect(report.signatures.map(({ kind, level }) => `${kind} ${level}`)).toEqual([
    'signature LTA',
    expect.stringContaining('timestamp'),
  ]);
  expect(report.signatures.map(({ chain }) => chain?.anchor?.why)).toEqual(['test', 'test']);
}

async function take(path: string): Promise<Row> {
  const file = relative(CORPUS, path);
  try {
    const { pdf, pages } = await sealed(file, new Blob([new Uint8Array(await readFile(path))]));
    await expectAccepted(pdf, { root, level: 'LTA' });
    expectVerified(pdf);
    return { file, outcome: 'sealed', pages, why: '' };
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    const isRefused = REFUSALS.has(code);
    const why = isRefused ? code : `${code} ${message}`.trim();
    return { file, outcome: isRefused ? 'refused' : 'FAILED', pages: 0, why };
  }
}

function tableOf(all: readonly Row[]): string {
  const width = Math.max(4, ...all.map(({ file }) => file.length));
  const line = ({ file, outcome, pages, why }: Row) =>
    `${file.padEnd(width)}  ${outcome.padEnd(7)}  ${`${pages || ''}`.padStart(5)}  ${why.replace(/\s+/g, ' ')}\n`;
  const count = (outcome: Row['outcome']) => all.filter((row) => row.outcome === outcome).length;
  return `\n${all.map(line).join('')}\n${count('sealed')} sealed, ${count('refused')} refused, ${count('FAILED')} failed\n`;
}

const { skip, why } = unmet(needsCorpus(), needsForeignVerifiers());

describe.skipIf(skip)(`files that nobody here made${why}`, async () => {
  const files = skip ? [] : await filesIn(CORPUS);

  test('are there', () => expect(files.length).toBeGreaterThan(0));

  test.each(files.map((path) => [relative(CORPUS, path), path]))(
    '%s',
    { timeout: 240_000 },
    async (_, path) => {
      const row = await take(path);
      rows.push(row);
      expect(`${row.outcome} ${row.why}`).toMatch(/^(sealed|refused)/);
      expect(world.errors.splice(0)).toEqual([]);
    },
  );
});
