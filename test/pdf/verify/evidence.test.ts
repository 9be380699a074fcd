// The evidence in a sealed document: accepted as it was made, and refused when it was replaced, reordered or cut.
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type PdfFile, readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { digestOf } from '../../../src/pdf/sign/algorithms.ts';
import { hashOfBeginning } from '../../../src/pdf/verify/signature.ts';
import { evidenceOf, isOriginalOf, valuesMissing } from '../../../src/pdf/verify/verify.ts';
import { chainSteps, evidenceText } from '../../../src/pdf/write/certificate/evidence.ts';
import {
  attachmentsOf,
  digestAndSize,
  evidence,
  evidenceFacts,
  ORIGINAL,
  OTHER_ORIGINAL,
  sealedWith,
  UNSEALED,
} from '../../support/documents/evidence-pdf.ts';
import { CATALOG, N, signPdf, streamOf, updated } from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, verifyBytes, WITH_INFO } from '../../support/documents/verification.ts';
import { sampleOf } from '../../support/tier.ts';

function reportOn(pdf: Buffer) {
  const file = readPdf(pdf);
  if (!file.ok) throw new Error(file.reason);
  return { file, report: evidenceOf(file, verifyBytes(pdf)[0]?.covers) };
}

const codes = (text: string) =>
  reportOn(sealedWith(text)).report?.faults.map(({ code, details: { why, entry } = {} }) => [
    code,
    why,
    entry,
  ]);

