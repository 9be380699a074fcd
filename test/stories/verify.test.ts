// `esign verify` as it is run: what it prints for a person and for a pipe, its exit codes, and that it leaves nothing behind.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runWith } from '../../src/cli/run.ts';
import { runInProcess } from '../support/command-line/in-process.ts';
import { ENGINE_PROGRAM } from '../support/documents/engine.ts';
import { sealPdfNow } from '../support/documents/sealed-pdf.ts';
import {
  basePdf,
  N,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  updated,
} from '../support/documents/signed-pdf.ts';
import { PKI } from '../support/documents/verification.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../support/stories/story.ts';

let fixture: StoryFixture;
let sealed: Awaited<ReturnType<typeof sealPdfNow>>;

beforeAll(async () => {
  fixture = await createStoryFixture();
  sealed = await sealPdfNow();
  const put = (name: string, content: string | Buffer) => writeFile(join(fixture.folder, name), content);
  await put('good.pdf', sealed.pdf);
  await put('ca.pem', sealed.pem);
  const changed = Buffer.from(sealed.pdf);
  changed[30] = changed[30]! ^ 1;
  await put('flipped.pdf', changed);
  const byHand = signPdf(basePdf(), {
    party: PKI.signer,
    entries: '/Reason(I agree\\033[31m\\nSigned by: the bank)/Location(Here)',
  });
  await put('by-hand.pdf', byHand);
  await put(
    'by-hand.pem',
    `-----BEGIN CERTIFICATE-----\n${PKI.root.der.toString('base64')}\n-----END CERTIFICATE-----`,
  );
  await put(
    'changed.pdf',
    updated(byHand, { [N.content]: streamOf('(I owe you 900)') }, '/Root 1 0 R/Info 11 0 R'),
  );
  await put(
    'saved-again.pdf',
    updated(byHand, { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Tabs/S') }, '/Root 1 0 R/Info 11 0 R'),
  );
  await put('note.txt', 'hello');
  await put('cut.pdf', sealed.pdf.subarray(0, 3000));
});

afterAll(() => fixture.close());

const run = (...words: string[]) => runInProcess(fixture, ['verify', ...words]);
const TRUST = ['--trust', 'ca.pem'];

test('a file that is valid: one line, exit 0, and no store', async () => {
  const { code, out, err } = await run('good.pdf', ...TRUST);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^good\.pdf\tvalid\tAda & Söhne, Ltd\.\t\d{4}-\d\d-\d\dT[\d:.]+Z\tLTA\t\n$/);
  expect(existsSync(join(fixture.folder, '.esign', 'data'))).toBe(false);
});

test('the same by the built program, on standard input', async () => {
  const ran = await runCommand(fixture, 'esign verify - --trust ca.pem < good.pdf');
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(ran.out).toMatch(/^-\tvalid\t/);
  for (const folder of ['data', 'config'])
    expect(existsSync(join(fixture.folder, '.esign', folder))).toBe(false);
});

test('several files: a line each, the worst of them decides', async () => {
  const { code, out } = await run('good.pdf', 'flipped.pdf', 'contract.pdf', 'cut.pdf', ...TRUST);
  expect(code).toBe(9);
  expect(out.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
    'good.pdf valid',
    'flipped.pdf invalid',
    'contract.pdf unsigned',
    'cut.pdf damaged',
    '',
  ]);
  expect(out).toContain('The signed bytes were changed after signing.');
  expect(out).toMatch(/^cut\.pdf\t.*\tThe structure of the file cannot be read\.$/m);
  expect((await run('good.pdf', 'note.txt', ...TRUST)).code).toBe(2);
});

test('what is no PDF, no certificate or no time is refused', async () => {
  const refused = async (...words: string[]) => {
    const { code, err } = await run(...words, '--json');
    return [code, JSON.parse(err.trim().split('\n').at(-1) ?? '').error.code];
  };
  expect(await refused('note.txt')).toEqual([2, 'not_a_pdf']);
  expect(await refused('nothing.pdf')).toEqual([2, 'file_not_found']);
  expect(await refused('good.pdf', '--trust', 'note.txt')).toEqual([2, 'certificate_unreadable']);
  expect(await refused('good.pdf', '--at', 'yesterday')).toEqual([2, 'value_invalid']);
  expect(await refused('-', '--original', '-')).toEqual([2, 'stdin_twice']);
  expect((await run('good.pdf', '--level', 'X')).code).toBe(2);
});

