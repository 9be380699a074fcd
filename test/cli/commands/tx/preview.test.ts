// `tx preview` with the parts of a context that it uses: the boxes are where the fields are, for files as for a transaction;
// pictures stay in their folder, whatever a document is called; and a service that gives no bytes is said.

import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import { ApiError } from '../../../../src/api/codec.ts';
import type { ReceivedTransaction } from '../../../../src/api/contract/transactions.ts';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import { command } from '../../../../src/cli/commands/tx/preview.ts';
import type { Connection } from '../../../../src/cli/connection/connection.ts';
import { previewFiles } from '../../../../src/cli/sending/previewed.ts';
import { PLAIN } from '../../../../src/cli/terminal/color.ts';
import { createProgress } from '../../../../src/cli/terminal/progress.ts';
import { createInProcessEngine } from '../../../../src/pdf/engine/in-process.ts';
import { field, formPdf } from '../../../support/documents/form-pdf.ts';
import { leasePdf } from '../../../support/documents/lease-pdf.ts';
import { pagesPdf } from '../../../support/documents/pdf.ts';
import { pngOf } from '../../../support/documents/pictures.ts';
import { readPixels } from '../../../support/documents/pixels.ts';
import { tagPdf } from '../../../support/documents/tag-pdf.ts';
import { boundsOf, farthest } from '../../../support/documents/turned-pages.ts';
import { createDraft, fieldFor } from '../../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../../support/harness.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../../../support/tier.ts';

let service: Harness;
beforeAll(async () => {
  service = await openHarness('in process');
});
afterAll(() => service.close());

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Given = {
  to?: string[];
  field?: string[];
  output?: string;
  page?: string;
  force?: boolean;
  show?: boolean;
  grid?: boolean;
  suggest?: boolean;
  client?: Client;
};

type File = {
  path: string | null;
  document: string;
  page: number;
  fields: { type: string; recipient: { email: string } | null; x: number; y: number }[];
};

type Suggested = { from: string; type: string; document: string; page: number; field: string | null };

function contextFor(client: Client, shown: string[]): CommandContext {
  const err = { isTerminal: false, columns: undefined, write: () => undefined };
  return {
    connections: { profile: async () => ({}), connect: async () => ({ client }) as Connection },
    history: {},
    prompts: { canAsk: false },
    settings: { json: false, quiet: true },
    process: { documents: createInProcessEngine(), workingDir: folder, checkpoint: () => undefined },
    terminal: {
      progress: createProgress(err, PLAIN, { silent: true, spinner: false }),
      pictures: async () => ({ show: (_: Uint8Array, caption: string) => void shown.push(caption) }),
      streams: {},
    },
  } as unknown as CommandContext;
}

async function preview(words: string[], { client = service.client, ...given }: Given = {}) {
  const shown: string[] = [];
  const context = contextFor(client, shown);
  const options = { to: [], field: [], force: false, show: false, grid: false, ...given };
  const { json, ...outcome } = await command.run(context, { args: { 'id|file': words }, options });
  const { files, suggestions } = json as { files: File[]; suggestions?: Suggested[] };
  return { shown, files, suggestions, notes: 'notes' in outcome ? outcome.notes : [] };
}

const ADA = { to: ['Ada <ada@example.com>'] };
const put = (name: string, bytes: Uint8Array) => writeFile(join(folder, name), bytes);
const contract = () => readFile(new URL('../../../fixtures/contract.pdf', import.meta.url));
const isTinted = (red: number, green: number, blue: number) => red + green + blue < 755;

