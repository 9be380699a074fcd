// Verifying compares how pages look now with how they looked when they were signed, and says what it did not compare.
import { expect, test } from 'vitest';
import { fileAsJson } from '../../../../src/cli/commands/verify/as-json.ts';
import { pageOf, unwrapped } from '../../../../src/cli/commands/verify/page.ts';
import { acceptanceOf } from '../../../../src/cli/commands/verify/requirements.ts';
import { type VerifyOptions, verifyFile } from '../../../../src/cli/commands/verify/verified-file.ts';
import type { CompareVersionsAnswer, VersionToCompare } from '../../../../src/pdf/engine/engine.ts';
import { compareVersions } from '../../../../src/pdf/render/comparison/compare-versions.ts';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  NOW,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../../support/documents/signed-pdf.ts';
import { PKI, sealedPdf, trusting, WITH_INFO } from '../../../support/documents/verification.ts';

const acceptance = acceptanceOf({ accept: [], require: undefined });

const FILLED = updated(
  signPdf(basePdf(), { party: PKI.signer }),
  {
    [N.text]: TEXT_FIELD('/V(EUR 9)').replace('8 0 R', '41 0 R'),
    41: streamOf(
      'BT /F 9 Tf 2 4 Td (EUR 9) Tj ET',
      '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>',
    ),
  },
  '/Root 1 0 R/Info 11 0 R',
);

async function verify(bytes: Buffer, compare: VerifyOptions['compareVersions'] = compareVersions) {
  const asked: VersionToCompare[] = [];
  let isPrepared = false;
  const trust = trusting(PKI.root);
  const file = await verifyFile('contract.pdf', bytes, {
    trust: { named: trust, all: async () => trust },
    now: NOW,
    level: undefined,
    original: undefined,
    password: undefined,
    textOfPage: () => async () => undefined,
    async prepareToCompare() {
      isPrepared = true;
    },
    compareVersions:
      compare &&
      ((all, version) => {
        asked.push(version);
        return compare(all, version);
      }),
  });
  return {
    ...fileAsJson(file),
    asked,
    isPrepared,
    text: pageOf([file], { isExplained: false, wrapped: unwrapped, acceptance }),
  };
}

test('a page with a field that was filled in is compared outside the field', async () => {
  const report = await verify(FILLED);
  expect(report).toMatchObject({ verdict: 'valid', rendering: 'compared', pages_compared: 1, faults: [] });
  expect(report.asked).toMatchObject([
    {
      pages: [0],
      allowed: [{ page: 0, rect: { left: 10, bottom: 10, right: 100, top: 30 }, mustBeEmpty: true }],
    },
  ]);
  expect(report.text).toContain('compared with the signed versions: they show the same');
});

test('a field that shows something other than its value is a remark', async () => {
  const look = '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>';
  const file = updated(
    signPdf(basePdf(), { party: PKI.signer }),
    {
      [N.text]: TEXT_FIELD('/V(EUR 9)').replace('8 0 R', '41 0 R'),
      41: streamOf('BT /F 9 Tf 2 4 Td (EUR 999) Tj ET', look),
    },
    '/Root 1 0 R/Info 11 0 R',
  );
  const { verdict, remarks, text } = await verify(file);
  expect(verdict).toBe('valid');
  const message =
    'The field "amount", which was filled in, shows "EUR 999" on page 1, and its value is "EUR 9".';
  expect(remarks).toEqual([
    { code: 'value_shown_differently', kind: null, message, page: 1, object: null, offset: null },
  ]);
  expect(text).toContain(message);
});

test('a list shows its option by the text that stands for the value', async () => {
  const field = (entries: string) =>
    TEXT_FIELD(entries).replace('/FT/Tx', '/FT/Ch/Ff 131072/Opt[[(1)(EUR 100)][(2)(EUR 900)]]');
  const base = updated(basePdf(), { [N.text]: field('') }, '/Root 1 0 R/Info 11 0 R');
  const chosen = (shown: string) =>
    updated(
      signPdf(base, { party: PKI.signer }),
      {
        [N.text]: field('/V(1)').replace('8 0 R', '41 0 R'),
        41: streamOf(
          `BT /F 9 Tf 2 4 Td (${shown}) Tj ET`,
          '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>',
        ),
      },
      '/Root 1 0 R/Info 11 0 R',
    );
  expect((await verify(chosen('EUR 100'))).remarks).toEqual([]);
  expect((await verify(chosen('EUR 900'))).remarks).toMatchObject([{ code: 'value_shown_differently' }]);
});

