// Checks a sealed PDF with foreign programs: pdfsig, openssl and qpdf. pdfsig always exits with 0, so
// its output is parsed; it ignores document timestamps, which openssl checks.

import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { childrenOf, contentOf, type Der, encoded, oidOf, readDer, TAG } from '../../../src/pdf/sign/der.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Need, needsCommand, unmet } from '../tools.ts';

const TOOLS = ['pdfsig', 'openssl', 'qpdf', 'certutil'] as const;

/** For `test.skipIf`. */
export function needsForeignVerifiers(): Need {
  return unmet(...TOOLS.map(needsCommand));
}

export type Trust = {
  /** In DER. */
  root: Uint8Array;
  /** Of the authority for timestamps, where it is another one. */
  timestampRoot?: Uint8Array;
  level: 'B' | 'T' | 'LT' | 'LTA';
  /** The file it was made from; if this is not sound, the sealed one must have no new faults. */
  original?: Uint8Array;
  /** Which programs support the kind of key: NSS, which pdfsig uses, has no PSS and no Ed25519, and openssl 3.0 no Ed25519 in CMS. */
  knownTo?: readonly ('pdfsig' | 'openssl')[];
};

/** Fails with the name and output of the program, unless all programs accept the file at this level. */
export async function expectAccepted(pdf: Uint8Array, trust: Trust): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-verifiers-'));
  try {
    const files = await writtenFiles(folder, pdf, trust);
    const signatures = signaturesIn(pdf);
    if (trust.original) await expectNoWorse(pdf, trust.original);
    else await expectSound(files.pdf);
    if (isKnownTo('pdfsig', trust)) await expectPdfsig(files, signatures.length, trust);
    await expectSignatures(folder, signatures, files, trust);
    expectNothingBehind(pdf, signatures);
    expect(pdfHas(pdf, '/DSS'), 'validation data').toBe(trust.level === 'LT' || trust.level === 'LTA');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const isKnownTo = (program: 'pdfsig' | 'openssl', { knownTo = ['pdfsig', 'openssl'] }: Trust): boolean =>
  knownTo.includes(program);

type Files = { pdf: string; root: string; timestampRoot: string };

async function writtenFiles(folder: string, pdf: Uint8Array, trust: Trust): Promise<Files> {
  const files = {
    pdf: join(folder, 'sealed.pdf'),
    root: join(folder, 'root.pem'),
    timestampRoot: join(folder, 'timestamp-root.pem'),
  };
  await writeFile(files.pdf, pdf);
  await writeFile(files.root, new X509Certificate(trust.root).toString());
  await writeFile(files.timestampRoot, new X509Certificate(trust.timestampRoot ?? trust.root).toString());
  return files;
}

type Said = { code: number; text: string };

const ask = (program: string, words: readonly string[]): Promise<Said> =>
  new Promise((resolve) => {
    execFile(program, words, { encoding: 'utf8', maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, text: `${stdout}${stderr}` });
    });
  });

// --- Signatures, found in the bytes alone ---

export type FoundSignature = {
  subFilter: string;
  range: [number, number, number, number];
  /** DER, without the padding zeros. */
  contents: Buffer;
  /** The signed bytes. */
  covered: Buffer;
};

/** In the order of the file. */
export function signaturesIn(pdf: Uint8Array): FoundSignature[] {
  const bytes = Buffer.from(pdf);
  const text = bytes.toString('latin1');
  return [...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)].map((match) => {
    const range = match.slice(1).map(Number) as FoundSignature['range'];
    const [from, length, second, more] = range;
    const hex = text.slice(from + length + 1, second - 1);
    const start = text.lastIndexOf(' obj', match.index);
    return {
      subFilter: /\/SubFilter\s*\/([\w.]+)/.exec(text.slice(start, second))?.[1] ?? 'none',
      range,
      contents: Buffer.from(encoded(readDer(Buffer.from(hex, 'hex'))!)),
      covered: Buffer.concat([bytes.subarray(from, from + length), bytes.subarray(second, second + more)]),
    };
  });
}

const pdfHas = (pdf: Uint8Array, text: string): boolean => Buffer.from(pdf).includes(text, 0, 'latin1');

function expectNothingBehind(pdf: Uint8Array, signatures: readonly FoundSignature[]): void {
  const [, length, second, more] = signatures.at(-1)!.range;
  const hasDss = pdfHas(pdf, '/DSS');
  const isLastOfAll = signatures.at(-1)?.subFilter === 'ETSI.RFC3161';
  if (hasDss && !isLastOfAll) return;
  expect(second + more, 'the last signature covers the end of the file').toBe(pdf.length);
  expect(length).toBeLessThan(second);
}

// --- The programs ---

async function expectSound(file: string): Promise<void> {
  const { code, text } = await ask('qpdf', ['--check', file]);
  expect(text, 'qpdf').toContain('No syntax or stream encoding errors found');
  expect(text, 'qpdf').not.toMatch(/warning/i);
  expect(code, `qpdf: ${text}`).toBe(0);
}

/** Exit codes from sound to broken: qpdf exits with 3 for warnings, and with 2 for errors. */
const QPDF_CODES = [0, 3, 2];

