// DOCX by LibreOffice, with programs that stand in for it: what it is given, how long it may take, that nothing is left of
// it, and what happens where it fails.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DocumentEngine, JobAnswer, RunJob } from '../../../src/pdf/engine/engine.ts';
import { engineOver } from '../../../src/pdf/engine/engine.ts';
import { findOffice } from '../../../src/pdf/engine/office.ts';
import { createOfficeWorker } from '../../../src/pdf/engine/office-process.ts';
import { withOffice } from '../../../src/pdf/engine/with-office.ts';
import { runJob } from '../../../src/pdf/engine/work.ts';
import { useSystemFontFolders } from '../../../src/pdf/fonts/system-fonts.ts';
import { docxOf, paragraph, picture } from '../../support/documents/docx.ts';
import { isRunning, sourceOf } from '../../support/documents/engine.ts';
import { fontNamed } from '../../support/documents/font.ts';
import { fontPdf } from '../../support/documents/font-pdf.ts';
import { HOSTILE } from '../../support/documents/hostile/index.mjs';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

const isWindows = process.platform === 'win32';
const fixture = new URL('../../fixtures/contract.pdf', import.meta.url).pathname;
const docx = sourceOf(docxOf(paragraph('text')));
const OWNER = 'a company';
const PAGES = 3;

// Documents of these tests ask for this font, whatever fonts the machine has.
beforeAll(async () => {
  const fonts = await temporaryFolder();
  await writeFile(join(fonts, 'times.ttf'), fontNamed('Times New Roman'));
  useSystemFontFolders([fonts]);
});
afterAll(() => useSystemFontFolders(undefined));

let folder: string;
/** It lies in the folder of the test: the home of the user, where the repository may be, is hidden from a conversion. */
let contract: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  // Other tests of this process convert at the same time, in folders of the same name.
  vi.stubEnv('TMPDIR', folder);
  contract = join(folder, 'contract.pdf');
  await copyFile(fixture, contract);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A program that is called as soffice is: `$out` is the folder for the PDF, `$in` the document. */