describe('boxes', () => {
  test.each(
    sampleOf(
      [
        ['upright', '/MediaBox[0 0 300 200]', 300, 200],
        ['turned', '/MediaBox[0 0 200 300]/Rotate 90', 300, 200],
        ['cut and scaled', '/MediaBox[0 0 400 400]/CropBox[50 100 200 200]/UserUnit 2', 300, 200],
      ],
      3,
    ),
  )('are where the fields are, on a page that is %s', async (_, entries, width, height) => {
    await put('page.pdf', pagesPdf([entries]));
    const { files } = await preview(['page.pdf'], { ...ADA, field: ['text@1:10%,60pt,40%x20%'] });
    expect(files).toMatchObject([{ path: 'page-1.png', fields: [{ x: 30, y: 60 }] }]);
    const picture = readPixels(await readFile(join(folder, 'page-1.png')));
    expect([picture.width, picture.height]).toEqual(
      [(width * 150) / 72, (height * 150) / 72].map(Math.round),
    );
    const pixels = 150 / 72;
    const wanted = { x: 30 * pixels, y: 60 * pixels, width: 120 * pixels, height: 40 * pixels };
    expect(farthest(boundsOf(picture, isTinted), wanted)).toBeLessThanOrEqual(1);
  });

  test.skipIf(!SLOW)('of a picture that becomes a page, as the service makes it one', async () => {
    await put('photo.png', pngOf({ width: 200, height: 100, bits: 8, colorType: 0, pixel: () => [255] }));
    const { files } = await preview(['photo.png'], ADA);
    expect(files).toMatchObject([{ path: 'photo-1.png', document: 'photo.png', fields: [{}] }]);
  });

  test.skipIf(!SLOW)('of a transaction are those of the files it was made of', async () => {
    await put('contract.pdf', await contract());
    const draft = await createDraft(service);
    const field = {
      ...fieldFor(draft, 'ada@example.com'),
      page: 1,
      positionX: 100,
      positionY: 200,
      width: 90,
      height: 30,
    };
    await service.client['transaction.fields']({
      params: { transactionId: draft.id },
      body: { fields: [field] },
    });
    const ofIt = await preview([draft.id], { output: 'of-it' });
    const { name } = draft.detail.template.recipients.find(({ email }) => email === 'ada@example.com')!;
    await preview(['contract.pdf'], {
      to: [`${name} <ada@example.com>`],
      field: [`${field.type}@2:100pt,200pt,90x30;label=${field.label ?? field.type}`],
      output: 'of-files',
    });
    expect(ofIt.files).toHaveLength(3);
    for (const { document, page } of ofIt.files) {
      const at = (where: string) =>
        readFile(join(folder, where, `${document.replace('.pdf', '')}-${page + 1}.png`));
      expect(Buffer.compare(await at('of-it'), await at('of-files'))).toBe(0);
    }
  });
});

describe('shown in the terminal', () => {
  test('every page, and no file is written', async () => {
    await put('contract.pdf', await contract());
    const { shown, files } = await preview(['contract.pdf'], { ...ADA, show: true });
    expect(shown).toEqual([1, 2, 3].map((page) => `contract.pdf, page ${page}`));
    expect(files.map(({ path }) => path)).toEqual([null, null, null]);
    expect(await readdir(folder)).toEqual(['contract.pdf']);
  });

  test.skipIf(!SLOW)('and written where a folder is named', async () => {
    await put('contract.pdf', await contract());
    await preview(['contract.pdf'], { ...ADA, show: true, output: 'pictures', page: 'last' });
    expect(await readdir(join(folder, 'pictures'))).toEqual(['contract-3.png']);
  });
});

describe('files without recipients', () => {
  test.skipIf(!SLOW)(
    'show where the signature of one signer would be, and not the address of the example signer',
    async () => {
      await put('contract.pdf', await contract());
      const { files } = await preview(['contract.pdf'], { page: 'last' });
      const sent = await preview(['contract.pdf'], { ...ADA, page: 'last', output: 'sent' });
      const [field] = sent.files[0]?.fields ?? [];
      expect(field).toMatchObject({ type: 'signature', recipient: { email: 'ada@example.com' } });
      // Below the last line of the text, which ends at 541 points.
      expect(field?.y).toBeGreaterThan(549);
      expect(field?.y).toBeLessThan(558);
      expect(files.map(({ fields }) => fields)).toEqual([[{ ...field, recipient: null }]]);
      expect(JSON.stringify(files)).not.toContain('signer.invalid');
    },
  );

  test.skipIf(!SLOW)(
    'show a grid where one is asked for, and a field that was placed by its coordinates',
    async () => {
      await put('page.pdf', pagesPdf(['/MediaBox[0 0 300 200]']));
      const field = ['text@1:60,60,90x20'];
      await preview(['page.pdf'], { field, output: 'plain' });
      const { files } = await preview(['page.pdf'], { field, output: 'grid', grid: true });
      expect(files).toMatchObject([{ fields: [{ type: 'text', recipient: null, x: 60, y: 60 }] }]);
      const tinted = async (where: string) =>
        boundsOf(readPixels(await readFile(join(folder, where, 'page-1.png'))), isTinted);
      const [plain, grid] = [await tinted('plain'), await tinted('grid')];
      expect(grid!.width).toBeGreaterThan(2 * plain!.width);
      expect(grid!.height).toBeGreaterThan(2 * plain!.height);
    },
  );
});