test('an untrusted signer, a level that is not reached, a time before it was made', async () => {
  const first = async (...words: string[]) => {
    const { code, out } = await run(...words, '--json');
    const [item] = JSON.parse(out).items;
    return [code, item.signatures[0].faults[0]?.code];
  };
  expect(await first('good.pdf')).toEqual([9, 'untrusted']);
  expect(await first('good.pdf', ...TRUST)).toEqual([0, undefined]);
  expect(await first('good.pdf', ...TRUST, '--level', 'LTA')).toEqual([0, undefined]);
  const trust = ['--trust', 'by-hand.pem', '--at', '2026-11-22'];
  expect(await first('by-hand.pdf', ...trust)).toEqual([0, undefined]);
  expect(await first('by-hand.pdf', ...trust, '--level', 'T')).toEqual([9, 'level_too_low']);
  expect(await first('by-hand.pdf', '--trust', 'by-hand.pem', '--at', '2020-01-01')).toEqual([
    9,
    'certificate_not_yet_valid',
  ]);
  expect(await first('changed.pdf', ...trust)).toEqual([9, 'changed_content']);
});

/** What a person at a terminal reads. */
async function page(...words: string[]): Promise<string> {
  let said = '';
  const sink = {
    write: (text: string | Uint8Array) => {
      said += text;
    },
    isTerminal: true,
    columns: 100,
  };
  await runWith(['verify', ...words], {
    version: '0.0.0-test',
    environment: {
      variables: { ...fixture.env, TZ: 'UTC' },
      homeDir: fixture.folder,
      workingDir: fixture.folder,
    },
    streams: { out: sink, err: sink, isInputTerminal: false, input: () => new PassThrough().end() },
    onSignal: () => undefined,
    engineProgram: ENGINE_PROGRAM,
  });
  return said;
}

test('a page for a person: verdict, who, when by whose clock, what changed', async () => {
  const good = await page('good.pdf', ...TRUST);
  expect(good).toMatch(/^good\.pdf: valid$/m);
  expect(good).toMatch(/^ {2}Signed by {5}Ada & Söhne, Ltd\.$/m);
  expect(good).toMatch(/^ {2}Signed at {5}20.* or before, proven by the clock of esign sandbox timestamps$/m);
  expect(good).toMatch(/^ {2}Level {9}PAdES B-LTA$/m);
  expect(good).toMatch(
    /^ {2}Afterwards {4}version 3: not signed; certificates and revocation data were added\n {16}version 4: document timestamp 2 by esign sandbox timestamps$/m,
  );
  const changed = await page('changed.pdf', '--trust', 'by-hand.pem', '--at', '2026-11-22');
  expect(changed).toMatch(/^changed\.pdf: NOT VALID$/m);
  expect(changed).toMatch(/^ {2}✗ The content on page 1 was changed after this signature \(Contents\)\.$/m);
});

test('pages are compared unless none can have changed, or that is not wanted', async () => {
  const renderingOf = async (...words: string[]) => {
    const { items } = JSON.parse((await run(...words, '--json')).out);
    return [items[0].verdict, items[0].rendering, items[0].pages_compared];
  };
  expect(await renderingOf('good.pdf', ...TRUST)).toEqual(['valid', 'not_needed', null]);
  const again = ['saved-again.pdf', '--trust', 'by-hand.pem', '--at', '2026-11-22'];
  expect(await renderingOf(...again)).toEqual(['valid', 'compared', 1]);
  expect(await renderingOf(...again, '--no-render')).toEqual(['valid', 'skipped', null]);
  expect(await page(...again, '--no-render')).toContain('not compared with the signed versions');
});

test('nothing of a file moves the cursor or breaks a line', async () => {
  const hostile = await page('by-hand.pdf', '--trust', 'by-hand.pem', '--at', '2026-11-22');
  expect(hostile).toContain(
    String.raw`Reason        I agree\u{1b}[31m\nSigned by: the bank (as stated by the signer)`,
  );
  expect(hostile).not.toMatch(/^Signed by: the bank/m);
});

test('--explain shows objects and offsets', async () => {
  const { out } = await run('changed.pdf', '--trust', 'by-hand.pem', '--at', '2026-11-22', '--explain');
  expect(out).toContain('[object 4]');
  expect(out).toMatch(/Covers +bytes 0 to \d+ and \d+ to \d+ of \d+/);
  expect(out).toMatch(/Chain +CN=Test Signer · SHA-256 [0-9a-f]{64}/);
});
