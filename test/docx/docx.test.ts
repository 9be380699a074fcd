// Word documents as PDFs: ours beside those of LibreOffice, and what PDFium and poppler see in them.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
import { createOneShotEngine } from '../../src/pdf/engine/one-shot.ts';
import { createPool, type Pool } from '../../src/pdf/engine/pool.ts';
import { inspectPdf } from '../../src/pdf/render/inspect.ts';
import {
  cell,
  docxField,
  docxOf,
  item,
  LISTS,
  paragraph,
  picture,
  row,
  run,
  STYLES,
  section,
  table,
} from '../support/documents/docx.ts';
import { ENGINE_PROGRAM, isRunning, sourceOf } from '../support/documents/engine.ts';
import { HOSTILE } from '../support/documents/hostile/index.mjs';
import { photograph } from '../support/documents/pictures.ts';
import { shown } from '../support/documents/pixels.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW, shareOf } from '../support/tier.ts';
import { CORPUS, needsCommand, needsCorpus } from '../support/tools.ts';

const OWNER = 'a company';
const corpus = needsCorpus();
const poppler = needsCommand('pdftotext');
// Asking it for its help takes most of a second.
const office = SLOW ? needsCommand('soffice') : { skip: true, why: '' };
const MAMMOTH = join(CORPUS, 'mammoth-docx');
const files = existsSync(MAMMOTH) ? readdirSync(MAMMOTH).filter((name) => name.endsWith('.docx')) : [];

const lorem = 'The parties agree that each of them keeps confidential what it receives from the other. ';
/** The agreement has a little of everything. */
const agreement = docxOf({
  body: [
    paragraph('Agreement', '<w:pStyle w:val="Heading1"/><w:jc w:val="center"/>'),
    paragraph(lorem.repeat(8), '<w:jc w:val="both"/>'),
    item(1, 0, 'first'),
    item(1, 1, 'nested'),
    item(2, 0, 'bullet'),
    table([3000, 3000], [row([cell('wide', '<w:gridSpan w:val="2"/>')]), row([cell('left'), cell('right')])]),
    paragraph(run('Logo ') + picture('photo', 60, 40)),
    paragraph(lorem.repeat(60)),
    section(
      '<w:headerReference w:type="default" r:id="header1"/><w:footerReference w:type="default" r:id="footer1"/>',
    ),
  ].join(''),
  styles: STYLES,
  numbering: LISTS,
  running: {
    header1: paragraph('Confidential'),
    footer1: paragraph(run('Page ') + docxField('PAGE', '1') + run(' of ') + docxField('NUMPAGES', '1')),
  },
  files: { 'media/photo.jpg': photograph() },
  relationships: [['photo', 'image', 'media/photo.jpg']],
});

async function ours(bytes: Uint8Array) {
  const converted = await docxToPdf(bytes);
  if (!converted.ok) throw new Error(JSON.stringify(converted));
  return converted;
}

/** Words as poppler finds them, but for what labels of lists are drawn with, and with raised digits as LibreOffice writes them. */
const wordsOf = (pdf: Uint8Array): string[] =>
  execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' })
    .split(/\s+/)
    .map((word) =>
      word.replace(/[\ue000-\uf8ff]/g, '•').replace(/[⁰-₎²³¹]/g, (mark) => mark.normalize('NFKC')),
    )
    .filter((word) => word !== '')
    .sort();