describe('evidence', () => {
  test('is read with the document that it is about', () => {
    const pdf = sealedWith(evidenceText(evidence()));
    expect(faultsOf(pdf)).toEqual([]);
    const { report } = reportOn(pdf);
    expect(report).toMatchObject({ faults: [], document: { id: 'd1' }, evidence: { head: evidence().head } });
    expect(reportOn(signPdf(UNSEALED, { party: PKI.signer })).report).toBeUndefined();
  });

  test('that was changed, reordered or cut is refused', () => {
    const { entries, ...rest } = evidence();
    const [first, second, third] = entries;
    const text = (changed: unknown) => JSON.stringify(changed);
    expect(codes(text({ ...rest, entries: [first, third, second] }))).toEqual([
      ['evidence_wrong', 'broken_chain', '1'],
    ]);
    expect(codes(text({ ...rest, entries: [first, second] }))).toEqual([
      ['evidence_wrong', 'wrong_head', undefined],
    ]);
    expect(codes(text({ ...rest, entries: [second, third] }))).toEqual([
      ['evidence_wrong', 'broken_chain', '0'],
    ]);
    expect(
      codes(text({ ...rest, entries: [first, { ...second, at: '2026-11-21T17:29:00.000Z' }, third] })),
    ).toEqual([['evidence_wrong', 'broken_chain', '1']]);
    const people = [{ ...rest.people[0], name: 'Eve' }];
    expect(codes(text({ ...rest, people, entries }))).toEqual([['evidence_wrong', 'broken_chain', '0']]);
    expect(codes('hello')).toEqual([['evidence_wrong', 'not_json', undefined]]);
    expect(codes('{}')).toEqual([['evidence_wrong', 'not_evidence', undefined]]);
    expect(codes(text({ ...rest, version: 2, entries }))).toEqual([
      ['evidence_wrong', 'unknown_version', undefined],
    ]);
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(codes(`{"format":"esign-evidence","version":1,"x":${deep}}`)?.[0]?.[0]).toBe('evidence_wrong');
    expect(codes(text({ ...rest, entries }).replace('"id":"t1"', `"x":${deep},"id":"t1"`))?.[0]?.[0]).toBe(
      'evidence_wrong',
    );
  });

  test('of another document is refused, however sound it is', () => {
    expect(codes(evidenceText(evidence(digestAndSize(Buffer.from('another file')))))).toEqual([
      ['evidence_of_another', undefined, undefined],
    ]);
    // Evidence that names a part of the file which no signature covers.
    expect(codes(evidenceText(evidence({ ...digestAndSize(UNSEALED), bytes: 10_000_000 })))).toEqual([
      ['evidence_of_another', undefined, undefined],
    ]);
    expect(codes(evidenceText(evidence({ sha256: createHash('sha256').digest('hex'), bytes: 0 })))).toEqual([
      ['evidence_of_another', undefined, undefined],
    ]);
  });

  test('that came with the file that was sent is not that of the seal', () => {
    // It names the first bytes of any PDF, or the file up to a byte within itself.
    for (const content of [Buffer.from('%PDF-1.7'), UNSEALED.subarray(0, UNSEALED.length - 3)])
      expect(codes(evidenceText(evidence(digestAndSize(content)))), String(content.length)).toEqual([
        ['evidence_of_another', undefined, undefined],
      ]);
  });

  test('is refused beside a second one, under the name for old readers too', () => {
    const text = evidenceText(evidence());
    for (const names of ['/UF(esign-evidence.json)', '/UF(notes.json)/F(esign-evidence.json)']) {
      const second = `<</Type/Filespec${names}/EF<</F 92 0 R>>>>`;
      const objects = {
        ...attachmentsOf(text),
        92: streamOf(text),
        93: second,
        [N.catalog]: CATALOG('/AF[91 0 R 93 0 R]'),
      };
      const { report } = reportOn(signPdf(updated(UNSEALED, objects, WITH_INFO), { party: PKI.signer }));
      expect(report?.faults, names).toEqual([{ code: 'evidence_wrong', details: { why: 'not_json' } }]);
    }
  });

  test.each([
    ['a number without a canonical form', (text: string) => text.replace('"id":"t1"', '"id":"t1","x":1e999')],
    ['half of a surrogate pair', (text: string) => text.replace('"id":"t1"', '"id":"t1","x":"\\ud800"')],
    ['a name that stands twice', (text: string) => text.replace('"id":"t1"', '"id":"t0","id":"t1"')],
    [
      'a name that stands twice in other letters',
      (text: string) => text.replace('"id":"t1"', '"\\u0069d":"t0","id":"t1"'),
    ],
    ['half of one in a name', (text: string) => text.replace('"id":"t1"', '"id":"t1","\\ud800":1')],
    ['a time that is none', (text: string) => text.replaceAll('2026-11-21T17:30:00.000Z', 'yesterday')],
    ['a day that no month has', (text: string) => text.replaceAll('2026-11-21T17:30', '2026-02-31T17:30')],
    ['a page before the first', (text: string) => text.replaceAll('"page":0', '"page":-1')],
    ['a page behind the last', (text: string) => text.replaceAll('"page":0', '"page":1')],
    ['half a page', (text: string) => text.replaceAll('"page":0', '"page":0.5')],
  ])('with %s is no evidence', (_, change) => {
    const text = change(evidenceText(evidence()));
    expect(text).not.toBe(evidenceText(evidence()));
    expect(codes(text)?.[0]?.slice(0, 2)).toEqual(['evidence_wrong', expect.stringMatching(/^not_/)]);
  });

  test('that is no UTF-8 is none, also where its hashes are right for what readers put in its place', () => {
    const { entries: _, head: __, ...statement } = evidence();
    const named = { ...statement, transaction: { ...statement.transaction, name: '\ufffd' } };
    const text = Buffer.from(evidenceText(chainSteps(named, [])));
    expect(reportOn(sealedWith(text)).report?.faults).toEqual([]);
    const at = text.indexOf('\ufffd');
    const odd = Buffer.concat([text.subarray(0, at), Buffer.from([0xff]), text.subarray(at + 3)]);
    expect(reportOn(sealedWith(odd)).report).toMatchObject({
      evidence: undefined,
      faults: [{ code: 'evidence_wrong', details: { why: 'not_json' } }],
    });
  });

  test('that a later save attached is not read', () => {
    const attached = (pdf: Buffer) => updated(pdf, attachmentsOf(evidenceText(evidence())), WITH_INFO);
    expect(reportOn(attached(UNSEALED)).report?.evidence).toBeDefined();
    expect(reportOn(attached(signPdf(UNSEALED, { party: PKI.signer }))).report).toBeUndefined();
  });

  test('that is put into the place of the signed one afterwards makes the signature fail', () => {
    const pdf = sealedWith(evidenceText(evidence()));
    const replaced = updated(pdf, { 90: streamOf('{}') }, WITH_INFO);
    expect(faultsOf(replaced)).toEqual(['changed_structure']);
    const removed = updated(pdf, { [N.catalog]: CATALOG() }, WITH_INFO);
    expect(faultsOf(removed)).toEqual(['changed_structure']);
  });
});

