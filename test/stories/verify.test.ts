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
import { type Need, needsCommand } from '../support/tools.ts';

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
  expect(out).toMatch(
    /^good\.pdf\tvalid\tAda & Söhne, Ltd\.\t\d{4}-\d\d-\d\dT[\d:.]+Z\tLTA\t\t\tyes\tesign sandbox root\tesign sandbox timestamps\n$/,
  );
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
  expect((await run('cut.pdf')).out).toBe(
    'cut.pdf\tdamaged\t\t\t\tThe structure of the file cannot be read.\t\t\t\t\n',
  );
  expect(out).toMatch(/^cut\.pdf\t.*\tThe structure of the file cannot be read\.\t{4}$/m);
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
  expect(await first('good.pdf')).toEqual([11, 'untrusted']);
  expect(await first('good.pdf', ...TRUST)).toEqual([0, undefined]);
  expect(await first('good.pdf', ...TRUST, '--level', 'LTA')).toEqual([0, undefined]);
  const trust = ['--trust', 'by-hand.pem', '--at', '2026-11-22'];
  expect(await first('by-hand.pdf', ...trust)).toEqual([0, undefined]);
  expect(await first('by-hand.pdf', ...trust, '--level', 'T')).toEqual([11, 'level_too_low']);
  expect(await first('by-hand.pdf', '--trust', 'by-hand.pem', '--at', '2020-01-01')).toEqual([
    11,
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
  expect(changed).toMatch(/^changed\.pdf: NOT VALID \(FORMAT_FAILURE\)$/m);
  expect(changed).toMatch(/^ {2}✗ The content on page 1 was changed after this signature \(Contents\)\.$/m);
});

test('the first line says whether it is unchanged, by whom it was signed and when, and the next one what to do', async () => {
  const first = async (...words: string[]) =>
    (await page(...words)).replace(/\n(?! |\n|[\w-]+\.pdf)/g, ' ').split('\n')[0];
  const day = '\\d{1,2} \\w+ \\d{4}';
  expect(await first('good.pdf', ...TRUST)).toMatch(
    new RegExp(`^Unchanged since it was signed by "Ada & Söhne, Ltd\\." on ${day}\\.$`),
  );
  expect(await first('by-hand.pdf')).toBe(
    "Unchanged since it was signed by Test Signer on 21 November 2026 (by the signer's own clock). The issuer of the certificate is not known to this machine.",
  );
  expect(await first('flipped.pdf', ...TRUST)).toMatch(
    new RegExp(
      `^Changed after it was signed by "Ada & Söhne, Ltd\\." on ${day}.*\\. The signed bytes were changed after signing\\.$`,
    ),
  );
  const unknown = await page('by-hand.pdf');
  expect(unknown).toMatch(/^by-hand\.pdf: indeterminate \(NO_CERTIFICATE_CHAIN_FOUND\)$/m);
  expect(unknown.replace(/\s+/g, ' ')).toContain(
    'Next If you trust "CN=Test Root", get its certificate from them and add --trust FILE. To accept this without a proof, add --accept indeterminate:NO_CERTIFICATE_CHAIN_FOUND.',
  );
  expect(unknown).toMatch(/^ {2}Not proven {4}who signed$/m);
  expect(unknown).toMatch(/^ {2}Level {9}PAdES B-B; not higher because the signature is not proven$/m);
});

test('a file that was not made from --original has the signatures that it has', async () => {
  const words = ['good.pdf', ...TRUST, '--original', 'by-hand.pdf'];
  const { code, out } = await run(...words, '--json');
  expect(code).toBe(9);
  expect(JSON.parse(out).items[0]).toMatchObject({
    verdict: 'invalid',
    sub_indication: 'CUSTOM',
    unchanged: 'yes',
  });
  expect((await page(...words)).replace(/\s+/g, ' ')).toMatch(
    /^Unchanged since it was signed by "Ada & Söhne, Ltd\." on [^.,]*, but it was not made from "by-hand\.pdf"\. good\.pdf: NOT VALID/,
  );
});