describe('our own layout', () => {
  test.skipIf(!SLOW)('is a PDF with the pages that it says, and the same each time', async () => {
    const first = await ours(agreement);
    expect(first.remarks.map(({ code }) => code)).toEqual(['approximate_layout']);
    expect(await inspectPdf(first.pdf, { maxPages: 9 })).toMatchObject({ ok: true, pages: first.pages });
    expect(first.pages.length).toBe(2);
    expect(Buffer.from((await ours(agreement)).pdf).equals(first.pdf)).toBe(true);
  });

  test.skipIf(poppler.skip)(`has every word of the document in it${poppler.why}`, async () => {
    const words = wordsOf((await ours(agreement)).pdf).join(' ');
    for (const word of [
      'Agreement',
      'first',
      '1.1.',
      'nested',
      '•',
      'wide',
      'left',
      'right',
      'Confidential',
      '2',
    ])
      expect(words).toContain(word);
    expect(words.match(/confidential/g)).toHaveLength(68);
  });

  test('a character that no font has is a visible box, with a remark', async () => {
    const { pdf, remarks } = await ours(docxOf(paragraph(run('\u{f0123}', '<w:sz w:val="400"/>'))));
    expect(remarks).toMatchObject([
      { code: 'approximate_layout' },
      { code: 'fonts_missing', page: 0, what: 'Times New Roman', text: '\u{f0123}' },
    ]);
    const page = await shown(pdf);
    const column = Array.from({ length: 200 }, (_, y) => page.at(110, 72 + y)[0]!);
    expect(column.some((red) => red < 128)).toBe(true);
  });

  test('remarks quote the lines that have such characters, with the words between them', async () => {
    const bold = [run('\ufdd3', '<w:b/>'), run(' and', '<w:b/>'), run(' \ufdd4 net')];
    const first = paragraph(`${run('No. 7 \ufdd1 \ufdd2')}${bold.join('')}`);
    const tabbed = '<w:r><w:t>\ufdd5</w:t><w:tab/><w:t>\ufdd6</w:t></w:r>';
    const { remarks } = await ours(docxOf(`${first}${paragraph(tabbed)}`));
    expect(remarks[1]).toMatchObject({ text: '\ufdd1 \ufdd2\ufdd3 and \ufdd4\n\ufdd5 \ufdd6' });
  });

  test('a picture is drawn where the text has it, and a damaged one leaves a frame', async () => {
    const red = await shown((await ours(pictured(photograph()))).pdf);
    const [sum, frame] = [red, await shown((await ours(pictured(Buffer.from('no picture')))).pdf)].map(
      (page) =>
        Array.from({ length: 100 }, (_, at) => page.at(72 + at, 92)).filter(([r, g, b]) => r! + g! + b! < 720)
          .length,
    );
    expect(sum).toBeGreaterThan(90);
    expect(frame).toBeGreaterThan(0);
    expect(frame).toBeLessThan(60);
  });

  const pictured = (bytes: Uint8Array) =>
    docxOf({
      body: paragraph(picture('i1', 100, 60)) + section(''),
      files: { 'media/a.jpg': bytes },
      relationships: [['i1', 'image', 'media/a.jpg']],
    });
});

describe('a child of the engine', () => {
  let pool: Pool;
  beforeAll(() => {
    pool = createPool({ program: ENGINE_PROGRAM, office: 'off' });
  });
  afterAll(() => pool.close());

  test.skipIf(!SLOW)('unpacks no more than a file says it becomes, and says so', async () => {
    const lying = HOSTILE.find(({ name }) => name === 'zip that lies about a size')!;
    const refusal = { ok: false, reason: 'too_complex', limit: 'zip_sizes' };
    expect(await pool.toPdf(sourceOf(lying.bytes), 'docx', OWNER)).toEqual(refusal);
  });

  test.skipIf(!SLOW)('makes what this process would', async () => {
    const created = await pool.toPdf(sourceOf(agreement), 'docx', OWNER);
    const { pdf, ...details } = await ours(agreement);
    expect(created).toMatchObject(details);
    expect(created.ok && Buffer.from(created.pdf).equals(pdf)).toBe(true);
  });
});

describe.skipIf(!SLOW || corpus.skip)(`the corpus${corpus.why}`, () => {
  test('has files', () => expect(files.length).toBeGreaterThan(10));

  test.each(files)('%s becomes a page', async (name) => {
    const { pdf, pages } = await ours(readFileSync(join(MAMMOTH, name)));
    expect(await inspectPdf(pdf, { maxPages: 9 })).toMatchObject({ ok: true, pages });
  });

  test.skipIf(office.skip || poppler.skip).each(shareOf(files, 12))(
    `%s has the words that LibreOffice shows${office.why}${poppler.why}`,
    async (name) => {
      const engine = createOneShotEngine({ program: ENGINE_PROGRAM });
      try {
        const bytes = readFileSync(join(MAMMOTH, name));
        const theirs = await engine.toPdf(sourceOf(bytes), 'docx', OWNER);
        if (!theirs.ok) throw new Error(theirs.reason);
        // Which fonts are replaced depends on those that the machine has.
        expect(theirs.remarks.filter(({ code }) => code !== 'fonts_replaced')).toEqual([]);
        const more = name === 'external-picture.docx' ? ['Picture'] : [];
        expect(wordsOf((await ours(bytes)).pdf)).toEqual([...wordsOf(theirs.pdf), ...more].sort());
      } finally {
        await engine.close();
      }
    },
  );
});