describe('suggested fields', () => {
  test('are drawn, and printed as options that make the same fields', async () => {
    await put('lease.pdf', leasePdf());
    const to = ['Ada <ada@example.com>', 'Bob <bob@example.com>'];
    const { files, suggestions = [], notes } = await preview(['lease.pdf'], { to, suggest: true });
    expect(suggestions.map(({ from, type, page }) => [from, type, page])).toEqual([
      ['line', 'email', 1],
      ['line', 'signature', 1],
      ['line', 'signature', 1],
      ['line', 'date', 1],
      ['line', 'date', 1],
    ]);
    const fields = suggestions.map(({ field }) => field ?? '');
    for (const field of fields) expect(notes).toContain(`  --field '${field}'`);
    // Only suggestions were asked for.
    expect(files.filter(({ path }) => path !== null)).toEqual([]);
    expect(await readdir(folder)).not.toContain('lease-1.png');
    const again = await preview(['lease.pdf'], { to, field: fields, output: 'again' });
    const boxes = (of: typeof files) =>
      of.map((file) => file.fields.map(({ type, x, y, recipient }) => [type, x, y, recipient]));
    expect(boxes(again.files)).toEqual(boxes(files));
  });

  test.skipIf(!SLOW)('are not drawn unless they are asked for', async () => {
    await put('lease.pdf', leasePdf());
    const { files, suggestions } = await preview(['lease.pdf'], ADA);
    expect(files.flatMap((file) => file.fields.map(({ type }) => type))).toEqual(['signature']);
    expect(suggestions).toBeUndefined();
  });

  test.skipIf(!SLOW)('leave the signature of a recipient without a line at the end', async () => {
    await put('lease.pdf', leasePdf());
    const to = ['Ada', 'Bob', 'Eve'].map((name) => `${name} <${name.toLowerCase()}@example.com>`);
    const { files } = await preview(['lease.pdf'], { to, suggest: true });
    const signing = files.flatMap(({ fields }) => fields.filter(({ type }) => type === 'signature'));
    expect(signing.map(({ recipient }) => recipient?.email).sort()).toEqual(
      ['ada', 'bob', 'eve'].map((name) => `${name}@example.com`),
    );
  });

  test.skipIf(!SLOW)('name the options that read forms and tags', async () => {
    await put('form.pdf', formPdf({ objects: [field('City', '50 100 200 120', '/FT/Tx')] }));
    const form = await preview(['form.pdf'], { ...ADA, suggest: true });
    expect(form.suggestions).toMatchObject([{ from: 'form', type: 'text', field: null }]);
    expect(form.notes).toContain('  --form-fields');
    await put('tags.pdf', tagPdf({ pages: ['BT /F 12 Tf 50 100 Td ({{signature, r1}}) Tj ET'] }));
    const tags = await preview(['tags.pdf'], { ...ADA, suggest: true, output: 'tags' });
    expect(tags.suggestions).toMatchObject([{ from: 'tag', type: 'signature', field: null }]);
    expect(tags.notes).toContain('  --tags');
  });

  test.skipIf(!SLOW)('are for as many people as the document asks for, where none is named', async () => {
    await put('contract.pdf', await contract());
    const { suggestions = [], files, notes } = await preview(['contract.pdf'], { suggest: true });
    expect(suggestions.map(({ type, field }) => [type, /x\d+=(\d)/.exec(field ?? '')?.[1]])).toEqual([
      ['signature', '1'],
      ['signature', '2'],
      ['text', '1'],
      ['text', '2'],
    ]);
    expect(files.flatMap(({ fields }) => fields.map(({ recipient }) => recipient))).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const options = { to: [], field: [], force: false, show: false, grid: false, suggest: true };
    const { people } = await previewFiles(contextFor(service.client, []), options as never, ['contract.pdf']);
    expect(people.map(({ name, color }) => [name, color])).toEqual([
      ['Signer 1', expect.any(String)],
      ['Signer 2', expect.any(String)],
    ]);
    expect(people[0]?.color).not.toBe(people[1]?.color);
    const ofAda = await preview(['contract.pdf'], { ...ADA, suggest: true, output: 'ada' });
    expect(ofAda.suggestions).toHaveLength(2);
    expect(ofAda.notes?.at(-1)).toMatch(
      /^Omitted, because .* there are recipients: signature "Signature" \(page 3\), text "Place and date" \(page 3\)\.$/,
    );
    expect(notes?.join()).not.toContain('Omitted');
  });

  test('are said to be none in a document without lines', async () => {
    await put('page.pdf', pagesPdf(['/MediaBox[0 0 300 200]']));
    const { suggestions, notes } = await preview(['page.pdf'], { ...ADA, suggest: true });
    expect(suggestions).toEqual([]);
    expect(notes).toEqual(['No lines for signatures, forms or tags were found in "page.pdf".']);
  });
});

