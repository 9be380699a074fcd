// The first line about a file: it names nobody as the signer of what they did not sign, and no name in it says anything of its own.
import { expect, test } from 'vitest';
import { headlineOf, wayOut } from '../../../../src/cli/commands/verify/page.ts';
import { acceptanceOf, exitOf } from '../../../../src/cli/commands/verify/requirements.ts';
import { nameInLine } from '../../../../src/cli/commands/verify/sentences.ts';
import { verifyFile } from '../../../../src/cli/commands/verify/verified-file.ts';
import { authority, certificate, cms, crl, DAY, type Party } from '../../../support/certificates/pki.ts';
import {
  basePdf,
  FORM,
  N,
  NOW,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  updated,
  withStore,
} from '../../../support/documents/signed-pdf.ts';
import { approved, PKI, signed, trusting, WITH_INFO } from '../../../support/documents/verification.ts';

async function verified(bytes: Buffer, level?: 'T') {
  const trust = trusting(PKI.root);
  return verifyFile('contract.pdf', bytes, {
    trust: { named: trust, all: async () => trust },
    now: NOW,
    level,
    original: undefined,
    password: undefined,
    textOfPage: () => async () => undefined,
    compareVersions: undefined,
  });
}
const headline = async (bytes: Buffer) => headlineOf(await verified(bytes));

/** A further signature of a file. */
const signedAgain = (first: Buffer, party: Party) =>
  signPdf(first, {
    party,
    number: 70,
    entries: '',
    objects: (number) => ({
      71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[0 0 0 0]/F 132/P 3 0 R/V ${number} 0 R>>`,
      [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
    }),
    trailer: WITH_INFO,
  });

test.each([
  'Ada Lovelace on 3 May 2026. The signature is proven. It was countersigned by Bob',
  'Ada Lovelace on',
  'Ada and Bob',
  'Ada AND Bob',
  'Ada und Bob',
  // A Cyrillic letter among Latin ones.
  'Ada \u0410nd Bob',
  'Ada. Bob',
  'Ada, Bob',
  'Ada  Bob',
  'Ada Bob Carol Dave Eve',
  'Bob'.repeat(20),
  'Ada 3',
  '',
])('the name %j is quoted', (name) => {
  expect(nameInLine(name)).toBe(`"${name}"`);
});

test.each([
  'Ada Lovelace',
  'Grace B. Hopper',
  "Zoë O'Neill-Łukasz",
  'Ludwig van der Rohe',
  '山田 太郎',
  'Ада',
])('the name %s is plainly one', (name) => {
  expect(nameInLine(name)).toBe(name);
});

test('a name that is a sentence stays a name, and a long one is cut', async () => {
  expect(await headline(signed({ party: certificate('Ada and Bob') }))).toMatch(
    /^Unchanged since it was signed by "Ada and Bob" on /,
  );
  const long = await headline(signed({ party: certificate('x'.repeat(1000)) }));
  expect(long).toContain(`signed by "${'x'.repeat(64)}…" on `);
});

test('whose certificate stands beside a value of somebody else has signed nothing', async () => {
  const forged = signPdf(basePdf(), {
    party: PKI.signer,
    entries: '',
    make: () => cms(PKI.signer, Buffer.from('other data'), { keys: authority('Evil').signer.keys }),
  });
  expect((await verified(forged)).signatures[0]?.faults.map(({ code }) => code)).toEqual([
    'digest_mismatch',
    'signature_wrong',
  ]);
  expect(await headline(forged)).toMatch(
    /^Not validly signed by Test Signer on .*\. The signature was not made with the key of the certificate\.$/,
  );
  const changed = (file: Buffer) => updated(file, { [N.content]: streamOf('(I owe you 900)') }, WITH_INFO);
  expect(await headline(changed(approved()))).toMatch(/^Changed after it was signed by Test Signer on /);
  expect(await headline(changed(forged))).toMatch(/^Not validly signed by Test Signer on /);
});

test('the day is that of a timestamp only where the answer to "when" is', async () => {
  const stamped = signed({ entries: '', tsa: PKI.tsa, token: { at: NOW - 30 * DAY } });
  expect(await headline(stamped)).toMatch(/on 22 October 2026\.$/);
  stamped.write('200', stamped.indexOf('100 euros'), 'latin1');
  expect(await headline(stamped)).toMatch(/on 21 November 2026 \(by the signer's own clock\)\./);
});

test('of several signers the one is named whose certificate is not known', async () => {
  expect(await headline(signedAgain(approved(), certificate('Bob')))).toMatch(
    /^Unchanged since it was signed by Test Signer and Bob on .* Signature 2 of 2, by Bob: The issuer of the certificate is not known to this machine\.$/,
  );
  // Also where both have the same name.
  expect(await headline(signedAgain(approved(), certificate('Test Signer')))).toMatch(
    /signed by Test Signer on .* Signature 2 of 2, by Test Signer: The issuer/,
  );
});

test('the way out of several reasons names all of them, and leads out', async () => {
  const file = await verified(signed({ party: certificate('Self', { kind: 'rsa1024' }), entries: '' }), 'T');
  const reasons =
    'indeterminate:NO_CERTIFICATE_CHAIN_FOUND,CRYPTO_CONSTRAINTS_FAILURE,SIG_CONSTRAINTS_FAILURE';
  expect(wayOut(file)).toContain(`add --accept ${reasons}.`);
  expect(exitOf([file], acceptanceOf({ accept: [reasons], require: undefined }))).toBe(0);
  expect(
    exitOf(
      [file],
      acceptanceOf({ accept: ['indeterminate:NO_CERTIFICATE_CHAIN_FOUND'], require: undefined }),
    ),
  ).toBe(11);
});

test('signatures that were not looked at are never accepted', async () => {
  const file = await verified(approved());
  const cut = { ...file, verdict: 'indeterminate', faults: [{ code: 'too_many_signatures' }] } as typeof file;
  expect(wayOut(cut)).toBeUndefined();
  expect(exitOf([cut], acceptanceOf({ accept: ['indeterminate:CUSTOM'], require: 'unchanged' }))).toBe(11);
});

test('revocation data that is too old has a way out: newer data, and an earlier time where none is proven', async () => {
  const lists = [crl(PKI.root), crl(PKI.issuing, { from: NOW - 90 * DAY, until: NOW - 60 * DAY })];
  const old = (bytes: Buffer) => withStore(bytes, { certificates: PKI.signer.chain, crls: lists });
  const unproven = await verified(old(signed()));
  expect(unproven.verdict).toBe('indeterminate');
  expect(headlineOf(unproven)).toMatch(/^Unchanged since .* covers the certificate ".*" only until /);
  expect(wayOut(unproven)).toContain('Ask the signer for a copy of the file with revocation data of a later');
  expect(wayOut(unproven)).toContain('add --at TIME');
  expect(wayOut(unproven)).toContain('--accept indeterminate:TRY_LATER.');
  expect(wayOut(await verified(old(signed({ tsa: PKI.tsa }))))).not.toContain('--at');
});
