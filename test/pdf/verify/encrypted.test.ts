// Signatures of encrypted files: checked where the file opens, and never called missing where it does not.
import { expect, test } from 'vitest';
import { verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { encryptedPdf } from '../../support/documents/encrypted-pdf.ts';
import { NOW, type Objects, signPdf, updated } from '../../support/documents/signed-pdf.ts';
import { PKI, trusting } from '../../support/documents/verification.ts';

const inspect = (bytes: Buffer, password?: string) =>
  verifyPdf(bytes, { trust: trusting(PKI.root), now: NOW, password });

/** Entries of the trailer that later saves repeat. */
function trailerOf(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const entry = (pattern: RegExp) => pattern.exec(text)![0];
  return `${entry(/\/Root \d+ 0 R/)}${entry(/\/Encrypt \d+ 0 R/)}${entry(/\/ID ?\[[^\]]*\]/)}`;
}

const FREE = 190;

/** Strings of the signature are hexadecimal and empty: nothing of them is encrypted. */
async function signed(password: string) {
  const file = await encryptedPdf(password);
  const trailer = trailerOf(file);
  const root = Number(/\/Root (\d+)/.exec(trailer)![1]);
  const pages = Number(/\/Pages (\d+)/.exec(pagesOf(file, password))![1]);
  const objects = (dictionary: number): Objects => ({
    [root]: `<</Type/Catalog/Pages ${pages} 0 R/AcroForm<</Fields[${FREE} 0 R]/SigFlags 3>>>>`,
    [FREE]: `<</FT/Sig/V ${dictionary} 0 R>>`,
  });
  return signPdf(file, { party: PKI.signer, number: FREE + 1, objects, trailer });
}

function pagesOf(file: Buffer, password: string): string {
  const report = inspect(file, password);
  if (!report.ok) throw new Error(report.reason);
  const { latest } = report.file;
  const pages = latest.dict(latest.root)?.get('Pages') as { number: number };
  return `/Pages ${pages.number}`;
}

test('a signature in a file that opens with the password is checked', async () => {
  const file = await signed('secret');
  expect(inspect(file, 'secret')).toMatchObject({ ok: true, signatures: [{ faults: [] }] });
  const later = updated(file, { [FREE + 2]: '<</A 1>>' }, trailerOf(file));
  expect(inspect(later, 'secret')).toMatchObject({ ok: true, signatures: [{ faults: [] }] });
});

test('without the password nothing is said of it', async () => {
  const file = await signed('secret');
  expect(inspect(file)).toMatchObject({ ok: false, reason: 'password_wrong' });
  expect(inspect(file, 'other')).toMatchObject({ ok: false, reason: 'password_wrong' });
});

test('a later save must not change how the file is decrypted, whatever names that object', async () => {
  const file = await signed('secret');
  const trailer = trailerOf(file);
  const encryption = Number(/\/Encrypt (\d+)/.exec(trailer)![1]);
  const text = file.toString('latin1');
  const start = text.indexOf(`\n${encryption} 0 obj`) + `\n${encryption} 0 obj`.length;
  const dictionary = text.slice(start, text.indexOf('endobj', start)).trim();
  const other = dictionary
    .replace(/\/StmF ?\/StdCF/, '/StmF/Identity')
    .replace(/\/StrF ?\/StdCF/, '/StrF/Identity');
  expect(other).not.toBe(dictionary);
  const codes = (objects: Objects, entries = '') => {
    const report = inspect(updated(file, objects, `${trailer}${entries}`), 'secret');
    return report.ok && report.signatures[0]!.faults.map(({ code, details }) => [code, details?.part]);
  };
  expect(codes({ [encryption]: Buffer.from(dictionary, 'latin1') })).toEqual([]);
  // The object streams of the signed part can no longer be read.
  const refused = [['update_irregular', 'ObjStm']];
  expect(codes({ [encryption]: Buffer.from(other, 'latin1') })).toEqual(refused);
  // The title of the document may change, with everything that it names.
  const named = { [encryption]: Buffer.from(other, 'latin1'), [FREE + 2]: `<</X ${encryption} 0 R>>` };
  expect(codes(named, `/Info ${FREE + 2} 0 R`)).toEqual(refused);
});