async function program(script: string): Promise<string> {
  const path = join(folder, 'soffice');
  const words = 'while [ $# -gt 1 ]; do [ "$1" = --outdir ] && out=$2; shift; done; in=$1; mkdir -p "$out"';
  await writeFile(path, `#!/bin/sh\n${words}\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const MAKES_PDF = 'cp "$(dirname "$0")/contract.pdf" "$out/document.pdf"';

const here: RunJob = async (job, source) => runJob(job, await source.bytes());

async function using(script: string, run: RunJob = here): Promise<DocumentEngine> {
  const { run: converting, close } = withOffice(run, await program(script));
  return engineOver(converting, async (reason) => close(reason));
}

/** Folders of conversions that were not removed. */
const leftovers = async () =>
  (await readdir(folder)).filter((name) => name.startsWith(`esign-office-${process.pid}-`));

describe.skipIf(isWindows)('a DOCX by LibreOffice', () => {
  test('is the PDF that it makes, looked at like one that was uploaded, without a remark', async () => {
    const engine = await using(`${MAKES_PDF}; echo loud; echo louder >&2`);
    const converted = await engine.toPdf(docx, 'docx', OWNER);
    expect(converted).toMatchObject({ ok: true, remarks: [], isPlain: expect.any(Boolean) });
    if (!converted.ok) return;
    expect(converted.pages).toHaveLength(PAGES);
    expect(Buffer.from(converted.pdf)).toEqual(readFileSync(contract));
  });

  test('has one remark on all fonts that it has replaced', async () => {
    await writeFile(contract, fontPdf(['box', 'letter']));
    const text = ['Calibri', 'Corbel', 'Times New Roman']
      .map((name) => `<w:r><w:rPr><w:rFonts w:ascii="${name}"/></w:rPr><w:t>text</w:t></w:r>`)
      .join('');
    expect(
      await (await using(MAKES_PDF)).toPdf(sourceOf(docxOf(paragraph(text))), 'docx', OWNER),
    ).toMatchObject({
      ok: true,
      remarks: [{ code: 'fonts_replaced', what: expect.stringMatching(/^Calibri, Corbel/) }],
    });
  });

  test('has the remark on tracked changes, which it shows as changes', async () => {
    const source = sourceOf(docxOf(paragraph('<w:ins><w:r><w:t>new</w:t></w:r></w:ins>')));
    expect(await (await using(MAKES_PDF)).toPdf(source, 'docx', OWNER)).toMatchObject({
      ok: true,
      remarks: [{ code: 'tracked_changes', what: '1 insertion' }],
    });
  });

  test('is our own layout where it drew boxes in the place of letters: that names what no font has', async () => {
    for (const [glyphs, remarks] of [
      [['box', 'letter'], []],
      [['box', 'box'], [{ code: 'approximate_layout' }]],
    ] as const) {
      await writeFile(contract, fontPdf(glyphs));
      expect(await (await using(MAKES_PDF)).toPdf(docx, 'docx', OWNER)).toMatchObject({ ok: true, remarks });
    }
  });

  test('draws formulas only where it has its part for them', async () => {
    const formula =
      '<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>';
    const source = sourceOf(docxOf(paragraph(formula)));
    const without = await (await using(MAKES_PDF)).toPdf(source, 'docx', OWNER);
    expect(without).toMatchObject({ ok: true, remarks: [{ code: 'approximate_layout' }] });
    await writeFile(join(folder, 'libsmlo.so'), '');
    expect(await (await using(MAKES_PDF)).toPdf(source, 'docx', OWNER)).toMatchObject({
      ok: true,
      remarks: [],
    });
  });

  test('a formula that only LibreOffice knows is given to it, and refused by name without its part for formulas', async () => {
    const source = sourceOf(
      docxOf(paragraph('<m:oMath><m:later><m:r><m:t>5</m:t></m:r></m:later></m:oMath>')),
    );
    const without = await (await using(MAKES_PDF)).toPdf(source, 'docx', OWNER);
    expect(without).toMatchObject({ ok: false, reason: 'too_complex', limit: 'formula' });
    await writeFile(join(folder, 'libsmlo.so'), '');
    expect(await (await using(MAKES_PDF)).toPdf(source, 'docx', OWNER)).toMatchObject({ ok: true });
  });

  test('gets a document packed anew, a profile and a home of its own, no secrets and no macros', async () => {
    const [env, input, settings] = ['env', 'given', 'settings'].map((name) => join(folder, name));
    vi.stubEnv('ESIGN_ACCESS_TOKEN', 'secret');
    const engine = await using(
      `env > '${env}'; cp "$in" '${input}'; cp "$HOME/../profile/user/registrymodifications.xcu" '${settings}'; ${MAKES_PDF}`,
    );
    await engine.toPdf(docx, 'docx', OWNER);
    vi.unstubAllEnvs();
    expect(await readFile(env!, 'utf8')).not.toContain('secret');
    expect(await readFile(input!)).not.toEqual(Buffer.from(await docx.bytes()));
    const summary = await readFile(settings!, 'utf8');
    for (const word of ['DisableMacrosExecution', 'ooInetHTTPProxyName', '<value>127.0.0.1</value>'])
      expect(summary).toContain(word);
  });

  test.each([
    ['fails', 'exit 1'],
    ['makes nothing', 'true'],
    ['makes no PDF', 'echo no > "$out/document.pdf"'],
    ['is killed', 'kill -9 $$'],
  ])('that %s: our own layout, and the remark says so', async (_, script) => {
    const converted = await (await using(script)).toPdf(docx, 'docx', OWNER);
    expect(converted).toMatchObject({ ok: true, remarks: [{ code: 'approximate_layout' }] });
  });

  test('that is not there, or turned off: our own layout', async () => {
    for (const setting of [join(folder, 'nowhere'), 'off']) {
      const { run } = withOffice(here, setting);
      const { result } = await run({ do: 'convert', type: 'docx' }, docx, OWNER);
      expect(result).toMatchObject({ ok: true, remarks: [{ code: 'approximate_layout' }] });
    }
  });

  test('never sees what is refused', async () => {
    const output = join(folder, 'seen');
    const engine = await using(`touch '${output}'; ${MAKES_PDF}`);
    const names = [
      'zip that lies about a size',
      'xml entities',
      'tables nested 500 deep',
      'zip with a name that climbs',
    ];
    for (const { bytes, limit } of HOSTILE.filter(({ name }) => names.includes(name)))
      expect(await engine.toPdf(sourceOf(bytes), 'docx', OWNER)).toEqual({
        ok: false,
        reason: 'too_complex',
        limit,
      });
    await expect(stat(output)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('everything else goes the usual way', async () => {
    const jobs: string[] = [];
    const { run } = withOffice(
      async (job): Promise<JobAnswer> => {
        jobs.push(job.do);
        return { result: { ok: true } };
      },
      await program(MAKES_PDF),
    );
    await run({ do: 'convert', type: 'png' }, docx, OWNER);
    await run({ do: 'inspect', maxPages: 1 }, docx, OWNER);
    expect(jobs).toEqual(['convert', 'inspect']);
  });
});

describe.skipIf(isWindows)('a conversion', () => {
  const input = docxOf(paragraph('text'));

  test.skipIf(!SLOW)('that stands still is killed with all it has started, and nothing is left', async () => {
    const pids = join(folder, 'pids');
    const path = await program(`sleep 100 & echo $! >> '${pids}'; echo $$ >> '${pids}'; sleep 100`);
    const lane = createOfficeWorker({ program: path, clockMs: 1500 });
    expect(await lane.convert(input, OWNER)).toBe('failed');
    const started = (await readFile(pids, 'utf8')).trim().split('\n').map(Number);
    expect(started).toHaveLength(2);
    await vi.waitFor(() => expect(started.some(isRunning)).toBe(false), { timeout: 20_000 });
    expect(await leftovers()).toEqual([]);
  });

  test.skipIf(!SLOW)('that takes too much processor time is killed', async () => {
    const ended = join(folder, 'ended');
    const path = await program(`sh -c 'while :; do :; done'; echo $? > '${ended}'`);
    const lane = createOfficeWorker({ program: path, timeMs: 1000 });
    expect(await lane.convert(input, OWNER)).toBe('failed');
    // By a signal, and long before the clock would have ended all of it.
    expect(Number(await readFile(ended, 'utf8'))).toBeGreaterThan(128);
  });

  test('that gets no processor is waited for: only its own processor time counts', async () => {
    const path = await program(`sleep 2; ${MAKES_PDF}`);
    const lane = createOfficeWorker({ program: path, timeMs: 1000 });
    expect(await lane.convert(input, OWNER)).toHaveProperty('pdf');
  });

  test('that is under way at the end is killed; it and those that wait are answered', async () => {
    const started = join(folder, 'started');
    const lane = createOfficeWorker({ program: await program(`echo $$ > '${started}'; sleep 100`) });
    const answers = [lane.convert(input, OWNER), lane.convert(input, 'another')];
    const pid = await vi.waitFor(async () => Number((await readFile(started, 'utf8')).trim() || Number.NaN), {
      timeout: 20_000,
    });
    lane.close();
    expect(await Promise.all(answers)).toEqual(['busy', 'busy']);
    expect(await lane.convert(input, OWNER)).toBe('busy');
    await vi.waitFor(
      async () => {
        expect(isRunning(pid)).toBe(false);
        expect(await leftovers()).toEqual([]);
      },
      { timeout: 20_000 },
    );
  });

  test.skipIf(!SLOW)('is one at a time, and of several companies each gets a turn', async () => {
    const [busy, log] = [join(folder, 'busy'), join(folder, 'log')];
    const lane = createOfficeWorker({
      program: await program(
        `mkdir '${busy}' || echo two at once >> '${log}'; sleep 0.1; rmdir '${busy}'; ${MAKES_PDF}`,
      ),
    });
    const order: string[] = [];
    const of = (owner: string) => lane.convert(input, owner).then(() => order.push(owner));
    await Promise.all([of('a'), of('a'), of('a'), of('b')]);
    await expect(readFile(log)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(order.indexOf('b')).toBeLessThan(3);
    expect(order).toHaveLength(4);
  });

  test('that was not started in time is given up', async () => {
    const lane = createOfficeWorker({ program: await program('sleep 100'), waitMs: 50 });
    const first = lane.convert(input, OWNER);
    expect(await lane.convert(input, OWNER)).toBe('busy');
    lane.close();
    expect(await first).toBe('busy');
  });

  test.skipIf(!SLOW)('writes no more than it may', async () => {
    const lane = createOfficeWorker({
      program: await program('head -c 100000000 /dev/zero > "$out/document.pdf"; [ -s "$out/document.pdf" ]'),
    });
    const answer = await lane.convert(input, OWNER);
    expect(typeof answer === 'object' ? answer.pdf.length : 0).toBeLessThan(100_000_000);
  });
});

describe.skipIf(isWindows)('where LibreOffice is', () => {
  test('is found on the PATH, under either name', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'libreoffice'), '');
    vi.stubEnv('PATH', bin);
    try {
      expect(await findOffice(undefined)).toBe(process.platform === 'darwin' ? expect.anything() : undefined);
      await chmod(join(bin, 'libreoffice'), 0o755);
      expect(await findOffice(undefined)).toBe(join(bin, 'libreoffice'));
      expect(await findOffice('off')).toBeUndefined();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('as it is set, and nowhere else', async () => {
    const path = await program('true');
    expect(await findOffice(path)).toBe(path);
    expect(await findOffice(`${path}.gone`)).toBeUndefined();
  });
});

const namespaces = needsCommand('unshare');
const office = unmet(namespaces, needsCommand('soffice'), needsCommand('pdftotext'));

describe.skipIf(isWindows || namespaces.skip)(
  `a conversion in namespaces of its own${namespaces.why}`,
  () => {
    test('reaches nothing on the network, and finds nothing in the home of the user', async () => {
      const home = join(folder, 'home of the user');
      await mkdir(home);
      await writeFile(join(home, 'marker'), 'secret');
      vi.stubEnv('HOME', home);
      let requests = 0;
      const server = createServer((_, response) => {
        requests += 1;
        response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const output = join(folder, 'seen');
      const ask = `require('http').get('http://127.0.0.1:${port}/').on('error', (e) => console.log(e.code))`;
      const lane = createOfficeWorker({
        program: await program(
          `cat '${home}/marker' > '${output}' 2>&1; '${process.execPath}' -e "${ask}" >> '${output}'; ${MAKES_PDF}`,
        ),
      });
      expect(await lane.convert(docxOf(paragraph('text')), OWNER)).toHaveProperty('pdf');
      server.close();
      expect(requests).toBe(0);
      expect(await readFile(output, 'utf8')).not.toContain('secret');
      expect(await readFile(join(home, 'marker'), 'utf8')).toBe('secret');
    });
  },
);

describe.skipIf(isWindows || office.skip)(`LibreOffice itself${office.why}`, () => {
  test('shows what the fields of a packed document showed last, and reads and asks nothing that they named', async () => {
    const marker = join(folder, 'marker.txt');
    await writeFile(marker, 'CONTENT OF ANOTHER FILE');
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/a.png`;
    const field = (code: string, result: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>${result}</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const body = [
      field(`INCLUDETEXT &quot;${marker}&quot;`, 'first result'),
      field(`INCLUDEPICTURE &quot;${url}&quot; \\d`, 'second result'),
      field(`LINK Word.Document.12 &quot;${marker}&quot; &quot;&quot; \\a \\t`, 'third result'),
      field(`DDEAUTO soffice &quot;${marker}&quot; a`, 'fourth result'),
      `<w:r><w:pict><v:shape style="width:50pt;height:50pt"><v:imagedata src="${url}" o:href="${url}"/></v:shape></w:pict></w:r>`,
      picture('linked', 50, 50).replace('r:embed', 'r:link'),
    ].map((inside) => paragraph(inside));
    const input = docxOf({
      body: body.join(''),
      relationships: [['linked', 'image', url, 'External']],
    });
    const { run, close } = withOffice(here, undefined);
    const engine = engineOver(run, async (reason) => close(reason));
    const converted = await engine.toPdf(sourceOf(input), 'docx', OWNER);
    server.close();
    if (!converted.ok) throw new Error(converted.reason);
    expect(converted.remarks).toEqual([]);
    const { stdout } = spawnSync('pdftotext', ['-', '-'], { input: Buffer.from(converted.pdf) });
    const text = stdout.toString();
    for (const word of ['first', 'second', 'third', 'fourth']) expect(text).toContain(`${word} result`);
    expect(text).not.toContain('ANOTHER FILE');
    expect(requests).toBe(0);
  });

  test.each(['', '<w:revisionView w:markup="0"/>', '<w:revisionView w:insDel="0"/>'])(
    'shows deleted text of tracked changes, whatever the settings %j say',
    async (settings) => {
      const deleted = '<w:del w:id="1" w:author="A"><w:r><w:delText>old</w:delText></w:r></w:del>';
      const inserted = '<w:ins w:id="2" w:author="A"><w:r><w:t>new</w:t></w:r></w:ins>';
      const input = docxOf({ body: paragraph(deleted + inserted), settings });
      const { run, close } = withOffice(here, undefined);
      const engine = engineOver(run, async (reason) => close(reason));
      const converted = await engine.toPdf(sourceOf(input), 'docx', OWNER);
      if (!converted.ok) throw new Error(converted.reason);
      expect(converted.remarks).toMatchObject([{ code: 'tracked_changes', what: '1 insertion, 1 deletion' }]);
      const { stdout } = spawnSync('pdftotext', ['-', '-'], { input: Buffer.from(converted.pdf) });
      expect(stdout.toString()).toContain('oldnew');
    },
  );
});