async function checkStructure(pdf: Uint8Array): Promise<Said> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-structure-'));
  try {
    const file = join(folder, 'file.pdf');
    await writeFile(file, pdf);
    return await ask('qpdf', ['--check', file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Fails where qpdf reports more faults than for the original. */
export async function expectNoWorse(pdf: Uint8Array, original: Uint8Array): Promise<void> {
  const [before, after] = [await checkStructure(original), await checkStructure(pdf)];
  // Other codes mean that qpdf itself failed.
  const rankOf = ({ code }: Said) =>
    QPDF_CODES.includes(code) ? QPDF_CODES.indexOf(code) : QPDF_CODES.length;
  const countOf = ({ text }: Said) => text.match(/^WARNING/gm)?.length ?? 0;
  expect(rankOf(after), `qpdf: ${after.text}`).toBeLessThanOrEqual(rankOf(before));
  // If it could not read the original to its end, it did not find all its faults either.
  if (before.code === 0 || before.code === 3)
    expect(countOf(after), `qpdf: ${after.text}`).toBeLessThanOrEqual(countOf(before));
}

async function expectPdfsig(files: Files, count: number, { level }: Trust): Promise<void> {
  const plain = await ask('pdfsig', ['-nocert', files.pdf]);
  expect(plain.text, 'pdfsig').toContain('Signature Validation: Signature is Valid.');
  expect(plain.text, 'pdfsig').not.toContain('Digest Mismatch');
  expect(plain.text.match(/^Signature #/gm)?.length, 'signatures known to pdfsig').toBe(count);
  // At level LT the validation data follows the only signature.
  const whole = plain.text.match(/Total document signed/g) ?? [];
  expect(whole.length, `pdfsig: ${plain.text}`).toBe(level === 'LT' ? 0 : 1);
  const database = await trustDatabase(files.root);
  const trusted = await ask('pdfsig', ['-nssdir', `sql:${database}`, files.pdf]);
  expect(trusted.text, 'pdfsig').toContain('Certificate Validation: Certificate is Trusted.');
}

const databases = new Map<string, Promise<string>>();

/** Returns the trust database for pdfsig, made once for each root. @param root in PEM */
async function trustDatabase(root: string): Promise<string> {
  const certificate = await readFile(root, 'utf8');
  const known = databases.get(certificate) ?? makeTrustDatabase(root);
  databases.set(certificate, known);
  return known;
}

async function makeTrustDatabase(root: string): Promise<string> {
  const database = await temporaryFolder();
  const made = await ask('certutil', ['-N', '-d', `sql:${database}`, '--empty-password']);
  expect(made.code, `certutil: ${made.text}`).toBe(0);
  const trust = ['-A', '-n', 'root', '-t', 'C,C,C', '-i', root, '-d', `sql:${database}`];
  const added = await ask('certutil', trust);
  expect(added.code, `certutil: ${added.text}`).toBe(0);
  return database;
}

async function expectSignatures(
  folder: string,
  signatures: readonly FoundSignature[],
  files: Files,
  trust: Trust,
): Promise<void> {
  const { level } = trust;
  const seals = signatures.filter(({ subFilter }) => subFilter === 'ETSI.CAdES.detached');
  const stamps = signatures.filter(({ subFilter }) => subFilter === 'ETSI.RFC3161');
  expect(seals.length).toBe(1);
  expect(stamps.length, 'document timestamps').toBe(level === 'LTA' ? 1 : 0);
  for (const seal of seals) {
    if (isKnownTo('openssl', trust)) await expectCms(folder, seal, files.root);
    expect(seal.contents.includes(SIGNING_TIME), 'a signing-time attribute').toBe(false);
    const { token, value } = signatureTimestamp(seal.contents);
    expect(token !== undefined, 'a signature timestamp').toBe(level !== 'B');
    if (token) await expectTimestamp(folder, token, value, files.timestampRoot);
  }
  for (const { contents, covered } of stamps)
    await expectTimestamp(folder, contents, covered, files.timestampRoot);
}

async function expectCms(folder: string, { contents, covered }: FoundSignature, root: string): Promise<void> {
  const signature = join(folder, 'seal.der');
  const content = join(folder, 'covered');
  await writeFile(signature, contents);
  await writeFile(content, covered);
  const words = [
    'cms',
    '-verify',
    '-cades',
    '-binary',
    '-inform',
    'DER',
    '-in',
    signature,
    '-content',
    content,
  ];
  const { text } = await ask('openssl', [...words, '-CAfile', root, '-out', join(folder, 'out')]);
  expect(text, 'openssl cms').toMatch(/CAdES Verification successful/);
}

/** 1.2.840.113549.1.9.5 in DER. */
const SIGNING_TIME = Buffer.from('06092a864886f70d010905', 'hex');

async function expectTimestamp(folder: string, token: Buffer, data: Buffer, root: string): Promise<void> {
  const files = [join(folder, 'token.der'), join(folder, 'data')] as const;
  await writeFile(files[0], token);
  await writeFile(files[1], data);
  const words = ['ts', '-verify', '-token_in', '-in', files[0], '-data', files[1], '-CAfile', root];
  const { text } = await ask('openssl', words);
  expect(text, `openssl ts over ${createHash('sha256').update(data).digest('hex')}`).toContain(
    'Verification: OK',
  );
}

const partsOf = (der: Der | undefined): Der[] => childrenOf(der) ?? [];

/** The parts of the first SignerInfo (RFC 5652, 5.3). */
export function partsOfSigner(cms: Buffer): Der[] {
  const signedData = partsOf(partsOf(partsOf(readDer(cms))[1])[0]);
  return partsOf(partsOf(signedData.at(-1))[0]);
}

/** Returns the token among the unsigned attributes, and the value that it timestamps. */
export function signatureTimestamp(cms: Buffer): { token: Buffer | undefined; value: Buffer } {
  const info = partsOfSigner(cms);
  const value = contentOf(info.find(({ tag }) => tag === TAG.octetString)!);
  const unsigned = partsOf(info.find(({ tag }) => tag === 0xa1));
  const stamp = unsigned.map(partsOf).find(([id]) => oidOf(id) === '1.2.840.113549.1.9.16.2.14');
  const [token] = partsOf(stamp?.[1]);
  return { token: token && encoded(token), value };
}