test('of several signatures the one that decides is named', async () => {
  expect(await page('good.pdf', '--trust', 'by-hand.pem')).toMatch(
    /^good\.pdf: indeterminate \(NO_CERTIFICATE_CHAIN_FOUND\), because of signature 1 of 2$/m,
  );
  const [item] = JSON.parse((await run('flipped.pdf', ...TRUST, '--json')).out).items;
  expect(item).toMatchObject({
    verdict: 'invalid',
    indication: 'TOTAL-FAILED',
    sub_indication: 'HASH_FAILURE',
    decided_by: item.signatures[0].field,
    unchanged: 'no',
    accepted: false,
  });
});

test('three questions are answered apart', async () => {
  const answers = async (...words: string[]) => {
    const [item] = JSON.parse((await run(...words, '--json')).out).items;
    return item.signatures[0].answers;
  };
  expect(await answers('good.pdf', ...TRUST)).toMatchObject({
    integrity: { unchanged: 'yes', added: ['validation_data', 'timestamp'] },
    identity: {
      name: 'Ada & Söhne, Ltd.',
      proven: true,
      anchor: 'esign sandbox root',
      trusted_because: '--trust ca.pem',
    },
    time: { proven: true, by: 'esign sandbox timestamps' },
  });
  expect(await answers('by-hand.pdf')).toEqual({
    integrity: { unchanged: 'yes', added: [] },
    identity: { name: 'Test Signer', proven: false, anchor: null, trusted_because: null },
    time: { at: '2026-11-21T18:00:00.000Z', proven: false, by: null },
  });
  // Who signed it is as certain as before, but not that this is what was signed.
  expect(await answers('changed.pdf', '--trust', 'by-hand.pem', '--at', '2026-11-22')).toMatchObject({
    integrity: { unchanged: 'no' },
    identity: { name: 'Test Signer', proven: true },
  });
});

test('what is not proven passes where it is accepted, and what was changed never does', async () => {
  const unknown = ['--accept', 'indeterminate:NO_CERTIFICATE_CHAIN_FOUND'];
  const code = async (...words: string[]) => (await run(...words)).code;
  expect(await code('by-hand.pdf')).toBe(11);
  expect(await code('by-hand.pdf', ...unknown)).toBe(0);
  expect(await code('by-hand.pdf', '--require', 'unchanged')).toBe(0);
  expect(await code('changed.pdf', ...unknown, '--no-render')).toBe(9);
  expect(await code('changed.pdf', '--require', 'unchanged', '--no-render')).toBe(9);
  expect(await code('contract.pdf', ...unknown, '--require', 'unchanged')).toBe(9);
  expect(await page('by-hand.pdf', ...unknown)).toMatch(
    /^by-hand\.pdf: indeterminate \(NO_CERTIFICATE_CHAIN_FOUND\), accepted \(--accept\)$/m,
  );
  expect(await page('by-hand.pdf', ...unknown)).not.toMatch(/^ {2}Next/m);
  // Another reason, and one beside the one that is accepted.
  expect(
    await code('by-hand.pdf', '--accept', 'indeterminate:CRYPTO_CONSTRAINTS_FAILURE,REVOKED_NO_POE'),
  ).toBe(11);
  expect(await code('by-hand.pdf', ...unknown, '--level', 'T')).toBe(11);
  expect(await code('by-hand.pdf', '--require', 'unchanged', '--level', 'T')).toBe(11);
  expect(
    await code(
      'by-hand.pdf',
      ...unknown,
      '--accept',
      'indeterminate:SIG_CONSTRAINTS_FAILURE',
      '--level',
      'T',
    ),
  ).toBe(0);
  // The worst of several files decides.
  expect(await code('by-hand.pdf', 'good.pdf', ...TRUST)).toBe(11);
  expect(await code('by-hand.pdf', 'changed.pdf')).toBe(9);
  expect(await code('by-hand.pdf', 'changed.pdf', 'note.txt')).toBe(2);
  const [item] = JSON.parse((await run('by-hand.pdf', ...unknown, '--json')).out).items;
  expect(item).toMatchObject({ verdict: 'indeterminate', indication: 'INDETERMINATE', accepted: true });
});