/** A transaction of a service that calls its documents anything, and may give no bytes. */
async function clientWith(names: string[], bytesOf: () => Promise<Uint8Array>): Promise<Client> {
  const { detail } = await createDraft(service);
  const [document] = detail.template.documents;
  const documents = names.map((original_name, index) => ({
    ...document!,
    id: `d${index}`,
    index,
    file: { ...document!.file, original_name },
  }));
  return {
    'transaction.detail': async () => ({ ...detail, template: { ...detail.template, documents } }),
    'file.content': async () => ({ bytes: await bytesOf(), mediaType: 'application/pdf' }),
  } as unknown as Client;
}

test.skipIf(!SLOW)('omits fields whose positions the service does not tell, or tells wrongly', async () => {
  const client = await clientWith(['a.pdf'], async () => pagesPdf(['/MediaBox[0 0 300 200]']));
  const detail = (await client['transaction.detail']({
    params: { transactionId: 'T' },
  })) as ReceivedTransaction;
  const field = { id: 'f', document_id: 'd0', recipient_id: 'r', type: 'text', page: 0 };
  const places = [
    {},
    { positionX: 10, positionY: 20, width: 1e300, height: 1 },
    { positionX: 30, positionY: 40, width: 50, height: 20 },
  ];
  const fields = places.map((place) => ({ ...field, ...place }));
  client['transaction.detail'] = async () =>
    ({ ...detail, template: { ...detail.template, fields } }) as unknown as ReceivedTransaction;
  const { files } = await preview(['T'], { client });
  expect(files.map((file) => file.fields)).toMatchObject([[{ x: 30, y: 40 }]]);
});

describe('names of pictures', () => {
  const onePage = async () => pagesPdf(['/MediaBox[0 0 30 20]']);

  const NAMES: [string, string][] = [
    ['../../etc/passwd.pdf', '_.._etc_passwd-1.png'],
    ['..', 'document-1.png'],
    ['/etc/cron.d/x', '_etc_cron-1.png'],
    ['C:\\Windows\\a.pdf', 'C__Windows_a-1.png'],
    ['-rf.pdf', 'rf-1.png'],
    ['.bashrc', 'bashrc-1.png'],
    ['con.pdf', '_con-1.png'],
    ['a\u001b]0;x\u0007\u202e\nb.pdf', 'a_]0;x___b-1.png'],
    ['', 'document-1.png'],
    ['   ', 'document-1.png'],
    ['Vertrag „Süd“ 合同.pdf', 'Vertrag „Süd“ 合同-1.png'],
    [`${'長'.repeat(300)}.pdf`, `${'長'.repeat(66)}-1.png`],
  ];

  test.each(sampleOf(NAMES, 6))('%j', async (name, file) => {
    await preview(['T'], { client: await clientWith([name], onePage), output: 'in' });
    expect(await readdir(folder)).toEqual(['in']);
    expect(await readdir(join(folder, 'in'))).toEqual([file]);
  });

  test.skipIf(!SLOW)('two documents of one name, and of one that a disk may take for the same', async () => {
    const names = ['a.pdf', 'A.pdf', 'a.pdf', 'a-2.pdf'];
    const { files } = await preview(['T'], { client: await clientWith(names, onePage) });
    expect(files.map(({ path }) => path)).toEqual(['a-1.png', 'A-3-1.png', 'a-4-1.png', 'a-2-1.png']);
  });
});