test('a second signature that is drawn over text is a remark, once for all signed versions', async () => {
  const LOOK = streamOf('1 g 0 0 200 40 re f', '/Type/XObject/Subtype/Form/BBox[0 0 200 40]');
  const second = signPdf(signPdf(basePdf(), { party: PKI.signer, entries: '' }), {
    party: PKI.signer,
    number: 70,
    entries: '',
    objects: (number) => ({
      71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[10 140 210 180]/F 4/P 3 0 R/V ${number} 0 R/AP<</N 72 0 R>>>>`,
      72: LOOK,
      [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
    }),
  });
  const file = updated(second, { [N.info]: '<</Title(x)>>' }, '/Root 1 0 R/Info 11 0 R');
  const { verdict, remarks } = await verify(file);
  expect(verdict).toBe('valid');
  expect(remarks).toMatchObject([
    { code: 'metadata_changed', message: expect.stringContaining('from "Contract" to "x"') },
    {
      code: 'drawn_over_text',
      page: 1,
      message: expect.stringContaining('"I", "owe", "you", "100", "euros"'),
    },
  ]);
});

test('a second signature that shows a digit beside a number is a remark, and one beside a word is none', async () => {
  const second = (rect: string) =>
    signPdf(signPdf(basePdf(), { party: PKI.signer, entries: '' }), {
      party: PKI.signer,
      number: 70,
      entries: '',
      objects: (number) => ({
        71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[${rect}]/F 4/P 3 0 R/V ${number} 0 R/AP<</N 72 0 R>>>>`,
        72: streamOf('0 0 5 9 re f', '/Type/XObject/Subtype/Form/BBox[0 0 5 9]'),
        [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
      }),
    });
  const remarksOf = async (rect: string) => (await verify(second(rect))).remarks;
  // "100" ends before 94 points, "euros" before 131.
  expect(await remarksOf('93.5 150 98.5 159')).toMatchObject([{ message: expect.stringContaining('"100"') }]);
  expect(await remarksOf('132 150 137 159')).toEqual([]);
});

test('a second signature that is drawn over the value of a field is a remark', async () => {
  const look = (content: string) =>
    streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>');
  const filled = {
    [N.text]: TEXT_FIELD('/V(EUR 100)'),
    [N.textLook]: look('BT /F 9 Tf 2 4 Td (EUR 100) Tj ET'),
  };
  const base = updated(basePdf(), filled, '/Root 1 0 R/Info 11 0 R');
  const file = signPdf(signPdf(base, { party: PKI.signer, entries: '' }), {
    party: PKI.signer,
    number: 70,
    entries: '',
    objects: (number) => ({
      71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[10 10 100 30]/F 4/P 3 0 R/V ${number} 0 R/AP<</N 72 0 R>>>>`,
      72: look('1 g 0 0 90 20 re f 0 g BT /F 9 Tf 2 4 Td (EUR 900) Tj ET'),
      [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
    }),
  });
  const message = expect.stringContaining('"100"');
  expect(await verify(file)).toMatchObject({
    verdict: 'valid',
    remarks: [{ code: 'drawn_over_text', message }],
  });
});

test('a file with a field deeper than fields are looked for is not valid', async () => {
  const formOf = (depth: number) => {
    const levels = Array.from({ length: depth }, (_, level) => 100 + level);
    const kid = (number: number) => [number, `<</T(n${number})/Kids[${number + 1} 0 R]>>`] as const;
    const form = { ...Object.fromEntries(levels.map(kid)), [100 + depth]: '<</FT/Sig/T(Deep)>>' };
    const base = updated(basePdf(), { ...form, [N.form]: FORM('7 0 R 9 0 R 100 0 R') });
    return verify(signPdf(base, { party: PKI.signer, number: 90 }));
  };
  expect(await formOf(20)).toMatchObject({ verdict: 'valid', faults: [] });
  // Nothing is proven of what was not looked at.
  const cut = await formOf(40);
  expect(cut).toMatchObject({
    verdict: 'indeterminate',
    sub_indication: 'CUSTOM',
    unchanged: 'unknown',
    faults: [{ code: 'too_many_signatures' }],
  });
  expect(cut.text).toMatch(/^It is not certain whether this is unchanged since it was signed by Test Signer/);
  expect(cut.text).not.toContain('--accept');
});

test('a file with more lists than are read says so', async () => {
  const stored = (count: number) =>
    updated(
      signPdf(basePdf(), { party: PKI.signer }),
      {
        90: `<</CRLs[${Array.from({ length: count }, (_, index) => index).join(' ')}]>>`,
        [N.catalog]: CATALOG('/DSS 90 0 R'),
      },
      '/Root 1 0 R/Info 11 0 R',
    );
  expect(await verify(stored(1000))).toMatchObject({ faults: [] });
  expect(await verify(stored(1001))).toMatchObject({
    verdict: 'damaged',
    sub_indication: null,
    faults: [
      {
        code: 'too_complex',
        verdict: 'indeterminate',
        sub_indication: 'CUSTOM',
        message: expect.stringContaining('more saves, certificates'),
      },
    ],
  });
});

test('bytes behind the last signature that no reader shows are a remark', async () => {
  const file = sealedPdf();
  const whole = await verify(file);
  expect(whole.remarks).toEqual([]);
  expect(whole.text).toMatch(/^ {2}Afterwards {4}nothing was changed$/m);
  const appended = await verify(Buffer.concat([file, Buffer.from('\n% added\n')]));
  expect(appended).toMatchObject({
    verdict: 'valid',
    faults: [],
    remarks: [{ code: 'bytes_appended', offset: file.length }],
  });
  expect(appended.text).toMatch(
    /^Unchanged since .*\. Bytes were appended afterwards that no reader shows\.$/m,
  );
  expect(appended.text).toMatch(/^ {2}Remark {8}Bytes were appended after the last signature/m);
  expect(appended.text).toMatch(/^ {2}Afterwards {4}bytes were appended that no reader shows$/m);
});

test('validation data and a timestamp that shows nothing change no page, so that none is drawn', async () => {
  const sealed = await verify(sealedPdf());
  expect(sealed).toMatchObject({
    verdict: 'valid',
    rendering: 'not_needed',
    pages_compared: null,
    asked: [],
  });
  const touched = updated(
    sealedPdf(),
    { [N.page]: PAGE(`${PAGE_ANNOTATIONS} 61 0 R`, '/Tabs/S') },
    WITH_INFO,
  );
  const report = await verify(touched);
  expect(report).toMatchObject({ verdict: 'valid', rendering: 'compared', pages_compared: 1 });
  expect(report.asked).toMatchObject([
    { pages: [0], allowed: [] },
    { pages: [0], allowed: [] },
  ]);
});

test('a second signature may be seen in its box, and pages that a save does not touch are not drawn', async () => {
  const twoPages = updated(
    basePdf(),
    { 45: PAGE('').replace('/Annots[]', ''), [N.pages]: '<</Type/Pages/Count 2/Kids[3 0 R 45 0 R]>>' },
    '/Root 1 0 R/Info 11 0 R',
  );
  const file = signPdf(signPdf(twoPages, { party: PKI.signer, entries: '' }), {
    party: PKI.signer,
    number: 70,
    entries: '',
    objects: (number) => ({
      71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[10 100 100 140]/F 4/P 3 0 R/V ${number} 0 R/AP<</N 12 0 R>>>>`,
      [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
    }),
  });
  const report = await verify(file);
  expect(report).toMatchObject({ verdict: 'valid', pages_compared: 1 });
  expect(report.asked).toMatchObject([{ pages: [0], allowed: [{ page: 0, rect: { left: 10, top: 140 } }] }]);
  expect(report.text).toContain('1 of 2 compared');
});

test.each<[CompareVersionsAnswer, string, RegExp]>([
  [
    {
      ok: true,
      compared: 1,
      pageCount: 3,
      differences: [{ page: 2, medium: 'screen' }],
      drawnOver: [],
      otherValues: [],
    },
    'shown_differently',
    /^Page 3 shows something else/,
  ],
  [
    {
      ok: true,
      compared: 1,
      pageCount: 3,
      differences: [{ page: 0, medium: 'paper' }],
      drawnOver: [],
      otherValues: [],
    },
    'shown_differently',
    /^Page 1 is printed differently/,
  ],
  [
    { ok: true, compared: 0, pageCount: 3, differences: [{}], drawnOver: [], otherValues: [] },
    'shown_differently',
    /another number of pages/,
  ],
  [{ ok: false, reason: 'too_complex', limit: 'time' }, 'not_compared', /\(time\).*--no-render/],
  [{ ok: false, reason: 'unreadable' }, 'not_compared', /\(unreadable\)/],
  [{ ok: false, reason: 'busy' }, 'not_compared', /\(busy\)/],
])('a file is not valid after %j', async (answer, code, message) => {
  const report = await verify(FILLED, async () => answer);
  // What could not be compared is not proven wrong.
  expect(report).toMatchObject({
    verdict: answer.ok ? 'invalid' : 'indeterminate',
    sub_indication: answer.ok ? 'FORMAT_FAILURE' : 'CUSTOM',
    faults: [{ code, message: expect.stringMatching(message) }],
  });
});

test('nothing is drawn where it is not wanted, where nothing was saved later, and where the file is not valid anyway', async () => {
  const skipped = await verify(FILLED, null as never);
  expect(skipped).toMatchObject({ verdict: 'valid', rendering: 'skipped', pages_compared: null });
  expect(skipped.text).toContain('not compared with the signed versions (--no-render)');
  expect(await verify(signPdf(basePdf(), { party: PKI.signer }))).toMatchObject({
    rendering: 'not_needed',
    asked: [],
  });
  const forged = updated(
    FILLED,
    { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '12 0 R') },
    '/Root 1 0 R/Info 11 0 R',
  );
  expect(await verify(forged)).toMatchObject({ verdict: 'invalid', rendering: 'not_needed', asked: [] });
});
