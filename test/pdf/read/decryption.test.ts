// Reading of encrypted files: what qpdf, a library and the standard's algorithms encrypted is read as it was before, and nothing is read
// without the password.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PdfFile, readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { isSame, Ref, textOf } from '../../../src/pdf/read/values.ts';
import {
  ENCRYPTED,
  type EncryptionOptions,
  encryptedPdf,
  encryptedPdfOfVersion4,
} from '../../support/documents/encrypted-pdf.ts';
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

/** The base file, with the entries of a dictionary that says how it is encrypted. */
function withEncrypt(entries: string, password?: string): PdfFile {
  const plain = basePdf().toString('latin1');
  const encrypted = plain.replace('/Info 11 0 R', `/Info 11 0 R/Encrypt<<${entries}>>`);
  return opened(Buffer.from(encrypted, 'latin1'), password);
}

test('a handler that is not known, and a dictionary that says nonsense', () => {
  for (const entries of [
    '/Filter/Adobe.PubSec/V 4',
    '/Filter/Standard/V 4/R 4/P -4/CF 3/StmF/StdCF',
    '/Filter/Standard/V 4/R 4/P -4/CF<</StdCF<</CFM/constructor>>>>/StmF/StdCF',
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

test('a password of version 5 counts in its composed form, up to 127 bytes', () => {
  const password = 'é'.repeat(63).concat('x');
  const [check, salt] = ['checking', 'deriving'];
  const hash = createHash('sha256').update(password).update(check).digest('hex');
  const user = `/U<${hash}${Buffer.from(check + salt).toString('hex')}>/UE<${'00'.repeat(32)}>`;
  const entries = `/Filter/Standard/V 5/R 5/P -4/CF<</StdCF<</CFM/AESV3>>>>/StmF/StdCF${user}`;
  const decomposed = password.normalize('NFD');
  expect(withEncrypt(entries, decomposed).locked).toBeUndefined();
  expect(withEncrypt(entries, `${decomposed}and more`).locked).toBeUndefined();
  expect(withEncrypt(entries, 'é').locked).toBe('password_wrong');
});

describe('crypt filters', () => {
  const CF = '/CF<</StdCF<</CFM/AESV2>>/Old<</CFM/V2>>/Not<</CFM/None>>>>';
  const BOTH = `${CF}/StrF/StdCF/StmF/StdCF`;
  const ALL_AES = { strings: 'aes', streams: 'aes', metadata: 'aes' } as const;

  test.each<[string, EncryptionOptions]>([
    ['one for all', { entries: BOTH, ...ALL_AES }],
    ['RC4', { entries: `${CF}/StrF/Old/StmF/Old`, strings: 'rc4', streams: 'rc4', metadata: 'rc4' }],
    ['whatever length the dictionary says', { entries: `${BOTH}/Length 40`, ...ALL_AES }],
    ['another one for strings', { entries: `${CF}/StrF/Old/StmF/StdCF`, ...ALL_AES, strings: 'rc4' }],
    ['none for strings', { entries: `${CF}/StrF/Identity/StmF/StdCF`, ...ALL_AES, strings: 'none' }],
    ['none for streams', { entries: `${CF}/StrF/StdCF`, strings: 'aes', streams: 'none', metadata: 'none' }],
    ['one that does nothing', { entries: `${CF}/StrF/Not/StmF/StdCF`, ...ALL_AES, strings: 'none' }],
    ['metadata aside', { entries: `${BOTH}/EncryptMetadata false`, ...ALL_AES, metadata: 'none' }],
    ['permissions without a sign', { entries: BOTH, ...ALL_AES, permissions: '4294967292' }],
    ['a password in Latin-1', { entries: BOTH, ...ALL_AES, password: 'Schlüssel' }],
  ])('%s', (_, lock) => {
    const { latest, locked } = opened(encryptedPdfOfVersion4(lock), lock.password);
    expect(locked).toBeUndefined();
    expect(textOf(latest.dict(ENCRYPTED.title)?.get('Title') ?? null)).toBe('the title');
    expect(latest.data(ENCRYPTED.content)?.toString()).toBe('the content');
    expect(latest.data(ENCRYPTED.metadata)?.toString()).toBe('the metadata');
    expect(textOf(latest.dict(ENCRYPTED.signature)?.get('Contents') ?? null)).toBe('the signature');
    // Its own filter may be any of those that the dictionary names.
    expect(latest.data(ENCRYPTED.ownFilter)).toBeUndefined();
  });

  test('a text that cannot be decrypted is not the same as a decrypted one: other readers decrypt it in another way', () => {
    const titleIn = (strings: EncryptionOptions['strings']) =>
      opened(encryptedPdfOfVersion4({ entries: BOTH, ...ALL_AES, strings }))
        .latest.dict(ENCRYPTED.title)
        ?.get('Title');
    const [plain, encrypted] = [titleIn('none'), titleIn('aes')];
    expect([textOf(plain), textOf(encrypted)]).toEqual(['the title', 'the title']);
    expect(isSame(plain, encrypted)).toBe(false);
    expect(isSame(plain, titleIn('none'))).toBe(true);
    expect(isSame(encrypted, titleIn('aes'))).toBe(true);
  });

  test('a stream of cross references is not encrypted', async () => {
    const { latest, sections } = opened(await encryptedPdf('secret'), 'secret');
    const { number = 0, places } = sections[0]!;
    const widths = latest.array(latest.dict(new Ref(number, 0))?.get('W')) as number[];
    const row = widths.reduce((sum, width) => sum + width, 0);
    expect(latest.data(new Ref(number, 0))).toHaveLength(places.size * row);
  });
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