test('a verdict or a reason that does not exist is refused, with the one that is near', async () => {
  const refused = async (accept: string) => {
    const { code, err } = await run('by-hand.pdf', '--accept', accept);
    expect(code).toBe(2);
    return err;
  };
  expect(await refused('indeterminate:NO_CERTIFICAT_CHAIN')).toContain(
    '"NO_CERTIFICAT_CHAIN" is not a reason',
  );
  expect(await refused('indeterminate:REVOKED_NO_PEO')).toContain('Did you mean REVOKED_NO_POE?');
  expect(await refused('indeterminat:REVOKED_NO_POE')).toContain('Did you mean indeterminate?');
  expect(await refused('indeterminate')).toContain('Use indeterminate: and one or more of');
  expect(await refused('invalid:HASH_FAILURE')).toContain('not a valid value for --accept');
  expect(await refused('indeterminate:REVOKED_NO_POE:HASH_FAILURE')).toContain(
    'not a valid value for --accept',
  );
  expect(await refused('indeterminate:HASH_FAILURE')).toContain('which are never accepted');
});

test('a file of the caller says until when algorithms count, and is refused where it says something else', async () => {
  const put = (text: string) => writeFile(join(fixture.folder, 'policy.json'), text);
  const by = (...words: string[]) =>
    run('by-hand.pdf', '--trust', 'by-hand.pem', '--at', '2026-11-22', '--policy', 'policy.json', ...words);
  await put('{"name": "Ours", "ec_below": {"256": "2021-10-01"}, "rsa_pkcs1": null}');
  expect((await by()).code).toBe(0);
  await put('{"ec_below": {"384": "2020-01-01"}}');
  const weak = await by('--json');
  expect(weak.code).toBe(11);
  expect(JSON.parse(weak.out).items[0]).toMatchObject({ sub_indication: 'CRYPTO_CONSTRAINTS_FAILURE' });
  expect(weak.out).toContain('(ECDSA with 256 bits) is not safe since 2020-01-01');
  for (const [text, said] of [
    ['{"hash": {}}', 'Did you mean hashes?'],
    ['{"hashes": {"SHA1": "2012-08-01"}}', 'Did you mean SHA-1?'],
    ['{"hashes": {"SHA-1": "yesterday"}}', 'a day such as 2012-08-01'],
    ['{"rsa_below": {"many": null}}', 'is not a number of bits'],
    ['{"ec_below": []}', 'which is not an object'],
    ['[]', 'is not a JSON object'],
    ['{', 'policy.json'],
  ] as const) {
    await put(text);
    const { code, err } = await by();
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
  }
});

test('--report html is one page that loads and runs nothing, and shows what changed', async () => {
  const { code, out } = await run(
    'changed.pdf',
    '--trust',
    'by-hand.pem',
    '--at',
    '2026-11-22',
    '--report',
    'html',
  );
  expect(code).toBe(9);
  expect(out).toMatch(/^<!doctype html>/);
  expect(out).toContain("default-src 'none'");
  expect(out).not.toMatch(/<script|<iframe|<link|<object|\son\w+=|https?:/i);
  expect(out).toContain('<p class="says invalid">Changed after it was signed by Test Signer');
  expect(out).toContain('Page 1 looks different');
  expect(out).toContain(String.raw`I agree\u{1b}[31m\nSigned by: the bank`);
  expect(out.match(/<img alt="[^"]+" src="data:image\/png;base64,/g)).toHaveLength(2);
  const sound = await run('good.pdf', ...TRUST, '--report', 'html');
  expect(sound.code).toBe(0);
  expect(sound.out).not.toContain('<img');
  expect(sound.out).toContain('&quot;Ada &amp; Söhne, Ltd.&quot;');
});