describe('the original', () => {
  test('is known by its hash in the evidence, or as the beginning of a file that others signed', () => {
    const { file, report } = reportOn(sealedWith(evidenceText(evidence())));
    expect(isOriginalOf(ORIGINAL, file, report)).toBe('yes');
    expect(isOriginalOf(OTHER_ORIGINAL, file, report)).toBe('of_another_document');
    expect(isOriginalOf(Buffer.from('x'), file, report)).toBe('no');
    // What evidence names decides, whatever the file begins with.
    expect(isOriginalOf(UNSEALED, file, report)).toBe('no');
    const foreign = reportOn(signPdf(UNSEALED, { party: PKI.signer })).file;
    expect(isOriginalOf(UNSEALED, foreign, undefined)).toBe('yes');
    expect(isOriginalOf(Buffer.alloc(0), foreign, undefined)).toBe('no');
    expect(isOriginalOf(UNSEALED.subarray(0, 1), foreign, undefined)).toBe('no');
    expect(isOriginalOf(Buffer.concat([UNSEALED, Buffer.from('x')]), foreign, undefined)).toBe('no');
  });
});

describe('the original that the sender stated', () => {
  test('differs from the file that was uploaded', () => {
    const stated = Buffer.from('before');
    const before = evidenceFacts();
    const [first, ...others] = before.documents;
    const preparation = {
      stated_by: 'sender' as const,
      original: digestAndSize(stated),
      removed_tags: [],
      emptied_form_boxes: 0,
      drawn_values: 0,
    };
    const documents = first ? [{ ...first, preparation }, ...others] : [];
    const statement = chainSteps({ ...before, documents }, []);
    const { file, report } = reportOn(sealedWith(evidenceText(statement)));
    expect(isOriginalOf(stated, file, report)).toBe('changed_by_sender');
    expect(isOriginalOf(ORIGINAL, file, report)).toBe('yes');
  });
});

describe('values', () => {
  const { report } = reportOn(sealedWith(evidenceText(evidence())));
  const missing = (text: string[], isCut = false, inBox = '') =>
    valuesMissing(report!, async (_, boxes) => ({
      runs: [],
      drawn: text.join('\n'),
      inBoxes: boxes.map(() => inBox),
      isCut,
    }));

  test('stand on their pages, in whatever pieces; those that a page gives back differently are not looked for', async () => {
    expect(await missing(['City: San', 'Francisco'])).toEqual([]);
    expect(await missing(['City: San Fran-', 'cisco'])).toEqual([]);
    expect(await missing(['City: Los Angeles'])).toEqual(['City']);
    // Lines of another field stand between those of the value.
    expect(await missing(['San Fran Ada cisco'], false, 'San Fran\ncisco')).toEqual([]);
    expect(await missing(['San Fran Ada cisco'], false, 'San Fran')).toEqual(['City']);
    // Where not all of a page was read, nothing is said of it.
    expect(await missing(['City'], true)).toEqual([]);
    expect(await valuesMissing(report!, async () => undefined)).toEqual([]);
  });
});

// ── hashes of beginnings: each is that of the bytes, in whichever order they are asked for ──

const MB = 1024 * 1024;
const bytes = randomBytes(3 * MB + 10);
const ENDS = [2 * MB + 1, 0, 1, MB - 1, MB, MB + 1, 3 * MB + 5, 2 * MB, bytes.length, 0];

test.each(sampleOf(['sha256', 'sha512', 'sha3-256', 'shake256'] as const, 2))('with %s', (name) => {
  const file = { bytes } as PdfFile;
  const more = Buffer.from('behind the gap');
  for (const end of [...ENDS, ...ENDS]) {
    const digest = hashOfBeginning(file, name, end).update(more).digest();
    expect(digest, `${end} bytes`).toEqual(digestOf(name, bytes.subarray(0, end), more));
  }
});

test('of two files, each has its own', () => {
  const [answer, other] = [{ bytes }, { bytes: randomBytes(2 * MB) }].map((file) => file as PdfFile);
  const digests = [answer!, other!].map((file) => hashOfBeginning(file, 'sha256', MB + 1).digest('hex'));
  expect(digests[0]).not.toBe(digests[1]);
});
