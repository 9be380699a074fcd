// Processes every file of a folder from upload to seal. Each is refused with a code, or sealed so that foreign programs
// and `esign verify` accept it, foreign viewers draw the values, and qpdf reports no new fault.
// `npm run test:corpus -- DIR` accepts any folder and prints a table.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/api/contract/limits.ts';
import type { InputOf } from '../../src/api/contract/operations.ts';
import { allFaults, verifyFile } from '../../src/cli/commands/verify/verified-file.ts';
import { startWhenChecked } from '../../src/cli/sending/start.ts';
import { createInProcessEngine } from '../../src/pdf/engine/in-process.ts';
import { isInside } from '../../src/pdf/geometry.ts';
import { readCertificates } from '../../src/pdf/verify/verify.ts';
import { ensureAuthority } from '../../src/service/sealing/embedded-sealing.ts';
import { expectAccepted, needsForeignVerifiers } from '../support/documents/foreign-verifiers.ts';
import {
  type Color,
  type ExpectedDrawing,
  findUndrawn,
  needsForeignViewers,
} from '../support/documents/foreign-viewers.ts';
import { pngOf } from '../support/documents/pictures.ts';
import { readDetail, SENDER, tokenOf } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { shareOf } from '../support/tier.ts';
import { CORPUS, needsCorpus, unmet } from '../support/tools.ts';

/** Codes that are acceptable reasons for refusing a file. */
const REFUSALS = new Set([
  'document_encrypted',
  'document_too_complex',
  'document_too_long',
  'document_unreadable',
  'file_empty',
  'file_too_large',
  'file_type_not_accepted',
  // `tx send` refuses it: the smallest field has no room on a page of a few points.
  'page_too_small',
]);

type Row = { file: string; outcome: 'sealed' | 'refused' | 'FAILED'; pages: number; why: string };

const rows: Row[] = [];
let harness: Harness;
let root: Uint8Array;

beforeAll(async () => {
  harness = await openHarness('in process');
  const { root: holder } = await ensureAuthority({
    store: harness.store,
    isSandbox: true,
    clock: () => new Date().toISOString(),
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
  });
  root = Buffer.from(holder.certificate, 'base64');
});
afterAll(async () => {
  await harness.close();
  if (rows.length > 0) process.stdout.write(tableOf(rows));
});

const filesIn = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(pdf|docx|png|jpe?g|tiff?|webp|gif|bmp)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

type Fields = InputOf<'transaction.fields'>['body']['fields'];

/** Colors that hardly any page has: one for the text, one for the signature. */
const COLORS = { text: [0xe1, 0x00, 0xc3], signature: [0x0a, 0x64, 0xe6] } satisfies Record<string, Color>;

const INK = pngOf({
  width: 120,
  height: 40,
  bits: 8,
  colorType: 6,
  pixel: (x, y) => (x > 5 && x < 114 && y > 5 && y < 34 ? [...COLORS.signature, 255] : [0, 0, 0, 0]),
});

type Size = { width: number; height: number };
type SealedFile = { pdf: Uint8Array; pages: Size[] };

/** The box of a field, in the form of the API. It is never smaller than a field may be. */
const boxOn = ({ width, height }: Size, y: number) => ({
  positionX: width * 0.1,
  positionY: height * y,
  width: Math.max(LIMITS.fieldSideMin, width * 0.4),
  height: Math.max(LIMITS.fieldSideMin, height * 0.05),
});

const PLACES = { text: 0.7, tick: 0.77, signature: 0.85 };

