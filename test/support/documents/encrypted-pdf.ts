import { createCipheriv, createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { rc4 } from '../../../src/pdf/read/decryption.ts';
import { Ref } from '../../../src/pdf/read/values.ts';
import { streamOf } from './signed-pdf.ts';

/** Makes a PDF of one page that opens with this password only. */
export async function encryptedPdf(userPassword: string): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([200, 200]);
  document.encrypt({ userPassword, ownerPassword: `${userPassword} of the owner` });
  return Buffer.from(await document.save());
}

export type Cipher = 'none' | 'rc4' | 'aes';

export type EncryptionOptions = {
  /** The entries of /Encrypt for the crypt filters, and others. */
  entries: string;
  strings: Cipher;
  streams: Cipher;
  metadata: Cipher;
  password?: string;
  /** Written unchanged: some programs write it without a sign. */
  permissions?: string;
};

export const ENCRYPTED = {
  title: new Ref(5, 2),
  content: new Ref(4, 0),
  metadata: new Ref(6, 0),
  signature: new Ref(7, 0),
  ownFilter: new Ref(8, 0),
} as const;

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ID = Buffer.from('0123456789abcdef');
const OWNER = Buffer.alloc(32, 'o');

const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** The key of version 4, which has 128 bits (ISO 32000-2, algorithm 2). */
function keyOf({ password = '', entries }: EncryptionOptions): Buffer {
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const more = Buffer.alloc(entries.includes('/EncryptMetadata false') ? 4 : 0, 0xff);
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  let key = md5(padded, OWNER, permissions, ID, more);
  for (let round = 0; round < 50; round += 1) key = md5(key);
  return key;
}

/** The entry that identifies a password (algorithm 5). */
function userEntryOf(key: Buffer): Buffer {
  let entry: Buffer = md5(PADDING, ID);
  for (let round = 0; round < 20; round += 1)
    entry = rc4(Buffer.from(key.map((byte) => byte ^ round)), entry);
  return Buffer.concat([entry, Buffer.alloc(16)]);
}

/** Encrypts the data of an object (algorithm 1). */
function encrypt(cipher: Cipher, key: Buffer, { number, generation }: Ref, data: Buffer): Buffer {
  if (cipher === 'none') return data;
  const name = Buffer.from([number, 0, 0, generation, 0]);
  if (cipher === 'rc4') return rc4(md5(key, name), data);
  const start = Buffer.alloc(16, 's');
  const aes = createCipheriv('aes-128-cbc', md5(key, name, Buffer.from('sAlT')), start);
  return Buffer.concat([start, aes.update(data), aes.final()]);
}

/** A PDF that is encrypted with version 4 and revision 4: with a crypt filter for strings, and one for streams. */
export function encryptedPdfOfVersion4(lock: EncryptionOptions): Buffer {
  const key = keyOf(lock);
  const text = (at: Ref, value: string) =>
    `<${encrypt(lock.strings, key, at, Buffer.from(value)).toString('hex')}>`;
  const stream = (at: Ref, cipher: Cipher, data: string, entries = '') =>
    streamOf(encrypt(cipher, key, at, Buffer.from(data)), entries);
  const objects: [Ref, string | Buffer][] = [
    [new Ref(1, 0), '<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>'],
    [new Ref(2, 0), '<</Type/Pages/Count 1/Kids[3 0 R]>>'],
    [new Ref(3, 0), '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/Contents 4 0 R>>'],
    [ENCRYPTED.content, stream(ENCRYPTED.content, lock.streams, 'the content')],
    [ENCRYPTED.title, `<</Title${text(ENCRYPTED.title, 'the title')}>>`],
    [
      ENCRYPTED.metadata,
      stream(ENCRYPTED.metadata, lock.metadata, 'the metadata', '/Type/Metadata/Subtype/XML'),
    ],
    [ENCRYPTED.signature, '<</Type/Sig/ByteRange[0 1 2 3]/Contents(the signature)>>'],
    [ENCRYPTED.ownFilter, stream(ENCRYPTED.ownFilter, 'none', 'not encrypted', '/Filter[/Crypt]')],
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  let at = parts[0]!.length;
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const [{ number, generation }, value] of objects) {
    const object = Buffer.concat([
      Buffer.from(`${number} ${generation} obj\n`),
      Buffer.from(value),
      Buffer.from('\nendobj\n'),
    ]);
    table += `${String(at).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
    at += object.length;
    parts.push(object);
  }
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  const { permissions = '-4', entries } = lock;
  const encrypted = `/Encrypt<</Filter/Standard/V 4/R 4/P ${permissions}/O${hex(OWNER)}/U${hex(userEntryOf(key))}${entries}>>`;
  const trailer = `/Size ${objects.length + 1}/Root 1 0 R/Info 5 2 R/ID[${hex(ID)}${hex(ID)}]${encrypted}`;
  return Buffer.concat([...parts, Buffer.from(`${table}trailer\n<<${trailer}>>\nstartxref\n${at}\n%%EOF\n`)]);
}