describe.skipIf(!SLOW || office.skip)(`LibreOffice${office.why}`, () => {
  test('converts what is made by hand, with the words and the pages that we have', async () => {
    const engine = createOneShotEngine({ program: ENGINE_PROGRAM });
    const theirs = await engine.toPdf(sourceOf(agreement), 'docx', OWNER);
    await engine.close();
    const mine = await ours(agreement);
    if (!theirs.ok) throw new Error(theirs.reason);
    expect(theirs.remarks.filter(({ code }) => code !== 'fonts_replaced')).toEqual([]);
    expect(theirs.pages.length).toBe(mine.pages.length);
    expect(wordsOf(theirs.pdf)).toEqual(wordsOf(mine.pdf));
  });

  test('fetches nothing: a picture, a template or a video on another machine', async () => {
    const requests: string[] = [];
    const server = createServer(({ url }, response) => {
      requests.push(`${url}`);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const blip = `<a:blip r:link="x1"/>`;
    const docx = docxOf({
      body:
        paragraph(picture('x1', 90, 90).replace(/<a:blip[^>]*>/, blip)) +
        paragraph(docxField(`INCLUDEPICTURE "${at}/field.png" \\d`, 'x')),
      relationships: [
        ['x1', 'image', `${at}/blip.png`, 'External'],
        ['x2', 'attachedTemplate', `${at}/template.dotm`, 'External'],
        ['x3', 'video', `${at}/video.mp4`, 'External'],
      ],
    });
    const engine = createOneShotEngine({ program: ENGINE_PROGRAM });
    const converted = await engine.toPdf(sourceOf(docx), 'docx', OWNER);
    expect(converted.ok).toBe(true);
    await engine.close();
    server.close();
    expect(requests).toEqual([]);
  });

  test('does not keep an upload of something else waiting', async () => {
    const pool = createPool({ program: ENGINE_PROGRAM });
    await pool.toPdf(sourceOf(photograph()), 'jpeg', OWNER);
    const order: string[] = [];
    const slow = pool.toPdf(sourceOf(agreement), 'docx', OWNER).then(() => order.push('docx'));
    await pool
      .toPdf(sourceOf(Buffer.concat([photograph(), Buffer.from('x')])), 'jpeg', OWNER)
      .then(() => order.push('jpeg'));
    await slow;
    await pool.close();
    expect(order).toEqual(['jpeg', 'docx']);
  });
});

describe.skipIf(!SLOW || process.platform !== 'linux')('a command that is killed during a conversion', () => {
  test('leaves no LibreOffice and no folder behind', async () => {
    const folder = await temporaryFolder();
    const [program, started] = [join(folder, 'soffice'), join(folder, 'started')];
    await writeFile(program, `#!/bin/sh\necho $$ > '${started}'\nsleep 100\n`);
    await chmod(program, 0o755);
    await writeFile(join(folder, 'a.docx'), agreement);
    const env = {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOME: folder,
      ESIGN_HOME: join(folder, 'home'),
      ESIGN_SOFFICE: program,
    };
    const bin = new URL('../../bin/esign.js', import.meta.url).pathname;
    const words = [bin, 'tx', 'send', join(folder, 'a.docx'), '--to', 'ada@example.com', '--json'];
    const child = spawn(process.execPath, words, { cwd: folder, env, stdio: 'ignore' });
    const entry = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith(`esign-office-${child.pid}-`));
    try {
      const isStarted = () => existsSync(started) && statSync(started).size > 0;
      await vi.waitFor(() => expect(isStarted()).toBe(true), { timeout: 60_000 });
      const pid = Number(await readFile(started, 'utf8'));
      expect(await entry()).toHaveLength(1);
      child.kill('SIGKILL');
      await vi.waitFor(
        async () => {
          expect(isRunning(pid)).toBe(false);
          expect(await entry()).toEqual([]);
        },
        { timeout: 60_000, interval: 100 },
      );
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
