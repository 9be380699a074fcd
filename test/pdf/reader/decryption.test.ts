// Reading of encrypted files: what qpdf and a library encrypted is read as it was before, and nothing is read without the password.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PdfFile, readPdf } from '../../../src/pdf/reader/read-pdf.ts';
import { textOf } from '../../../src/pdf/reader/values.ts';
import { encryptedPdf } from '../../support/documents/encrypted-pdf.ts';
import { basePdf } from '../../support/documents/signed-pdf.ts';
import { needsCommand } from '../../support/tools.ts';

function opened(bytes: Uint8Array, password?: string): PdfFile {
  const file = readPdf(bytes, password);
  if (!file.ok) throw new Error(file.reason);
  return file;
}

const titleOf = ({ latest }: PdfFile) =>
  textOf(latest.resolve(latest.dict(latest.trailer.get('Info'))?.get('Title')));

function contentOf({ latest }: PdfFile): string | undefined {
  const pages = latest.dict(latest.dict(latest.root)?.get('Pages'));
  const [page] = latest.array(pages?.get('Kids')) ?? [];
  return latest.data(latest.dict(page)?.get('Contents'))?.toString('latin1');
}

test('a file of a library, whose objects lie in encrypted streams', async () => {
  const file = await encryptedPdf('secret');
  expect(opened(file)).toMatchObject({ isEncrypted: true, locked: 'password_wrong' });
  expect(opened(file, 'other').locked).toBe('password_wrong');
  for (const password of ['secret', 'secret of the owner']) {
    const { locked, latest } = opened(file, password);
    expect(locked).toBeUndefined();
    expect(latest.dict(latest.dict(latest.root)?.get('Pages'))?.get('Count')).toBe(1);
  }
});

test('a handler that is not known, and a dictionary that says nonsense', () => {
  const withEncrypt = (entries: string) =>
    opened(
      Buffer.from(
        basePdf().toString('latin1').replace('/Info 11 0 R', `/Info 11 0 R/Encrypt<<${entries}>>`),
        'latin1',
      ),
    );
  for (const entries of [
    '/Filter/Adobe.PubSec/V 4',
    '/Filter/Standard/V 4/R 4/P -4/CF 3/StmF/StdCF',
    '/Filter/Standard/V 3/R 3/P -4',
    '/Filter/Standard/V 2/R 3/P -4/Length 4096',
    '/Filter/Standard/V 5/R 2/P -4',
    '/Filter/Standard/V 5/R 6',
    '',
  ])
    expect([entries, withEncrypt(entries).locked]).toEqual([entries, 'handler_unknown']);
  expect(withEncrypt('/Filter/Standard/V 5/R 6/P -4/U()/O()/UE()/OE()').locked).toBe('password_wrong');
  expect(withEncrypt('/Filter/Standard/V 1/R 2/P -4/U()/O()').locked).toBe('password_wrong');
});

const { skip, why } = needsCommand('qpdf');

describe.skipIf(skip)(`what qpdf encrypted${why}`, () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'esign-encrypted-'));
    writeFileSync(join(folder, 'plain.pdf'), basePdf());
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const encrypted = (user: string, ...options: string[]): Buffer => {
    const words = [
      '--allow-weak-crypto',
      '--encrypt',
      user,
      'owner',
      ...options,
      '--',
      'plain.pdf',
      'encrypted.pdf',
    ];
    const { status, stderr } = spawnSync('qpdf', words, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return readFileSync(join(folder, 'encrypted.pdf'));
  };

  test.each([
    ['RC4 with 40 bits', ['40']],
    ['RC4 with 128 bits', ['128', '--use-aes=n']],
    ['AES with 128 bits', ['128', '--use-aes=y']],
    ['AES with 128 bits, metadata aside', ['128', '--use-aes=y', '--cleartext-metadata']],
    ['AES with 256 bits as Adobe first had it', ['256', '--force-R5']],
    ['AES with 256 bits', ['256']],
  ])('%s', (_, options) => {
    const locked = encrypted('user', ...options);
    expect(opened(locked).locked).toBe('password_wrong');
    for (const [file, password] of [
      [locked, 'user'],
      [locked, 'owner'],
      [encrypted('', ...options), undefined],
    ] as const) {
      const read = opened(file, password);
      expect(read.locked).toBeUndefined();
      expect(titleOf(read)).toBe('Contract');
      expect(contentOf(read)).toContain('I owe you 100 euros');
    }
  });
});
