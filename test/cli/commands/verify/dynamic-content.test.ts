// A signed file that programs show differently stays unchanged and valid, and every report says so, and where.
import { expect, test } from 'vitest';
import { fileAsJson } from '../../../../src/cli/commands/verify/as-json.ts';
import { pageOf, unwrapped } from '../../../../src/cli/commands/verify/page.ts';
import { etsiReport, htmlReport } from '../../../../src/cli/commands/verify/reports.ts';
import { acceptanceOf } from '../../../../src/cli/commands/verify/requirements.ts';
import { verifyFile } from '../../../../src/cli/commands/verify/verified-file.ts';
import {
  basePdf,
  CATALOG,
  N,
  NOW,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  updated,
} from '../../../support/documents/signed-pdf.ts';
import { PKI, trusting, WITH_INFO } from '../../../support/documents/verification.ts';

const acceptance = acceptanceOf({ accept: [], require: undefined });

async function verify(bytes: Buffer) {
  const trust = trusting(PKI.root);
  const file = await verifyFile('contract.pdf', bytes, {
    trust: { named: trust, all: async () => trust },
    now: NOW,
    level: undefined,
    original: undefined,
    password: undefined,
    textOfPage: () => async () => undefined,
    compareVersions: undefined,
  });
  return {
    json: fileAsJson(file),
    text: pageOf([file], { isExplained: false, wrapped: unwrapped, acceptance }),
    html: htmlReport([file], acceptance),
    etsi: etsiReport([file], NOW),
  };
}

const withObjects = (objects: Objects) => updated(basePdf(), objects, WITH_INFO);
const signed = (objects: Objects) => signPdf(withObjects(objects), { party: PKI.signer });

const SCRIPT = '<</S/JavaScript/JS(app.alert\\(1\\))>>';

test('a script in a signed file is a remark of every report, and the file is unchanged and valid', async () => {
  const { json, text, html, etsi } = await verify(
    signed({ [N.page]: PAGE(PAGE_ANNOTATIONS, '/AA<</O 40 0 R>>'), 40: SCRIPT }),
  );
  const message =
    'A script runs when the document is opened, shown or printed (page 1, object 40). What is shown depends on the program.';
  expect(json).toMatchObject({
    verdict: 'valid',
    unchanged: 'yes',
    faults: [],
    remarks: [{ code: 'dynamic_content', kind: 'script', message, page: 1, object: 40, offset: null }],
  });
  expect(text).toMatch(/^Unchanged since it was signed by/m);
  expect(text).toMatch(/^ {2}Remark {8}A script runs/m);
  expect(html).toContain(`<li>${message}</li>`);
  expect(etsi).toContain(`<fact xmlns="urn:esign:verify" name="remark">${message}</fact>`);
});

test('an action is named by its type, and only by one that the standard has', async () => {
  const opened = async (action: string) =>
    (await verify(signed({ [N.catalog]: CATALOG(`/OpenAction${action}`) }))).json.remarks;
  expect(await opened('<</S/Launch/F(a.exe)>>')).toMatchObject([
    { kind: 'action', message: expect.stringContaining('An action of the type Launch runs when') },
  ]);
  expect(await opened('<</S/Signed#20by#20the#20bank>>')).toMatchObject([
    { kind: 'action', message: expect.stringContaining('An action of an unknown type runs when') },
  ]);
});

test('a file without signatures gets no such remark', async () => {
  const { json } = await verify(withObjects({ [N.catalog]: CATALOG(`/OpenAction${SCRIPT}`) }));
  expect(json).toMatchObject({ verdict: 'unsigned', remarks: [] });
});