describe('what is there', () => {
  test.skipIf(!SLOW)('is kept, and nothing else is written', async () => {
    await put('contract.pdf', await contract());
    await put('contract-3.png', Buffer.from('mine'));
    await expect(preview(['contract.pdf'], ADA)).rejects.toMatchObject({
      facts: { code: 'file_exists', exit: 2 },
    });
    expect((await readdir(folder)).sort()).toEqual(['contract-3.png', 'contract.pdf']);
    expect(await readFile(join(folder, 'contract-3.png'), 'utf8')).toBe('mine');
  });

  test.skipIf(!SLOW)('with --force a link is replaced, and what it points to is kept', async () => {
    await put('contract.pdf', await contract());
    await put('mine', Buffer.from('mine'));
    await symlink('mine', join(folder, 'contract-1.png'));
    await expect(preview(['contract.pdf'], { ...ADA, page: '1' })).rejects.toMatchObject({
      facts: { code: 'file_exists' },
    });
    expect(await readlink(join(folder, 'contract-1.png'))).toBe('mine');
    await preview(['contract.pdf'], { ...ADA, page: '1', force: true });
    expect(await readFile(join(folder, 'mine'), 'utf8')).toBe('mine');
    expect(readPixels(await readFile(join(folder, 'contract-1.png'))).width).toBe(1240);
    expect((await readdir(folder)).sort()).toEqual(['contract-1.png', 'contract.pdf', 'mine']);
  });

  test('a link to nowhere is not followed either', async () => {
    await put('contract.pdf', await contract());
    await symlink('elsewhere', join(folder, 'contract-1.png'));
    await expect(preview(['contract.pdf'], { ...ADA, page: '1' })).rejects.toMatchObject({
      facts: { code: 'file_exists' },
    });
  });

  test.skipIf(!SLOW)('a folder of the name of a picture', async () => {
    await put('contract.pdf', await contract());
    await mkdir(join(folder, 'contract-1.png'));
    await expect(preview(['contract.pdf'], { ...ADA, page: '1', force: true })).rejects.toMatchObject({
      facts: { code: 'file_not_writable', exit: 2 },
    });
    expect((await readdir(folder)).sort()).toEqual(['contract-1.png', 'contract.pdf']);
  });

  test.skipIf(!SLOW)('a file where the folder is to be', async () => {
    await put('contract.pdf', await contract());
    await expect(preview(['contract.pdf'], { ...ADA, output: 'contract.pdf' })).rejects.toMatchObject({
      facts: { code: 'file_not_writable' },
    });
  });
});

describe('a service that does not give the content back', () => {
  const refusal = (status: number, code: string) =>
    new ApiError('No.', {
      ...{ status, code, errors: [], requestId: undefined, operation: 'file.content' },
      ...{ method: 'GET', path: '/v1/file/x', waitMs: undefined },
    } as never);

  test.each([404, 405, 501])('it answers %i', async (status) => {
    const client = await clientWith(['a.pdf'], async () => {
      throw refusal(status, 'route_not_found');
    });
    await expect(preview(['T'], { client })).rejects.toMatchObject({
      message: 'The service offers no download of "a.pdf".',
      facts: { code: 'document_not_given', exit: 5 },
    });
  });

  test('it answers with something else', async () => {
    const client = await clientWith(['a.pdf'], async () => Buffer.from('<!doctype html>'));
    await expect(preview(['T'], { client })).rejects.toMatchObject({ facts: { code: 'document_not_given' } });
  });

  test('it answers with a PDF that is damaged', async () => {
    const client = await clientWith(['a.pdf'], async () => Buffer.from('%PDF-1.7 and no more'));
    await expect(preview(['T'], { client })).rejects.toMatchObject({
      facts: { code: 'document_unreadable' },
    });
  });

  test('another refusal is said as it is', async () => {
    const client = await clientWith(['a.pdf'], async () => {
      throw refusal(403, 'insufficient_scope');
    });
    await expect(preview(['T'], { client })).rejects.toMatchObject({ name: 'ApiError', status: 403 });
  });
});