test('--report etsi names the verdict, the reason and the certificates in the words of the standard', async () => {
  const report = async (...words: string[]) => (await run(...words, '--report', 'etsi')).out;
  const good = await report('good.pdf', ...TRUST);
  expect(good).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<ValidationReport xmlns="http:\/\/uri.etsi.org\/19102\/v1.4.1#">/,
  );
  expect(good).toContain('<MainIndication>urn:etsi:019102:mainindication:total-passed</MainIndication>');
  expect(good).toContain('<MainIndication>urn:etsi:019102:mainindication:passed</MainIndication>');
  expect(good).not.toContain('SubIndication');
  // Every reference leads to an object.
  const ids = [...good.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const named = [...good.matchAll(/ VOReference="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(named));
  expect(named.length).toBeGreaterThan(3);
  const unknown = await report('by-hand.pdf');
  expect(unknown).toContain(
    '<SubIndication>urn:etsi:019102:subindication:NO_CERTIFICATE_CHAIN_FOUND</SubIndication>',
  );
  expect(unknown).not.toContain('<TrustAnchor');
  // What a file says is text, also where it has characters that XML forbids.
  expect(unknown).toContain('<ReasonElement>I agree\ufffd[31m\nSigned by: the bank</ReasonElement>');
  expect(await report('flipped.pdf', ...TRUST)).toContain('mainindication:total-failed');
  expect(await report('contract.pdf', 'cut.pdf')).toContain(
    '<fact xmlns="urn:esign:verify" name="verdict">damaged</fact>',
  );
});

/** The schema of TS 119 102-2 V1.4.1 may not be copied: `ESIGN_ETSI_SCHEMA` is a folder with it, and a catalogue of what it imports. */
const SCHEMA = process.env.ESIGN_ETSI_SCHEMA ?? '';
const XMLLINT: Need = SCHEMA === '' ? { skip: true, why: '' } : needsCommand('xmllint');

test.skipIf(XMLLINT.skip)(`--report etsi keeps to the schema of the standard${XMLLINT.why}`, async () => {
  for (const words of [
    ['good.pdf', ...TRUST],
    ['good.pdf', 'by-hand.pdf', 'changed.pdf', 'flipped.pdf', 'contract.pdf', 'cut.pdf'],
  ]) {
    const { out } = await run(...words, '--report', 'etsi');
    await writeFile(join(fixture.folder, 'report.xml'), out);
    const ran = await runCommand(
      fixture,
      `XML_CATALOG_FILES=${SCHEMA}/catalog.xml xmllint --nonet --noout --schema ${SCHEMA}/1910202xmlSchema.xsd report.xml`,
    );
    expect(ran).toMatchObject({ code: 0 });
  }
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

test('--explain names the rule that objects, what it allows, and what the object is', async () => {
  const { out } = await run('changed.pdf', '--trust', 'by-hand.pem', '--at', '2026-11-22', '--explain');
  expect(out).toMatch(/Rule +page-content\. Allowed: .+ \(ISO 32000-2, .+\)/);
  expect(out).toMatch(/Object +4: content of page 1/);
  const { out: short } = await run('changed.pdf', '--trust', 'by-hand.pem', '--at', '2026-11-22');
  expect(short).not.toContain('page-content');
});

test('--json names the rule beside the code and the object', async () => {
  const { out } = await run('changed.pdf', 'by-hand.pdf', '--json');
  const [changed, unknown] = JSON.parse(out).items;
  expect(changed.signatures[0].faults).toContainEqual(
    expect.objectContaining({ code: 'changed_content', rule: 'page-content', object: N.content }),
  );
  expect(unknown.signatures[0].faults).toMatchObject([{ code: 'untrusted', rule: null }]);
});