/** Sends and signs a file: one recipient fills in a text, a tick and a signature on the first page. */
async function sealFile(name: string, content: Blob): Promise<SealedFile> {
  const { client } = harness;
  const { token } = await client['file.upload']({ form: { name }, file: { name, content } });
  const { id } = await client['transaction.create']({ body: { name: 'Corpus' } });
  const params = { transactionId: id };
  await client['transaction.add_document']({ params, body: { token } });
  const [document] = (await readDetail(harness, id)).template.documents;
  const people = [
    { ...SENDER, role: 'sender' as const, index: 0 },
    { name: 'Ada Lovelace', email: 'ada@example.com', role: 'signer' as const, index: 1 },
  ];
  const documents = [{ id: document!.id, index: 0, isLoading: false }];
  await client['transaction.update']({ params, body: { name: 'Corpus', documents, recipients: people } });
  const detail = await readDetail(harness, id);
  const { pages } = detail.template.documents[0]!;
  const page = pages[0]!;
  const hasRoom = Object.values(PLACES).every((y) => {
    const { positionX: left, positionY: top, width, height } = boxOn(page, y);
    return isInside({ x: left, y: top, width, height }, page);
  });
  if (!hasRoom) throw Object.assign(new Error('The first page is too small.'), { code: 'page_too_small' });
  const place = { document_id: document!.id, recipient_id: detail.template.recipients[1]!.id, page: 0 };
  const font_size = Math.min(200, Math.max(1, Math.round(page.height * 0.04)));
  const font_color = `#${Buffer.from(COLORS.text).toString('hex')}`;
  const fields: Fields = [
    {
      ...place,
      ...boxOn(page, PLACES.text),
      type: 'text',
      label: 'Place',
      font_size,
      font_color,
      bold: true,
    },
    { ...place, ...boxOn(page, PLACES.tick), type: 'checkbox', label: 'Read' },
    { ...place, ...boxOn(page, PLACES.signature), type: 'signature', label: 'Signature' },
  ];
  await client['transaction.fields']({ params, body: { fields } });
  const { url } = await startWhenChecked(harness, id);
  expect(tokenOf(url)).not.toBe('');
  const Signature = `data:image/png;base64,${INK.toString('base64')}`;
  await client['sandbox.sign']({ params, body: { values: { Place: 'Zürich', Signature } } });
  const [one] = (await readDetail(harness, id)).sealed_documents;
  const { bytes } = await client['file.content']({ params: { fileId: one!.id } });
  return { pdf: bytes, pages };
}

const engine = createInProcessEngine();

/** Verifies as `esign verify` does, including the drawn pages and the values. */
async function expectVerified(file: string, pdf: Uint8Array): Promise<void> {
  const anchors = readCertificates(root).map((certificate) => ({ certificate, why: 'test' }));
  const source = { sha256: '', bytes: async () => pdf };
  const verified = await verifyFile(file, pdf, {
    trust: { named: { anchors }, all: async () => ({ anchors }) },
    now: Date.now(),
    level: 'LTA',
    original: undefined,
    password: undefined,
    textOfPage: () => async (page) => {
      const read = await engine.readText(source, page, 'test');
      return read.ok ? read : undefined;
    },
    compareVersions: (_, version) => engine.compareVersions(source, version, 'test'),
  });
  expect(allFaults(verified)).toEqual([]);
  expect(verified.verdict).toBe('valid');
  expect(verified.signatures.map(({ kind, level }) => `${kind} ${level}`)).toEqual([
    'signature LTA',
    expect.stringContaining('timestamp'),
  ]);
  expect(verified.signatures.map(({ chain }) => chain?.anchor?.why)).toEqual(['test', 'test']);
}

/** Viewers omit smaller text; in points. */
const LEGIBLE = 2;

const drawnOn = (page: Size): ExpectedDrawing[] =>
  (['text', 'signature'] as const).flatMap((what) => {
    const { positionX: x, positionY: y, width, height } = boxOn(page, PLACES[what]);
    if (what === 'text' && height < LEGIBLE) return [];
    return [{ what, box: { x, y, width, height }, color: COLORS[what] }];
  });

async function checkFile(path: string): Promise<Row> {
  const file = relative(CORPUS, path);
  try {
    const original = new Uint8Array(await readFile(path));
    const { pdf, pages } = await sealFile(file, new Blob([original]));
    const isPdf = /\.pdf$/i.test(path);
    await expectAccepted(pdf, { root, level: 'LTA', ...(isPdf && { original }) });
    await expectVerified(file, pdf);
    const undrawn = await findUndrawn(pdf, pages[0]!, drawnOn(pages[0]!));
    if (undrawn.length > 0) throw new Error(undrawn.join('; '));
    return { file, outcome: 'sealed', pages: pages.length, why: '' };
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
  const codes = [...REFUSALS].flatMap((code) => {
    const { length } = all.filter(({ outcome, why }) => outcome === 'refused' && why === code);
    return length === 0 ? [] : [`${length} ${code}`];
  });
  const refused = `${count('refused')} refused${codes.length === 0 ? '' : ` (${codes.join(', ')})`}`;
  return `\n${all.map(line).join('')}\n${count('sealed')} sealed, ${refused}, ${count('FAILED')} failed\n`;
}

const { skip, why } = unmet(needsCorpus(), needsForeignVerifiers(), needsForeignViewers());

describe.skipIf(skip)(`files that nobody here made${why}`, async () => {
  const files = skip ? [] : await filesIn(CORPUS);

  test('are there', () => expect(files.length).toBeGreaterThan(0));

  test.each(shareOf(files, 6).map((path) => [relative(CORPUS, path), path]))(
    '%s',
    { timeout: 240_000 },
    async (_, path) => {
      const row = await checkFile(path);
      rows.push(row);
      expect(`${row.outcome} ${row.why}`).toMatch(/^(sealed|refused)/);
      expect(harness.errors.splice(0)).toEqual([]);
    },
  );
});
