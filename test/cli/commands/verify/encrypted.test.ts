// What is said of an encrypted file that does not open: which password is missing, and never that it is not signed.
import { expect, test } from 'vitest';
import { verifyFile } from '../../../../src/cli/commands/verify/verified-file.ts';
import { NOW } from '../../../support/certificates/pki.ts';
import { encryptedPdf } from '../../../support/documents/encrypted-pdf.ts';
import { PKI, trusting } from '../../../support/documents/verification.ts';

test.each([
  [undefined, 'encrypted', ['password_required']],
  ['other', 'encrypted', ['password_wrong']],
  ['secret', 'unsigned', []],
])('with the password %s the verdict is %s', async (password, verdict, codes) => {
  const trust = trusting(PKI.root);
  const file = await verifyFile('contract.pdf', await encryptedPdf('secret'), {
    trust: { named: trust, all: async () => trust },
    now: NOW,
    level: undefined,
    original: undefined,
    password,
    textOfPage: () => async () => undefined,
    compareVersions: undefined,
  });
  expect(file.verdict).toBe(verdict);
  expect(file.faults.map(({ code }) => code)).toEqual(codes);
});
